/* draw_value.h: random expressions in a gufunc's body.  Their values are whole numbers, and small
 * enough for their type that sums of them are exact: in whatever order, they are the same. */
#ifndef DRAW_VALUE_H
#define DRAW_VALUE_H

#include "draw_scope.h"

static void draw_value(struct draw *d, ufc_type t, double limit, int depth);

/* ---- comprehensions */

/* One or two clauses of a comprehension; false: none is affordable. */
static bool draw_clauses(struct draw *d, struct clauses *cl, bool single) {
    int n = single || chance(d, 75) ? 1 : 2;
    *cl = begin_clauses(d);
    if (d->nindices > MAX_INDICES - 4 || d->nscalars > MAX_SCALARS - 4)
        return false;
    while (cl->n < n) {
        int s = any_size(d);
        bool added =
            !single && chance(d, 25) ? add_elements(d, cl) : s >= 0 && add_clause(d, cl, s);
        if (!added && cl->n == 0)
            return false;
        if (!added)
            break;
    }
    return true;
}

static void draw_sum(struct draw *d, ufc_type t, double limit, int depth,
                     const struct clauses *cl) {
    double times = greatest(cl->times), whole = most(t) / times;
    bool wrapped = limit / times < 4, widens = t == UFC_INT32;
    put(d, wrapped ? "(" : "");
    put(d, widens ? "int32(sum(" : "sum(");
    draw_value(d, t, wrapped ? least_of(whole, 64) : limit / times, depth);
    put_clauses(d, cl, 25);
    put(d, widens ? "))" : ")");
    close_bracket(d, limit, wrapped);
}

static void draw_prod(struct draw *d, ufc_type t, double limit, int depth,
                      const struct clauses *cl) {
    put(d, is_floating(t) ? "prod(" : "%s(prod(", type_names[t]);
    draw_value(d, t, is_floating(t) ? 1 : 1000, depth);
    put_clauses(d, cl, 25);
    put(d, is_floating(t) ? ")" : ") %% %d)", 1 + (int)least_of(limit, 40));
}

/* Of nothing they are infinite, or the type's ends. */
static void draw_extreme(struct draw *d, ufc_type t, double limit, int depth,
                         const struct clauses *cl) {
    put(d, "clip(%s(", chance(d, 50) ? "min" : "max");
    draw_value(d, t, limit, depth);
    put_clauses(d, cl, 25);
    put(d, "), %.0f, %.0f)", -limit, limit);
}

static void draw_mean(struct draw *d, ufc_type t, double limit, int depth,
                      const struct clauses *cl) {
    put(d, is_floating(t) ? "floor(mean(" : "%s(floor(mean(", type_names[t]);
    draw_value(d, t, least_of(limit, most(t) / greatest(cl->times)), depth);
    put_clauses(d, cl, 20);
    put(d, is_floating(t) ? "))" : ")))");
}

static void draw_counts(struct draw *d, ufc_type t, double limit, int depth,
                        const struct clauses *cl) {
    static const char *const names[] = {"count", "any", "all"};
    const char *name = PICK(d, names);
    bool counts = name == names[0], wrapped = counts && greatest(cl->times) > limit;
    put(d, "%s(%s%s(", type_names[t], wrapped ? "(" : counts ? "" : "1 if ", name);
    draw_condition(d, depth);
    put_clauses(d, cl, 20);
    put(d, ")");
    close_bracket(d, limit, wrapped);
    put(d, counts ? ")" : " else 0)");
}

static void draw_place(struct draw *d, ufc_type t, double limit, int depth,
                       const struct clauses *cl) {
    bool wrapped = limit < 1e6;
    put(d, "%s(%s%s(", type_names[t], wrapped ? "(" : "", chance(d, 50) ? "argmin" : "argmax");
    draw_value(d, PICK(d, numbers), 50, depth);
    put_clauses(d, cl, 25);
    put(d, ")");
    close_bracket(d, limit, wrapped);
    put(d, ")");
}

/* By defs that every program has. */
static void draw_reduce(struct draw *d, ufc_type t, double limit, int depth,
                        const struct clauses *cl) {
    static const char *const names[] = {"join", "later", "larger"};
    bool wrapped = limit < 97;
    put(d, "%s(%sreduce(%s%llu, %d, ", type_names[t], wrapped ? "(" : "", PICK(d, names),
        (unsigned long long)d->seed, (int)dice(d, 97));
    put(d, "int64(abs(");
    draw_value(d, t, 96, depth);
    put(d, "))");
    put_clauses(d, cl, 25);
    put(d, ")");
    close_bracket(d, limit, wrapped);
    put(d, ")");
}

