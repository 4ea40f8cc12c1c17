/* check_only.c: what a compilation of one ufunc is about: the ufunc, and what it refers to. */
#include <string.h>

#include "check.h"

/* Declarations that are needed, each once, in the order of their finding. */
struct needs {
    struct uc *uc;
    struct decl **found;
    int n;
};

/* All of that name: where several have it, that is an error of the one that needs it. */
static void need(struct needs *needs, const struct file *file, const char *name) {
    for (struct decl *d = map_get(&needs->uc->declared, name); d; d = d->alike)
        if (!d->needed && sees(file, d)) {
            d->needed = true;
            needs->found[needs->n++] = d;
        }
}

/* What a tree names: functions that are called or given to `reduce`, and constants. */
static void walk(struct needs *needs, const struct file *file, const struct node *n) {
    for (; n; n = n->next) {
        if (n->kind == N_CALL || n->kind == N_NAME)
            need(needs, file, n->name);
        const struct node *const parts[] = {n->a,    n->b,     n->c,       n->list,
                                            n->then, n->other, n->clauses, n->filter};
        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
            walk(needs, file, parts[i]);
        if (n->decltype_)
            walk(needs, file, n->decltype_->sizes);
    }
}

static void walk_decl(struct needs *needs, const struct decl *d) {
    const struct param *const lists[] = {d->params, d->outputs};
    for (int i = 0; i < 2; i++)
        for (const struct param *p = lists[i]; p; p = p->next)
            walk(needs, d->file, p->dims);
    walk(needs, d->file, d->identity);
    walk(needs, d->file, d->body);
}

static void no_such_ufunc(struct uc *uc, const char *name, int ndecls) {
    enum { SHOWN = 8 };
    const char **names = NEWN(uc, const char *, ndecls + 1), *list = "";
    int n = 0;
    for (const struct decl *d = uc->decls; d; d = d->next)
        if (is_own_ufunc(uc, d))
            names[n++] = d->name;
    const char *near = nearest_name(name, names);
    for (int i = 0; i < n && i < SHOWN; i++)
        list = arena_printf(uc, "%s%s%s", list, i ? ", " : "", names[i]);
    if (near)
        error_nowhere(uc, "there is no ufunc '%s'; did you mean '%s'?", name, near);
    else
        error_nowhere(uc, "there is no ufunc '%s'%s%s%s", name, n ? ", but " : "", list,
                      n > SHOWN ? ", ..." : "");
}

bool find_needed(struct uc *uc) {
    const char *only = uc->options->only;
    const struct decl *named = NULL;
    int ndecls = 0;
    for (struct decl *d = uc->decls; d; d = d->next, ndecls++) {
        d->needed = only == NULL;
        if (only && !named && is_compiled(uc, d))
            named = d;
    }
    if (!only)
        return true;
    if (!named) {
        no_such_ufunc(uc, only, ndecls);
        return false;
    }
    struct needs needs = {uc, NEWN(uc, struct decl *, ndecls), 0};
    need(&needs, uc->files, named->name);
    for (int i = 0; i < needs.n; i++)
        walk_decl(&needs, needs.found[i]);
    return true;
}
