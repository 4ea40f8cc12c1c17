/* elf.c: an object joined from GPU code, the pieces that LLVM wrote, and the image.
 *
 * What is joined is written at once, so that the pieces need not be kept.  Their sections stay
 * apart, under their names; the linker puts them together.  What a piece defines becomes local,
 * since no other object may see it; a piece and the image find what another piece defines by its
 * name.  Only the image's exports are global. */
#include <elf.h>
#include <string.h>

#include "object.h"

/* An object of LLVM's. */
struct part {
    const char *data;
    const Elf64_Shdr *sections;
    const Elf64_Sym *symbols;
    const char *names; /* of the symbols */
    uint32_t nsections, nsymbols;
    uint32_t *section, *symbol; /* their numbers in the whole; 0: it has no such section */
};

struct join {
    struct uc *uc;
    struct buf *out; /* the header and the sections' contents */
    struct buf sections, locals, globals, names;
    struct buf wanted;     /* const char *: what pieces refer to and do not define */
    struct map found;      /* a symbol's name to its reference */
    struct map known;      /* a name to its place in `names`, + 1 */
    struct map asked;      /* a name to its place in `wanted`, + 1 */
    uint32_t nsections;    /* so far, section 0 among them */
    uint32_t code_symbol;  /* the GPU code's section, as a symbol; 0: it is not complete */
    uint32_t image_symbol; /* the image's */
};

/* References to symbols, before the number of local ones is known: this bit is set in those to
 * global ones. */
#define GLOBAL 0x80000000u
/* Of a piece's relocations, before all that is defined is known: a place in `wanted`. */
#define WANTED 0x40000000u

static uint32_t count(const struct buf *b, size_t each) {
    return (uint32_t)(b->size / each);
}

/* A name's place among the names. */
static uint32_t put_name(struct join *w, const char *text) {
    const char *name = intern(w->uc, text, strlen(text));
    uintptr_t place = (uintptr_t)map_get(&w->known, name);
    if (place == 0) {
        place = w->names.size + 1;
        map_set(w->uc, &w->known, name, (void *)place); // NOLINT(performance-no-int-to-ptr)
        buf_put(&w->names, text, strlen(text) + 1);
    }
    return (uint32_t)(place - 1);
}

static uint32_t put_local(struct join *w, Elf64_Sym s) {
    buf_put(&w->locals, &s, sizeof s);
    return count(&w->locals, sizeof s) - 1;
}

static uint32_t put_global(struct join *w, Elf64_Sym s) {
    buf_put(&w->globals, &s, sizeof s);
    return (count(&w->globals, sizeof s) - 1) | GLOBAL;
}

static uint32_t number(const struct join *w, uint32_t reference) {
    return reference & GLOBAL ? (reference & ~GLOBAL) + count(&w->locals, sizeof(Elf64_Sym))
                              : reference;
}

/* ---- parts */

static bool is_table(const Elf64_Shdr *s) {
    return s->sh_type == SHT_SYMTAB || s->sh_type == SHT_STRTAB;
}

static void read_part(struct join *w, struct part *p, const struct buf *object) {
    const Elf64_Ehdr *header = (const void *)object->data;
    p->data = object->data;
    p->sections = (const void *)(p->data + header->e_shoff);
    p->nsections = header->e_shnum;
    p->section = NEWN(w->uc, uint32_t, p->nsections);
    for (uint32_t i = 1; i < p->nsections; i++) {
        const Elf64_Shdr *s = &p->sections[i];
        if (s->sh_type == SHT_SYMTAB) {
            p->symbols = (const void *)(p->data + s->sh_offset);
            p->nsymbols = (uint32_t)(s->sh_size / sizeof *p->symbols);
            p->names = p->data + p->sections[s->sh_link].sh_offset;
        }
        if (!is_table(s) && s->sh_size > 0)
            p->section[i] = w->nsections++;
    }
    p->symbol = NEWN(w->uc, uint32_t, p->nsymbols);
}