static bool draw_comprehension(struct draw *d, ufc_type t, double limit, int depth) {
    struct clauses cl;
    uint64_t which = dice(d, 20);
    bool drawn = draw_clauses(d, &cl, which == 17);
    if (drawn && which < 8)
        draw_sum(d, t, limit, depth, &cl);
    else if (drawn && which < 9)
        draw_prod(d, t, limit, depth, &cl);
    else if (drawn && which < 13)
        draw_extreme(d, t, limit, depth, &cl);
    else if (drawn && which < 15)
        draw_mean(d, t, limit, depth, &cl);
    else if (drawn && which < 17)
        draw_counts(d, t, limit, depth, &cl);
    else if (drawn && which < 18)
        draw_place(d, t, limit, depth, &cl);
    else if (drawn)
        draw_reduce(d, t, limit, depth, &cl);
    leave_clauses(d, &cl);
    return drawn;
}

/* ---- defs */

/* An array that p may stand for, or a part of one: its text; false: none was found. */
static bool draw_argument(struct draw *d, const struct array *p, struct slice *s) {
    int found = -1, n = 0;
    for (int i = 0; i < d->narrays; i++) {
        const struct array *a = &d->arrays[i];
        if (a->readable && i != d->defined && a->type == p->type && a->rank >= p->rank &&
            a->bound <= p->bound && dice(d, (uint64_t)++n) == 0)
            found = i;
    }
    return found >= 0 && draw_slice(d, &d->arrays[found], p->rank, s) &&
           memcmp(s->sizes, p->sizes, sizeof(int) * (size_t)p->rank) == 0;
}

static bool draw_help(struct draw *d, ufc_type t, double limit, int depth) {
    if (d->nhelpers == 0 || d->in_def)
        return false;
    const struct helper *h = &d->helpers[dice(d, (uint64_t)d->nhelpers)];
    struct slice args[2];
    for (int i = 0; i < h->narrays; i++)
        if (!draw_argument(d, &h->arrays[i], &args[i]))
            return false;
    if (!affords(d, h->cost))
        return false;
    for (int c = 0; c < CASES; c++)
        d->cost[c] += d->weight[c] * h->cost[c];
    put(d, h->type != t ? "%s(" : "", type_names[t]);
    bool wrapped = open_bracket(d, h->bound, limit);
    put(d, "%s(", h->name);
    for (int i = 0; i < h->narrays; i++)
        put(d, "%s, ", args[i].text);
    draw_value(d, h->scalar.type, h->scalar.bound, depth);
    put(d, ")");
    close_bracket(d, limit, wrapped);
    put(d, h->type != t ? ")" : "");
    return true;
}

/* ---- values */

static void draw_two(struct draw *d, ufc_type t, const char *op, double limit, int depth) {
    put(d, "(");
    draw_value(d, t, limit, depth);
    put(d, " %s ", op);
    if (chance(d, 20))
        draw_number(d, limit);
    else
        draw_value(d, t, limit, depth);
    put(d, ")");
}

/* Integers that wrap around, made small again. */
static void draw_bits(struct draw *d, ufc_type t, double limit, int depth) {
    static const char *const ops[] = {"&", "|", "^", "<<", ">>", "*", "//"};
    static const char *const factors[] = {"1000003", "40503", "65537"};
    put(d, "((");
    draw_value(d, t, most(t), depth);
    put(d, " * %s ", PICK(d, factors));
    const char *op = PICK(d, ops);
    put(d, "%s ", op);
    if (*op == '<' || *op == '>')
        put(d, "%d", (int)dice(d, 40));
    else
        draw_value(d, t, most(t), depth);
    put(d, ")");
    close_bracket(d, limit, true);
}

/* Functions of bits and parts of numbers, which are whole, made small again. */
static void draw_function(struct draw *d, ufc_type t, double limit, int depth) {
    bool wide = chance(d, 50);
    ufc_type whole = wide ? UFC_INT64 : UFC_INT32;
    const char *name = type_names[whole], *single = wide ? "float64" : "float32";
    uint64_t which = dice(d, 6);
    put(d, "%s((", type_names[t]);
    if (which == 0)
        put(d, "ctz(");
    else if (which == 1)
        put(d, "mulhi(1000003 * ");
    else if (which == 2)
        put(d, "bits(%s(", single);
    else if (which == 3)
        put(d, "%s(frombits(bits(%s(", name, single);
    else if (which == 4)
        put(d, "%s(%s * eps(%s(1 + abs(", name, wide ? "2.0**52" : "2.0**23", single);
    else
        put(d, "%s(real(complex(%s(", name, single);
    draw_value(d, whole, which > 2 ? 1000 : most(whole), depth);
    if (which == 1 || which == 5) {
        put(d, which == 1 ? ", 40503 * " : "), 3) * complex(2, %s(", single);
        draw_value(d, whole, 1000, depth);
    }
    static const char *const ends[] = {")", ")", "))", "))))", "))))", "))))"};
    put(d, "%s", ends[which]);
    close_bracket(d, limit, true);
    put(d, ")");
}

