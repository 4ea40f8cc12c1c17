/* draw_scope.h: what a random expression of a gufunc is made of: sizes, arrays, numbers and indices
 * in scope, and clauses of iteration.
 *
 * What is drawn depends on the sizes of the calls (struct size), so that these take no more work
 * than a simulator does in a moment. */
#ifndef DRAW_SCOPE_H
#define DRAW_SCOPE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "ufc.h"

enum { CASES = 3, RANK = 3, TEXT = 400 };
enum { MAX_SIZES = 24, MAX_ARRAYS = 16, MAX_SCALARS = 64, MAX_INDICES = 24, MAX_HELPERS = 2 };
enum { MOST_WORK = 40000 }; /* values of one expression in a call */

/* A core dimension, and its size in each case. */
struct size {
    char text[40];
    int64_t at[CASES];
    bool is_number, is_computed, is_optional;
};

struct array {
    char name[8];
    ufc_type type;
    int rank, sizes[RANK]; /* of struct draw */
    double bound;          /* of its values */
    bool readable;
};

struct scalar {
    char name[8];
    ufc_type type;
    double bound;
    bool is_var;
};

/* Its values are at least 0, and below those of a size, or of `end` where that is -1. */
struct index {
    char name[8];
    int size;
    int64_t end;
    bool bare; /* it subscripts a dimension of its size by itself */
};

/* A def of arrays, a number and an index. */
struct helper {
    char name[24];
    struct array arrays[2];
    int narrays;
    struct scalar scalar;
    ufc_type type;
    double bound, cost[CASES];
};

struct draw {
    uint64_t seed, position;
    FILE *out;
    struct size sizes[MAX_SIZES];
    struct array arrays[MAX_ARRAYS];
    struct scalar scalars[MAX_SCALARS];
    struct index indices[MAX_INDICES];
    struct helper helpers[MAX_HELPERS];
    int nsizes, narrays, nscalars, nindices, nhelpers, ndeclared, indent, nloops;
    int defined;          /* the array that a definition is of; -1 */
    char place[TEXT];     /* its subscripts there, which alone may be read */
    bool in_def;          /* where outer sizes and arrays are not known */
    int nmade;            /* arrays that the body makes */
    bool calls;           /* there are functions that give arrays, one for elements of type */
    ufc_type called;      /* `called` */
    int depth;            /* of expressions */
    double weight[CASES]; /* how often what is drawn is evaluated in a call */
    double cost[CASES];   /* all that was drawn, so weighted */
};

#include "dice.h"

static void draw_condition(struct draw *d, int depth);

static const ufc_type numbers[] = {UFC_INT32, UFC_INT64, UFC_FLOAT32, UFC_FLOAT64};

static bool is_floating(ufc_type t) {
    return t == UFC_FLOAT32 || t == UFC_FLOAT64;
}

/* What values of t go up to: floats are exact, and integers stay so in float64. */
static double most(ufc_type t) {
    return t == UFC_FLOAT32 ? 0x1p24 : t == UFC_INT32 ? 0x1p30 : 0x1p52;
}

static double least_of(double a, double b) {
    return a < b ? a : b;
}

/* ---- work */

static void count(struct draw *d) {
    for (int c = 0; c < CASES; c++)
        d->cost[c] += d->weight[c];
}

/* May what comes next be evaluated `times` as often? */
static bool affords(const struct draw *d, const double *times) {
    for (int c = 0; c < CASES; c++)
        if (d->weight[c] * times[c] > MOST_WORK)
            return false;
    return true;
}

static double greatest(const double *times) {
    double most_times = 1;
    for (int c = 0; c < CASES; c++)
        if (times[c] > most_times)
            most_times = times[c];
    return most_times;
}

/* ---- numbers */

static void draw_number(struct draw *d, double limit) {
    static const int list[] = {0, 1, 2, 3, 5, 7, 16, 100};
    int v = PICK(d, list);
    while (v > limit)
        v /= 2;
    if (limit >= 'A' && chance(d, 5))
        put(d, "'A'");
    else
        put(d, chance(d, 25) && v > 0 ? "(-%d)" : "%d", v);
}

