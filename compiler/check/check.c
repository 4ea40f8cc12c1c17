/* check.c: declarations: names declared twice, signatures, consts; types the body of each
 * overload. */
#include <string.h>

#include "check.h"
#include "nearest.h"

/* ---- messages */

static const char *param_types(struct fn *f) {
    const char *text = "";
    for (int i = 0; i < f->decl->nparams; i++)
        text =
            arena_printf(f->uc, "%s%s%s", text, i ? ", " : "", type_name(f->inst->params[i]->type));
    return text;
}

/* Notes for which types the error occurs: the calls that led here, and the signature where there
 * are several. */
static void note_context(struct fn *f) {
    enum { MAX_CALLS = 5 };
    for (int n = 0; f && f->call && n < MAX_CALLS; f = f->caller)
        if (!f->blame) {
            note(f->uc, f->call->mark, "in the call of '%s' with (%s)", f->decl->name,
                 param_types(f));
            n++;
        }
    const struct overload *o = f ? f->unit->overload : NULL;
    if (o && o->decl->overloads->next)
        note(f->uc, o->at, "in the signature %s", o->signature);
}

void fail(struct fn *f, struct span at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *message = arena_vprintf(f->uc, format, args);
    va_end(args);
    f->unit->failures++;
    error(f->uc, f->blame ? f->blame->mark : at, "%s", message);
    note_context(f);
}

/* Whether results or inputs are floating-point numbers: of whole ones alone, float64 is what NumPy
 * computes in. */
static bool has_floats(const struct overload *o) {
    for (int i = 0; i < o->nin + o->nout; i++)
        if (is_float((enum ufc_dtype)o->dtypes[i]) || is_complex((enum ufc_dtype)o->dtypes[i]))
            return true;
    return false;
}

bool lacks_type(const struct fn *f, enum ufc_dtype d) {
    const struct overload *o = f->unit->overload;
    for (int i = 0; o && i < o->nin + o->nout; i++)
        if (part_dtype((enum ufc_dtype)o->dtypes[i]) == d)
            return false;
    return o != NULL;
}

void warn_double_of(struct fn *f, struct span at, const char *what, struct type t,
                    const char *instead, const char *meant) {
    if (!lacks_type(f, DT_FLOAT64) || !has_floats(f->unit->overload))
        return;
    warn(f->uc, W_DOUBLE, f->blame ? f->blame->mark : at,
         "%s in %s, which the signature does not have; write '%s', or '%s' if it is meant", what,
         dtype_info[strong_dtype(t)].name, instead, meant);
    note_context(f);
}

/* The type in which t's numbers are to be computed: the name that stands for it here, if there is
 * one. */
static const char *narrow_name(const struct fn *f, struct type t) {
    bool complex = is_complex_type(t);
    for (const struct bound *b = f->bounds; b; b = b->next)
        if (complex ? is_complex(b->type) : is_float(b->type))
            return b->name;
    return complex ? "complex64" : "float32";
}

void warn_double(struct fn *f, struct span at, const char *what, struct type t,
                 const char *operand) {
    const char *text = operand ? operand : "(...)", *wide = dtype_info[strong_dtype(t)].name;
    warn_double_of(f, at, what, t, arena_printf(f->uc, "%s%s", narrow_name(f, t), text),
                   arena_printf(f->uc, "%s%s", wide, text));
}

/* ---- consts */

static void check_const(struct uc *uc, struct decl *d, int nesting) {
    struct unit unit = {.nesting = nesting + 1};
    struct fn f = {.uc = uc, .unit = &unit, .file = d->file};
    if (d->state != CONST_NEW)
        return;
    if (d->body->kind == N_TUPLE) {
        check_table(&f, d);
        return;
    }
    d->state = CONST_BUSY;
    struct node *n = check_expr(&f, d->body);
    if (!n || d->state == CONST_BAD) {
        d->state = CONST_BAD;
        return;
    }
    d->state = CONST_DONE;
    if (n->kind == N_CONST)
        d->value = n->value;
}

struct node *const_value(struct fn *f, const struct node *n, struct decl *d) {
    if (d->state == CONST_BUSY) {
        d->state = CONST_BAD;
        fail(f, n->at, "'%s' is defined by itself", d->name);
        note(f->uc, d->at, "'%s' is declared here", d->name);
    }
    check_const(f->uc, d, f->unit->nesting);
    if (d->state == CONST_BAD)
        return NULL;
    if (d->value.type.kind != TYPE_NONE)
        return constant_node(f, n, d->value);
    struct fn g = {
        .uc = f->uc, .unit = f->unit, .file = d->file}; /* no constant: computed at each use */
    return check_expr(&g, d->body);
}

