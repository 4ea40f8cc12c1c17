/* draw_body.h: random statements of gufuncs: definitions, loops in order, local arrays; and the
 * defs that they call. */
#ifndef DRAW_BODY_H
#define DRAW_BODY_H

#include "draw_value.h"

enum { OF_ARRAY = 1000 }; /* what values of arrays go up to */

/* ---- statements */

static void draw_block(struct draw *d, int statements);

static void line(struct draw *d) {
    put(d, "%*s", 4 * d->indent, "");
}

/* What goes to `text` is put later; the caller frees it. */
static FILE *divert(struct draw *d, char **text, size_t *size) {
    FILE *before = d->out;
    REQUIRE(d->out = open_memstream(text, size));
    return before;
}

static void restore(struct draw *d, FILE *before) {
    fclose(d->out);
    d->out = before;
}

static void put_operand(struct draw *d, const char *name, const struct array *a) {
    put(d, "%s", name);
    for (int r = 0; r < a->rank; r++)
        put(d, "%s%s%s%s", r ? ", " : "[", size_text(d, a->sizes[r]),
            d->sizes[a->sizes[r]].is_optional ? "?" : "", r == a->rank - 1 ? "]" : "");
}

static ufc_type same_kind(struct draw *d, ufc_type t) {
    return chance(d, 80)    ? t
           : is_floating(t) ? (chance(d, 50) ? UFC_FLOAT32 : UFC_FLOAT64)
           : chance(d, 50)  ? UFC_INT32
                            : UFC_INT64;
}

/* The places of a definition of all of array a: a clause for each dimension, and in d->place. */
static bool draw_places(struct draw *d, struct array *a, struct clauses *cl, bool all) {
    char sub[RANK][TEXT / 4];
    *cl = begin_clauses(d);
    for (int r = 0; r < a->rank; r++) {
        int s = a->sizes[r], i = declare_index(d, s, 0);
        double times[CASES];
        for (int c = 0; c < CASES; c++)
            times[c] = (double)d->sizes[s].at[c];
        const char *name = d->indices[i].name, *n = size_text(d, s);
        bool reversed = chance(d, 10);
        snprintf(sub[r], sizeof sub[r], reversed ? "(%s) - 1 - %s" : "%s", reversed ? n : name,
                 name);
        snprintf(cl->text[r], sizeof cl->text[r], "%s in 0..%s", name, n);
        *cl->bare[r] = 0;
        if (!all && chance(d, 40))
            draw_range(d, s, i, times, cl->text[r]);
        else if (!reversed && !d->sizes[s].is_computed && chance(d, 70)) {
            d->indices[i].bare = true;
            snprintf(cl->bare[r], sizeof cl->bare[r], "%s", name);
        }
        if (!affords(d, times) && !all)
            return false;
        cl->index[cl->n++] = i;
        multiply(d, cl, times);
    }
    int at = 0;
    for (int r = 0; r < a->rank; r++)
        at += snprintf(d->place + at, sizeof d->place - (size_t)at, "%s%s%s", r ? ", " : "[",
                       sub[r], r == a->rank - 1 ? "]" : "");
    return true;
}

static void draw_result(struct draw *d, const struct array *a) {
    line(d);
    put(d, "%s%s = ", a->name, a->rank ? d->place : "");
    draw_value(d, same_kind(d, a->type), a->bound, d->depth);
}

/* Of all elements, in one definition or in two; or of some.  Elements of a scalar: an assignment.
 */
static void draw_definition(struct draw *d, int out, bool all) {
    struct array *a = &d->arrays[out];
    struct clauses cl;
    if (!draw_places(d, a, &cl, all)) {
        leave_clauses(d, &cl);
        return;
    }
    if (a->rank > 0)
        d->defined = out;
    if (a->rank > 0 && all && chance(d, 20)) {
        char *condition;
        size_t size;
        bool was = a->readable;
        a->readable = false;
        FILE *before = divert(d, &condition, &size);
        draw_condition(d, 1);
        restore(d, before);
        for (int k = 0; k < 2; k++) {
            draw_result(d, a);
            put_clauses(d, &cl, 0);
            put(d, k ? " if not (%s)\n" : " if %s\n", condition);
        }
        free(condition);
        a->readable = was;
    } else {
        draw_result(d, a);
        if (a->rank > 0)
            put_clauses(d, &cl, all ? 0 : 30);
        put(d, "\n");
    }
    d->defined = -1;
    leave_clauses(d, &cl);
}

