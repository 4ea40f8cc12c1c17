/* compile.c: the pipeline from source to outputs, and the library's public functions. */
#include <fenv.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "level.h"
#include "nvtx.h"
#include "object.h"

struct ufcc_program {
    struct uc uc;
    struct ufcc_options options;
    /* What dumps, ufcc_emit and ufcc_load are making.  It is kept here so that it can be freed when
     * memory runs out. */
    ufcc_output output;
    struct buf out;
    struct pieces pieces;
    struct join *join;
    struct image image;
    struct loaded *loading;
    struct loaded *loaded; /* NULL: the program is not loaded */
};

/* Does work that may run out of memory or make LLVM fail, and reports either.  What LLVM then held
 * is lost. */
static bool work_or_report(ufcc_program *p, bool (*work)(ufcc_program *p)) {
    jmp_buf no_memory;
    p->uc.no_memory = &no_memory;
    p->uc.nerrors = p->uc.npromoted = 0;
    switch (setjmp(no_memory)) {
    case 0: return work(p) && p->uc.nerrors == 0;
    case LLVM_FAILED:
        error_nowhere(&p->uc, "code generation: %s; this process can generate no more code",
                      p->uc.llvm_failure);
        return false;
    default: error_nowhere(&p->uc, "out of memory"); return false;
    }
}

/* Does work in the C locale, so that numbers are read and shown with a point in any locale of the
 * program, and in the default floating-point environment, so that constants do not depend on the
 * caller's. */
static bool attempt(ufcc_program *p, bool (*work)(ufcc_program *p)) {
    fenv_t environment;
    fegetenv(&environment);
    fesetenv(FE_DFL_ENV);
    locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), own = uselocale(c);
    struct uc *outer = llvm_works_for(NULL);
    bool ok = work_or_report(p, work);
    llvm_works_for(outer);
    uselocale(own);
    if (c)
        freelocale(c);
    fesetenv(&environment);
    return ok;
}

/* ---- the pipeline: source to plans */

static void dump_parsed(struct uc *uc, struct buf *b) {
    dump_ast(uc, b, false);
}

static void dump_typed(struct uc *uc, struct buf *b) {
    dump_ast(uc, b, true);
}

/* Ends a stage: dumps its result if the options ask for the stage's letter.  Whether the stage went
 * well. */
static bool stage(ufcc_program *p, bool ok, char letter, void (*dump)(struct uc *, struct buf *)) {
    struct uc *uc = &p->uc;
    const struct ufcc_options *o = uc->options;
    if (!ok || uc->nerrors > 0 || !o->dumped || !o->dump || !strchr(o->dump, letter))
        return ok && uc->nerrors == 0;
    dump(uc, &p->out);
    if (!p->out.failed)
        o->dumped(o->user, p->out.data ? p->out.data : "", p->out.size);
    buf_free(&p->out);
    return true;
}

static bool planned(struct uc *uc) {
    plan(uc);
    return uc->nerrors == 0;
}

static bool verified(struct uc *uc) {
    for (const struct plan *p = uc->plans; p != NULL; p = p->next) {
        const char *broken = verify_plan(uc, p);
        if (broken != NULL)
            error_nowhere(uc, "internal error: the plan of %s: %s", p->symbol, broken);
    }
    return uc->nerrors == 0;
}

static const char *copy_text(struct uc *uc, const char *text) {
    return text ? arena_printf(uc, "%s", text) : NULL;
}

/* The current folder; "": it is not known. */
static const char *current_folder(struct uc *uc) {
    char *here = NEWN(uc, char, PATH_MAX);
    return getcwd(here, PATH_MAX) != NULL ? here : "";
}

