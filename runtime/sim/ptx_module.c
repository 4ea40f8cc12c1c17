/* ptx_module.c: the reader of PTX modules: tokens, functions, the whole. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ptx_read.h"

/* ---- tokens and errors */

void ptx_wrong(struct reader *p, const char *format, ...) {
    if (p->status != UFC_OK)
        return;
    char text[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    p->status = fail(p->err, UFC_ESIM, "the simulator cannot read the PTX, line %u: %s",
                     (unsigned)p->scanner.line, text);
    p->token.kind = PTX_END;
}

void ptx_no_memory(struct reader *p) {
    p->status = fail(p->err, UFC_ENOMEM, "out of memory for PTX");
    p->token.kind = PTX_END;
}

void ptx_next(struct reader *p) {
    if (p->status == UFC_OK)
        p->token = ptx_scan(&p->scanner);
}

bool ptx_at(const struct reader *p, int kind, const char *text) {
    return p->token.kind == kind && (!text || (p->token.size == strlen(text) &&
                                               memcmp(p->token.text, text, p->token.size) == 0));
}

bool ptx_accept(struct reader *p, int kind) {
    if (p->token.kind != kind)
        return false;
    ptx_next(p);
    return true;
}

void ptx_expect(struct reader *p, int kind, const char *what) {
    if (!ptx_accept(p, kind))
        ptx_wrong(p, "%s is missing before '%.*s'", what, (int)p->token.size, p->token.text);
}

bool ptx_accept_directive(struct reader *p, const char *text) {
    if (!ptx_at(p, PTX_DIRECTIVE, text))
        return false;
    ptx_next(p);
    return true;
}

uint64_t ptx_number(struct reader *p) {
    uint64_t value = p->token.value;
    ptx_expect(p, PTX_INT, "a number");
    return value;
}

char *ptx_copy(struct reader *p, const char *text, size_t size) {
    char *copy = malloc(size + 1);
    if (!copy) {
        ptx_no_memory(p);
        return NULL;
    }
    memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

void *ptx_grow(struct reader *p, void *array, uint32_t n, uint32_t *room, size_t size) {
    if (array && n < *room)
        return array;
    uint32_t more = n < 16 ? 32 : 2 * n;
    void *grown = realloc(array, more * size);
    if (grown)
        *room = more;
    else {
        ptx_no_memory(p);
    }
    return grown;
}

struct ptx_function *ptx_this(struct reader *p) {
    return &p->program->functions[p->function];
}

/* ---- functions */

static bool named(const char *name, struct ptx_token token) {
    return strlen(name) == token.size && memcmp(name, token.text, token.size) == 0;
}

/* The function of this name, declared before or new, becomes the one that is read. */
static void begin_function(struct reader *p, struct ptx_token name, bool is_kernel) {
    struct ptx_program *m = p->program;
    for (p->function = 0; p->function < m->nfunctions; p->function++)
        if (named(m->functions[p->function].name, name))
            return;
    void *functions =
        ptx_grow(p, m->functions, m->nfunctions, &p->function_room, sizeof *m->functions);
    char *copy = functions ? ptx_copy(p, name.text, name.size) : NULL;
    if (functions)
        m->functions = functions;
    if (!copy)
        return;
    m->functions[m->nfunctions++] = (struct ptx_function){.name = copy, .is_kernel = is_kernel};
    struct symbol *s = symbol_add(p, &p->names, name, SYM_FUNCTION);
    if (s)
        s->slot = p->function;
}

/* A kernel's parameters are one block of memory, a function's lie in its frame. */
static void add_parameter(struct reader *p, const struct declaration *d) {
    struct ptx_function *f = ptx_this(p);
    if (f->is_kernel) {
        f->param_size = (uint32_t)ptx_align(f->param_size, d->align);
        add_variable(p, d, PRESET_PARAM, f->param_size);
        f->param_size += (uint32_t)d->bytes;
        return;
    }
    struct frame_range *params = realloc(f->params, (f->nparams + 1) * sizeof *params);
    if (!params) {
        ptx_no_memory(p);
        return;
    }
    f->params = params;
    params[f->nparams++] = (struct frame_range){frame_variable(p, d), (uint32_t)d->bytes};
}

enum { MAX_PARAMETERS = 64 };

/* (.param …, …) */
static int read_parameters(struct reader *p, struct declaration *list) {
    int n = 0;
    if (!ptx_accept(p, '('))
        return 0;
    while (!ptx_at(p, ')', NULL) && n < MAX_PARAMETERS) {
        if (!ptx_accept_directive(p, ".param"))
            ptx_wrong(p, "'.param' is missing before '%.*s'", (int)p->token.size, p->token.text);
        read_declaration(p, &list[n++]);
        if (!ptx_accept(p, ','))
            break;
    }
    ptx_expect(p, ')', "')'");
    return n;
}

/* The target of a label.  Branches and tables of branches hold labels until the whole function is
 * read. */
static uint32_t target(struct reader *p, uint32_t label) {
    if (label >= p->labels.n)
        return 0;
    const struct symbol *s = &p->labels.entries[label];
    if (s->slot == NO_SLOT)
        ptx_wrong(p, "there is no label '%.*s'", (int)s->size, s->text);
    return s->slot;
}

static void resolve_labels(struct reader *p, uint32_t first_code, uint32_t first_table) {
    struct ptx_program *m = p->program;
    for (uint32_t i = first_code; i < m->ncode; i++) {
        struct insn *insn = &m->code[i];
        bool branch = insn->op == OP_BRA || insn->op == OP_BRA_IF || insn->op == OP_BRA_UNLESS;
        if (branch && insn->aux) {
            insn->x[0] = target(p, insn->x[0]);
            insn->aux = 0;
        }
    }
    for (uint32_t i = first_table; i < p->ntable; i++)
        m->table[i] = target(p, m->table[i]);
}

/* Where a branch to an instruction ends, which may be a branch itself. */
static uint32_t thread_branch(const struct ptx_program *m, uint32_t to) {
    for (int hops = 0; hops < 8 && m->code[to].op == OP_BRA; hops++)
        to = m->code[to].x[0];
    return to;
}

/* Instructions that mostly follow one another become one, which does the work of those behind it
 * too: moves, as those at the end of a loop's block, and two branches.  These stay, since branches
 * may lead to them. */
static void join_instructions(struct ptx_program *m, uint32_t first) {
    for (uint32_t k = m->ncode - 1; k-- > first;) {
        struct insn *insn = &m->code[k], *next = insn + 1;
        bool moves = next->op == OP_MOVES && next->aux < UINT16_MAX;
        if (insn->op == OP_BRA || insn->op == OP_BRA_IF || insn->op == OP_BRA_UNLESS)
            insn->x[0] = thread_branch(m, insn->x[0]);
        if (insn->op == OP_MOV && (next->op == OP_MOV || moves)) {
            insn->op = OP_MOVES;
            insn->aux = moves ? (uint16_t)(next->aux + 1) : 1;
        } else if (next->op == OP_BRA && insn->op == OP_BRA_IF) {
            insn->op = OP_BRA_EITHER;
            insn->x[2] = next->x[0];
        } else if (next->op == OP_BRA && insn->op == OP_BRA_UNLESS) {
            insn->op = OP_BRA_EITHER;
            insn->x[2] = insn->x[0];
            insn->x[0] = next->x[0];
        }
    }
}

static int special_last(const void *a, const void *b) {
    const struct preset *x = a, *y = b;
    int by_kind = (x->kind == PRESET_SPECIAL) - (y->kind == PRESET_SPECIAL);
    return by_kind ? by_kind : (x->slot > y->slot) - (x->slot < y->slot);
}

static void read_body(struct reader *p) {
    struct ptx_function *f = ptx_this(p);
    uint32_t first = p->program->ncode, first_table = p->ntable;
    p->preset_room = 0;
    p->trash = NO_SLOT;
    p->place_line = 0;
    f->is_defined = true;
    symbols_drop(&p->labels, 0);
    read_block(p);
    f = ptx_this(p);
    if (f->shared_size > UNASKED_SHARED)
        ptx_wrong(p, "'%s' has %u bytes of static shared memory, more than the %u of a GPU",
                  f->name, (unsigned)f->shared_size, UNASKED_SHARED);
    emit(p, f->is_kernel ? OP_EXIT : OP_RET, 0, 0, 0, 0);
    if (p->status != UFC_OK)
        return;
    resolve_labels(p, first, first_table);
    if (p->status == UFC_OK)
        join_instructions(p->program, first);
    f = ptx_this(p);
    f->first = first;
    f->end = p->program->ncode;
    f->frame_size = (uint32_t)ptx_align(f->frame_size, 16);
    if (f->presets)
        qsort(f->presets, f->npresets, sizeof *f->presets, special_last);
}

/* .entry NAME (…) … { … }, or .func (…) NAME (…) { … }; either may end with ; instead */
static void read_function(struct reader *p, bool is_kernel) {
    struct declaration list[2 * MAX_PARAMETERS];
    int nresults = is_kernel ? 0 : read_parameters(p, list);
    struct ptx_token name = p->token;
    ptx_expect(p, PTX_WORD, "a name");
    int n = nresults + read_parameters(p, list + nresults);
    begin_function(p, name, is_kernel);
    uint32_t names = p->names.n;
    if (p->status != UFC_OK)
        return;
    struct ptx_function *f = ptx_this(p);
    if (f->is_defined)
        ptx_wrong(p, "'%s' is there twice", f->name);
    f->nparams = f->param_size = f->frame_size = 0;
    f->nresults = (uint32_t)nresults;
    for (int i = 0; i < n; i++)
        add_parameter(p, &list[i]);
    while (ptx_at(p, PTX_DIRECTIVE, NULL) || ptx_at(p, PTX_INT, NULL) || ptx_at(p, ',', NULL))
        ptx_next(p); /* .maxntid and the like */
    if (ptx_at(p, '{', NULL))
        read_body(p);
    else
        ptx_expect(p, ';', "a body");
    symbols_drop(&p->names, names);
}

/* Sums what a function needs with all that it calls; depth guards against recursion. */
static void add_callees(struct reader *p, struct ptx_function *f, int depth) {
    struct ptx_program *m = p->program;
    f->depth = 1;
    f->stack_slots = f->nslots;
    f->stack_frames = f->frame_size;
    for (uint32_t i = f->first; i < f->end && p->status == UFC_OK; i++) {
        uint16_t op = m->code[i].op;
        f->waits |= op == OP_WARP || op == OP_BAR;
        if (op != OP_CALL)
            continue;
        struct ptx_function *g = &m->functions[m->calls[m->code[i].x[0]].callee];
        if (!g->is_defined || depth > 30) {
            ptx_wrong(p, "'%s' %s", g->name, g->is_defined ? "calls itself" : "has no body");
            return;
        }
        add_callees(p, g, depth + 1);
        f->waits |= g->waits;
        if (f->depth < g->depth + 1)
            f->depth = g->depth + 1;
        if (f->stack_slots < f->nslots + g->stack_slots)
            f->stack_slots = f->nslots + g->stack_slots;
        if (f->stack_frames < f->frame_size + g->stack_frames)
            f->stack_frames = f->frame_size + g->stack_frames;
    }
}

/* ---- modules */

/* .file NUMBER "PATH" [, TIME, SIZE] */
static void read_file(struct reader *p) {
    uint64_t number = ptx_number(p);
    struct ptx_program *m = p->program;
    while (number < UINT16_MAX && m->nfiles <= number && p->status == UFC_OK) {
        char **files = ptx_grow(p, m->files, m->nfiles, &p->file_room, sizeof *m->files);
        if (!files)
            return;
        m->files = files;
        files[m->nfiles++] = NULL;
    }
    if (ptx_at(p, PTX_STRING, NULL) && number < m->nfiles && !m->files[number])
        m->files[number] = ptx_copy(p, p->token.text + 1, p->token.size - 2);
    ptx_expect(p, PTX_STRING, "a path");
    while (ptx_accept(p, ','))
        ptx_number(p);
}

/* .section NAME { … } */
static void skip_section(struct reader *p) {
    while (!ptx_at(p, '}', NULL) && !ptx_at(p, PTX_END, NULL) && !ptx_at(p, PTX_BAD, NULL))
        ptx_next(p); /* which stays at what is no token */
    ptx_expect(p, '}', "'}'");
}

static void read_module_directive(struct reader *p) {
    struct ptx_token d = p->token;
    ptx_next(p);
    if (named(".version", d)) {
        ptx_number(p);
        ptx_expect(p, PTX_DIRECTIVE, "a version");
    } else if (named(".target", d)) {
        do
            ptx_expect(p, PTX_WORD, "a target");
        while (ptx_accept(p, ','));
    } else if (named(".address_size", d)) {
        if (ptx_number(p) != 64)
            ptx_wrong(p, "addresses do not have 64 bits");
    } else if (named(".file", d)) {
        read_file(p);
    } else if (named(".section", d)) {
        skip_section(p);
    } else if (named(".entry", d)) {
        read_function(p, true);
    } else if (named(".func", d)) {
        read_function(p, false);
    } else if (named(".global", d) || named(".const", d) || named(".shared", d)) {
        read_variables(p, d);
    } else if (!named(".visible", d) && !named(".extern", d) && !named(".weak", d) &&
               !named(".common", d)) {
        ptx_wrong(p, "unknown directive '%.*s'", (int)d.size, d.text);
    }
}

static void read_module(struct reader *p) {
    ptx_next(p);
    while (p->status == UFC_OK && !ptx_at(p, PTX_END, NULL)) {
        if (ptx_at(p, PTX_DIRECTIVE, NULL))
            read_module_directive(p);
        else
            ptx_wrong(p, "unexpected '%.*s'", (int)p->token.size, p->token.text);
    }
    for (uint32_t i = 0; i < p->program->nfunctions && p->status == UFC_OK; i++)
        if (p->program->functions[i].is_kernel)
            add_callees(p, &p->program->functions[i], 0);
}

ufc_status ptx_read(const char *text, struct ptx_program **program, ufc_error *err) {
    struct reader *p = calloc(1, sizeof *p);
    struct ptx_program *m = calloc(1, sizeof *m);
    ufc_status status = UFC_ENOMEM;
    if (p && m) {
        *p = (struct reader){.scanner = {.at = text, .line = 1}, .program = m, .err = err};
        read_module(p);
        status = p->status;
        free(p->names.entries);
        free(p->labels.entries);
    } else {
        fail(err, status, "out of memory for PTX");
    }
    free(p);
    if (status == UFC_OK)
        *program = m;
    else
        ptx_free(m);
    return status;
}

void ptx_free(struct ptx_program *m) {
    if (!m)
        return;
    for (uint32_t i = 0; i < m->nfunctions; i++) {
        free(m->functions[i].name);
        free(m->functions[i].params);
        free(m->functions[i].presets);
    }
    for (uint32_t i = 0; i < m->nvariables; i++) {
        free(m->variables[i].name);
        free(m->variables[i].memory);
    }
    for (uint32_t i = 0; i < m->nfiles; i++)
        free(m->files[i]);
    free(m->functions);
    free(m->variables);
    free(m->files);
    free(m->code);
    free(m->places);
    free(m->table);
    free(m->calls);
    free(m->copies);
    free(m);
}

const struct ptx_function *ptx_kernel(const struct ptx_program *m, const char *name) {
    for (uint32_t i = 0; i < m->nfunctions; i++)
        if (m->functions[i].is_kernel && m->functions[i].is_defined &&
            strcmp(m->functions[i].name, name) == 0)
            return &m->functions[i];
    return NULL;
}
