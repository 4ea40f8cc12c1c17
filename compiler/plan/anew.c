/* anew.c: arrays that begin with zeros in front of a loop whose iterations set all elements that
 * they read, as `var w: float64[k]` does that the source has outside of the loop.  Nobody reads the
 * zeros: each iteration has the array anew. */
#include "apart.h"

enum { MAX_PLACES = 64 }; /* elements that are set one by one */

static enum walk find_element(const struct pval *v, void *arg) {
    return v->kind == PV_ELEM && v->operand == *(const int *)arg ? WALK_STOP : WALK_IN;
}

static enum walk find_clear(const struct pstmt *s, void *arg) {
    return s->kind == PS_CLEAR && s->operand == *(const int *)arg ? WALK_STOP : WALK_IN;
}

bool has_array(const struct pstmt *s, int k) {
    return !stmt_walk(
        s, &(struct plan_visitor){.stmt = find_clear, .value = find_element, .joined = true}, &k);
}

bool have_array(const struct pstmt *list, int k) {
    while (list != NULL && !has_array(list, k))
        list = list->next;
    return list != NULL;
}

static enum walk count_element(const struct pval *v, void *arg) {
    int *mention = arg;
    if (v->kind == PV_ELEM)
        mention[v->operand]++;
    return WALK_IN;
}

bool is_cleared(const struct pstmt *list, int k) {
    return !plan_walk(list, &(struct plan_visitor){.stmt = find_clear}, &k);
}

int *count_elements(struct uc *uc, const struct plan *p, const struct pstmt *list) {
    int *mention = NEWN(uc, int, p->noperands + p->nlocals);
    plan_walk(list, &(struct plan_visitor){.value = count_element, .joined = true}, mention);
    return mention;
}

/* ---- statements that set all elements */

static enum walk find_other_place(const struct pval *v, void *arg) {
    const struct pval *place = arg;
    bool other = v->kind == PV_ELEM && v->operand == place->operand && !same_value(v, place);
    return other ? WALK_STOP : WALK_IN;
}

static int axis_of(const struct pval *place, const struct pvar *index) {
    int i = 0;
    while (i < place->nargs && !(place->args[i]->kind == PV_VAR && place->args[i]->var == index))
        i++;
    return i;
}

bool are_all_places(const struct plan *p, const struct enclosing *around,
                    const struct pval *place) {
    int n = 0;
    for (; around != NULL; around = around->outer, n++) {
        int i = axis_of(place, around->loop->var);
        if (i == place->nargs || !is_whole_loop(p, around->loop, place->operand, i))
            return false;
    }
    return n == place->nargs && place->checked == 0;
}

/* Do nested loops set all elements of an array, and read none but what their iteration has set? */
static bool loops_fill(struct uc *uc, const struct plan *p, const struct pstmt *loop, int k,
                       const struct enclosing *around) {
    const struct enclosing own = {loop, around};
    const struct pstmt *s = loop->body;
    while (s != NULL && !has_array(s, k))
        s = s->next;
    if (s == NULL || loop->accs != NULL || find_written(uc, p, loop->body)[loop->var->id])
        return false;
    if (s->kind == PS_FOR)
        return loops_fill(uc, p, s, k, &own) && !have_array(s->next, k);
    return s->kind == PS_PUT && !s->merged && s->operand == k &&
           are_all_places(p, &own, s->place) && value_walk(s->value, find_element, &k) &&
           plan_walk(s->next, &(struct plan_visitor){.value = find_other_place, .joined = true},
                     s->place);
}

bool fills_array(struct uc *uc, const struct plan *p, const struct pstmt *s, int k) {
    const struct plan_visitor jumps = {.stmt = find_jump};
    if (s->kind == PS_FOR)
        return plan_walk(s->body, &jumps, NULL) && loops_fill(uc, p, s, k, NULL);
    if (!is_whole_definition(p, s))
        return false;
    const struct pstmt *put = s->body;
    for (; put->next != NULL; put = put->next)
        if (has_array(put, k))
            return false;
    return put->operand == k && value_walk(put->value, find_element, &k);
}

/* ---- lists that set what they read */

/* Elements of an array of constant size that a list has set. */
struct places {
    int operand, rank, size[MAX_CORE_RANK], count;
    bool set[MAX_PLACES];
};

/* No elements: the size is not constant, or large. */
static struct places places_of(const struct plan *p, int k) {
    const struct poperand *array = &p->operands[k];
    struct places x = {.operand = k, .rank = array->rank, .count = 1};
    for (int i = 0; i < array->rank; i++) {
        int64_t n = array->dims[i]->size;
        x.size[i] = n >= 0 && n <= MAX_PLACES ? (int)n : 0;
        x.count = x.count * x.size[i] <= MAX_PLACES ? x.count * x.size[i] : 0;
    }
    return x;
}

/* The number of a place, or -1. */
static int place_number(const struct places *x, const struct pval *place) {
    int at = 0;
    for (int i = 0; i < x->rank; i++) {
        const struct pval *v = place->args[i];
        if (v->kind != PV_CONST || v->i >= (uint64_t)x->size[i])
            return -1;
        at = at * x->size[i] + (int)v->i;
    }
    return x->count > 0 ? at : -1;
}

