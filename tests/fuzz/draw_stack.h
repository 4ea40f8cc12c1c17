/* draw_stack.h: products whose factors have an index in common, products along bands, products of
 * products over triangles, and products whose terms have an order and conditions, and
 * triangles that are solved.  Part of
 * draw_form.h. */
#ifndef DRAW_STACK_H
#define DRAW_STACK_H

/* x0[a, m, k], x1[a, k, n], their axes in some order, and y0[a, m, n]. */
static void stack_operands(struct draw *d, int names) {
    static const int orders[][3] = {{0, 1, 2}, {1, 2, 0}, {1, 0, 2}};
    static const int of[3][3] = {{3, 0, 2}, {3, 2, 1}, {3, 0, 1}};
    ufc_type t = PICK(d, numbers);
    (void)names;
    for (int k = 0; k < 3; k++) {
        const int *order = PICK(d, orders);
        int sizes[3];
        for (int i = 0; i < 3; i++)
            sizes[i] = of[k][order[i]];
        add_array(d, k < 2 ? 'x' : 'y', k < 2 ? t : same_kind(d, t), 3, sizes);
    }
}

/* An element of an array; group: what stands for the stack's index. */
static void put_stacked(struct draw *d, const struct array *a, const char *group) {
    static const char *const index[] = {"i", "j", "k"};
    put(d, "%s[", a->name);
    for (int r = 0; r < 3; r++)
        put(d, "%s%s", r > 0 ? ", " : "", a->sizes[r] == 3 ? group : index[a->sizes[r]]);
    put(d, "]");
}

/* y0[g, i, j] = sum(x0[g, i, k] * x1[g, k, j] for k), or what holds of such pairs.  Products may be
 * zeros of either sign, of which the largest is one or the other. */
static void stack_body(struct draw *d) {
    static const char *const by[] = {"sum", "sum", "max", "any", "all", "count"};
    static const char *const of_pairs[] = {"==", "<", ">="};
    const struct array *y = &d->arrays[2];
    const char *reduce = PICK(d, by), *group = chance(d, 30) ? "g // 2" : "g";
    bool number = *reduce == 's' || *reduce == 'm';
    put(d, "    ");
    put_stacked(d, y, "g");
    put(d, " = %s(%s(", type_names[y->type], reduce);
    put_stacked(d, &d->arrays[0], "g");
    put(d, " %s ", *reduce == 's' ? "*" : number ? "-" : PICK(d, of_pairs));
    put_stacked(d, &d->arrays[1], group);
    if (!number && chance(d, 50)) {
        put(d, chance(d, 50) ? " and " : " or ");
        put_stacked(d, &d->arrays[1], "g");
        put(d, " > 3");
    }
    bool empty = *reduce == 'm', triangle = !empty && chance(d, 30);
    put(d, triangle ? " for k in 0..min(p, i + 1)"
           : empty  ? " for k in 0..max(p, 1) if k < p"
                    : " for k");
    put(d, "))");
    for (int r = 0; r < 3; r++)
        put(d, "%s%c", r > 0 ? ", " : " for ", "ijkg"[y->sizes[r]]);
    put(d, "\n");
    cost_of(d, 4, (const int[]){0, 1, 2, 3}, 6);
    d->arrays[2].readable = true;
}

/* x0[n, d], x1[n, d], x2[b] and y0[n, b]; or x0[n, d], x1[n, b] or x1[b], and y0[n, d]. */
static void band_operands(struct draw *d, int names) {
    ufc_type t = PICK(d, numbers);
    bool columns = chance(d, 50);
    (void)names;
    add_array(d, 'x', t, 2, (const int[]){1, 2});
    if (columns)
        add_array(d, 'x', t, 2, (const int[]){1, 2});
    if (columns || chance(d, 40))
        add_array(d, 'x', t, 1, (const int[]){0});
    else
        add_array(d, 'x', t, 2, (const int[]){1, 0});
    add_array(d, 'y', same_kind(d, t), 2, (const int[]){1, columns ? 0 : 2});
}

