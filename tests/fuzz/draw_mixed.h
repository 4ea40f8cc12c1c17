/* draw_mixed.h: bodies of ordered loops and definitions that share arrays: outputs, and arrays of
 * the body, tables, rows and such as take turns; loops over blocks; what is computed in place; and
 * grids in place, by colours.  Part of draw_form.h. */
#ifndef DRAW_MIXED_H
#define DRAW_MIXED_H

enum { MIXED_ARRAYS = 12, MIXED_INDICES = 5, MIXED_SCALARS = 12, MIXED_LOOPS = 3, MIXED_SUMS = 3 };

/* Its axes: n, m, or 2, for rows that take turns. */
struct mixed_array {
    const char *name, *axes;
    bool fixed;    /* defined by let */
    bool readable; /* written */
    bool large;    /* its elements are sums */
};

struct mixed_index {
    char name[24], axis; /* a number: how many there are, of blocks */
    bool behind, ahead;  /* there are elements before and after it */
};

/* What statements are drawn with. */
struct mixed {
    struct draw *d;
    const char *type;
    struct mixed_array array[MIXED_ARRAYS];
    struct mixed_index index[MIXED_INDICES];
    char scalar[MIXED_SCALARS][8];
    bool is_var[MIXED_SCALARS];
    int narrays, nindices, nscalars, ndeclared, nsums, indent;
    bool turns;                   /* there is `a`, 0 or 1 */
    const struct mixed_array *of; /* what a definition defines, which it reads at `place` alone */
    char place[TEXT / 4];
};

static void mixed_line(const struct mixed *x) {
    put(x->d, "%*s", 4 * x->indent, "");
}

/* x0[n, m], x1[m], y0[n, m], y1[n], y2[m]. */
static void mixed_operands(struct draw *d, int names) {
    ufc_type t = PICK(d, numbers);
    (void)names;
    add_array(d, 'x', t, 2, (const int[]){0, 1});
    add_array(d, 'x', t, 1, (const int[]){1});
    add_array(d, 'y', t, 2, (const int[]){0, 1});
    add_array(d, 'y', t, 1, (const int[]){0});
    add_array(d, 'y', t, 1, (const int[]){1});
}

/* ---- elements */

static int mixed_index_of(const struct mixed *x, char axis) {
    int found = -1;
    for (int i = 0, n = 0; i < x->nindices; i++)
        if (x->index[i].axis == axis && dice(x->d, (uint64_t)++n) == 0)
            found = i;
    return found;
}

/* May a subscript be drawn? */
static bool mixed_has(const struct mixed *x, char axis) {
    bool has = axis == '2';
    for (int i = 0; i < x->nindices; i++)
        has = has || x->index[i].axis == axis;
    return has;
}

static bool mixed_has_all(const struct mixed *x, const char *axes) {
    bool all = true;
    for (; *axes; axes++)
        all = all && mixed_has(x, *axes);
    return all;
}

/* A subscript in range; plain: an index itself, or from the other end. */
static void mixed_subscript(const struct mixed *x, char axis, bool plain, char *to, size_t size) {
    static const char *const turns[] = {"%s %% 2", "1 - %s %% 2", "(%s + 1) %% 2"};
    struct draw *d = x->d;
    if (axis == '2') {
        int i = x->nindices > 0 ? (int)dice(d, (uint64_t)x->nindices) : -1;
        if (x->turns && chance(d, 60))
            snprintf(to, size, chance(d, 50) ? "a" : "1 - a");
        else if (i >= 0 && chance(d, 80))
            snprintf(to, size, PICK(d, turns), x->index[i].name);
        else
            snprintf(to, size, "%d", (int)dice(d, 2));
        return;
    }
    const struct mixed_index *i = &x->index[mixed_index_of(x, axis)];
    uint64_t which = plain ? dice(d, 60) : dice(d, 16);
    const char *other = x->index[dice(d, (uint64_t)x->nindices)].name;
    switch (which) {
    case 0: snprintf(to, size, "%c - 1 - %s", axis, i->name); break;
    case 1: snprintf(to, size, "(%s + %d) %% %c", i->name, 1 + (int)dice(d, 3), axis); break;
    case 2: snprintf(to, size, plain ? "%s" : "max(%s - 1, 0)", i->name); break;
    case 3: snprintf(to, size, plain ? "%s" : "min(%s + 1, %c - 1)", i->name, axis); break;
    case 4: snprintf(to, size, plain ? "%s" : "(%s + %s) %% %c", i->name, other, axis); break;
    default:
        if (!plain && i->behind && which < 8)
            snprintf(to, size, "%s - 1", i->name);
        else if (!plain && i->ahead && which < 10)
            snprintf(to, size, "%s + 1", i->name);
        else
            snprintf(to, size, "%s", i->name);
    }
}

