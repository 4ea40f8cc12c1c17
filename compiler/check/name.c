/* name.c: scopes, and the meaning of names. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "nearest.h"

/* ---- locals */

struct local *local_new(struct fn *f, const char *name, struct span at, struct type type) {
    struct local *l = NEW(f->uc, struct local);
    l->name = name;
    l->at = at;
    l->type = type;
    l->id = f->nlocals++;
    l->exact = f->decl && f->decl->is_prelude;
    struct binding *b = NEW(f->uc, struct binding);
    *b = (struct binding){l, f->level, f->names, map_get(&f->bindings, name)};
    f->names = b;
    map_set(f->uc, &f->bindings, name, b);
    return l;
}

void forget(struct fn *f, struct binding *outside) {
    for (; f->names != outside; f->names = f->names->outer)
        map_set(f->uc, &f->bindings, f->names->local->name, f->names->hidden);
}

struct local *local_hidden(struct fn *f, struct span at, struct type type) {
    struct local *l = NEW(f->uc, struct local);
    l->name = "";
    l->at = at;
    l->type = type;
    l->used = true;
    l->id = f->nlocals++;
    return l;
}

/* Declares a new name in the innermost block.  Reports a name that is declared there already. */
struct local *declare(struct fn *f, const struct node *name, struct type type) {
    const struct binding *b = map_get(&f->bindings, name->name);
    if (b && b->level == f->level) {
        fail(f, name->at, "'%s' is already declared in this block", name->name);
        note(f->uc, b->local->at, "'%s' is declared here", name->name);
    }
    return local_new(f, name->name, name->at, type);
}

struct local *local_named(const struct fn *f, const char *name) {
    const struct binding *b = map_get(&f->bindings, name);
    return b ? b->local : table_named(f, name);
}

/* ---- declarations */

/* Parses a function of the compiler's own, behind all other declarations. */
struct decl *parse_prelude(struct uc *uc, const char *text) {
    struct source src = uc->src;
    uc->src = (struct source){"prelude", text, strlen(text)};
    uc->file = NULL;
    parse(uc);
    uc->src = src;
    struct decl *d = uc->decls;
    while (d->next)
        d = d->next;
    d->is_prelude = true;
    return d;
}

/* The prelude's function of a name.  Each is parsed at its first use, for parsing all of them would
 * take as long as the rest of the front end. */
struct decl *prelude_named(struct uc *uc, const char *name) {
    size_t n = strlen(name);
    for (struct decl *d = map_get(&uc->declared, intern(uc, name, n)); d; d = d->alike)
        if (d->is_prelude)
            return d;
    for (const char *const *text = prelude; *text; text++)
        if (strncmp(prelude_name(*text), name, n) == 0 && prelude_name(*text)[n] == '(')
            return parse_prelude(uc, *text);
    return NULL;
}

struct decl *decl_named(const struct fn *f, const char *name) {
    struct decl *d = map_get(&f->uc->declared, name);
    while (d && !sees(f->file, d))
        d = d->alike;
    return d;
}

/* ---- types */

enum ufc_dtype type_bound(const struct bound *bounds, const char *name) {
    while (bounds && bounds->name != name)
        bounds = bounds->next;
    return bounds ? bounds->type : DT_COUNT;
}

enum ufc_dtype type_named_here(const struct fn *f, const char *name) {
    enum ufc_dtype bound = type_bound(f->bounds, name);
    return bound != DT_COUNT ? bound : dtype_named(name);
}

enum ufc_dtype declared_type(struct fn *f, const struct typename *t) {
    if (t->dtype_of) {
        const struct local *l = local_named(f, t->name);
        if (!l)
            fail(f, t->at, "unknown name '%s'", t->name);
        return !l || l->type.kind == TYPE_NONE ? DT_COUNT : strong_dtype(l->type);
    }
    enum ufc_dtype d = type_named_here(f, t->name);
    if (d == DT_COUNT) {
        const char *names[DT_COUNT + 1] = {NULL};
        for (int i = 0; i < DT_COUNT; i++)
            names[i] = dtype_info[i].name;
        const char *near = nearest_name(t->name, names), *foreign = foreign_name(t->name);
        if (foreign)
            fail(f, t->at, "unknown type '%s'; write %s", t->name, foreign);
        else if (near)
            fail(f, t->at, "unknown type '%s'; did you mean '%s'?", t->name, near);
        else
            fail(f, t->at, "unknown type '%s'", t->name);
    }
    return d;
}

/* ---- names without a meaning */

static const struct {
    const char *name;
    double value;
} numbers[] = {{"pi", M_PI}, {"e", M_E}, {"inf", INFINITY}, {"nan", NAN}};
enum { NNUMBERS = sizeof numbers / sizeof numbers[0] };