static void draw_choice(struct draw *d, ufc_type t, double limit, int depth) {
    bool where = chance(d, 25);
    put(d, where ? "where(" : "(");
    if (where)
        draw_condition(d, depth);
    else
        draw_value(d, t, limit, depth);
    put(d, where ? ", " : " if ");
    if (where)
        draw_value(d, t, limit, depth);
    else
        draw_condition(d, depth);
    put(d, where ? ", " : " else ");
    draw_value(d, t, limit, depth);
    put(d, ")");
}

static void draw_one(struct draw *d, ufc_type t, double limit, int depth) {
    static const char *const one[] = {"-", "abs", "sign", "square", "trunc", "floor"};
    const char *name = PICK(d, one);
    if (name == one[3])
        limit = sqrt(limit);
    put(d, "%s(", name);
    draw_value(d, t, floor(limit), depth);
    put(d, ")");
}

/* Whole numbers up to limit, which is one itself and at least 1. */
static void draw_value(struct draw *d, ufc_type t, double limit, int depth) {
    static const char *const sums[] = {"+", "-"};
    static const char *const divisions[] = {"//", "%"};
    limit = floor(least_of(limit, most(t)));
    count(d);
    uint64_t which = dice(d, 25);
    depth--;
    if (depth < 0 || limit < 4)
        draw_leaf(d, t, limit);
    else if (which < 4)
        draw_two(d, t, PICK(d, sums), floor(limit / 2), depth);
    else if (which < 6)
        draw_two(d, t, "*", floor(sqrt(limit)), depth);
    else if (which < 7 && !is_floating(t))
        draw_bits(d, t, limit, depth);
    else if (which < 8) {
        put(d, "(");
        draw_value(d, t, limit, depth);
        put(d, " %s %d)", PICK(d, divisions), 1 + (int)dice(d, (uint64_t)least_of(limit, 20)));
    } else if (which < 9) {
        put(d, "%s(", chance(d, 50) ? "min" : "max");
        draw_value(d, t, limit, depth);
        put(d, ", ");
        draw_value(d, t, limit, depth);
        if (chance(d, 25)) {
            put(d, ", ");
            draw_leaf(d, t, limit);
        }
        put(d, ")");
    } else if (which < 11)
        draw_one(d, t, limit, depth);
    else if (which < 13)
        draw_choice(d, t, limit, depth);
    else if (which < 15) {
        ufc_type from = PICK(d, numbers);
        put(d, "%s(", type_names[t]);
        draw_value(d, from, limit, depth);
        put(d, ")");
    } else if (which < 20 && draw_comprehension(d, t, limit, depth))
        return;
    else if (which < 22 && draw_help(d, t, limit, depth))
        return;
    else if (which == 22 && depth > 0)
        draw_function(d, t, limit, depth);
    else
        draw_leaf(d, t, limit);
}

static void draw_condition(struct draw *d, int depth) {
    static const char *const ops[] = {"==", "!=", "<", "<=", ">", ">="};
    ufc_type t = PICK(d, numbers);
    int i = index_of(d, -1);
    uint64_t which = dice(d, 10);
    count(d);
    if (i >= 0 && which < 3)
        put(d, "%s %% %d %s %d", d->indices[i].name, 2 + (int)dice(d, 3), PICK(d, ops),
            (int)dice(d, 3));
    else if (which < 5 && depth > 0) {
        put(d, "(");
        draw_condition(d, depth - 1);
        put(d, chance(d, 50) ? " and " : " or ");
        draw_condition(d, depth - 1);
        put(d, ")");
    } else if (which < 6 && depth > 0) {
        put(d, "not (");
        draw_condition(d, depth - 1);
        put(d, ")");
    } else {
        draw_value(d, t, 100, depth - 1);
        put(d, " %s ", PICK(d, ops));
        if (chance(d, 50))
            draw_number(d, 100);
        else
            draw_value(d, t, 100, depth - 1);
    }
}

#endif