/* Adds the symbols that a part defines; those of files say nothing of the whole. */
static void define_symbols(struct join *w, struct part *p) {
    for (uint32_t i = 1; i < p->nsymbols; i++) {
        Elf64_Sym s = p->symbols[i];
        if (s.st_shndx == SHN_UNDEF || s.st_shndx >= SHN_LORESERVE || p->section[s.st_shndx] == 0)
            continue;
        const char *text = p->names + s.st_name;
        bool found = ELF64_ST_BIND(s.st_info) != STB_LOCAL;
        s.st_shndx = (uint16_t)p->section[s.st_shndx];
        s.st_info = ELF64_ST_INFO(STB_LOCAL, ELF64_ST_TYPE(s.st_info));
        s.st_other = STV_DEFAULT;
        s.st_name = put_name(w, text);
        p->symbol[i] = put_local(w, s);
        if (found) {
            uintptr_t reference = p->symbol[i];
            map_set(w->uc, &w->found, intern(w->uc, text, strlen(text)), (void *)reference);
        }
    }
}

/* The reference to the symbol of a name, which is added if no part defines it. */
static uint32_t find_symbol(struct join *w, const char *text) {
    const char *name = intern(w->uc, text, strlen(text));
    uintptr_t reference = (uintptr_t)map_get(&w->found, name);
    if (reference == 0) {
        Elf64_Sym s = {.st_name = put_name(w, text), .st_info = ELF64_ST_INFO(STB_GLOBAL, 0)};
        reference = put_global(w, s);
        map_set(w->uc, &w->found, name, (void *)reference);
    }
    return (uint32_t)reference;
}

/* The place of a name among those that are wanted. */
static uint32_t ask_for(struct join *w, const char *text) {
    const char *name = intern(w->uc, text, strlen(text));
    uintptr_t place = (uintptr_t)map_get(&w->asked, name);
    if (place == 0) {
        buf_put(&w->wanted, &name, sizeof name);
        place = count(&w->wanted, sizeof name);
        map_set(w->uc, &w->asked, name, (void *)place); // NOLINT(performance-no-int-to-ptr)
    }
    return (uint32_t)(place - 1) | WANTED;
}

static void ask_for_symbols(struct join *w, struct part *p) {
    for (uint32_t i = 1; i < p->nsymbols; i++)
        if (p->symbols[i].st_shndx == SHN_UNDEF)
            p->symbol[i] = ask_for(w, p->names + p->symbols[i].st_name);
}

/* ---- sections */

/* Appends a section; gives its contents in the output, or NULL after a failure. */
static char *put_section(struct join *w, const char *name, Elf64_Shdr h, const void *data) {
    static const char zeros[64];
    if (h.sh_addralign > 1)
        buf_put(w->out, zeros, -w->out->size % h.sh_addralign);
    h.sh_name = put_name(w, name);
    h.sh_offset = w->out->size;
    buf_put(&w->sections, &h, sizeof h);
    if (h.sh_type != SHT_NOBITS)
        buf_put(w->out, data, h.sh_size);
    return w->out->failed ? NULL : w->out->data + h.sh_offset;
}

/* Has the relocations of a section refer to symbols as `change` says. */
static void change_symbols(const struct join *w, char *relocations, size_t size,
                           uint32_t (*change)(const struct join *w, const void *arg,
                                              uint32_t symbol),
                           const void *arg) {
    Elf64_Rela r;
    for (size_t at = 0; at < size; at += sizeof r) {
        memcpy(&r, relocations + at, sizeof r);
        uint32_t symbol = change(w, arg, (uint32_t)ELF64_R_SYM(r.r_info));
        r.r_info = ELF64_R_INFO((uint64_t)symbol, ELF64_R_TYPE(r.r_info));
        memcpy(relocations + at, &r, sizeof r);
    }
}

static uint32_t symbol_of_part(const struct join *w, const void *part, uint32_t symbol) {
    (void)w;
    return ((const struct part *)part)->symbol[symbol];
}