/* ---- signatures */

/* The types that a group stands for, as bits; 0: no such group. */
static unsigned group_named(const char *name) {
    unsigned set = 0;
    for (int d = 0; d < DT_COUNT; d++) {
        bool whole = is_integer((enum ufc_dtype)d), real = is_float((enum ufc_dtype)d);
        if ((strcmp(name, "integer") == 0 && whole) || (strcmp(name, "floating") == 0 && real) ||
            (strcmp(name, "complexfloating") == 0 && is_complex((enum ufc_dtype)d)) ||
            (strcmp(name, "number") == 0 && d != DT_BOOL) || dtype_named(name) == (enum ufc_dtype)d)
            set |= 1U << d;
    }
    return set;
}

static void unknown_type(struct uc *uc, const struct typename *t, bool group) {
    const char *names[DT_COUNT + 5] = {NULL}, **end = names;
    for (int d = 0; d < DT_COUNT; d++)
        *end++ = dtype_info[d].name;
    if (group) {
        *end++ = "integer";
        *end++ = "floating";
        *end++ = "complexfloating";
        *end++ = "number";
    }
    const char *near = nearest_name(t->name, names), *foreign = foreign_name(t->name);
    if (foreign)
        error(uc, t->at, "unknown type '%s'; write %s", t->name, foreign);
    else if (near)
        error(uc, t->at, "unknown type '%s'; did you mean '%s'?", t->name, near);
    else if (!group && !t->name[1])
        error(uc, t->at, "unknown type '%s'; write 'for %s in ...' after the signature", t->name,
              t->name);
    else
        error(uc, t->at, "unknown type '%s'", t->name);
}

/* The types that a binder goes through, as bits. */
static unsigned binder_types(struct uc *uc, const struct binder *b) {
    unsigned set = 0;
    for (const struct typename *t = b->groups; t; t = t->next) {
        unsigned group = group_named(t->name);
        if (group == 0)
            unknown_type(uc, t, true);
        set |= group;
    }
    if (dtype_named(b->name) != DT_COUNT)
        error(uc, b->at, "'%s' is a type; bind another name, such as 'T'", b->name);
    return set;
}

/* Fills the dtypes of n types in a list from t on.  False after an error. */
static bool fill_dtypes(struct uc *uc, const struct typename *t, int n, const struct bound *bounds,
                        uint8_t *dtypes) {
    bool ok = true;
    for (; n > 0; n--, t = t->next, dtypes++) {
        enum ufc_dtype d = type_bound(bounds, t->name);
        d = d != DT_COUNT ? d : dtype_named(t->name);
        if (d == DT_COUNT)
            unknown_type(uc, t, false);
        ok = ok && d != DT_COUNT;
        *dtypes = (uint8_t)d;
    }
    return ok;
}

static const char *dtypes_text(struct uc *uc, const uint8_t *dtypes, int n) {
    const char *text = "";
    for (int i = 0; i < n; i++)
        text = arena_printf(uc, "%s%s%s", text, i ? ", " : "", dtype_info[dtypes[i]].name);
    return text;
}

static const char *signature_text(struct uc *uc, const struct overload *o) {
    const char *in = dtypes_text(uc, o->dtypes, o->nin);
    const char *out = dtypes_text(uc, o->dtypes + o->nin, o->nout);
    return arena_printf(uc, o->nout == 1 ? "%s(%s)" : "(%s)(%s)", out, in);
}

static int length(const struct typename *t) {
    int n = 0;
    for (; t; t = t->next)
        n++;
    return n;
}

/* A signature's types, split into those of inputs and of outputs. */
struct types {
    const struct typename *in, *out;
    int nin, nout;
    bool is_void; /* written as void(...), inputs and outputs in one list, with their ranks */
};

/* Numba's `void(float32[:], float32[:])` has the outputs behind the inputs. */
static struct types types_of(const struct decl *d, const struct sig *s) {
    struct types t = {s->params, s->results, length(s->params), length(s->results), false};
    if (d->kind != DECL_GUFUNC || t.nout != 1 || strcmp(s->results->name, "void") != 0)
        return t;
    t.is_void = true;
    t.out = t.in;
    for (int i = 0; i < d->nparams && t.out; i++)
        t.out = t.out->next;
    t.nout = length(t.out);
    t.nin -= t.nout;
    return t;
}