/* Brackets around a value of up to `bound`, which make it small enough. */
static bool open_bracket(struct draw *d, double bound, double limit) {
    if (bound > limit)
        put(d, "(");
    return bound > limit;
}

static void close_bracket(struct draw *d, double limit, bool opened) {
    if (opened)
        put(d, " %% %d)", 1 + (int)least_of(limit, 1 + (double)dice(d, 40)));
}

/* ---- elements */

static const char *size_text(const struct draw *d, int s) {
    return d->sizes[s].text;
}

/* A random index of those below size s; -1 of any: any. */
static int index_of(struct draw *d, int s) {
    int found = -1, n = 0;
    for (int i = 0; i < d->nindices; i++)
        if ((s < 0 || d->indices[i].size == s) && dice(d, (uint64_t)++n) == 0)
            found = i;
    return found;
}

/* A subscript that may be out of range, where there is a condition for it. */
static void far_subscript(struct draw *d, int s, char *sub, size_t size) {
    int i = index_of(d, -1), j = index_of(d, -1), shift = 1 + (int)dice(d, 3);
    const char *n = size_text(d, s), *a = i >= 0 ? d->indices[i].name : NULL;
    switch (i >= 0 ? dice(d, 11) : 7 + dice(d, 4)) {
    case 0: snprintf(sub, size, "%s + %d", a, shift); break;
    case 1: snprintf(sub, size, "%s - %d", a, shift); break;
    case 2: snprintf(sub, size, "%s - %s", a, d->indices[j].name); break;
    case 3: snprintf(sub, size, "%s + %s", a, d->indices[j].name); break;
    case 4: snprintf(sub, size, "%s // 2", a); break;
    case 5: snprintf(sub, size, "%s * 2", a); break;
    case 6: snprintf(sub, size, "(%s) - 1 - %s", n, a); break;
    case 7: snprintf(sub, size, "(%s) // 2", n); break;
    case 8: snprintf(sub, size, "(%s) - 1", n); break;
    case 9:
        snprintf(sub, size, "%d", d->sizes[s].is_number ? shift - 2 * (shift > 1) : shift);
        break;
    default:
        if (d->nscalars > 0)
            snprintf(sub, size, "int64(%s) %% 9", d->scalars[dice(d, (uint64_t)d->nscalars)].name);
        else
            snprintf(sub, size, "0");
        break;
    }
}

/* A subscript of a dimension of size s, and the condition for it, if it needs one. */
static void draw_subscript(struct draw *d, int s, char *sub, char *guard) {
    int i = index_of(d, s);
    *guard = 0;
    if (i >= 0 && chance(d, 80)) {
        bool bare = chance(d, 85);
        d->indices[i].bare |= bare;
        snprintf(sub, TEXT / 4, bare ? "%s" : "(%s) - 1 - %s",
                 bare ? d->indices[i].name : size_text(d, s), d->indices[i].name);
    } else if (d->sizes[s].is_number && (d->nindices == 0 || chance(d, 60))) {
        int n = (int)d->sizes[s].at[0], any = index_of(d, -1);
        if (any >= 0 && chance(d, 50))
            snprintf(sub, TEXT / 4, "%s %% %d", d->indices[any].name, n);
        else
            snprintf(sub, TEXT / 4, "%d", (int)dice(d, (uint64_t)n));
    } else {
        far_subscript(d, s, sub, TEXT / 4);
        snprintf(guard, TEXT / 2, "0 <= %s and %s < %s", sub, sub, size_text(d, s));
    }
}

/* An element, as an expression in itself. */
static void draw_element(struct draw *d, const struct array *a) {
    char sub[RANK][TEXT / 4], guard[RANK][TEXT / 2];
    bool guarded = false;
    if (d->defined >= 0 && a == &d->arrays[d->defined]) {
        put(d, "%s%s", a->name, d->place);
        return;
    }
    for (int r = 0; r < a->rank; r++) {
        draw_subscript(d, a->sizes[r], sub[r], guard[r]);
        guarded = guarded || *guard[r];
    }
    put(d, "%s%s", guarded ? "(" : "", a->name);
    for (int r = 0; r < a->rank; r++)
        put(d, "%s%s%s", r ? ", " : "[", sub[r], r == a->rank - 1 ? "]" : "");
    for (int r = 0, n = 0; r < a->rank; r++)
        if (*guard[r])
            put(d, "%s%s", n++ ? " and " : " if ", guard[r]);
    put(d, guarded ? " else 0)" : "");
}