/* Copies source and options into the program. */
static void copy_input(struct uc *uc, struct ufcc_options *o) {
    char *text = NEWN(uc, char, uc->src.size + 1);
    if (uc->src.size > 0)
        memcpy(text, uc->src.text, uc->src.size);
    uc->src.text = text;
    uc->src.name = arena_printf(uc, "%s", uc->src.name);
    uc->files = NEW(uc, struct file);
    *uc->files = (struct file){.name = uc->src.name, .end = (uint32_t)uc->src.size};
    uc->file = uc->files;
    uc->folder = o->line_info ? current_folder(uc) : "";
    int *archs = NEWN(uc, int, o->narchs);
    for (int i = 0; i < o->narchs; i++)
        archs[i] = o->archs[i];
    const char **warnings = NEWN(uc, const char *, o->nwarnings);
    for (int i = 0; i < o->nwarnings; i++)
        warnings[i] = copy_text(uc, o->warnings[i]);
    ufcc_file *files = NEWN(uc, ufcc_file, o->nfiles);
    for (int i = 0; i < o->nfiles; i++) {
        char *copy = NEWN(uc, char, o->files[i].size + 1);
        if (o->files[i].size > 0)
            memcpy(copy, o->files[i].text, o->files[i].size);
        files[i] = (ufcc_file){copy_text(uc, o->files[i].name), copy, o->files[i].size};
    }
    o->archs = archs;
    o->warnings = warnings;
    o->files = files;
    o->ptxas = copy_text(uc, o->ptxas);
    o->libdevice = copy_text(uc, o->libdevice);
    o->cache = copy_text(uc, o->cache);
    o->prefix = copy_text(uc, o->prefix);
    o->only = copy_text(uc, o->only);
    o->dump = copy_text(uc, o->dump);
}

/* Reports arguments that the library's interface does not allow. */
static bool check_input(struct uc *uc) {
    const struct ufcc_options *o = uc->options;
    if (uc->src.name == NULL || (uc->src.text == NULL && uc->src.size > 0))
        error_nowhere(uc, "the source's %s is NULL", uc->src.name == NULL ? "name" : "text");
    if (uc->src.size > UFCC_MAX_SOURCE)
        error_nowhere(uc, "%s has more than the %d bytes that a source may have", uc->src.name,
                      UFCC_MAX_SOURCE);
    if (o->targets & ~(unsigned)(UFCC_HOST | UFCC_CUDA))
        error_nowhere(uc, "targets is %#x; it has UFCC_HOST and UFCC_CUDA", o->targets);
    if (o->narchs < 0 || o->nwarnings < 0 || o->nfiles < 0)
        error_nowhere(uc, "narchs is %d, nwarnings is %d, nfiles is %d", o->narchs, o->nwarnings,
                      o->nfiles);
    for (int i = 0; i < o->nfiles; i++)
        if (o->files[i].name == NULL || (o->files[i].text == NULL && o->files[i].size > 0))
            error_nowhere(uc, "the %s of file %d is NULL",
                          o->files[i].name == NULL ? "name" : "text", i);
    for (int i = 0; i < o->narchs; i++)
        if (o->archs[i] < PTX_SM)
            error_nowhere(uc, "archs has %d; ufc needs sm_%d or later", o->archs[i], PTX_SM);
    return uc->nerrors == 0;
}

/* "double, unused" */
static const char *warning_names(struct uc *uc) {
    const char *names = "";
    for (int w = W_NONE + 1; w < W_COUNT; w++)
        names = arena_printf(uc, "%s%s%s", names, *names ? ", " : "", warning_info[w].name);
    return names;
}

static bool set_warnings(struct uc *uc) {
    for (int w = W_NONE + 1; w < W_COUNT; w++)
        uc->warning_on[w] = warning_info[w].on;
    for (int i = 0; i < uc->options->nwarnings; i++) {
        const char *name = uc->options->warnings[i];
        bool on = strncmp(name, "no-", 3) != 0;
        enum warning named = warning_named(on ? name : name + 3);
        bool all = strcmp(on ? name : name + 3, "all") == 0;
        if (named == W_NONE && !all)
            error_nowhere(uc, "there is no warning '%s', but %s and all", name, warning_names(uc));
        for (enum warning w = W_NONE + 1; w < W_COUNT; w++)
            if (all || w == named)
                uc->warning_on[w] = on;
    }
    return uc->nerrors == 0;
}