static void mixed_place(const struct mixed *x, const struct mixed_array *a, bool plain, char *to,
                        size_t size) {
    int at = snprintf(to, size, "%s[", a->name);
    for (const char *axis = a->axes; *axis; axis++) {
        char sub[TEXT / 8];
        mixed_subscript(x, *axis, plain, sub, sizeof sub);
        at += snprintf(to + at, size - (size_t)at, "%s%s%s", axis > a->axes ? ", " : "", sub,
                       axis[1] ? "" : "]");
    }
}

/* An element of an array that may be read; false: there is none. */
static bool mixed_element(const struct mixed *x) {
    const struct mixed_array *found = NULL;
    char text[TEXT / 4];
    for (int i = 0, n = 0; i < x->narrays; i++) {
        const struct mixed_array *a = &x->array[i];
        bool may = (a->readable && a != x->of && mixed_has_all(x, a->axes)) ||
                   (a == x->of && a->readable && *x->place);
        if (may && dice(x->d, (uint64_t)++n) == 0)
            found = a;
    }
    if (found == NULL)
        return false;
    if (found == x->of)
        snprintf(text, sizeof text, "%s", x->place);
    else
        mixed_place(x, found, chance(x->d, 50), text, sizeof text);
    put(x->d, found->large ? "(%s %% 97)" : "%s", text);
    return true;
}

/* ---- values */

static void mixed_term(struct mixed *x, int depth);

static void mixed_condition(struct mixed *x, int depth) {
    static const char *const ops[] = {"==", "!=", "<", "<=", ">", ">="};
    struct draw *d = x->d;
    uint64_t which = dice(d, 8);
    const char *i = x->nindices > 0 ? x->index[dice(d, (uint64_t)x->nindices)].name : "n";
    const char *k = x->nindices > 0 ? x->index[dice(d, (uint64_t)x->nindices)].name : "m";
    if (which < 2)
        put(d, "%s %% %d %s %d", i, 2 + (int)dice(d, 2), PICK(d, ops), (int)dice(d, 3));
    else if (which < 3)
        put(d, "%s %s %s", i, PICK(d, ops), k);
    else if (which < 4)
        put(d, "(%s + %s) %% 2 == %d", i, k, (int)dice(d, 2));
    else {
        mixed_term(x, depth - 1);
        put(d, " %s %d", PICK(d, ops), (int)dice(d, 60));
    }
}

static void mixed_new(struct mixed *x, char letter, char *to) {
    snprintf(to, 8, "%c%d", letter, x->ndeclared++ % 1000);
}

/* One of all that an index may be, which is then known. */
static struct mixed_index *mixed_add_index(struct mixed *x, char axis) {
    struct mixed_index *i = &x->index[x->nindices++];
    *i = (struct mixed_index){.axis = axis};
    mixed_new(x, 'i', i->name);
    return i;
}

/* Puts "i in 1..n". */
static void mixed_range(struct mixed *x, struct mixed_index *i, bool all) {
    struct draw *d = x->d;
    char c = i->axis;
    switch (all ? 9 : dice(d, 12)) {
    case 0:
        put(d, "%s in 1..%c", i->name, c);
        i->behind = true;
        break;
    case 1:
        put(d, "%s in 0..%c - 1", i->name, c);
        i->ahead = true;
        break;
    case 2:
        put(d, "%s in 1..%c - 1", i->name, c);
        i->behind = i->ahead = true;
        break;
    case 3: put(d, "%s in %c // 2..%c", i->name, c, c); break;
    case 4: put(d, "%s in 0..%c..2", i->name, c); break;
    case 5:
        if (x->nindices > 1 && x->index[x->nindices - 2].axis == c) {
            put(d, chance(d, 50) ? "%s in 0..%s" : "%s in 0..%s + 1", i->name,
                x->index[x->nindices - 2].name);
            break;
        } /* fall through */
    default: put(d, "%s in 0..%c", i->name, c);
    }
}