/* ---- leaves */

static int readable_array(struct draw *d, ufc_type t, bool any_type) {
    int found = -1, n = 0;
    for (int i = 0; i < d->narrays; i++)
        if (d->arrays[i].readable && (any_type || d->arrays[i].type == t) &&
            dice(d, (uint64_t)++n) == 0)
            found = i;
    return found;
}

static int scalar_of(struct draw *d, ufc_type t, bool any_type, bool is_var) {
    int found = -1, n = 0;
    for (int i = 0; i < d->nscalars; i++)
        if ((any_type || d->scalars[i].type == t) && (!is_var || d->scalars[i].is_var) &&
            dice(d, (uint64_t)++n) == 0)
            found = i;
    return found;
}

/* An index or a size, as a value of t. */
static bool draw_position(struct draw *d, ufc_type t, double limit) {
    int i = index_of(d, -1), s = (int)dice(d, (uint64_t)d->nsizes);
    bool is_index = i >= 0 && chance(d, 80);
    if (!is_index && (d->in_def || d->sizes[s].is_computed))
        return false;
    put(d, "%s(", type_names[t]);
    bool wrapped = open_bracket(d, 1e9, limit);
    put(d, "%s", is_index ? d->indices[i].name : size_text(d, s));
    close_bracket(d, limit, wrapped);
    put(d, ")");
    return true;
}

/* An element of the tables that every program has, of six numbers up to 50. */
static bool draw_table(struct draw *d, ufc_type t, double limit) {
    int i = index_of(d, -1);
    if (limit >= 6 && chance(d, 20)) {
        put(d, "%s(len(K%llu))", type_names[t], (unsigned long long)d->seed);
        return true;
    }
    if (i < 0 || limit < 50)
        return false;
    bool convert = chance(d, 30);
    put(d, convert ? "%s(" : "(", type_names[t]);
    static const char *const elements[] = {"K%llu[%s %% 6]", "K%llu[%s %% 6]", "K%llu[5 - %s %% 6]",
                                           "R%llu[1, %s %% 3]", "R%llu[%s %% 2, 2]"};
    put(d, PICK(d, elements), (unsigned long long)d->seed, d->indices[i].name);
    put(d, ")");
    return true;
}

static void draw_leaf(struct draw *d, ufc_type t, double limit) {
    bool convert = chance(d, 15), use_scalar = chance(d, 25);
    int a = readable_array(d, t, convert), s = scalar_of(d, t, convert, false);
    if (chance(d, 8) && draw_position(d, t, limit))
        return;
    if (chance(d, 6) && draw_table(d, t, limit))
        return;
    if (a < 0 && s < 0) {
        convert = true;
        a = readable_array(d, t, true);
        s = scalar_of(d, t, true, false);
    }
    if ((a < 0 && s < 0) || chance(d, 6)) {
        put(d, "%s(", type_names[t]);
        draw_number(d, limit);
        put(d, ")");
        return;
    }
    bool is_scalar = s >= 0 && (a < 0 || use_scalar);
    ufc_type from = is_scalar ? d->scalars[s].type : d->arrays[a].type;
    double bound = is_scalar ? d->scalars[s].bound : d->arrays[a].bound;
    if (from != t)
        put(d, "%s(", type_names[t]);
    bool wrapped = open_bracket(d, bound, limit);
    if (is_scalar)
        put(d, "%s", d->scalars[s].name);
    else
        draw_element(d, &d->arrays[a]);
    close_bracket(d, limit, wrapped);
    put(d, from != t ? ")" : "");
}

/* ---- iteration */