static void draw_let(struct draw *d) {
    bool is_var = chance(d, 40);
    ufc_type t = PICK(d, numbers);
    double bound = chance(d, 50) ? 50 : OF_ARRAY;
    if (d->nscalars > MAX_SCALARS - 8)
        return;
    const struct scalar new = d->scalars[declare_scalar(d, t, bound, is_var)];
    line(d);
    put(d, "%s %s%s%s = ", is_var ? "var" : "let", new.name, is_var ? ": " : "",
        is_var ? type_names[t] : "");
    d->nscalars--; /* not in its own value */
    draw_value(d, t, bound, d->depth);
    d->scalars[d->nscalars++] = new;
    put(d, "\n");
}

/* The values of a comprehension that has two: a place and what is there, or joins of pairs. */
static void draw_several(struct draw *d) {
    struct clauses cl;
    bool place = chance(d, 40);
    ufc_type types[] = {UFC_INT64, place ? PICK(d, numbers) : UFC_INT64};
    int n = d->ndeclared++;
    if (!draw_clauses(d, &cl, place) || d->nscalars > MAX_SCALARS - 8) {
        leave_clauses(d, &cl);
        return;
    }
    line(d);
    put(d, "let a%d, b%d = ", n, n);
    if (place) {
        put(d, chance(d, 50) ? "argmin(" : "argmax(");
        draw_value(d, types[1], 50, d->depth - 1);
    } else {
        put(d, "reduce(affine%llu, (%d, %d), (int64(abs(", (unsigned long long)d->seed,
            (int)dice(d, 97), (int)dice(d, 97));
        draw_value(d, PICK(d, numbers), 96, d->depth - 1);
        put(d, ")), int64(abs(");
        draw_value(d, PICK(d, numbers), 96, d->depth - 1);
        put(d, ")))");
    }
    put_clauses(d, &cl, 25);
    put(d, ")\n");
    leave_clauses(d, &cl);
    for (int k = 0; k < 2; k++) {
        int s = declare_scalar(d, types[k], 100, false);
        line(d);
        put(d, "let %s = %s(clip(%c%d, -100, 100))\n", d->scalars[s].name, type_names[types[k]],
            "ab"[k], n);
    }
}

static void draw_assignment(struct draw *d) {
    int s = scalar_of(d, UFC_BOOL, true, true);
    if (s < 0)
        return;
    const struct scalar *v = &d->scalars[s];
    line(d);
    put(d, "%s = ", v->name);
    if (d->nloops > 0 && chance(d, 60)) {
        put(d, "(%s + ", v->name);
        draw_value(d, v->type, v->bound, d->depth - 1);
        put(d, ") %% %d", 1 + (int)v->bound);
    } else
        draw_value(d, v->type, v->bound, d->depth);
    put(d, "\n");
}

/* One element of what has been written, or of a local array; where it may be out of range, inside
 * of an `if`. */
static void draw_store(struct draw *d) {
    int found = -1, n = 0;
    for (int i = 0; i < d->narrays; i++)
        if (d->arrays[i].readable && !strchr("xps", *d->arrays[i].name) &&
            dice(d, (uint64_t)++n) == 0)
            found = i;
    if (found < 0)
        return;
    const struct array *a = &d->arrays[found];
    char sub[RANK][TEXT / 4], guard[RANK][TEXT / 2];
    int guards = 0;
    line(d);
    for (int r = 0; r < a->rank; r++) {
        draw_subscript(d, a->sizes[r], sub[r], guard[r]);
        if (*guard[r])
            put(d, "%s%s", guards++ ? " and " : "if ", guard[r]);
    }
    put(d, guards ? " { %s" : "%s", a->name);
    for (int r = 0; r < a->rank; r++)
        put(d, "%s%s%s", r ? ", " : "[", sub[r], r == a->rank - 1 ? "]" : "");
    bool adds = chance(d, 30);
    put(d, adds ? " = (%s" : " = ", a->name);
    for (int r = 0; r < a->rank && adds; r++)
        put(d, "%s%s%s", r ? ", " : "[", sub[r], r == a->rank - 1 ? "]" : "");
    put(d, adds ? " + " : "");
    draw_value(d, a->type, a->bound, d->depth - 1);
    put(d, adds ? ") %% %d" : "", (int)a->bound + 1);
    put(d, guards ? " }\n" : "\n");
}

