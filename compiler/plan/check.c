/* check.c: builds with checks: the subscripts that are tested as a function runs, and what is
 * reported of those out of range.  A subscript that is in range whatever the sizes is not
 * tested. */
#include <ctype.h>

#include "plan.h"

void set_index_range(struct variable *index, const struct pval *lo, const struct pval *hi,
                     const struct pval *step) {
    bool up = lo->kind == PV_CONST && (int64_t)lo->i >= 0 && step->kind == PV_CONST &&
              (int64_t)step->i > 0;
    if (up && (hi->kind == PV_CONST || hi->kind == PV_DIM))
        index->below = hi;
}

bool is_in_range(const struct pval *v, const struct dim *dim) {
    if (v->kind == PV_CONST)
        return (int64_t)v->i >= 0 && (int64_t)v->i < dim->size;
    const struct variable *var = (const struct variable *)(const void *)v->var;
    if (v->kind != PV_VAR || var->below == NULL)
        return false;
    return var->below->kind == PV_DIM ? var->below->operand == dim->index
                                      : (int64_t)var->below->i <= dim->size;
}

/* An element of a table is always one: gen_table sees to that. */
static enum walk find_missing(const struct pval *v, void *plan) {
    const struct plan *p = plan;
    for (int i = 0; v->kind == PV_ELEM && i < v->nargs; i++)
        if (v->operand >= p->noperands || v->checked ||
            !is_in_range(v->args[i], p->operands[v->operand].dims[i]))
            return WALK_STOP;
    return WALK_IN;
}

bool exists_anyway(const struct plan *p, const struct pval *v) {
    return value_walk(v, find_missing, (void *)p);
}

/* The element, or assertion, of a name at a place, which all overloads share.  A new one is added
 * to the declaration's list. */
static const struct element *find_element(struct lower *l, struct span place_at, const char *name,
                                          int rank, bool asserts) {
    struct element **at = &l->plan->overload->decl->elements;
    int place = 0;
    for (; *at != NULL; at = &(*at)->next) {
        if ((*at)->at.begin == place_at.begin && (*at)->array == name)
            return *at;
        place = (*at)->place + (*at)->rank;
    }
    struct element *e = *at = NEW(l->uc, struct element);
    *e = (struct element){place_at, name, rank, place, asserts, NULL};
    return e;
}

void mark_assertion(struct lower *l, struct pstmt *s, const struct node *n) {
    s->operand = find_element(l, n->at, n->name, 1, true)->place;
    l->plan->checked = true;
}

void mark_subscripts(struct lower *l, struct pval *v, const struct node *n) {
    for (int i = 0; i < v->nargs; i++)
        if (!is_in_range(v->args[i], n->array->dims[i]))
            v->checked |= (uint8_t)(1U << i);
    if (v->checked == 0)
        return;
    v->place = find_element(l, n->at, n->array->name, n->array->rank, false)->place;
    l->plan->checked = true;
}

int count_places(const struct decl *d) {
    int n = 0;
    for (const struct element *e = d->elements; e != NULL; e = e->next)
        n += e->rank;
    return n;
}

/* An assertion as it is written, in one line, so that a message has it whole. */
static const char *assertion_text(struct uc *uc, const struct element *e, const char *file,
                                  int line, int column) {
    enum { MAX_SHOWN = 400 };
    const char *from = uc->src.text + e->at.begin, *end = uc->src.text + e->at.end;
    char shown[MAX_SHOWN + 1];
    size_t n = 0;
    for (; from < end && n < MAX_SHOWN; from++)
        if (!isspace((unsigned char)*from))
            shown[n++] = *from;
        else if (shown[n - 1] != ' ')
            shown[n++] = ' ';
    return arena_printf(uc, "%c%s:%d:%d: %.*s%s", UFC_ASSERTION, file, line, column, (int)n, shown,
                        from < end ? "..." : "");
}

const char *place_text(struct uc *uc, const struct element *e, int axis) {
    enum { MAX_SHOWN = 60 };
    int line, column, n = 0, size = (int)(e->at.end - e->at.begin);
    const struct file *file = locate(uc, e->at.begin, &line, &column);
    const char *text = uc->src.text + e->at.begin;
    if (e->asserts)
        return assertion_text(uc, e, file->name, line, column);
    while (n < size && n < MAX_SHOWN && text[n] != '\n')
        n++;
    const char *shown = arena_printf(uc, "%s:%d:%d: %.*s%s, dimension %d", file->name, line, column,
                                     n, text, n < size ? "..." : "", axis + 1);
    size_t name = 0;
    while (isalnum((unsigned char)text[name]) || text[name] == '_')
        name++;
    bool same = strlen(e->array) == name && memcmp(text, e->array, name) == 0;
    bool hidden = *e->array == '_'; /* an array that stands for the one in the text */
    return same || hidden ? shown : arena_printf(uc, "%s of %s", shown, e->array);
}