static void put_sections(struct join *w, const struct part *p) {
    const Elf64_Ehdr *header = (const void *)p->data;
    const char *names = p->data + p->sections[header->e_shstrndx].sh_offset;
    for (uint32_t i = 1; i < p->nsections; i++) {
        Elf64_Shdr h = p->sections[i];
        if (p->section[i] == 0)
            continue;
        if (h.sh_type == SHT_RELA)
            h.sh_info = p->section[h.sh_info];
        char *copy = put_section(w, names + p->sections[i].sh_name, h, p->data + h.sh_offset);
        if (h.sh_type == SHT_RELA && copy != NULL)
            change_symbols(w, copy, h.sh_size, symbol_of_part, p);
    }
}

/* The symbol's number, of what put_sections left. */
static uint32_t final_symbol(const struct join *w, const void *references, uint32_t symbol) {
    return number(w, symbol & WANTED ? ((const uint32_t *)references)[symbol & ~WANTED] : symbol);
}

/* Fills in the symbols that the pieces' relocations refer to. */
static void finish_relocations(struct join *w, uint32_t symbols) {
    w->out->failed |= w->wanted.failed | w->locals.failed | w->sections.failed;
    if (w->out->failed)
        return;
    uint32_t n = count(&w->wanted, sizeof(char *)), *references = NEWN(w->uc, uint32_t, n);
    const char *const *names = (const void *)w->wanted.data;
    for (uint32_t i = 0; i < n; i++)
        references[i] = find_symbol(w, names[i]);
    Elf64_Shdr *h = (void *)w->sections.data, *end = h + count(&w->sections, sizeof *h);
    for (; h < end; h++) {
        if (h->sh_type != SHT_RELA)
            continue;
        h->sh_link = symbols;
        change_symbols(w, w->out->data + h->sh_offset, h->sh_size, final_symbol, references);
    }
}

static void export_records(struct join *w, const struct image *image) {
    for (size_t i = 0; i < image->nexports; i++)
        put_global(w, (Elf64_Sym){.st_name = put_name(w, image->exports[i].symbol),
                                  .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
                                  .st_shndx = (uint16_t)w->nsections,
                                  .st_value = image->exports[i].offset,
                                  .st_size = sizeof(struct ufc_ufunc)});
}

/* The image, and the relocations that fill in its pointers. */
static void put_image(struct join *w, const struct image *image, uint32_t symbols) {
    Elf64_Shdr data = {.sh_type = SHT_PROGBITS,
                       .sh_flags = SHF_ALLOC | SHF_WRITE,
                       .sh_size = image->bytes.size,
                       .sh_addralign = 16};
    put_section(w, ".data.rel.ro", data, image->bytes.data);
    Elf64_Rela *all = NEWN(w->uc, Elf64_Rela, image->nrelocs);
    for (size_t i = 0; i < image->nrelocs; i++) {
        const struct reloc *r = &image->relocs[i];
        uint32_t symbol = r->symbol != NULL ? number(w, find_symbol(w, r->symbol))
                          : r->to_code      ? w->code_symbol
                                            : w->image_symbol;
        all[i] = (Elf64_Rela){.r_offset = r->offset,
                              .r_info = ELF64_R_INFO((uint64_t)symbol, R_X86_64_64),
                              .r_addend = (int64_t)(r->symbol != NULL ? 0 : r->addend)};
    }
    Elf64_Shdr h = {.sh_type = SHT_RELA,
                    .sh_flags = SHF_INFO_LINK,
                    .sh_size = image->nrelocs * sizeof *all,
                    .sh_link = symbols,
                    .sh_info = w->nsections,
                    .sh_addralign = 8,
                    .sh_entsize = sizeof *all};
    put_section(w, ".rela.data.rel.ro", h, all);
}

/* The tables behind all other sections, of which `symbols` is the number of the first. */
static void put_tables(struct join *w, uint32_t symbols) {
    Elf64_Shdr note = {.sh_type = SHT_PROGBITS, .sh_addralign = 1};
    put_section(w, ".note.GNU-stack", note, "");
    uint32_t nlocals = count(&w->locals, sizeof(Elf64_Sym));
    w->locals.failed |= w->globals.failed;
    buf_put(&w->locals, w->globals.data, w->globals.size);
    Elf64_Shdr table = {.sh_type = SHT_SYMTAB,
                        .sh_size = w->locals.size,
                        .sh_link = symbols + 1,
                        .sh_info = nlocals,
                        .sh_addralign = 8,
                        .sh_entsize = sizeof(Elf64_Sym)};
    put_section(w, ".symtab", table, w->locals.data);
    put_name(w, ".strtab");
    Elf64_Shdr names = {.sh_type = SHT_STRTAB, .sh_size = w->names.size, .sh_addralign = 1};
    put_section(w, ".strtab", names, w->names.data);
}