/* Whether a signature has as many types as its function needs. */
static bool check_lengths(struct uc *uc, const struct decl *d, const struct sig *s,
                          const struct types *t) {
    int outputs = d->kind == DECL_GUFUNC ? d->noutputs : length(d->sigs->results);
    if (t->is_void && t->nin + t->nout != d->nparams + outputs)
        error(uc, s->at, "the signature has %d operand%s, '%s' has %d", t->nin + t->nout,
              t->nin + t->nout == 1 ? "" : "s", d->name, d->nparams + outputs);
    else if (t->nin != d->nparams)
        error(uc, s->at, "the signature has %d input%s, '%s' has %d parameter%s", t->nin,
              t->nin == 1 ? "" : "s", d->name, d->nparams, d->nparams == 1 ? "" : "s");
    else if (t->nout != outputs && d->kind == DECL_GUFUNC)
        error(uc, s->at, "the signature has %d result%s, '%s' has %d output%s", t->nout,
              t->nout == 1 ? "" : "s", d->name, outputs, outputs == 1 ? "" : "s");
    else if (t->nout != outputs)
        error(uc, s->at, "the signature has %d result%s, the first has %d", t->nout,
              t->nout == 1 ? "" : "s", outputs);
    else if (t->nin + t->nout > UFC_MAX_OPERANDS)
        error(uc, s->at, "%d operands; a ufunc may have %d", t->nin + t->nout, UFC_MAX_OPERANDS);
    else
        return true;
    return false;
}

/* Compares the ranks that a signature states with the operands' numbers of core dimensions. */
static bool check_ranks(struct uc *uc, const struct typename *t, int n, const struct param *p,
                        bool is_void, bool output) {
    bool ok = true;
    for (; n > 0; n--, t = t->next, p = p ? p->next : NULL) {
        int rank = p ? p->rank : 0;
        bool scalar = rank == 0 && (t->rank == 0 || (output && t->rank == 1));
        if (t->sizes == NULL && (scalar || t->rank == rank || (t->rank == 0 && !is_void)))
            continue;
        if (!p)
            error(uc, t->at, "a ufunc's types are scalars; write '%s'", t->name);
        else if (t->rank == 0)
            error(uc, t->at, "'%s' has %d core dimension%s; write '%s[%s]'", p->name, rank,
                  rank == 1 ? "" : "s", t->name,
                  rank == 1   ? ":"
                  : rank == 2 ? ":, :"
                              : ":, ...");
        else
            error(uc, t->at, "'%s' has %d core dimension%s, its type here %d", p->name, rank,
                  rank == 1 ? "" : "s", t->rank);
        ok = false;
    }
    return ok;
}

/* Whether the overload `before`, which comes first, takes every call that o could take. */
static bool shadows(const struct overload *before, const struct overload *o) {
    for (int i = 0; i < o->nin; i++)
        if (!casts_safely((enum ufc_dtype)o->dtypes[i], (enum ufc_dtype)before->dtypes[i]))
            return false;
    return true;
}

static void warn_shadowed(struct uc *uc, const struct decl *d, const struct overload *o) {
    const struct overload *before = d->file == uc->files ? d->overloads : NULL;
    for (; before; before = before->next)
        if (shadows(before, o)) {
            warn(uc, W_UNUSED, o->at, "%s is never taken: %s before it takes its inputs",
                 o->signature, before->signature);
            return;
        }
}

/* Appends an overload, unless one with the same inputs exists. */
static void add_overload(struct uc *uc, struct decl *d, struct overload *o) {
    struct overload **tail = &d->overloads;
    for (; *tail; tail = &(*tail)->next, o->index++)
        if (memcmp((*tail)->dtypes, o->dtypes, (size_t)o->nin) == 0) {
            error(uc, o->at, "%s has the inputs of an earlier signature", o->signature);
            note(uc, (*tail)->at, "it is %s", (*tail)->signature);
            return;
        }
    warn_shadowed(uc, d, o);
    *tail = o;
}

/* Adds an overload.  False after an error. */
static bool add_bound(struct uc *uc, struct decl *d, const struct sig *s, const struct types *t,
                      const struct bound *bounds) {
    struct overload *o = NEW(uc, struct overload);
    o->decl = d;
    o->nin = t->nin;
    o->nout = t->nout;
    o->bounds = bounds;
    o->at = s->at;
    bool out = fill_dtypes(uc, t->out, t->nout, bounds, o->dtypes + o->nin);
    if (!fill_dtypes(uc, t->in, t->nin, bounds, o->dtypes) || !out)
        return false;
    o->signature = signature_text(uc, o);
    add_overload(uc, d, o);
    return true;
}