/* All names in sight: with `called` those of functions and types, else those of values. */
static const char **candidates(struct fn *f, bool called) {
    size_t n = 3 + NNUMBERS + DT_COUNT;
    for (const struct binding *b = f->names; b; b = b->outer)
        n++;
    for (const struct decl *d = f->uc->decls; d; d = d->next)
        n++;
    for (const char *const *b = builtin_names; *b; b++)
        n++;
    for (const char *const *text = prelude; *text; text++)
        n++;
    const char **all = NEWN(f->uc, const char *, n), **out = all;
    for (const struct decl *d = f->uc->decls; d; d = d->next)
        if (sees(f->file, d) && (d->kind != DECL_CONST) == called)
            *out++ = d->name;
    for (const char *const *b = builtin_names; called && *b; b++)
        if (**b != '_')
            *out++ = *b;
    for (const char *const *text = prelude; called && *text; text++) {
        const char *name = prelude_name(*text);
        if (*name != '_')
            *out++ = arena_printf(f->uc, "%.*s", (int)strcspn(name, "("), name);
    }
    for (int i = 0; called && i < DT_COUNT; i++)
        *out++ = dtype_info[i].name;
    if (called)
        return all;
    for (const struct binding *b = f->names; b; b = b->outer)
        *out++ = b->local->name;
    for (size_t i = 0; i < NNUMBERS; i++)
        *out++ = numbers[i].name;
    *out++ = "True";
    *out++ = "False";
    return all;
}

/* A declaration of the name in a file that is part of the source but not imported here; NULL:
 * none. */
static const struct decl *unseen(const struct fn *f, const char *name) {
    const struct decl *d = f->file ? map_get(&f->uc->declared, name) : NULL;
    while (d && (d->file == NULL || d->file == f->uc->files))
        d = d->alike;
    return d;
}

/* Whether a comment begins with C's `#define name`. */
static bool is_define(struct uc *uc, const char *name) {
    const char *text = uc->nerrors < MAX_ERRORS ? uc->src.text : "";
    size_t size = strlen(name);
    while ((text = strstr(text, "#define ")) != NULL) {
        text += strlen("#define ");
        if (strncmp(text, name, size) == 0 && (text[size] == ' ' || text[size] == '('))
            return true;
    }
    return false;
}

void unknown_name(struct fn *f, const struct node *n, bool called) {
    const char *what = called ? "function" : "name", *near = NULL;
    const struct decl *elsewhere = unseen(f, n->name);
    if (elsewhere) {
        fail(f, n->mark, "unknown %s '%s'; this file does not import '%s', which has it", what,
             n->name, elsewhere->file->name);
        return;
    }
    const char *foreign = foreign_name(n->name);
    const char *instead = called ? foreign_statement(n->name) : NULL;
    if (!foreign && !instead && f->uc->nerrors < MAX_ERRORS) /* else the message is not shown */
        near = nearest_name(n->name + strspn(n->name, "_"), candidates(f, called)); /* C's __expf */
    if (foreign)
        fail(f, n->mark, "unknown %s '%s'; write %s", what, n->name, foreign);
    else if (instead)
        fail(f, n->mark, "unknown %s '%s'; %s", what, n->name, instead);
    else if (is_define(f->uc, n->name))
        fail(f, n->mark, "unknown %s '%s'; '#define' is a comment here, write 'const %s = ...'",
             what, n->name, n->name);
    else if (near)
        fail(f, n->mark, "unknown %s '%s'; did you mean '%s'?", what, n->name, near);
    else
        fail(f, n->mark, "unknown %s '%s'", what, n->name);
}

/* ---- names as values */

static struct node *local_value(struct fn *f, const struct node *n, struct local *l) {
    l->used = true;
    if (l->type.kind == TYPE_NONE) /* its declaration was reported */
        return NULL;
    if (l->array)
        return array_value(f, n, l);
    if (l->dim && l->dim->size >= 0)
        return constant_node(f, n, (struct constant){.type = l->type, .i = l->dim->size});
    if (l->dim && l->dim->length)
        return slice_size(f, n, l->dim);
    return l->folded ? constant_node(f, n, l->value) : local_node(f, n, l);
}

static struct node *decl_value(struct fn *f, const struct node *n, struct decl *d) {
    d->used = true;
    if (d->kind == DECL_CONST)
        return const_value(f, n, d);
    fail(f, n->at, "'%s' is a function; call it, '%s(...)'", n->name, n->name);
    note(f->uc, d->at, "'%s' is declared here", n->name);
    return NULL;
}

bool has_meaning(const struct fn *f, const char *name) {
    for (size_t i = 0; i < NNUMBERS; i++)
        if (strcmp(name, numbers[i].name) == 0)
            return true;
    return local_named(f, name) || decl_named(f, name);
}

struct node *check_name(struct fn *f, const struct node *n) {
    struct local *l = local_named(f, n->name);
    if (l)
        return local_value(f, n, l);
    struct decl *d = decl_named(f, n->name);
    if (d)
        return decl_value(f, n, d);
    for (size_t i = 0; i < NNUMBERS; i++)
        if (strcmp(n->name, numbers[i].name) == 0)
            return constant_node(
                f, n, (struct constant){.type = {TYPE_WEAK_FLOAT, DT_BOOL}, .f = numbers[i].value});
    if (type_named_here(f, n->name) != DT_COUNT)
        fail(f, n->at, "'%s' is a type; to convert, write '%s(...)'", n->name, n->name);
    else if (!is_private(f, n->name) && (builtin_named(n->name) || prelude_named(f->uc, n->name)))
        fail(f, n->at, "'%s' is a function; call it, '%s(...)'", n->name, n->name);
    else
        unknown_name(f, n, false);
    return NULL;
}
