/* only.c: the declarations that options.only needs: one ufunc, and what it refers to. */
#include <string.h>

#include "check.h"
#include "nearest.h"

/* Declarations that are needed, each once, in the order in which they are found. */
struct needs {
    struct uc *uc;
    const struct file *file; /* the file of the declaration that is being searched */
    struct decl **found;
    int n;
};

/* Adds all declarations of a name.  Where there are several, the error belongs to what refers to
 * them. */
static void need(struct needs *needs, const char *name) {
    for (struct decl *d = map_get(&needs->uc->declared, name); d; d = d->alike)
        if (!d->needed && sees(needs->file, d)) {
            d->needed = true;
            needs->found[needs->n++] = d;
        }
}

/* Adds what a node names: a function that is called or given to `reduce`, or a constant. */
static enum walk need_named(const struct node *n, void *needs) {
    if (n->kind == N_CALL || n->kind == N_NAME)
        need(needs, n->name);
    return WALK_IN;
}

static void walk_decl(struct needs *needs, const struct decl *d) {
    const struct param *const lists[] = {d->params, d->outputs};
    needs->file = d->file;
    for (int i = 0; i < 2; i++)
        for (const struct param *p = lists[i]; p; p = p->next)
            ast_walk(p->dims, need_named, needs);
    ast_walk(d->identity, need_named, needs);
    ast_walk(d->body, need_named, needs);
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
    struct needs needs = {uc, uc->files, NEWN(uc, struct decl *, ndecls), 0};
    need(&needs, named->name);
    for (int i = 0; i < needs.n; i++)
        walk_decl(&needs, needs.found[i]);
    return true;
}