static void draw_inner(struct draw *d, int statements) {
    int narrays = d->narrays, nscalars = d->nscalars;
    put(d, " {\n");
    d->indent++;
    draw_block(d, statements);
    d->indent--;
    d->narrays = narrays;
    d->nscalars = nscalars;
    line(d);
    put(d, "}");
}

/* In order, over a range or an array's elements. */
static void draw_for(struct draw *d) {
    struct clauses cl = begin_clauses(d);
    int s = any_size(d);
    bool added = chance(d, 30) ? add_elements(d, &cl) : s >= 0 && add_clause(d, &cl, s);
    if (added && d->nindices < MAX_INDICES - 4 && d->nscalars < MAX_SCALARS - 8) {
        line(d);
        put(d, "for %s", cl.text[0]);
        d->nloops++;
        draw_inner(d, 3);
        d->nloops--;
        put(d, "\n");
    }
    leave_clauses(d, &cl);
}

static void draw_while(struct draw *d) {
    struct clauses cl = begin_clauses(d);
    int n = 1 + (int)dice(d, 4), i = declare_index(d, -1, 5);
    for (int c = 0; c < CASES; c++)
        d->weight[c] *= n;
    line(d);
    put(d, "var %s = 0\n", d->indices[i].name);
    line(d);
    put(d, "while %s < %d and ", d->indices[i].name, n);
    draw_condition(d, 1);
    put(d, " {\n%*s%s += 1\n", 4 * d->indent + 4, "", d->indices[i].name);
    d->nloops++;
    d->indent++;
    int narrays = d->narrays, nscalars = d->nscalars;
    draw_block(d, 2);
    d->narrays = narrays;
    d->nscalars = nscalars;
    d->indent--;
    d->nloops--;
    line(d);
    put(d, "}\n");
    leave_clauses(d, &cl);
}

static void draw_if(struct draw *d) {
    line(d);
    put(d, "if ");
    draw_condition(d, 2);
    draw_inner(d, 2);
    if (chance(d, 20)) {
        put(d, " elif ");
        draw_condition(d, 1);
        draw_inner(d, 1);
    }
    if (chance(d, 40)) {
        put(d, " else");
        draw_inner(d, 2);
    }
    put(d, "\n");
}

/* May the call end: is there a value in each element of its outputs? */
static bool may_return(const struct draw *d) {
    bool may = !d->in_def;
    for (int i = 0; i < d->narrays; i++)
        may = may && (*d->arrays[i].name != 'y' || d->arrays[i].readable);
    return may;
}

static void draw_jump(struct draw *d) {
    line(d);
    put(d, "if ");
    draw_condition(d, 1);
    if (may_return(d) && chance(d, 15))
        put(d, " { return }\n");
    else
        put(d, chance(d, 50) ? " { break }\n" : " { continue }\n");
}

/* An array of the call's own: zeros, and what a loop stores. */
static void draw_local(struct draw *d) {
    int s = -1;
    for (int i = 0; i < d->nsizes; i++)
        if (d->sizes[i].is_number && (s < 0 || chance(d, 40)))
            s = i;
    if (s < 0 || d->narrays == MAX_ARRAYS)
        return;
    struct array *a = &d->arrays[d->narrays++];
    *a = (struct array){.type = PICK(d, numbers),
                        .rank = chance(d, 70) ? 1 : 2,
                        .sizes = {s, s},
                        .bound = OF_ARRAY};
    snprintf(a->name, sizeof a->name, "w%d", d->ndeclared++);
    line(d);
    char named[24]; /* by a constant, where it is that one's */
    snprintf(named, sizeof named, "N%llu", (unsigned long long)d->seed);
    const char *size = *size_text(d, s) == '3' ? named : size_text(d, s);
    put(d, "var %s: %s[%s%s%s]\n", a->name, type_names[a->type], size, a->rank == 2 ? ", " : "",
        a->rank == 2 ? size : "");
    a->readable = true;
}