static void mixed_sum(struct mixed *x, int depth) {
    static const char *const by[] = {"sum", "sum", "max", "min", "count", "argmax"};
    struct draw *d = x->d;
    const char *name = PICK(d, by);
    put(d, "%s(%s(", x->type, name);
    struct mixed_index *i = mixed_add_index(x, "nm"[dice(d, 2)]);
    struct mixed_index own = *i;
    char *text;
    size_t size;
    FILE *before = d->out;
    REQUIRE(d->out = open_memstream(&text, &size));
    mixed_range(x, &own, chance(d, 70));
    fclose(d->out);
    d->out = before;
    *i = own;
    if (*name == 'c')
        mixed_condition(x, depth - 1);
    else
        mixed_term(x, depth - 1);
    put(d, " for %s", text);
    free(text);
    if (chance(d, 15)) {
        put(d, " if ");
        mixed_condition(x, 1);
    }
    put(d, ")%s", *name == 's' || *name == 'm' ? " % 97)" : ")");
    x->nindices--;
}

/* Whole numbers of which few are more than 97. */
static void mixed_leaf(struct mixed *x) {
    struct draw *d = x->d;
    uint64_t which = dice(d, 10);
    if (which < 7 && mixed_element(x))
        return;
    if (which < 9 && x->nscalars > 0)
        put(d, "%s", x->scalar[dice(d, (uint64_t)x->nscalars)]);
    else if (x->nindices > 0 && chance(d, 60))
        put(d, "%s(%s %% 97)", x->type, x->index[dice(d, (uint64_t)x->nindices)].name);
    else
        put(d, "%s(%d)", x->type, 1 + (int)dice(d, 9));
}

static void mixed_term(struct mixed *x, int depth) {
    static const char *const twos[] = {" + ", " - ", " + 2 * ", " - 3 * "};
    struct draw *d = x->d;
    uint64_t which = depth <= 0 ? 99 : dice(d, 20);
    const char *two = PICK(d, twos);
    if (which < 7) {
        put(d, "(");
        mixed_term(x, depth - 1);
        put(d, "%s", two);
        mixed_term(x, depth - 1);
        put(d, ")");
    } else if (which < 8) {
        mixed_leaf(x);
        put(d, " * ");
        mixed_leaf(x);
    } else if (which < 9) {
        put(d, chance(d, 50) ? "max(" : "min(");
        mixed_term(x, depth - 1);
        put(d, ", ");
        mixed_term(x, depth - 1);
        put(d, ")");
    } else if (which < 11) {
        put(d, "(");
        mixed_term(x, depth - 1);
        put(d, " if ");
        mixed_condition(x, depth - 1);
        put(d, " else ");
        mixed_term(x, depth - 1);
        put(d, ")");
    } else if (which < 12) {
        bool root = chance(d, 50);
        put(d, root ? "%s(floor(sqrt(abs(" : "%s(floor(100 * (", x->type);
        mixed_leaf(x);
        put(d, " / (2 + abs(");
        mixed_leaf(x);
        put(d, root ? "))))))" : ")))))");
    } else if (which < 14 && x->nindices < MIXED_LOOPS)
        mixed_sum(x, depth - 1);
    else
        mixed_leaf(x);
}

static void mixed_value(struct mixed *x, int depth) {
    put(x->d, "%s((", x->type);
    mixed_term(x, depth);
    put(x->d, ") %% 97)");
}

/* ---- statements */

static void mixed_statements(struct mixed *x, int n);

static struct mixed_array *mixed_target(struct mixed *x, bool known) {
    struct mixed_array *found = NULL;
    for (int i = 0, n = 0; i < x->narrays; i++) {
        struct mixed_array *a = &x->array[i];
        bool may = *a->name != 'x' && !a->fixed && (!known || mixed_has_all(x, a->axes));
        if (may && dice(x->d, (uint64_t)++n) == 0)
            found = a;
    }
    return found;
}

/* An element's store, where all its indices are known. */
static void mixed_store(struct mixed *x, struct mixed_array *a) {
    struct draw *d = x->d;
    char place[TEXT / 4];
    mixed_place(x, a, chance(d, 85), place, sizeof place);
    bool guarded = chance(d, 20), was = a->readable;
    mixed_line(x);
    if (guarded) {
        put(d, "if ");
        mixed_condition(x, 2);
        put(d, " { ");
    }
    if (chance(d, 20) && x->nsums < MIXED_SUMS && was) {
        put(d, "%s += ", place);
        a->large = true;
        x->nsums++;
    } else {
        put(d, "%s = ", place);
    }
    if (chance(d, 25) && was)
        put(d, "(%s * 3 + ", a->large ? "1" : place);
    else
        put(d, "(");
    mixed_value(x, 2);
    put(d, ") %% 97");
    if (guarded && chance(d, 30)) {
        put(d, " } else { %s = ", place);
        mixed_value(x, 1);
    }
    put(d, guarded ? " }\n" : "\n");
}

