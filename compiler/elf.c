/* elf.c: an object joined from the pieces that LLVM wrote and from the image.
 *
 * The pieces' sections stay apart, under their names; the linker puts them together.  What a piece
 * defines becomes local, since no other object may see it; a piece and the image find what another
 * piece defines by its name.  Only the image's exports are global. */
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

struct whole {
    struct uc *uc;
    struct buf *out; /* the header and the sections' contents */
    struct buf sections, locals, globals, names;
    struct map found;      /* a symbol's name to its reference */
    struct map known;      /* a name to its place in `names`, + 1 */
    uint32_t nsections;    /* those of the parts, and section 0 */
    uint32_t image_symbol; /* the image's section, as a symbol */
};

/* References to symbols, before the number of local ones is known: this bit is set in those to
 * global ones. */
#define GLOBAL 0x80000000u

static uint32_t count(const struct buf *b, size_t each) {
    return (uint32_t)(b->size / each);
}

/* A name's place among the names. */
static uint32_t put_name(struct whole *w, const char *text) {
    const char *name = intern(w->uc, text, strlen(text));
    uintptr_t place = (uintptr_t)map_get(&w->known, name);
    if (place == 0) {
        place = w->names.size + 1;
        map_set(w->uc, &w->known, name, (void *)place); // NOLINT(performance-no-int-to-ptr)
        buf_put(&w->names, text, strlen(text) + 1);
    }
    return (uint32_t)(place - 1);
}

static uint32_t put_local(struct whole *w, Elf64_Sym s) {
    buf_put(&w->locals, &s, sizeof s);
    return count(&w->locals, sizeof s) - 1;
}

static uint32_t put_global(struct whole *w, Elf64_Sym s) {
    buf_put(&w->globals, &s, sizeof s);
    return (count(&w->globals, sizeof s) - 1) | GLOBAL;
}

static uint32_t number(const struct whole *w, uint32_t reference) {
    return reference & GLOBAL ? (reference & ~GLOBAL) + count(&w->locals, sizeof(Elf64_Sym))
                              : reference;
}

/* ---- parts */

static bool is_table(const Elf64_Shdr *s) {
    return s->sh_type == SHT_SYMTAB || s->sh_type == SHT_STRTAB;
}

static void read_part(struct whole *w, struct part *p, const struct buf *object) {
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
static void define_symbols(struct whole *w, struct part *p) {
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
static uint32_t find_symbol(struct whole *w, const char *text) {
    const char *name = intern(w->uc, text, strlen(text));
    uintptr_t reference = (uintptr_t)map_get(&w->found, name);
    if (reference == 0) {
        Elf64_Sym s = {.st_name = put_name(w, text), .st_info = ELF64_ST_INFO(STB_GLOBAL, 0)};
        reference = put_global(w, s);
        map_set(w->uc, &w->found, name, (void *)reference);
    }
    return (uint32_t)reference;
}

static void find_symbols(struct whole *w, struct part *p) {
    for (uint32_t i = 1; i < p->nsymbols; i++)
        if (p->symbols[i].st_shndx == SHN_UNDEF)
            p->symbol[i] = find_symbol(w, p->names + p->symbols[i].st_name);
}

/* ---- sections */

/* Appends a section; gives its contents in the output, or NULL after a failure. */
static char *put_section(struct whole *w, const char *name, Elf64_Shdr h, const void *data) {
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

static void put_sections(struct whole *w, const struct part *p, uint32_t symbols) {
    const Elf64_Ehdr *header = (const void *)p->data;
    const char *names = p->data + p->sections[header->e_shstrndx].sh_offset;
    for (uint32_t i = 1; i < p->nsections; i++) {
        Elf64_Shdr h = p->sections[i];
        const char *data = p->data + h.sh_offset;
        if (p->section[i] == 0)
            continue;
        if (h.sh_type == SHT_RELA) {
            h.sh_link = symbols;
            h.sh_info = p->section[h.sh_info];
        }
        char *copy = put_section(w, names + p->sections[i].sh_name, h, data);
        for (size_t at = 0; h.sh_type == SHT_RELA && copy != NULL && at < h.sh_size;) {
            Elf64_Rela r;
            memcpy(&r, copy + at, sizeof r);
            uint32_t symbol = number(w, p->symbol[ELF64_R_SYM(r.r_info)]);
            r.r_info = ELF64_R_INFO((uint64_t)symbol, ELF64_R_TYPE(r.r_info));
            memcpy(copy + at, &r, sizeof r);
            at += sizeof r;
        }
    }
}

static void export_records(struct whole *w, const struct image *image) {
    for (size_t i = 0; i < image->nexports; i++)
        put_global(w, (Elf64_Sym){.st_name = put_name(w, image->exports[i].symbol),
                                  .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
                                  .st_shndx = (uint16_t)w->nsections,
                                  .st_value = image->exports[i].offset,
                                  .st_size = sizeof(struct ufc_ufunc)});
}

/* The image, and the relocations that fill in its pointers. */
static void put_image(struct whole *w, const struct image *image, uint32_t symbols) {
    Elf64_Shdr data = {.sh_type = SHT_PROGBITS,
                       .sh_flags = SHF_ALLOC | SHF_WRITE,
                       .sh_size = image->bytes.size,
                       .sh_addralign = 16};
    put_section(w, ".data.rel.ro", data, image->bytes.data);
    Elf64_Rela *all = NEWN(w->uc, Elf64_Rela, image->nrelocs);
    for (size_t i = 0; i < image->nrelocs; i++) {
        const struct reloc *r = &image->relocs[i];
        uint32_t symbol =
            r->symbol != NULL ? number(w, find_symbol(w, r->symbol)) : w->image_symbol;
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
static void put_tables(struct whole *w, uint32_t symbols) {
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

static void put_headers(struct whole *w, uint32_t symbols) {
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

void join_objects(struct uc *uc, const struct piece *objects, int n, const struct image *image,
                  struct buf *out) {
    struct whole w = {.uc = uc, .out = out, .nsections = 1};
    struct part *parts = NEWN(uc, struct part, n);
    put_name(&w, "");
    put_local(&w, (Elf64_Sym){0});
    for (int i = 0; i < n; i++) {
        read_part(&w, &parts[i], &objects[i].code);
        define_symbols(&w, &parts[i]);
    }
    w.image_symbol = put_local(&w, (Elf64_Sym){.st_info = ELF64_ST_INFO(STB_LOCAL, STT_SECTION),
                                               .st_shndx = (uint16_t)w.nsections});
    for (int i = 0; i < n; i++)
        find_symbols(&w, &parts[i]);
    export_records(&w, image);
    buf_put(out, &(Elf64_Ehdr){0}, sizeof(Elf64_Ehdr));
    buf_put(&w.sections, &(Elf64_Shdr){0}, sizeof(Elf64_Shdr));
    uint32_t symbols = w.nsections + 3; /* behind the image, its relocations and a note */
    for (int i = 0; i < n; i++)
        put_sections(&w, &parts[i], symbols);
    put_image(&w, image, symbols);
    put_tables(&w, symbols);
    put_headers(&w, symbols);
    buf_free(&w.sections);
    buf_free(&w.locals);
    buf_free(&w.globals);
    buf_free(&w.names);
}