static enum walk find_unset(const struct pval *v, void *arg) {
    const struct places *x = arg;
    if (v->kind != PV_ELEM || v->operand != x->operand)
        return WALK_IN;
    int at = place_number(x, v);
    return at < 0 || !x->set[at] ? WALK_STOP : WALK_IN;
}

/* Does a PS_PUT set an element, by what has been set? */
static bool sets_place(struct places *x, const struct pstmt *s) {
    int at = s->kind == PS_PUT && s->operand == x->operand && !s->merged && s->place->checked == 0
                 ? place_number(x, s->place)
                 : -1;
    if (at < 0 || !value_walk(s->value, find_unset, x))
        return false;
    x->set[at] = true;
    return true;
}

/* Have all elements been set? */
static bool is_complete(const struct places *x) {
    int n = 0;
    while (n < x->count && x->set[n])
        n++;
    return n == x->count && n > 0;
}

bool is_made_in(struct uc *uc, const struct plan *p, const struct pstmt *list, int k) {
    struct places x = places_of(p, k);
    if (makes_part(uc, p, list, k))
        return true;
    const struct plan_visitor unset = {.value = find_unset, .joined = true};
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        if (!has_array(s, k) || sets_place(&x, s))
            continue;
        if (is_complete(&x) || s->kind == PS_CLEAR || fills_array(uc, p, s, k))
            return true;
        if (stmt_walk(s, &unset, &x))
            continue;
        if (have_array(s->next, k))
            return false;
        bool holds =
            s->kind == PS_FOR || s->kind == PS_IF || s->kind == PS_LOOP || s->kind == PS_BLOCK;
        return holds && s->accs == NULL && stmt_values(s, find_element, &k) &&
               is_made_in(uc, p, s->body, k) && is_made_in(uc, p, s->other, k);
    }
    return true;
}

/* ---- zeros that nobody reads */

struct anew {
    struct uc *uc;
    struct plan *plan;
    int first;          /* of the arrays that the body makes */
    const int *mention; /* by operand: how often the body has it */
};

/* The array that a statement sets to numbers, and does nothing else; -1: it is none. */
static int filled(const struct anew *a, const struct pstmt *s) {
    if (s->kind == PS_CLEAR)
        return s->operand;
    const struct pstmt *put = is_whole_definition(a->plan, s) ? s->body : NULL;
    bool fills = put != NULL && put->next == NULL && put->value->kind == PV_CONST && !put->merged &&
                 put->operand >= a->first;
    return fills ? put->operand : -1;
}

static struct pstmt *next_with(const struct pstmt *s, int k) {
    struct pstmt *next = s->next;
    while (next != NULL && !has_array(next, k))
        next = next->next;
    return next;
}

/* Does control always come from s to `next`, behind it? */
static bool goes_on(const struct pstmt *s, const struct pstmt *next) {
    const struct plan_visitor leave = {.stmt = find_leave};
    while (s != next && stmt_walk(s, &leave, NULL))
        s = s->next;
    return s == next;
}

/* Is a loop all that has an array, but for what sets it to numbers, and makes it anew? */
static bool makes(const struct anew *a, const struct pstmt *loop, int k, const struct pstmt *set) {
    int others = a->mention[k] - (set->kind != PS_CLEAR);
    return loop->kind == PS_FOR && loop->accs == NULL &&
           count_elements(a->uc, a->plan, loop->body)[k] == others &&
           is_made_in(a->uc, a->plan, loop->body, k);
}

/* Do statements make a part of an array, which nobody else has? */
static bool has_made_part(const struct anew *a, const struct pstmt *list, int k) {
    return count_elements(a->uc, a->plan, list)[k] == a->mention[k] - 1 &&
           makes_part(a->uc, a->plan, list, k);
}

static void leave_zeros_out(const struct anew *a, struct pstmt **at) {
    while (*at != NULL) {
        struct pstmt *s = *at;
        int k = filled(a, s);
        struct pstmt *next = k >= 0 ? next_with(s, k) : NULL;
        bool made = next != NULL && makes(a, next, k, s);
        if (made && s->kind == PS_CLEAR) {
            *at = s->next;
            s->next = next->body;
            next->body = s;
        } else if (made || (next != NULL && s->kind == PS_SPREAD && goes_on(s, next) &&
                            ((next->kind == PS_FOR && fills_array(a->uc, a->plan, next, k)) ||
                             has_made_part(a, s->next, k)))) {
            *at = s->next;
        } else {
            if (s->kind != PS_SPREAD) {
                leave_zeros_out(a, &s->body);
                leave_zeros_out(a, &s->other);
            }
            at = &s->next;
        }
    }
}

void make_arrays_anew(struct lower *l) {
    struct plan *p = l->plan;
    if (p->checked || p->overload->decl->kind != DECL_GUFUNC)
        return;
    struct anew a = {l->uc, p, p->nin + p->overload->nout, count_elements(l->uc, p, p->body)};
    leave_zeros_out(&a, &p->body->body);
}