static void mixed_let(struct mixed *x) {
    struct draw *d = x->d;
    if (x->nscalars == MIXED_SCALARS)
        return;
    bool is_var = chance(d, 40);
    char name[8];
    mixed_new(x, is_var ? 'v' : 's', name);
    mixed_line(x);
    put(d, is_var ? "var %s: %s = " : "let %s = ", name, x->type);
    if (x->nindices < MIXED_LOOPS && chance(d, 60))
        mixed_sum(x, 2);
    else
        mixed_value(x, 2);
    put(d, "\n");
    x->is_var[x->nscalars] = is_var;
    snprintf(x->scalar[x->nscalars++], 8, "%s", name);
}

static void mixed_set(struct mixed *x) {
    struct draw *d = x->d;
    for (int i = x->nscalars - 1; i >= 0; i--)
        if (x->is_var[i]) {
            mixed_line(x);
            if (chance(d, 30))
                put(d, "%s = max(%s, ", x->scalar[i], x->scalar[i]);
            else
                put(d, "%s = (%s * %d + ", x->scalar[i], x->scalar[i], 1 + (int)dice(d, 2));
            mixed_value(x, 2);
            put(d, ") %% 97\n");
            return;
        }
}

/* Puts " {" and what is in it. */
static void mixed_block(struct mixed *x, int n) {
    int nscalars = x->nscalars;
    put(x->d, " {\n");
    x->indent++;
    mixed_statements(x, n);
    x->indent--;
    x->nscalars = nscalars;
    mixed_line(x);
    put(x->d, "}");
}

static void mixed_loop(struct mixed *x, int n) {
    mixed_line(x);
    put(x->d, "for ");
    mixed_range(x, mixed_add_index(x, "nm"[dice(x->d, 2)]), chance(x->d, 50));
    mixed_block(x, n);
    put(x->d, "\n");
    x->nindices--;
}

/* Loops over an array's elements, in some order, which store them; all: each of them. */
static void mixed_nest(struct mixed *x, struct mixed_array *a, bool all) {
    struct draw *d = x->d;
    int first = x->nindices, rank = (int)strlen(a->axes), order[2] = {0, 1};
    int nscalars = x->nscalars;
    bool swap = rank == 2 && chance(d, 35), was = a->readable;
    if (x->nindices + rank > MIXED_INDICES - 1 || strchr(a->axes, '2') != NULL)
        return;
    order[0] = swap;
    order[1] = !swap;
    for (int k = 0; k < rank; k++) {
        struct mixed_index *i = mixed_add_index(x, a->axes[order[k]]);
        mixed_line(x);
        put(d, "for ");
        mixed_range(x, i, all || chance(d, 60));
        put(d, " {\n");
        x->indent++;
    }
    if (chance(d, 25))
        mixed_let(x);
    if (all) {
        char place[TEXT / 4];
        snprintf(place, sizeof place, rank == 2 ? "%s[%s, %s]" : "%s[%s]", a->name,
                 x->index[first + swap].name, x->index[first + !swap].name);
        mixed_line(x);
        put(d, "%s = ", place);
        a->readable = false;
        if (was && chance(d, 60))
            put(d, "(%s + ", place);
        else
            put(d, "(");
        mixed_value(x, 2);
        put(d, ") %% 97\n");
        a->large = false;
        if (chance(d, 15))
            mixed_store(x, mixed_target(x, true));
    } else
        mixed_store(x, a);
    if (chance(d, 10))
        mixed_set(x);
    for (int k = 0; k < rank; k++) {
        x->indent--;
        mixed_line(x);
        put(d, "}\n");
    }
    x->nindices = first;
    x->nscalars = nscalars;
    a->readable = was || (all && first == 0 && x->indent == 1);
}

