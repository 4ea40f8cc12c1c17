/* advice.c: suggestions of what to write instead, made of the source's text. */
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

const char *target_text(struct fn *f, const struct node *target) {
    const char *text = short_text(f, target->at);
    return strcmp(text, "...") ? text : arena_printf(f->uc, "%s[...]", target->name);
}

const char *in_order(struct fn *f, const struct node *n) {
    const struct node *v = n->b;
    if (v->kind == N_BINARY && v->mark.begin == n->mark.begin)
        v = v->b; /* `y[i] += v`, which is checked as y[i] = y[i] + v */
    const char *text = arena_printf(f->uc, "%s %s %s", target_text(f, n->list),
                                    short_text(f, n->mark), short_text(f, v->at));
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

/* An index for a hint: `first`, or a letter behind it that has no meaning and is none of `taken`.
 */
static char letter(struct fn *f, char first, const char *taken) {
    for (char c = first; c <= 'z'; c++)
        if (!strchr(taken, c) && !has_meaning(f, intern(f->uc, &c, 1)))
            return c;
    return first;
}

const char *beginning_of(struct fn *f, const struct array *a, enum op op) {
    const char *value = op == OP_MUL || op == OP_DIV   ? "1"
                        : op == OP_ADD || op == OP_SUB ? "0"
                        : op != OP_OR && op != OP_XOR  ? "..."
                        : a->dtype == DT_BOOL          ? "False"
                                                       : "0";
    const char *names = "";
    char taken[MAX_CORE_RANK + 1] = "";
    for (int i = 0; i < a->rank; i++) {
        taken[i] = letter(f, a->rank == 1 ? 'k' : 'i', taken);
        names = arena_printf(f->uc, "%s%s%c", names, i > 0 ? ", " : "", taken[i]);
    }
    return a->rank == 0 ? arena_printf(f->uc, "%s = %s", a->name, value)
                        : arena_printf(f->uc, "%s[%s] = %s for %s", a->name, names, value, names);
}

const char *accumulated(struct fn *f, const struct node *n) {
    const struct node *v = n->b;
    bool joins = n->op == OP_COUNT && v->kind == N_BINARY &&
                 (v->op == OP_ADD || v->op == OP_SUB || v->op == OP_MUL || v->op == OP_AND ||
                  v->op == OP_OR || v->op == OP_XOR);
    if (!joins || find_read(f, n->filter, n->list, false))
        return NULL;
    bool first = v->a->kind == N_INDEX && v->a->name == n->list->name &&
                 same_tree(v->a->list, n->list->list);
    struct node other = *(first ? v->b : v->a), element = *(first ? v->a : v->b);
    other.next = element.next = NULL;
    if (element.kind != N_INDEX || element.name != n->list->name ||
        !same_tree(element.list, n->list->list) || find_read(f, &other, n->list, false) ||
        (v->op == OP_SUB && !first))
        return NULL;
    const char *clauses = "";
    for (const struct node *c = n->clauses; c; c = c->next)
        clauses =
            arena_printf(f->uc, "%s%s%s", clauses, *clauses ? ", " : "", short_text(f, c->at));
    return arena_printf(f->uc, "%s %s= %s for %s%s", short_text(f, n->list->at),
                        op_info[v->op].spelling, short_text(f, other.at), clauses,
                        filter_text(f, n));
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

/* Whether `part` is an operand of what is computed by n at a point. */
static bool is_operand(const struct node *n, const struct node *part) {
    if (!n || n == part)
        return n != NULL;
    if (n->kind != N_UNARY && n->kind != N_BINARY && n->kind != N_COND &&
        (n->kind != N_CALL || n->clauses || !builtin_named(n->name)))
        return false;
    bool found = is_operand(n->a, part) || is_operand(n->b, part) || is_operand(n->c, part);
    for (const struct node *arg = n->kind == N_CALL ? n->list : NULL; arg && !found;
         arg = arg->next)
        found = is_operand(arg, part);
    return found;
}

const char *in_elements(struct fn *f, const struct node *n) {
    const struct node *s = f->statement, *target = s ? s->list : NULL;
    bool plain = s && s->b && !target->next && !s->b->next && target->kind == N_NAME &&
                 has_intermediates(f) && f->nclauses == 0 && is_operand(s->b, n);
    const struct local *l = plain && s->kind == N_ASSIGN ? local_named(f, target->name) : NULL;
    int rank = local_named(f, n->name)->array->rank;
    if (!plain || s->kind == N_VAR ||
        (s->kind == N_ASSIGN && !(l && l->array && l->array->rank == rank)))
        return NULL;
    const char *value = with_subscripts(f, s->b),
               *op = s->kind == N_ASSIGN ? short_text(f, s->mark) : "=";
    return arena_printf(f->uc, "%s%s %s %s", s->kind == N_LET ? "let " : "",
                        element_of(f, target->name, rank), op, value);
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