/* Names that were put into scope stay there from `first` on. */
struct clauses {
    char text[4][TEXT / 4], bare[4][TEXT / 4]; /* bare: where the index subscripts by itself */
    int index[4], n;                           /* -1: it is an array's element */
    int nindices, nscalars;
    double times[CASES], weight[CASES]; /* how often in all; what the weights were */
};

static int declare_index(struct draw *d, int size, int64_t end) {
    struct index *i = &d->indices[d->nindices];
    snprintf(i->name, sizeof i->name, "i%d", d->ndeclared++);
    i->size = size;
    i->end = end;
    i->bare = false;
    return d->nindices++;
}

static int declare_scalar(struct draw *d, ufc_type t, double bound, bool is_var) {
    struct scalar *s = &d->scalars[d->nscalars];
    snprintf(s->name, sizeof s->name, "%c%d", is_var ? 'v' : 't', d->ndeclared++);
    s->type = t;
    s->bound = bound;
    s->is_var = is_var;
    return d->nscalars++;
}

/* A size that an array in scope has, now and then the size of another. */
static int any_size(struct draw *d) {
    int a = readable_array(d, UFC_BOOL, true);
    if (a < 0 || d->arrays[a].rank == 0 || (!d->in_def && chance(d, 10))) {
        int s = (int)dice(d, (uint64_t)d->nsizes);
        return d->in_def && !d->sizes[s].is_number ? -1 : s;
    }
    return d->arrays[a].sizes[dice(d, (uint64_t)d->arrays[a].rank)];
}

/* The text of a range over size s, or a part of it, for index i; whether it is all of it, in order.
 */
static bool draw_range(struct draw *d, int s, int i, double *times, char *text) {
    const char *n = size_text(d, s), *name = d->indices[i].name;
    int outer = -1, step = 2 + (int)dice(d, 2);
    for (int k = 0; k < i; k++)
        if (d->indices[k].size == s && chance(d, 60))
            outer = k;
    for (int c = 0; c < CASES; c++)
        times[c] = (double)d->sizes[s].at[c];
    uint64_t which = dice(d, 20);
    if (outer >= 0 && which < 8) {
        const char *o = d->indices[outer].name;
        if (which < 3)
            snprintf(text, TEXT / 4, "%s in 0..%s + 1", name, o);
        else if (which < 5)
            snprintf(text, TEXT / 4, "%s in %s..%s", name, o, n);
        else {
            snprintf(text, TEXT / 4, "%s in max(%s - 2, 0)..min(%s + 3, %s)", name, o, o, n);
            for (int c = 0; c < CASES; c++)
                times[c] = least_of(times[c], 5);
        }
        return false;
    }
    switch (which) {
    case 0: snprintf(text, TEXT / 4, "%s in 1..%s", name, n); return false;
    case 1: snprintf(text, TEXT / 4, "%s in 0..(%s) - 1", name, n); return false;
    case 2: snprintf(text, TEXT / 4, "%s in (%s) - 1..-1..-1", name, n); return false;
    case 3: snprintf(text, TEXT / 4, "%s in %d..%s..%d", name, step - 1, n, step); return false;
    case 4: snprintf(text, TEXT / 4, "%s in 0..min(%d, %s)", name, 2 + step, n); return false;
    default: snprintf(text, TEXT / 4, "%s in 0..%s", name, n); return true;
    }
}

static void multiply(struct draw *d, struct clauses *cl, const double *times) {
    for (int c = 0; c < CASES; c++) {
        cl->times[c] *= times[c];
        d->weight[c] *= times[c];
    }
}

/* One clause more, over size s; whether it can be afforded. */
static bool add_clause(struct draw *d, struct clauses *cl, int s) {
    double times[CASES];
    int i = declare_index(d, s, 0);
    char *text = cl->text[cl->n], *bare = cl->bare[cl->n];
    *bare = 0;
    bool whole = draw_range(d, s, i, times, text);
    if (!affords(d, times)) {
        d->nindices--;
        return false;
    }
    if (whole && !d->sizes[s].is_computed && chance(d, 60))
        snprintf(bare, TEXT / 4, "%s", d->indices[i].name);
    cl->index[cl->n++] = i;
    multiply(d, cl, times);
    return true;
}