/* A definition of all of an array or of a part of it, which it reads at its own place alone. */
static void mixed_define(struct mixed *x, struct mixed_array *a, bool all) {
    struct draw *d = x->d;
    int first = x->nindices, rank = (int)strlen(a->axes);
    char ranges[TEXT] = "", *text;
    size_t size;
    if (x->nindices + rank > MIXED_INDICES - 1 || strchr(a->axes, '2') != NULL)
        return;
    for (int k = 0, at = 0; k < rank; k++) {
        struct mixed_index *i = mixed_add_index(x, a->axes[k]);
        FILE *before = d->out;
        REQUIRE(d->out = open_memstream(&text, &size));
        mixed_range(x, i, all || chance(d, 60));
        fclose(d->out);
        d->out = before;
        at +=
            snprintf(ranges + at, sizeof ranges - (size_t)at, "%s%s", k > 0 ? ", " : " for ", text);
        free(text);
    }
    x->of = a;
    snprintf(x->place, sizeof x->place, rank == 2 ? "%s[%s, %s]" : "%s[%s]", a->name,
             x->index[first].name, x->index[first + 1].name);
    mixed_line(x);
    put(d, "%s = ", x->place);
    mixed_value(x, 3);
    put(d, "%s\n", ranges);
    x->of = NULL;
    x->nindices = first;
    a->large = a->large && !all;
    a->readable = a->readable || (all && first == 0 && x->indent == 1);
}

static void mixed_whole(struct mixed *x, struct mixed_array *a) {
    if (chance(x->d, 50))
        mixed_define(x, a, true);
    else
        mixed_nest(x, a, true);
}

/* An index of block q, of w elements: either from the block's first on, or from 0. */
static void mixed_block_index(struct mixed *x, char axis, const char *q, const char *w,
                              bool from_zero, char *range, size_t size) {
    struct mixed_index *i = mixed_add_index(x, axis);
    char own[24];
    snprintf(own, sizeof own, "%s", i->name);
    if (from_zero) {
        snprintf(range, size, "%.8s in 0..%s", own, w);
        snprintf(i->name, sizeof i->name, "(%.5s * %.5s + %.5s)", q, w, own);
    } else
        snprintf(range, size, "%.8s in %s * %s..(%s + 1) * %s", own, q, w, q, w);
}

/* Blocks of a dimension's indices: what is summed of each, and stored to it. */
static void mixed_blocks(struct mixed *x) {
    struct draw *d = x->d;
    char q[24], w[8], range[TEXT / 4], axis = "nm"[dice(d, 2)];
    int blocks = 2 + (int)dice(d, 4), nscalars = x->nscalars;
    mixed_new(x, 'w', w);
    mixed_line(x);
    put(d, "let %s = %c // %d\n", w, axis, blocks);
    snprintf(q, sizeof q, "%s", mixed_add_index(x, (char)('0' + blocks))->name);
    mixed_line(x);
    put(d, "for %s in 0..%d {\n", q, blocks);
    x->indent++;
    for (int n = 1 + (int)dice(d, 4); n > 0; n--) {
        if (chance(d, 15))
            mixed_let(x);
        mixed_block_index(x, axis, q, w, chance(d, 40), range, sizeof range);
        mixed_line(x);
        if (chance(d, 50) && x->nscalars < MIXED_SCALARS) {
            char name[8];
            mixed_new(x, 's', name);
            put(d, "let %s = %s(%s(", name, x->type, chance(d, 70) ? "sum" : "max");
            mixed_term(x, 2);
            put(d, " for %s) %% 97)\n", range);
            x->is_var[x->nscalars] = false;
            snprintf(x->scalar[x->nscalars++], 8, "%s", name);
        } else {
            put(d, "for %s", range);
            mixed_block(x, 2);
            put(d, "\n");
        }
        x->nindices--;
    }
    x->indent--;
    mixed_line(x);
    put(d, "}\n");
    x->nindices--;
    x->nscalars = nscalars;
}

#include "draw_turns.h"

static void mixed_jump(struct mixed *x) {
    mixed_line(x);
    put(x->d, "if ");
    mixed_condition(x, 2);
    put(x->d, chance(x->d, 50) ? " { break }\n" : " { continue }\n");
}