static bool compile(ufcc_program *p) {
    struct uc *uc = &p->uc;
    if (!check_input(uc))
        return false;
    copy_input(uc, &p->options);
    bool ok = set_warnings(uc);
    ok = ok && stage(p, true, 't', dump_tokens);
    ok = ok && stage(p, parse_all(uc), 'a', dump_parsed);
    ok = ok && stage(p, check(uc), 'y', dump_typed);
    ok = ok && stage(p, planned(uc), 'p', dump_plan);
    return ok && verified(uc);
}

ufcc_program *ufcc_compile(const char *name, const char *text, size_t size,
                           const ufcc_options *options) {
    ufcc_program *p = calloc(1, sizeof *p);
    struct arena *arena = arena_new();
    if (p == NULL || arena == NULL) {
        if (options != NULL)
            error_nowhere(&(struct uc){.options = options}, "out of memory");
        arena_free(arena);
        free(p);
        return NULL;
    }
    if (options != NULL)
        p->options = *options;
    if (p->options.targets == 0)
        p->options.targets = UFCC_HOST | UFCC_CUDA;
    p->options.fp_contract |= p->options.fast_math;
    p->uc = (struct uc){
        .arena = arena, .options = &p->options, .src = {.name = name, .text = text, .size = size}};
    nvtx_push("ufcc_compile %s", name != NULL ? name : "");
    bool ok = attempt(p, compile);
    nvtx_pop();
    if (ok)
        return p;
    ufcc_free(p);
    return NULL;
}

/* ---- plans to outputs */

/* Frees what emitting or loading has left. */
static void drop_outputs(ufcc_program *p) {
    buf_free(&p->out);
    pieces_free(&p->pieces);
    join_free(p->join);
    p->join = NULL;
    image_free(&p->image);
}

static bool drop_loading(ufcc_program *p) {
    loaded_free(&p->uc, p->loading);
    p->loading = NULL;
    return true;
}

void ufcc_free(ufcc_program *p) {
    if (p == NULL)
        return;
    p->options.diagnostic = NULL;
    drop_outputs(p);
    p->loading = p->loaded;
    attempt(p, drop_loading);
    arena_free(p->uc.arena);
    free(p);
}

/* This machine's level of host code, as a bit; 0 after an error. */
static unsigned native_level(ufcc_program *p) {
    int level = host_level();
    if (level < 0)
        error_nowhere(&p->uc, "this processor has less than %s, which host code needs",
                      level_names[0]);
    return level < 0 ? 0 : 1U << level;
}

/* The levels of host code that outputs contain, as bits. */
static unsigned levels(ufcc_program *p) {
    return p->options.native ? native_level(p) : (1U << LEVEL_COUNT) - 1;
}

static bool emit_object(ufcc_program *p) {
    unsigned wanted = p->options.targets & UFCC_HOST ? levels(p) : 0;
    p->join = join_begin(&p->uc, &p->out);
    bool ok = make_pieces(&p->uc, wanted, &p->pieces, p->join) &&
              make_image(&p->uc, wanted, &p->pieces, &p->image);
    if (ok)
        join_end(p->join, &p->image);
    return ok;
}

static bool emit(ufcc_program *p) {
    bool host = p->options.targets & UFCC_HOST;
    switch (p->output) {
    case UFCC_OBJECT: return emit_object(p);
    case UFCC_HEADER: make_header(&p->uc, &p->out); return true;
    case UFCC_PTX: return list_pieces(&p->uc, 0, p->output, &p->pieces, &p->out);
    case UFCC_LLVM:
        return list_pieces(&p->uc, host ? levels(p) : 0, p->output, &p->pieces, &p->out);
    case UFCC_ASM: return list_pieces(&p->uc, levels(p), p->output, &p->pieces, &p->out);
    }
    error_nowhere(&p->uc, "there is no output %d", (int)p->output);
    return false;
}