/* Adds an overload for each type of each of the binders from b on.  False after an error. */
static bool add_each(struct uc *uc, struct decl *d, const struct sig *s, const struct types *t,
                     const struct binder *b, const struct bound *bounds) {
    if (!b)
        return add_bound(uc, d, s, t, bounds);
    unsigned set = binder_types(uc, b);
    bool ok = true;
    for (int i = 0; i < DT_COUNT && ok; i++) {
        struct bound *inner = set & 1U << i ? NEW(uc, struct bound) : NULL;
        if (!inner)
            continue;
        *inner = (struct bound){b->name, (enum ufc_dtype)i, bounds};
        ok = add_each(uc, d, s, t, b->next, inner);
    }
    return ok;
}

static void check_signature(struct uc *uc, struct decl *d, const struct sig *s) {
    struct types t = types_of(d, s);
    if (!check_lengths(uc, d, s, &t))
        return;
    const struct param *inputs = d->kind == DECL_GUFUNC ? d->params : NULL;
    bool ranks = check_ranks(uc, t.in, t.nin, inputs, t.is_void, false);
    if (check_ranks(uc, t.out, t.nout, d->outputs, t.is_void, true) && ranks)
        add_each(uc, d, s, &t, s->binders, NULL);
}

/* ---- declarations */

static void check_param(struct uc *uc, const struct decl *d, const struct param *p) {
    const struct param *lists[] = {d->params, d->outputs};
    for (int i = 0; i < 2; i++)
        for (const struct param *q = lists[i]; q; q = q->next) {
            if (q == p)
                return;
            if (q->name != p->name)
                continue;
            error(uc, p->at, "'%s' is a parameter already", p->name);
            note(uc, q->at, "'%s' is declared here", p->name);
        }
}

static void check_params(struct uc *uc, const struct decl *d) {
    for (const struct param *p = d->params; p; p = p->next)
        check_param(uc, d, p);
    for (const struct param *p = d->outputs; p; p = p->next)
        check_param(uc, d, p);
}

/* Reports ufuncs whose names clash in C: the wrapper of one, the record of another. */
static void check_records(struct uc *uc, const struct decl *d) {
    const char *record = arena_printf(uc, "%s_ufunc", d->name);
    const struct decl *e = map_get(&uc->declared, intern(uc, record, strlen(record)));
    for (; e && is_compiled(uc, d); e = e->alike)
        if (is_compiled(uc, e)) {
            error(uc, e->at, "'%s' has the name of the record of '%s' in C", e->name, d->name);
            note(uc, d->at, "'%s' is declared here", d->name);
        }
}

static void check_names(struct uc *uc) {
    for (const struct decl *d = uc->decls; d && !d->is_prelude; d = d->next) {
        if (!d->needed)
            continue;
        check_params(uc, d);
        check_records(uc, d);
        const struct decl *first = map_get(&uc->declared, d->name);
        while (first->file != d->file)
            first = first->alike;
        if (first != d) {
            error(uc, d->at, "'%s' is already declared", d->name);
            note(uc, first->at, "'%s' is declared here", d->name);
        }
    }
}

/* Reports names that a file imports and that the file itself, or another of its imports,
 * declares. */
static void check_imports(struct uc *uc, const struct file *file) {
    for (const struct import *i = file->imports; i; i = i->next)
        for (const struct decl *d = uc->decls; d; d = d->next)
            for (const struct decl *e =
                     d->file == i->file && d->needed ? map_get(&uc->declared, d->name) : NULL;
                 e; e = e->alike)
                if (e->file != d->file && sees(file, e) &&
                    (e->file == file || e->at.begin < d->at.begin)) {
                    error(uc, i->at, "'%s' of '%s' is already declared", d->name, d->file->name);
                    note(uc, e->at, "'%s' is declared here", d->name);
                    note(uc, d->at, "and here");
                }
}

/* Checks `with identity`, which needs two inputs and one result, and has the result's type. */
static void check_identity(struct fn *f, struct overload *o) {
    const struct decl *d = f->decl;
    if (!d->identity)
        return;
    if (d->nparams != 2 || f->inst->nresults != 1) {
        fail(f, d->identity->at, "'with identity' is for ufuncs with two inputs and one result");
        return;
    }
    struct node *n = check_expr(f, d->identity);
    if (n)
        n = stored(f, n, f->inst->results[0], "the result");
    if (n && n->kind != N_CONST)
        fail(f, d->identity->at, "an identity is a constant");
    else if (n)
        o->identity = &n->value;
}

static void declare_params(struct fn *f, const struct overload *o) {
    f->inst->params = NEWN(f->uc, struct local *, o->nin);
    int i = 0;
    for (const struct param *p = o->decl->params; p; p = p->next, i++) {
        f->inst->params[i] = local_new(f, p->name, p->at, dtype_type((enum ufc_dtype)o->dtypes[i]));
        f->inst->params[i]->is_param = true;
    }
}