static void mixed_statement(struct mixed *x) {
    struct draw *d = x->d;
    bool inner = x->nindices > 0;
    struct mixed_array *a = mixed_target(x, true), *any = mixed_target(x, false);
    uint64_t which = dice(d, 22);
    if (which < 2 && inner)
        mixed_let(x);
    else if (which < 3)
        mixed_set(x);
    else if (which < 7 && inner && a != NULL)
        mixed_store(x, a);
    else if (which < 9 && x->nindices < MIXED_LOOPS)
        mixed_loop(x, 4);
    else if (which < 10 && x->indent < 5) {
        mixed_line(x);
        put(d, "if ");
        mixed_condition(x, 2);
        mixed_block(x, 2);
        if (chance(d, 30)) {
            put(d, " else");
            mixed_block(x, 2);
        }
        put(d, "\n");
    } else if (which < 11 && inner && chance(d, 50))
        mixed_jump(x);
    else if (which < 13 && !inner)
        mixed_blocks(x);
    else if (which < 14 && !inner)
        mixed_whole(x, any);
    else if (which < 15 && !inner && chance(d, 40))
        mixed_rows(x);
    else if (which < 15 && !inner && chance(d, 50))
        mixed_residues(x);
    else if (which < 15 && !inner)
        mixed_turns(x);
    else if (which < 17 && x->nindices < 2)
        mixed_define(x, any, chance(d, 30));
    else if (which < 18 && x->turns && inner) {
        mixed_line(x);
        put(d, "a = 1 - a\n");
    } else if (x->nindices < 2)
        mixed_nest(x, any, false);
    else if (a != NULL)
        mixed_store(x, a);
    else
        mixed_let(x);
}

static void mixed_statements(struct mixed *x, int n) {
    for (n = 1 + (int)dice(x->d, (uint64_t)n); n > 0; n--)
        mixed_statement(x);
}

static void mixed_add(struct mixed *x, const char *name, const char *axes) {
    x->array[x->narrays++] =
        (struct mixed_array){.name = name, .axes = axes, .readable = *name != 'y'};
}

/* Arrays of the body: zeros, or definitions. */
static void mixed_arrays(struct mixed *x) {
    static const struct {
        const char *name, *axes, *text, *ranges;
    } arrays[] = {{"t", "nm", "n, m", "0..n, j in 0..m"},
                  {"s", "mn", "m, n", "0..m, j in 0..n"},
                  {"q", "nn", "n, n", "0..n, j in 0..n"},
                  {"u", "m", "m", "0..m"},
                  {"w", "n", "n", "0..n"},
                  {"r", "2m", "2, m", NULL}};
    struct draw *d = x->d;
    for (int k = 0; k < 6; k++) {
        if (!chance(d, 40))
            continue;
        if (arrays[k].ranges != NULL && chance(d, 30)) {
            put(d, "    let %s[i%s] = %s(", arrays[k].name, arrays[k].axes[1] ? ", j" : "",
                x->type);
            put(d, chance(d, 50) ? "(i * 5 + %s) %% 23" : "(i * i + %s) %% 31 - 7",
                arrays[k].axes[1] ? "j" : "3");
            put(d, ") for i in %s\n", arrays[k].ranges);
            mixed_add(x, arrays[k].name, arrays[k].axes);
            x->array[x->narrays - 1].fixed = true;
        } else {
            put(d, "    var %s: %s[%s]\n", arrays[k].name, x->type, arrays[k].text);
            mixed_add(x, arrays[k].name, arrays[k].axes);
        }
    }
    x->turns = chance(d, 30);
    if (x->turns)
        put(d, "    var a = %d\n", (int)dice(d, 2));
}

/* Outputs may be stored as a whole at the end alone, or again there. */
static void mixed_body(struct draw *d) {
    struct mixed x = {.d = d, .type = type_names[d->arrays[0].type], .indent = 1};
    mixed_add(&x, d->arrays[0].name, "nm");
    mixed_add(&x, d->arrays[1].name, "m");
    mixed_arrays(&x);
    int first = x.narrays;
    mixed_add(&x, d->arrays[2].name, "nm");
    mixed_add(&x, d->arrays[3].name, "n");
    mixed_add(&x, d->arrays[4].name, "m");
    for (int k = first; k < x.narrays; k++)
        mixed_whole(&x, &x.array[k]);
    mixed_statements(&x, 5);
    for (int k = 1; k < x.narrays; k++)
        if (!x.array[k].fixed && k != 1 && chance(d, 20))
            mixed_whole(&x, &x.array[k]);
    mixed_statements(&x, 2);
    for (int k = 0; k < d->narrays; k++)
        d->arrays[k].readable = true;
    cost_of(d, 2, (const int[]){0, 1}, 200);
    cost_of(d, 3, (const int[]){0, 1, 1}, 20);
}

#endif