/* What depends on i + k or i - k alone, of rows and a band, or of rows and columns. */
static void band_body(struct draw *d) {
    static const char *const at[] = {"i + k - %d", "i - k + %d", "i + k - b // 2 + %d"};
    const struct array *x = &d->arrays[0], *w = &d->arrays[1], *y = &d->arrays[d->narrays - 1];
    bool columns = y->sizes[1] == 0;
    char row[40], inside[100];
    snprintf(row, sizeof row, PICK(d, at), (int)dice(d, 9));
    snprintf(inside, sizeof inside, "0 <= %s and %s < n", row, row);
    put(d, "    %s[i, %c] = ", y->name, columns ? 'k' : 'c');
    if (columns)
        put(d, "%s(sum(%s[i, c] * %s[%s, c] for c) + %s[k]) if %s else %s(%s[k])",
            type_names[y->type], x->name, w->name, row, d->arrays[2].name, inside,
            type_names[y->type], d->arrays[2].name);
    else
        put(d, "%s(sum(%s[%sk] * %s[%s, c] for k if %s))", type_names[y->type], w->name,
            w->rank == 2 ? "i, " : "", x->name, row, inside);
    put(d, " for i, %c\n", columns ? 'k' : 'c');
    cost_of(d, 3, (const int[]){0, 1, 2}, 6);
    d->arrays[d->narrays - 1].readable = true;
}

/* x0[n, d], x1[n, d], x2[n, b] and y0[n, b]. */
static void causal_operands(struct draw *d, int names) {
    ufc_type t = PICK(d, numbers);
    (void)names;
    for (int k = 0; k < 2; k++)
        add_array(d, 'x', t, 2, (const int[]){1, 2});
    add_array(d, 'x', t, 2, (const int[]){1, 0});
    add_array(d, 'y', same_kind(d, t), 2, (const int[]){1, 0});
}

/* y0[i, c] = sum(sum(x0[i, e] * x1[k, e] for e) * x2[k, c] for k in 0..i + 1), and the like. */
static void causal_body(struct draw *d) {
    static const char *const by[] = {"sum", "sum", "max", "count"};
    static const char *const ranges[] = {"0..i + 1", "0..i", "i..n",
                                         "i + 1..n", "0..n", "max(0, i - 2)..i + 1"};
    const char *outer = PICK(d, by), *inner = PICK(d, by), *range = PICK(d, ranges);
    const struct array *y = &d->arrays[3];
    put(d, "    %s[i, c] = %s(%s((%s(x0[i, e] * x1[k, e]%s for e) %s x2[k, c])%s for k in %s%s))",
        y->name, type_names[y->type], outer, inner, *inner == 'c' ? " > 0" : "",
        *outer == 'm' ? "-" : "*", *outer == 'c' ? " > 0" : "", range,
        chance(d, 20) ? " if k % 3 != 1" : "");
    put(d, " for i, c\n");
    cost_of(d, 4, (const int[]){0, 1, 1, 2}, 6);
    d->arrays[3].readable = true;
}

/* x0[m, k], x1[n, k], x2[n] and y0[m, n]. */
static void terms_operands(struct draw *d, int names) {
    ufc_type t = PICK(d, numbers);
    (void)names;
    add_array(d, 'x', t, 2, (const int[]){0, 2});
    add_array(d, 'x', t, 2, (const int[]){1, 2});
    add_array(d, 'x', t, 1, (const int[]){1});
    add_array(d, 'y', t, 2, (const int[]){0, 1});
}