/* Builds without checks do not test it. */
static void draw_assertion(struct draw *d) {
    line(d);
    put(d, "assert ");
    draw_condition(d, 1);
    put(d, ", \"it may not hold\"\n");
}

#include "draw_arrays.h"

static void draw_statement(struct draw *d) {
    uint64_t which = dice(d, 32);
    int out = -1, n = 0;
    for (int i = 0; i < d->narrays && !d->in_def; i++)
        if ((*d->arrays[i].name == 'y' || *d->arrays[i].name == 'u') && d->arrays[i].readable &&
            dice(d, (uint64_t)++n) == 0)
            out = i;
    if (which < 5)
        draw_let(d);
    else if (which < 8)
        draw_assignment(d);
    else if (which < 13 && out >= 0)
        draw_definition(d, out, chance(d, 40));
    else if (which < 17)
        draw_store(d);
    else if (which < 18)
        draw_local(d);
    else if (d->nloops > 0 && which < 20)
        draw_jump(d);
    else if (which < 22 && d->indent < 4)
        draw_for(d);
    else if (which < 23 && d->indent < 4)
        draw_if(d);
    else if (which < 25)
        draw_several(d);
    else if (which < 26 && chance(d, 30))
        draw_assertion(d);
    else if (which < 26 && d->indent < 4)
        draw_while(d);
    else if (which < 28)
        draw_made(d);
    else if (which < 29)
        draw_zeros(d);
    else if (which < 30)
        draw_called(d);
    else if (out >= 0 && d->arrays[out].rank > 0 && d->nloops == 0)
        draw_accumulation(d, out);
}

static void draw_block(struct draw *d, int statements) {
    for (int n = 1 + (int)dice(d, (uint64_t)statements); n > 0; n--)
        draw_statement(d);
}

/* ---- defs */

/* May a def have it for a parameter? */
static bool is_plain(const struct draw *d, const struct array *a) {
    for (int r = 0; r < a->rank; r++)
        if (d->sizes[a->sizes[r]].is_computed || d->sizes[a->sizes[r]].is_optional)
            return false;
    return a->rank > 0;
}

/* Of one or two of the arrays in scope, with what else is in scope hidden. */
static void draw_helper(struct draw *d) {
    struct draw outer = *d;
    struct helper h = {.type = PICK(d, numbers), .bound = 200};
    snprintf(h.name, sizeof h.name, "h%d_%llu", d->nhelpers, (unsigned long long)d->seed);
    for (int i = 0; i < 2; i++) {
        struct array *p = &h.arrays[h.narrays];
        *p = outer.arrays[dice(d, (uint64_t)outer.narrays)];
        if (!is_plain(d, p) || (i > 0 && chance(d, 40)))
            continue;
        snprintf(p->name, sizeof p->name, "p%d", i);
        p->readable = true;
        p->bound = OF_ARRAY;
        d->arrays[h.narrays++] = *p;
    }
    if (h.narrays == 0)
        return;
    d->narrays = h.narrays;
    d->nscalars = d->nindices = d->nhelpers = 0;
    d->in_def = true;
    d->depth = 2;
    memset(d->cost, 0, sizeof d->cost);
    h.scalar = d->scalars[declare_scalar(d, PICK(d, numbers), 100, false)];
    put(d, "def %s(", h.name);
    for (int i = 0; i < h.narrays; i++) {
        put_operand(d, h.arrays[i].name, &h.arrays[i]);
        put(d, ", ");
    }
    put(d, "%s)\n{\n", h.scalar.name);
    d->indent = 1;
    if (chance(d, 60))
        draw_block(d, 3);
    line(d);
    put(d, "return ");
    draw_value(d, h.type, h.bound, 2);
    put(d, "\n}\n");
    memcpy(h.cost, d->cost, sizeof h.cost);
    outer.position = d->position;
    outer.ndeclared = d->ndeclared;
    *d = outer;
    d->helpers[d->nhelpers++] = h;
}

#endif
