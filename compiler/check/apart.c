/* apart.c: definitions that read elements of their own output which no iteration writes.
 *
 * The subscripts of what is written and of what is read, and the differences of two of them, are
 * compared as sums of indices, dimensions and a number.  Each index of the definition, and of the
 * comprehensions in it, is replaced by its least or greatest value, the innermost first.  If the
 * greatest sum of one side is then below the least sum of the other, no element is on both sides.
 */
#include <string.h>

#include "check.h"

enum { MAX_CLAUSES = 32 };

struct sides {
    const struct array *array;
    struct span at;
    const struct node *clause[MAX_CLAUSES]; /* the ones whose indices a clause's range mentions come
                                               before it */
    int n;                                  /* more than MAX_CLAUSES: there are too many */
    const struct node *read; /* the typed element at the place; NULL: there is none */
};

static void add_clauses(struct sides *s, const struct node *clauses) {
    for (; clauses; clauses = clauses->next, s->n++)
        if (s->n < MAX_CLAUSES)
            s->clause[s->n] = clauses;
}

/* Finds the read element, and the clauses around it. */
static enum walk visit(const struct node *n, void *arg) {
    struct sides *s = arg;
    add_clauses(s, n->clauses);
    if (n->kind == N_INDEX && n->array == s->array && n->at.begin == s->at.begin &&
        n->at.end == s->at.end)
        s->read = n;
    return WALK_IN;
}

/* The least or the greatest index of a clause. */
static bool end_of(const struct node *clause, bool greatest, struct sum *end) {
    wide_int step = !clause->c ? 1 : clause->c->kind == N_CONST ? clause->c->value.i : 0;
    bool first = greatest == (step < 0);
    if (step == 0 || !sum_of(NULL, first ? clause->a : clause->b, NULL, end))
        return false;
    end->plus += first ? 0 : greatest ? -1 : 1;
    return true;
}

/* Replaces the indices of all clauses. */
static bool make_extreme(const struct sides *sides, bool greatest, struct sum *s) {
    for (int i = sides->n; i-- > 0;) {
        const struct node *clause = sides->clause[i];
        const struct local *index = clause->list->local;
        wide_int times = 0;
        struct sum end;
        for (int k = 0; k < s->n; k++)
            times = s->of[k] == index ? s->times[k] : times;
        if (times != 0 && (!end_of(clause, greatest == (times > 0), &end) ||
                           !sum_add_term(s, index, true, -times) || !sum_add(s, &end, times)))
            return false;
    }
    return true;
}

/* The least and the greatest value of a subscript, or of its difference to another. */
struct interval {
    struct sum least, greatest;
};

static bool find_interval(const struct sides *s, const struct node *subscript,
                          const struct node *minus, struct interval *v) {
    struct sum other;
    if (!sum_of(NULL, subscript, NULL, &v->least) ||
        (minus && (!sum_of(NULL, minus, NULL, &other) || !sum_add(&v->least, &other, -1))))
        return false;
    v->greatest = v->least;
    return make_extreme(s, false, &v->least) && make_extreme(s, true, &v->greatest);
}

/* Whether a is less than b for all sizes and all indices around. */
static bool is_below(const struct sum *a, const struct sum *b) {
    struct sum gap = *b;
    gap.plus--;
    return sum_add(&gap, a, -1) && !sum_has_index(&gap) && sum_never_below(&gap, 1);
}

static bool are_apart(const struct sides *s, const struct node *const written[2],
                      const struct node *const read[2], struct interval v[2]) {
    return find_interval(s, written[0], written[1], &v[0]) &&
           find_interval(s, read[0], read[1], &v[1]) &&
           (is_below(&v[0].greatest, &v[1].least) || is_below(&v[1].greatest, &v[0].least));
}

/* "where 'i' is 1 to n - 1", "where 'i' is k", or of the subscript k itself "at 'k'". */
static const char *interval_text(struct fn *f, const struct node *subscript,
                                 const struct interval *v) {
    struct uc *uc = f->uc;
    const char *text = short_text(f, subscript->at);
    const char *least = sum_text(uc, &v->least), *greatest = sum_text(uc, &v->greatest);
    if (strcmp(least, greatest))
        return arena_printf(uc, "where '%s' is %s to %s", text, least, greatest);
    return strcmp(text, least) ? arena_printf(uc, "where '%s' is %s", text, least)
                               : arena_printf(uc, "at '%s'", text);
}

/* NULL: the subscripts are the same. */
static const char *ranges_text(struct fn *f, const struct node *written, const struct node *read,
                               const struct interval v[2]) {
    const char *w = short_text(f, written->at), *r = short_text(f, read->at);
    return strcmp(w, r)
               ? arena_printf(f->uc, "it writes %s, and reads %s", interval_text(f, written, &v[0]),
                              interval_text(f, read, &v[1]))
               : NULL;
}

bool is_read_apart(struct fn *f, const struct node *t, const struct node *read,
                   const char **ranges) {
    struct sides s = {.array = t->list->array, .at = read->at};
    struct interval v[2];
    *ranges = NULL;
    add_clauses(&s, t->clauses);
    node_walk(t->b, visit, &s);
    ast_walk(t->filter, visit, &s);
    if (!s.read || s.n > MAX_CLAUSES)
        return false;
    const struct node *w = t->list->list, *r = s.read->list;
    for (; w; w = w->next, r = r->next) {
        const struct node *w2 = w->next, *r2 = r->next;
        if (are_apart(&s, (const struct node *[]){w, NULL}, (const struct node *[]){r, NULL}, v))
            return true;
        if (!*ranges && find_interval(&s, w, NULL, &v[0]) && find_interval(&s, r, NULL, &v[1]))
            *ranges = ranges_text(f, w, r, v);
        for (; w2; w2 = w2->next, r2 = r2->next)
            if (are_apart(&s, (const struct node *[]){w, w2}, (const struct node *[]){r, r2}, v))
                return true;
    }
    return false;
}