/* Loops that add terms in order to what an element of x2 is, under conditions. */
static void terms_body(struct draw *d) {
    static const char *const when[] = {"i + k >= 2 and i + k - 2 < p",
                                       "k + 2 > i",
                                       "(j + k) % 3 != 1",
                                       "k % 3 != 2",
                                       "i + j != k",
                                       "i % 2 == j % 3"};
    static const char *const steps[] = {"s += %s * %s", "s = s + %s * %s", "s -= %s * %s",
                                        "s = fma(%s, %s, s)", "s = max(s, %s - %s)"};
    const char *type = type_names[d->arrays[0].type];
    char first[40], second[40];
    int turns = chance(d, 30) ? 2 : 1, which = (int)dice(d, 6);
    int step = (int)dice(d, is_floating(d->arrays[0].type) ? 5 : 3);
    put(d, "    for i in 0..m { for j in 0..n {\n");
    put(d, "        var s: %s = %s[j]\n", type, d->arrays[2].name);
    put(d, turns == 2 ? "        for r in 0..2 { " : "        ");
    put(d, "for k in 0..p {\n            ");
    snprintf(first, sizeof first, "%s[i, %s]", d->arrays[0].name, which == 0 ? "i + k - 2" : "k");
    snprintf(second, sizeof second, "%s[j, k]", d->arrays[1].name);
    put(d, "if %s { ", when[which]);
    bool more = chance(d, 30);
    if (more)
        put(d, "if %s { ", when[1 + dice(d, 5)]);
    if (step == 3)
        put(d, "s = %s(fma(%s, %s, s))", type, first, second);
    else
        put(d, steps[step], first, second);
    put(d, "%s }\n        }%s\n", more ? " }" : "", turns == 2 ? " }" : "");
    put(d, "        %s[i, j] = s\n    } }\n", d->arrays[3].name);
    cost_of(d, 3, (const int[]){0, 1, 2}, 6);
    d->arrays[3].readable = true;
}

/* x0[n, n], x1[n] or x1[n, m], and y0 like it. */
static void solve_operands(struct draw *d, int names) {
    ufc_type t = PICK(d, numbers);
    add_array(d, 'x', t, 2, (const int[]){0, 0});
    add_array(d, 'x', t, names, (const int[]){0, 1});
    add_array(d, 'y', t, names, (const int[]){0, 1});
}

/* Rows that are added to those of a triangle's columns. */
static void triangle_adds(struct draw *d) {
    static const char *const ranges[] = {"0..i + 1", "0..i", "i..n", "i + 1..n",
                                         "0..max(i - 2, 0)"};
    const char *l = d->arrays[0].name, *b = d->arrays[1].name, *x = d->arrays[2].name;
    const char *column = d->arrays[1].rank > 1 ? ", c" : "",
               *loop = *column ? "for c in 0..m { " : "";
    put(d, "    for i in 0..n { %s%s[i%s] = %s[i%s] }%s\n", loop, x, column, b, column,
        *column ? " }" : "");
    put(d, "    for i in 0..n { for j in %s { %s", PICK(d, ranges), loop);
    put(d, "%s[j%s] = (%s[j%s] * 3 + %s[i, j] %% 3 * %s[i%s]) %% 13", x, column, x, column, l, b,
        column);
    put(d, "%s } }\n", *column ? " }" : "");
}

/* Each row by those before it, whose terms come in order. */
static void solve_body(struct draw *d) {
    static const char *const steps[] = {"s -= %s[i, j] %% 3 * %s[j%s]",
                                        "s = s %% 7 + %s[i, j] * (%s[j%s] %% 5)",
                                        "s = %s[i, j] - (s + %s[j%s]) %% 9"};
    const char *l = d->arrays[0].name, *b = d->arrays[1].name, *x = d->arrays[2].name;
    const char *column = d->arrays[1].rank > 1 ? ", c" : "";
    bool back = chance(d, 20), kept = chance(d, 70);
    cost_of(d, 2, (const int[]){0, 0}, 8);
    d->arrays[2].readable = true;
    if (chance(d, 30)) {
        triangle_adds(d);
        return;
    }
    put(d, "    for i in 0..n { %s\n", *column ? "for c in 0..m {" : "");
    put(d, kept ? "        var s: %s = %s[i%s]\n" : "        %s[i%s] = %s[i%s]\n",
        kept ? type_names[d->arrays[0].type] : x, kept ? b : column, kept ? column : b, column);
    put(d, "        for j in 0..%s { ", back ? "max(i - 1, 0)" : "i");
    if (kept)
        put(d, PICK(d, steps), l, x, column);
    else
        put(d, "%s[i%s] -= %s[i, j] %% 3 * %s[j%s]", x, column, l, x, column);
    put(d, " }\n        %s[i%s] = (%s", x, column, kept ? "s" : x);
    put(d, kept ? ") %% 11 + %s[i, i]\n" : "[i%s]) %% 11\n", kept ? l : column);
    put(d, "    }%s\n", *column ? " }" : "");
}

#endif