static void put_headers(struct join *w, uint32_t symbols) {
    static const char zeros[8];
    buf_put(w->out, zeros, -w->out->size % sizeof zeros);
    Elf64_Ehdr header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
                                     EV_CURRENT, ELFOSABI_NONE},
                         .e_type = ET_REL,
                         .e_machine = EM_X86_64,
                         .e_version = EV_CURRENT,
                         .e_shoff = w->out->size,
                         .e_ehsize = sizeof header,
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = (uint16_t)(symbols + 2),
                         .e_shstrndx = (uint16_t)(symbols + 1)};
    buf_put(w->out, w->sections.data, w->sections.size);
    w->out->failed |= w->sections.failed | w->locals.failed | w->names.failed;
    if (!w->out->failed)
        memcpy(w->out->data, &header, sizeof header);
}

struct join *join_begin(struct uc *uc, struct buf *out) {
    struct join *w = NEW(uc, struct join);
    *w = (struct join){.uc = uc, .out = out, .nsections = 1};
    put_name(w, "");
    put_local(w, (Elf64_Sym){0});
    buf_put(out, &(Elf64_Ehdr){0}, sizeof(Elf64_Ehdr));
    buf_put(&w->sections, &(Elf64_Shdr){0}, sizeof(Elf64_Shdr));
    return w;
}

/* A symbol of the section that comes next. */
static uint32_t put_section_symbol(struct join *w) {
    return put_local(w, (Elf64_Sym){.st_info = ELF64_ST_INFO(STB_LOCAL, STT_SECTION),
                                    .st_shndx = (uint16_t)w->nsections++});
}

enum { CODE_ALIGN = 16 }; /* the header's size is a multiple of it */

size_t join_code(struct join *w, const struct buf *code) {
    static const char zeros[CODE_ALIGN];
    buf_put(w->out, zeros, -w->out->size % CODE_ALIGN);
    size_t at = w->out->size - sizeof(Elf64_Ehdr);
    buf_put(w->out, code->data, code->size);
    w->out->failed |= code->failed;
    return at;
}

/* Makes what was written a section, unless it is one. */
static void end_code(struct join *w) {
    if (w->code_symbol != 0)
        return;
    w->code_symbol = put_section_symbol(w);
    Elf64_Shdr h = {.sh_name = put_name(w, ".rodata"),
                    .sh_type = SHT_PROGBITS,
                    .sh_flags = SHF_ALLOC,
                    .sh_offset = sizeof(Elf64_Ehdr),
                    .sh_size = w->out->size - sizeof(Elf64_Ehdr),
                    .sh_addralign = CODE_ALIGN};
    buf_put(&w->sections, &h, sizeof h);
}

void join_object(struct join *w, const struct buf *object) {
    struct part part = {.data = NULL};
    end_code(w);
    w->out->failed |= object->failed;
    if (object->failed)
        return;
    read_part(w, &part, object);
    define_symbols(w, &part);
    ask_for_symbols(w, &part);
    put_sections(w, &part);
}

void join_end(struct join *w, const struct image *image) {
    end_code(w);
    w->image_symbol = put_section_symbol(w);
    uint32_t symbols = w->nsections + 2; /* behind the image's relocations and a note */
    finish_relocations(w, symbols);
    w->nsections--;
    export_records(w, image);
    put_image(w, image, symbols);
    put_tables(w, symbols);
    put_headers(w, symbols);
}

void join_free(struct join *w) {
    if (w == NULL)
        return;
    buf_free(&w->sections);
    buf_free(&w->locals);
    buf_free(&w->globals);
    buf_free(&w->names);
    buf_free(&w->wanted);
}