/* by_pass: o is the version that gather.c makes.  Gives whether it makes one. */
static bool check_version(struct uc *uc, struct overload *o, bool by_pass) {
    struct unit unit = {.overload = o, .by_pass = by_pass};
    struct fn f = {
        .uc = uc, .unit = &unit, .decl = o->decl, .file = o->decl->file, .bounds = o->bounds};
    f.inst = o->inst = NEW(uc, struct inst);
    o->inst->decl = o->decl;
    o->inst->nresults = o->nout;
    o->inst->results = NEWN(uc, enum ufc_dtype, o->nout);
    for (int i = 0; i < o->nout; i++)
        o->inst->results[i] = (enum ufc_dtype)o->dtypes[o->nin + i];
    check_identity(&f, o);
    if (o->decl->kind == DECL_GUFUNC)
        declare_operands(&f, o);
    else
        declare_params(&f, o);
    check_body(&f);
    if (o->nintermediates > 0 && o->index == 0)
        check_room(uc, o->decl);
    if (unit.too_large)
        o->decl->too_large = true;
    return unit.gathers;
}

static void check_overload(struct uc *uc, struct overload *o) {
    bool gathers = check_version(uc, o, false);
    if (!gathers || uc->nerrors > 0 || !(uc->options->targets & UFCC_CUDA))
        return;
    struct overload *own = o->by_pass = NEW(uc, struct overload);
    struct decl *d = NEW(uc, struct decl);
    *d = *o->decl;
    *own = *o;
    d->overloads = own;
    d->intermediates = NULL;
    d->nintermediates = own->nintermediates = own->index = 0;
    own->decl = d;
    own->next = own->by_pass = NULL;
    check_version(uc, own, true);
}

static void warn_unused(struct uc *uc) {
    for (const struct decl *d = uc->decls; d && uc->nerrors == uc->npromoted; d = d->next)
        if (!uc->options->only && !is_own_ufunc(uc, d) && !d->used && d->file == uc->files)
            warn(uc, W_UNUSED, d->at,
                 d->kind == DECL_DEF ? "'%s' is never called, so its body was not checked"
                                     : "'%s' is never used",
                 d->name);
}

/* Declares the ufunc that copies operands of gufuncs, for all types that these have.  The runtime
 * uses it on GPUs to bring operands to an overload's types and layouts. */
static void add_copies(struct uc *uc) {
    unsigned set = 0;
    for (const struct decl *d = uc->decls; d; d = d->next)
        for (const struct overload *o = d->kind == DECL_GUFUNC && is_compiled(uc, d) ? d->overloads
                                                                                     : NULL;
             o; o = o->next)
            for (int k = 0; k < o->nin + o->nout; k++)
                set |= 1U << o->dtypes[k];
    const char *types = NULL;
    for (int d = 0; d < DT_COUNT; d++)
        if (set & 1U << d)
            types =
                types ? arena_printf(uc, "%s | %s", types, dtype_info[d].name) : dtype_info[d].name;
    if (!types || uc->nerrors > uc->npromoted)
        return;
    uc->copies = parse_prelude(uc, arena_printf(uc, "ufunc copy(x) : T(T) for T in %s = x", types));
    uc->copies->name = "0copy"; /* no function of a user's has this name */
    check_signature(uc, uc->copies, uc->copies->sigs);
}

bool check(struct uc *uc) {
    if (!find_needed(uc))
        return false;
    check_names(uc);
    for (const struct file *file = uc->files; file; file = file->next)
        check_imports(uc, file);
    for (struct decl *d = uc->decls; d; d = d->next)
        if (d->kind == DECL_GUFUNC && d->needed && !check_core(uc, d))
            d->sigs = NULL; /* its body is not typed */
    for (struct decl *d = uc->decls; d; d = d->next)
        for (const struct sig *s = d->needed ? d->sigs : NULL; s; s = s->next)
            check_signature(uc, d, s);
    if (uc->options->targets & UFCC_CUDA)
        add_copies(uc);
    for (struct decl *d = uc->decls; d; d = d->next)
        if (d->kind == DECL_CONST && !uc->options->only) /* else where it is used */
            check_const(uc, d, 0);
    for (struct decl *d = uc->decls; d; d = d->next)
        for (struct overload *o = is_compiled(uc, d) || d == uc->copies ? d->overloads : NULL;
             o && uc->nerrors <= MAX_ERRORS; o = o->next)
            check_overload(uc, o);
    warn_unused(uc);
    return uc->nerrors == 0;
}