/* A part of an array, with all of some of its axes. */
struct slice {
    char text[TEXT];
    int sizes[RANK];
};

/* The whole array, or a slice of the rank; false: its subscripts might be out of range. */
static bool draw_slice(struct draw *d, const struct array *a, int rank, struct slice *s) {
    int at = snprintf(s->text, sizeof s->text, "%s", a->name), kept = 0;
    memcpy(s->sizes, a->sizes, sizeof s->sizes);
    if (a->rank == rank && chance(d, 70))
        return true;
    for (int r = 0; r < a->rank; r++) {
        char sub[TEXT / 4] = ":", guard[TEXT / 2] = "";
        int left = a->rank - r - 1;
        if (kept < rank && (kept + left < rank || chance(d, 50))) {
            s->sizes[kept++] = a->sizes[r];
            if (chance(d, 25))
                snprintf(sub, sizeof sub, "::-1");
        } else {
            struct index before[MAX_INDICES];
            memcpy(before, d->indices, sizeof before);
            draw_subscript(d, a->sizes[r], sub, guard);
            memcpy(d->indices, before, sizeof before); /* the slice may not be put */
        }
        if (*guard)
            return false;
        at += snprintf(s->text + at, sizeof s->text - (size_t)at, "%s%s%s", r ? ", " : "[", sub,
                       r == a->rank - 1 ? "]" : "");
    }
    return a->rank >= rank;
}

/* A part of the array of one dimension that is there: "1:" and the like. */
static void cut_slice(struct draw *d, struct slice *s) {
    static const char *const cuts[] = {"1:", ":%s // 2", "%s // 2:", "::2", "1::3", "(%s) - 1::-2"};
    char *colon = strstr(s->text, ":"), cut[TEXT / 4], rest[TEXT];
    if (!colon || colon[1] == ':' || chance(d, 60))
        return;
    snprintf(rest, sizeof rest, "%s", colon + 1);
    snprintf(cut, sizeof cut, PICK(d, cuts), size_text(d, s->sizes[0]));
    snprintf(colon, sizeof s->text - (size_t)(colon - s->text), "%s%s", cut, rest);
}

/* `v in x`. */
static bool add_elements(struct draw *d, struct clauses *cl) {
    int a = readable_array(d, UFC_BOOL, true);
    double times[CASES];
    struct slice slice;
    if (a < 0 || a == d->defined || !draw_slice(d, &d->arrays[a], 1, &slice))
        return false;
    cut_slice(d, &slice);
    if (strlen(slice.text) >= TEXT / 4 - 16)
        return false;
    for (int c = 0; c < CASES; c++)
        times[c] = (double)d->sizes[slice.sizes[0]].at[c];
    if (!affords(d, times))
        return false;
    int s = declare_scalar(d, d->arrays[a].type, d->arrays[a].bound, false);
    snprintf(cl->text[cl->n], TEXT / 4, "%s in %s", d->scalars[s].name, slice.text);
    *cl->bare[cl->n] = 0;
    cl->index[cl->n++] = -1;
    multiply(d, cl, times);
    return true;
}

static struct clauses begin_clauses(struct draw *d) {
    struct clauses cl = {.nindices = d->nindices, .nscalars = d->nscalars};
    for (int c = 0; c < CASES; c++) {
        cl.times[c] = 1;
        cl.weight[c] = d->weight[c];
    }
    return cl;
}

static void leave_clauses(struct draw *d, const struct clauses *cl) {
    d->nindices = cl->nindices;
    d->nscalars = cl->nscalars;
    memcpy(d->weight, cl->weight, sizeof d->weight);
}

/* Puts them, and now and then a filter. */
static void put_clauses(struct draw *d, const struct clauses *cl, unsigned filter) {
    for (int k = 0; k < cl->n; k++) {
        bool bare = cl->index[k] >= 0 && *cl->bare[k] && d->indices[cl->index[k]].bare;
        put(d, "%s%s", k ? ", " : " for ", bare ? cl->bare[k] : cl->text[k]);
    }
    if (chance(d, filter)) {
        put(d, " if ");
        draw_condition(d, 1);
    }
}

#endif
