/* check_advice.c: suggestions of what to write instead, made of the source's text. */
#include <string.h>

#include "check.h"

/* ---- texts */

/* "i in 0..n, j": with `subscripts`, the clauses whose variables subscript the target; else the
 * other ones. */
static const char *clauses_text(struct fn *f, const struct node *n, bool subscripts) {
    const char *text = "";
    for (const struct node *c = n->clauses; c; c = c->next)
        if (mentions(n->list, c->list->name) == subscripts)
            text = arena_printf(f->uc, "%s%s%s", text, *text ? ", " : "", short_text(f, c->at));
    return text;
}

static const char *filter_text(struct fn *f, const struct node *n) {
    return n->filter ? arena_printf(f->uc, " if %s", short_text(f, n->filter->at)) : "";
}

/* ---- definitions */

static const char *indices(int rank) {
    static const char *const names[] = {"", "i", "i, j", "i, j, k"};
    return rank <= 3 ? names[rank] : "...";
}

const char *element_of(struct fn *f, const char *name, int rank) {
    return rank > 0 ? arena_printf(f->uc, "%s[%s]", name, indices(rank)) : name;
}

const char *definition_of(struct fn *f, const char *name, int rank) {
    return arena_printf(f->uc, "%s = ...%s%s", element_of(f, name, rank), rank > 0 ? " for " : "",
                        indices(rank));
}

const char *in_order(struct fn *f, const struct node *n) {
    const char *text = arena_printf(f->uc, "%s %s %s", short_text(f, n->list->at),
                                    short_text(f, n->mark), short_text(f, n->b->at));
    if (n->filter)
        text = arena_printf(f->uc, "if %s { %s }", short_text(f, n->filter->at), text);
    const struct node *end = NULL;
    while (end != n->clauses) { /* the last clause is the innermost loop */
        const struct node *c = n->clauses;
        while (c->next != end)
            c = c->next;
        text =
            arena_printf(f->uc, "for %s in %s { %s }", c->list->name, clause_range(f, n, c), text);
        end = c;
    }
    return text;
}

const char *summed(struct fn *f, const struct node *n) {
    const char *kept = clauses_text(f, n, true);
    return arena_printf(f->uc, "%s = sum(%s for %s%s)%s%s", short_text(f, n->list->at),
                        short_text(f, n->b->at), clauses_text(f, n, false), filter_text(f, n),
                        *kept ? " for " : "", kept);
}

/* ---- comprehensions */

/* The name of a whole array in n that comes first at `from` or behind it; NULL: none. */
static const struct node *first_whole(struct fn *f, const struct node *n, uint32_t from) {
    const struct node *first = NULL;
    for (; n; n = n->next) {
        const struct local *l = n->kind == N_NAME ? local_named(f, n->name) : NULL;
        bool whole = l && l->array && l->array->rank > 0 && n->mark.begin >= from;
        const struct node *found[] = {whole ? n : NULL, first_whole(f, n->a, from),
                                      first_whole(f, n->b, from), first_whole(f, n->c, from),
                                      first_whole(f, n->list, from)};
        for (size_t i = 0; i < sizeof found / sizeof found[0]; i++)
            if (found[i] && (!first || found[i]->mark.begin < first->mark.begin))
                first = found[i];
    }
    return first;
}

/* "x[i] * y[i] for i", made of `x * y`. */
static const char *with_subscripts(struct fn *f, const struct node *n) {
    const char *text = "";
    uint32_t from = n->at.begin;
    int rank = 1;
    for (const struct node *w; (w = first_whole(f, n, from)) && w->mark.end <= n->at.end;
         from = w->mark.end) {
        int array_rank = local_named(f, w->name)->array->rank;
        text = arena_printf(f->uc, "%s%.*s%s", text, (int)(w->mark.begin - from),
                            f->uc->src.text + from, element_of(f, w->name, array_rank));
        rank = array_rank > rank ? array_rank : rank;
    }
    return arena_printf(f->uc, "%s%.*s for %s", text, (int)(n->at.end - from),
                        f->uc->src.text + from, indices(rank));
}

const char *elements_of(struct fn *f, const struct node *arg) {
    const char *text = arg ? short_text(f, arg->at) : "x";
    bool named = arg && (arg->kind == N_INDEX || arg->kind == N_NAME);
    const struct local *l = named ? local_named(f, arg->name) : NULL;
    int rank = l && l->array ? l->array->rank : 1; /* the rank that is left behind the subscripts */
    for (const struct node *s = named ? arg->list : NULL; s; s = s->next)
        rank--;
    if (named && arg->kind == N_INDEX && rank == 1 && !is_slice(arg))
        return arena_printf(f->uc, "%.*s, j] for j", (int)strlen(text) - 1, text);
    if (!arg || is_slice(arg) || (arg->kind == N_NAME && rank == 1))
        return arena_printf(f->uc, "v for v in %s", text);
    return strcmp(text, "...") == 0 ? "... for i" : with_subscripts(f, arg);
}

/* ---- complex numbers */

const char *complex_of_parts(struct fn *f, const struct node *n) {
    static const char *const names[] = {"CMPLX", "CMPLXF", "make_cuComplex",
                                        "make_cuDoubleComplex"};
    const struct node *re = n->list, *im = re ? re->next : NULL;
    if (!im || im->next)
        return NULL;
    const char *text =
        arena_printf(f->uc, "complex(%s, %s)", short_text(f, re->at), short_text(f, im->at));
    enum ufc_dtype d = type_named_here(f, n->name);
    if (d != DT_COUNT)
        return is_complex(d) ? arena_printf(f->uc, "%s(%s)", n->name, text) : NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(n->name, names[i]) == 0) /* an operand may have this name */
            return text;
    return NULL;
}