bool ufcc_emit(ufcc_program *p, ufcc_output output, char **data, size_t *size) {
    p->output = output;
    buf_put(&p->out, "", 0); /* an empty output is a string nevertheless */
    bool ok = attempt(p, emit);
    if (ok && p->out.failed) {
        error_nowhere(&p->uc, "out of memory");
        ok = false;
    }
    struct buf out = p->out;
    p->out = (struct buf){0};
    drop_outputs(p);
    *data = ok ? out.data : NULL;
    *size = ok ? out.size : 0;
    if (!ok)
        buf_free(&out);
    return ok;
}

/* ---- loading */

static bool load(ufcc_program *p) {
    bool host = p->options.targets & UFCC_HOST;
    return (!host || native_level(p) != 0) && load_program(&p->uc, host_level(), &p->loading);
}

bool ufcc_load(ufcc_program *p) {
    if (p->loaded != NULL)
        return true;
    nvtx_push("ufcc_load %s", p->uc.src.name);
    bool ok = attempt(p, load);
    nvtx_pop();
    if (ok) {
        p->loaded = p->loading;
        p->loading = NULL;
        return true;
    }
    attempt(p, drop_loading);
    return false;
}

const ufc_ufunc *ufcc_function(const ufcc_program *p, const char *name) {
    return p->loaded != NULL ? loaded_function(p->loaded, name) : NULL;
}

bool ufcc_specialize(ufcc_program *p, const char *name, ufcc_specialization how) {
    return p->loaded != NULL && specialize_program(p->loaded, name, how);
}

static const struct decl *own_ufunc(const ufcc_program *p, int index) {
    for (const struct decl *d = p->uc.decls; d != NULL; d = d->next)
        if (is_own_ufunc(&p->uc, d) && index-- == 0)
            return d;
    return NULL;
}

const char *ufcc_function_name(const ufcc_program *p, int index) {
    const struct decl *d = own_ufunc(p, index);
    return d != NULL ? d->name : NULL;
}

char *ufcc_function_declaration(const ufcc_program *p, int index) {
    const struct decl *d = own_ufunc(p, index);
    const struct sig *last = d != NULL ? d->sigs : NULL;
    struct buf text = {.data = NULL};
    if (last == NULL)
        return NULL;
    while (last->next != NULL)
        last = last->next;
    uint32_t last_byte = d->identity != NULL ? d->identity->at.end : last->at.end;
    const char *c = p->uc.src.text + d->at.begin, *end = p->uc.src.text + last_byte;
    while (c < end) {
        size_t blank = strspn(c, " \t\r\n");
        if (blank > 0 && c[blank] != '#')
            buf_put(&text, " ", 1);
        c += blank;
        size_t word = strcspn(c, " \t\r\n#");
        buf_put(&text, c, word < (size_t)(end - c) ? word : (size_t)(end - c));
        c += word;
        if (*c == '#')
            c += strcspn(c, "\n");
    }
    if (text.failed) {
        buf_free(&text);
        return NULL;
    }
    return text.data;
}

const char *ufcc_file_name(const ufcc_program *p, int index) {
    for (const struct file *f = p->uc.files; f != NULL; f = f->next)
        if (index-- == 0)
            return f->name;
    return NULL;
}

const char *ufcc_file_text(const ufcc_program *p, int index, size_t *size) {
    const struct file *f = p->uc.files;
    for (; f != NULL && index > 0; f = f->next)
        index--;
    if (f == NULL || index < 0)
        return NULL;
    *size = f->end - f->begin;
    return p->uc.src.text + f->begin;
}

char *ufcc_find_libdevice(void) {
    return find_libdevice(NULL);
}
