/* draw_form.h: gufuncs of forms that kernels are made for: products, windows, stencils, several
 * passes, triangular ranges, pairs, products with vectors, updates in place, ordered loops,
 * also over rows.  Part of draw_gufunc.h. */
#ifndef DRAW_FORM_H
#define DRAW_FORM_H

/* ---- operands */

/* Of a[m, k] and b[k, n], either turned or not, and what is added. */
static void product_operands(struct draw *d, int names) {
    (void)names;
    ufc_type t = PICK(d, numbers);
    bool turn_a = chance(d, 30), turn_b = chance(d, 30);
    add_array(d, 'x', t, 2, (const int[]){turn_a ? 2 : 0, turn_a ? 0 : 2});
    add_array(d, 'x', t, 2, (const int[]){turn_b ? 1 : 2, turn_b ? 2 : 1});
    if (chance(d, 30))
        add_array(d, 'x', t, 1, (const int[]){(int)dice(d, 2)});
    add_array(d, 'y', same_kind(d, t), 2, (const int[]){0, 1});
}

/* Of an array of n (by m) elements and a window of k (by l), names a half of them each: NumPy's
 * modes full, valid and, nearly, same. */
static void window_operands(struct draw *d, int names) {
    const int rank = names / 2;
    static const char *const formats[] = {"max(%s + %s - 1, 0)", "max(%s - %s + 1, 0)"};
    ufc_type t = PICK(d, numbers);
    int mode = (int)dice(d, 3), sizes[2] = {0, 1};
    add_array(d, 'x', t, rank, sizes);
    add_array(d, 'x', t, rank, (const int[]){rank, rank + 1});
    for (int r = 0; r < rank && mode < 2; r++) {
        char text[40];
        snprintf(text, sizeof text, formats[mode], d->sizes[r].text, d->sizes[rank + r].text);
        sizes[r] = add_size(d, text);
        d->sizes[sizes[r]].is_computed = true;
        for (int c = 0; c < CASES; c++) {
            int64_t n = d->sizes[r].at[c], k = d->sizes[rank + r].at[c];
            int64_t size = mode == 0 ? n + k - 1 : n - k + 1;
            d->sizes[sizes[r]].at[c] = size > 0 ? size : 0;
        }
    }
    add_array(d, 'y', t, rank, sizes);
}

/* An array of all names, and a result as large, or along each name half as large. */
static void stencil_operands(struct draw *d, int names) {
    ufc_type t = PICK(d, numbers);
    int sizes[RANK] = {0, 1, 2};
    add_array(d, 'x', t, names, sizes);
    bool halved = chance(d, 30);
    for (int r = 0; r < names && halved; r++) {
        char text[40];
        snprintf(text, sizeof text, "%s // 2", d->sizes[r].text);
        sizes[r] = add_size(d, text);
        d->sizes[sizes[r]].is_computed = true;
        for (int c = 0; c < CASES; c++)
            d->sizes[sizes[r]].at[c] = d->sizes[r].at[c] / 2;
    }
    add_array(d, 'y', t, names, sizes);
}

/* x0[…], a result as large, and sometimes one that is a scalar. */
static void passes_operands(struct draw *d, int names) {
    ufc_type t = PICK(d, numbers);
    const int sizes[] = {0, 1};
    add_array(d, 'x', t, names, sizes);
    add_array(d, 'y', t, names, sizes);
    if (chance(d, 30))
        add_array(d, 'y', UFC_INT64, 0, NULL);
}

static void triangle_operands(struct draw *d, int names) {
    ufc_type t = PICK(d, numbers);
    const int sizes[] = {0, 0};
    add_array(d, 'x', t, names, sizes);
    add_array(d, 'y', t, 1, sizes);
}

/* Points of two to four coordinates: x0[n, 3], x1[m, 3], and what each of the first has of all of
 * the others, in each coordinate or at once. */
static void pairs_operands(struct draw *d, int names) {
    static const char *const whole[] = {"2", "3", "4"};
    ufc_type t = PICK(d, numbers);
    const int axes = add_size(d, PICK(d, whole));
    (void)names;
    add_array(d, 'x', t, 2, (const int[]){0, axes});
    add_array(d, 'x', t, 2, (const int[]){1, axes});
    add_array(d, 'y', t, chance(d, 60) ? 2 : 1, (const int[]){0, axes});
}

/* a[n, m] or a[m, n], x[m], and y[n]. */
static void vector_operands(struct draw *d, int names) {
    ufc_type t = PICK(d, numbers);
    bool turned = chance(d, 50);
    (void)names;
    add_array(d, 'x', t, 2, turned ? (const int[]){1, 0} : (const int[]){0, 1});
    add_array(d, 'x', t, 1, (const int[]){1});
    add_array(d, 'y', t, 1, (const int[]){0});
}

static void update_operands(struct draw *d, int names) {
    ufc_type t = PICK(d, numbers);
    (void)names;
    add_array(d, 'x', t, 2, (const int[]){0, 0});
    add_array(d, 'y', t, 2, (const int[]){0, 0});
}

/* ---- bodies */

/* A product's terms in order, from somewhere on. */
static void product_in_order(struct draw *d, const char *const factors[2]) {
    static const char *const from[] = {"0", "i", "j", "i + 1", "j + 3", "2"};
    const struct array *c = &d->arrays[d->narrays - 1];
    const char *type = type_names[c->type];
    put(d, "    for i in 0..m { for j in 0..n {\n        %s[i, j] = %s(%s)\n", c->name, type,
        chance(d, 50) ? "0" : "i - j");
    put(d, "        for k in %s..p { %s[i, j] %s %s(", PICK(d, from), c->name,
        chance(d, 70) ? "+=" : "-=", type);
    put(d, factors[0], d->arrays[0].name);
    put(d, " * ");
    put(d, factors[1], d->arrays[1].name);
    put(d, ") }\n    } }\n");
}

/* c[i, j] = sum(a[i, k] * b[k, j] for k), and what is done with the sum. */
static void product_body(struct draw *d) {
    const struct array *a = &d->arrays[0], *b = &d->arrays[1], *c = &d->arrays[d->narrays - 1];
    const struct array *bias = d->narrays == 4 ? &d->arrays[2] : NULL;
    bool swap = chance(d, 30), bare = chance(d, 70);
    const char *factors[2] = {a->sizes[0] == 0 ? "%s[i, k]" : "%s[k, i]",
                              b->sizes[0] == 2 ? "%s[k, j]" : "%s[j, k]"};
    const char *names[2] = {a->name, b->name}, *narrow = c->type == UFC_INT32 ? "int32(" : "";
    for (int k = 0; k < CASES; k++)
        d->cost[k] += (double)(d->sizes[0].at[k] * d->sizes[1].at[k] * (2 + 3 * d->sizes[2].at[k]));
    d->arrays[d->narrays - 1].readable = true;
    if (bias == NULL && chance(d, 30)) {
        product_in_order(d, factors);
        return;
    }
    put(d, "    %s[i, j] = %ssum(", c->name, narrow);
    put(d, factors[swap], names[swap]);
    put(d, " * ");
    put(d, factors[!swap], names[!swap]);
    put(d, bare ? " for k)%s" : " for k in 0..p)%s", *narrow ? ")" : "");
    if (chance(d, 30))
        put(d, chance(d, 50) ? " * 2" : " - 3");
    if (bias)
        put(d, " + %s[%s]", bias->name, bias->sizes[0] == 0 ? "i" : "j");
    put(d, chance(d, 80) ? " for i, j\n" : " for j, i\n");
}

static void window_body(struct draw *d) {
    const struct array *x = &d->arrays[0], *w = &d->arrays[1], *y = &d->arrays[2];
    bool two = x->rank == 2, filter = chance(d, 50), checks = y->sizes[0] == 0;
    const char *narrow = y->type == UFC_INT32 ? "int32(" : "", *at[] = {"i + r", "j + s"};
    char inside[TEXT] = "";
    if (strstr(size_text(d, y->sizes[0]), "+ k")) {
        at[0] = "i - r", at[1] = "j - s";
        checks = true;
    } else if (checks)
        at[0] = "i + r - 1", at[1] = "j + s - 1";
    if (checks)
        snprintf(inside, sizeof inside,
                 two ? "0 <= %s and %s < n and 0 <= %s and %s < m" : "0 <= %s and %s < n", at[0],
                 at[0], at[1], at[1]);
    put(d, "    %s[i%s] = %ssum(%s", y->name, two ? ", j" : "", narrow,
        checks && !filter ? "(" : "");
    put(d, "%s[%s%s%s] * %s[r%s]", x->name, at[0], two ? ", " : "", two ? at[1] : "", w->name,
        two ? ", s" : "");
    if (checks && !filter)
        put(d, " if %s else 0)", inside);
    put(d, " for r%s", two ? ", s" : "");
    if (checks && filter)
        put(d, " if %s", inside);
    put(d, ")%s for i%s\n", *narrow ? ")" : "", two ? ", j" : "");
    for (int c = 0; c < CASES; c++) {
        double n = 8;
        for (int r = 0; r < x->rank; r++)
            n *= (double)(d->sizes[w->sizes[r]].at[c] * d->sizes[y->sizes[r]].at[c]);
        d->cost[c] += n;
    }
    d->arrays[2].readable = true;
}

/* The output that a form is about, which may be read from now on. */
static const struct array *result_of(struct draw *d) {
    int i = 0;
    while (*d->arrays[i].name == 'x')
        i++;
    d->arrays[i].readable = true;
    return &d->arrays[i];
}

/* Adds what n sizes, multiplied, cost, `each` at a time. */
static void cost_of(struct draw *d, int n, const int *sizes, double each) {
    for (int c = 0; c < CASES; c++) {
        double cost = each;
        for (int i = 0; i < n; i++)
            cost *= (double)d->sizes[sizes[i]].at[c];
        d->cost[c] += cost;
    }
}

static const char *const letters_of_ranges = "ijk";

/* Writes "x[i + 1, 2 * j - 1]": neighbour k of the current element; clamped where edges are not
 * guarded. */
static void put_neighbour(struct draw *d, const struct array *x, bool halved, bool clamped) {
    put(d, "%s[", x->name);
    for (int r = 0; r < x->rank; r++) {
        char at[TEXT / 8];
        int shift = (int)dice(d, 5) - 2;
        snprintf(at, sizeof at, halved ? "2 * %c + %d" : "%c + %d", letters_of_ranges[r],
                 halved ? shift & 1 : shift);
        put(d, clamped ? "%smax(min(%s, %s - 1), 0)" : "%s%s", r > 0 ? ", " : "", at,
            size_text(d, x->sizes[r]));
    }
    put(d, "]");
}

static void put_ranges(struct draw *d, int rank) {
    for (int r = 0; r < rank; r++)
        put(d, "%s%c", r > 0 ? ", " : " for ", letters_of_ranges[r]);
    put(d, "\n");
}

/* A weighted sum of neighbours: at the edges the element itself, or the nearest neighbour there
 * is. */
static void stencil_body(struct draw *d) {
    const struct array *x = &d->arrays[0], *y = result_of(d);
    bool halved = y->sizes[0] != x->sizes[0], clamped = !halved && chance(d, 40);
    int n = 1 + (int)dice(d, 6);
    put(d, "    %s[", y->name);
    for (int r = 0; r < y->rank; r++)
        put(d, "%s%c", r > 0 ? ", " : "", letters_of_ranges[r]);
    put(d, "] = ");
    if (!halved && !clamped) {
        put(d, "%s[", x->name);
        for (int r = 0; r < x->rank; r++)
            put(d, "%s%c", r > 0 ? ", " : "", letters_of_ranges[r]);
        put(d, "] if ");
        for (int r = 0; r < x->rank; r++)
            put(d, "%s%c < 2 or %c >= %s - 2", r > 0 ? " or " : "", letters_of_ranges[r],
                letters_of_ranges[r], size_text(d, x->sizes[r]));
        put(d, " else ");
    }
    for (int k = 0; k < n; k++) {
        put(d, k > 0 ? " + %d * " : "%d * ", 1 + (int)dice(d, 3));
        put_neighbour(d, x, halved, clamped);
    }
    put_ranges(d, y->rank);
    cost_of(d, y->rank, y->sizes, 6.0 * n);
}

/* Statements over the same elements, of which later ones need the results of earlier ones. */
static void passes_body(struct draw *d) {
    const struct array *x = &d->arrays[0], *y = result_of(d);
    bool two = x->rank == 2;
    const char *at = two ? "i, j" : "i";
    static const char *const totals[] = {"sum(%s[%s] - top for %s)", "count(%s[%s] == top for %s)",
                                         "sum(abs(%s[%s]) for %s if %s[%s] != top)"};
    int which = (int)dice(d, 3);
    put(d, "    let top = max(%s[%s] for %s)\n    let total = ", x->name, at, at);
    put(d, totals[which], x->name, at, at, x->name, at);
    put(d, "\n");
    bool narrow = y->type == UFC_INT32;
    put(d, "    %s[%s] = %s(%s[%s] - top) * 2 - total%s for %s\n", y->name, at,
        narrow ? "int32(" : "", x->name, at, narrow ? ")" : "", at);
    if (chance(d, 50)) /* the rows' own */
        put(d,
            two ? "    %s[i, j] = %s%s[i, j] - sum(%s[i, k] for k)%s for i, j\n"
                : "    %s[i] = %s%s[i] - min(%s[k] for k)%s for i\n",
            y->name, narrow ? "int32(" : "", y->name, x->name, narrow ? ")" : "");
    if (d->arrays[d->narrays - 1].rank == 0) {
        put(d, "    %s = count(%s[%s] > 0 for %s)\n", d->arrays[d->narrays - 1].name, y->name, at,
            at);
        d->arrays[d->narrays - 1].readable = true;
    }
    cost_of(d, x->rank, x->sizes, 20);
    if (two)
        cost_of(d, 3, (const int[]){0, 1, 1}, 3);
    else
        cost_of(d, 2, (const int[]){0, 0}, 3);
}

/* Prefixes from both sides, and now and then one within a condition. */
static void sides_body(struct draw *d, const struct array *x, const struct array *y) {
    static const char *const names[] = {"sum", "max", "count"};
    const char *name = PICK(d, names), *test = *name == 'c' ? " > 0" : "";
    bool first = chance(d, 50);
    put(d, "    %s[i] = %s(clip(", y->name, type_names[y->type]);
    put(d, first ? "sum(%s[k] for k in 0..i)" : "sum(%s[k] for k in 0..(n) - i)", x->name);
    put(d, " * 2 - %s(%s[k]%s for k in %s..n), -10000, 10000))%s for i\n", name, x->name, test,
        first ? chance(d, 50) ? "i" : "i + 1" : "(n) - i",
        chance(d, 30) ? " if i % 2 == 0 else 3" : "");
    cost_of(d, 2, (const int[]){0, 0}, 6);
}

static void triangle_body(struct draw *d) {
    static const char *const ranges[] = {
        "0..i",          "i..%s",    "0..i + 1", "0..%s // 2",
        "i % 3..%s",     "0..%s..2", "i..%s..3", "i + 1..min(i + 5, %s)",
        "0..i - %s // 2"};
    const struct array *x = &d->arrays[0], *y = result_of(d);
    if (x->rank == 1 && chance(d, 30)) {
        sides_body(d, x, y);
        return;
    }
    const char *range = PICK(d, ranges), *n = size_text(d, 0);
    bool narrow = y->type == UFC_INT32, filter = chance(d, 30);
    char text[TEXT / 8];
    const char *mark = strstr(range, "%s");
    snprintf(text, sizeof text, "%.*s%s%s", mark ? (int)(mark - range) : (int)strlen(range), range,
             mark ? n : "", mark ? mark + 2 : "");
    if (filter)
        put(d, "    %s[i] = -1 for i\n", y->name);
    put(d, "    %s[i] = %ssum(%s[%s] for j in %s)%s for i%s\n", y->name, narrow ? "int32(" : "",
        x->name, x->rank == 2 ? chance(d, 50) ? "i, j" : "j, i" : "j", text, narrow ? ")" : "",
        filter ? " if i % 3 != 1" : "");
    cost_of(d, 2, (const int[]){0, 0}, 4);
}

static void pairs_body(struct draw *d) {
    const struct array *a = &d->arrays[0], *b = &d->arrays[1], *y = result_of(d);
    bool narrow = y->type == UFC_INT32;
    const char *open = narrow ? "int32(" : "", *close = narrow ? ")" : "";
    if (y->rank == 2)
        put(d,
            "    %s[i, c] = %ssum((%s[j, c] - %s[i, c]) * abs(%s[j, 0] - %s[i, 1]) for j%s)%s for "
            "i, c\n",
            y->name, open, b->name, a->name, b->name, a->name, chance(d, 30) ? " if i != j" : "",
            close);
    else if (chance(d, 50))
        put(d, "    %s[i] = %s(argmin(sum(abs(%s[i, c] - %s[j, c]) for c) for j)) for i\n", y->name,
            type_names[y->type], a->name, b->name);
    else
        put(d, "    %s[i] = %smax(sum(%s[i, c] * %s[j, c] for c) for j)%s for i\n", y->name, open,
            a->name, b->name, close);
    cost_of(d, 3, (const int[]){0, 1, a->sizes[1]}, 5);
}

static void vector_body(struct draw *d) {
    const struct array *a = &d->arrays[0], *x = &d->arrays[1], *y = result_of(d);
    bool narrow = y->type == UFC_INT32;
    put(d, "    %s[i] = %ssum(%s[%s] * %s[k] for k)%s for i\n", y->name, narrow ? "int32(" : "",
        a->name, a->sizes[0] == 0 ? "i, k" : "k, i", x->name, narrow ? ")" : "");
    cost_of(d, 2, (const int[]){0, 1}, 4);
}

/* Each step of an ordered loop changes what the steps before it left. */
static void update_body(struct draw *d) {
    const struct array *x = &d->arrays[0], *y = result_of(d);
    put(d, "    %s[i, j] = %s[i, j] for i, j\n", y->name, x->name);
    put(d, "    for k in 0..n {\n");
    if (chance(d, 50)) {
        put(d,
            "        %s[i, j] = (%s[i, j] + %s[i, k] * %s[k, j]) %% 97 for i in k + 1..n, j in k + "
            "1..n\n",
            y->name, y->name, y->name, y->name);
    } else {
        static const char *const rows[] = {"k + 1..n", "0..k", "0..n"}, *const columns[] = {
                                                                            "0..n", "k..n",
                                                                            "k + 1..n"};
        put(d, "        for i in %s { if i != k {\n            let f = %s[i, k]\n", PICK(d, rows),
            y->name);
        put(d, "            for j in %s { %s[i, j] = (%s[i, j] + f * %s[k, j]) %% 97 }\n",
            PICK(d, columns), y->name, y->name, y->name);
        put(d, "        } }\n");
    }
    put(d, "    }\n");
    cost_of(d, 3, (const int[]){0, 0, 0}, 4);
}

/* x[n, m], y[n, m] or y[2 * n], counts, and what a total leaves. */
static void loops_operands(struct draw *d, int names) {
    ufc_type t = PICK(d, numbers);
    const int sizes[] = {0, 1};
    (void)names;
    add_array(d, 'x', t, 2, sizes);
    add_array(d, 'y', t, 2, sizes);
    add_array(d, 'y', UFC_INT64, 1, (const int[]){add_size(d, "5")});
    add_array(d, 'y', UFC_INT64, 0, NULL);
}

/* What an ordered loop does at x[i, j], and sets y[i, j] to. */
static void loop_iteration(struct draw *d, const char *x, const char *y) {
    const char *type = type_names[d->arrays[0].type];
    switch (dice(d, 4)) {
    case 0:
        put(d, "            var w: %s[3]\n", type);
        put(d, "            for c in 0..3 { w[c] = %s[i, (j + c * %d) %% m] }\n", x,
            (int)dice(d, 3));
        put(d, "            for c in 0..2 { if w[c] > w[c + 1] { w[c], w[c + 1] = w[c + 1], w[c] } "
               "}\n");
        put(d, "            %s[i, j] = w[%d]\n", y, (int)dice(d, 3));
        break;
    case 1:
        put(d, "            %s[i, j] = 0\n", y);
        put(d, "            if %s[i, j] %% 3 == %d { continue }\n", x, (int)dice(d, 3));
        put(d, "            for c in 0..m {\n                if %s[i, c] > %s[i, j] { break }\n", x,
            x);
        put(d, "                %s[i, j] += 1\n            }\n", y);
        break;
    case 2:
        put(d, "            var v: %s = %s[i, j]\n            var c: %s = 0\n", type, x, type);
        put(d, "            while v > 1 and c < 20 {\n                v = v // 2\n");
        put(d, "                c += 1\n            }\n            %s[i, j] = v + c\n", y);
        break;
    default: put(d, "            %s[i, j] = 2 * %s[n - 1 - i, j] + 1\n", y, x);
    }
}

/* Totals along the rows of x, as they run. */
static void loop_running(struct draw *d, const char *x, const char *y) {
    const char *type = type_names[d->arrays[0].type];
    put(d, "    for i in 0..n {\n        var top: %s = %d\n        for j in 0..m {\n", type,
        (int)dice(d, 9));
    put(d,
        chance(d, 50) ? "            top = max(top, %s[i, j])\n"
                      : "            if %s[i, j] > 2 { top = min(%s[i, j], top) }\n",
        x, x);
    put(d, "            %s[i, j] = %s[i, j] - top\n        }\n    }\n", y, x);
}

/* A total of x that a loop takes. */
static void loop_total(struct draw *d, const char *x, const char *out) {
    static const char *const better[] = {">", "<"};
    put(d, "    var at: int64 = -1\n    var top: %s = 7\n", type_names[d->arrays[0].type]);
    put(d, "    for i in 0..n {\n        for j in 0..m {\n");
    switch (dice(d, 5)) {
    case 0: put(d, "            if %s[i, j] %% 2 == 1 { at += i - j }\n", x); break;
    case 1: put(d, "            top = max(%s[i, j], top)\n", x); break;
    case 2: /* iterations mostly do nothing, and what they leave is compared */
        put(d, "            let e = %s[i, %d * j]\n", x, chance(d, 80));
        put(d, "            if (e + top) %% 16 == %d and (j > 0 or e > top) {\n", (int)dice(d, 9));
        put(d, "                top = e\n                at += j\n");
        put(d, chance(d, 40) ? "                break\n            }\n" : "            }\n");
        break;
    case 3:
        put(d, "            if %s[i, j] %% 8 == %d {\n                at += j\n", x,
            (int)dice(d, 8));
        put(d, "                break\n            }\n");
        break;
    default:
        put(d, "            if %s[i, j] %s top {\n", x, PICK(d, better));
        put(d, "                top = %s[i, j]\n                at = i * m + j\n            }\n",
            x);
    }
    put(d, "        }\n    }\n    %s = at + int64(top)\n", out);
}

/* Loops of iterations that are independent, that merge, and that take totals. */
static void loops_body(struct draw *d) {
    const char *x = d->arrays[0].name, *y = d->arrays[1].name, *h = d->arrays[2].name;
    bool along = chance(d, 70);
    put(d, "    for k in 0..5 { %s[k] = k }\n", h);
    if (chance(d, 25)) {
        loop_running(d, x, y);
    } else {
        put(d, "    for i in 0..n {\n        for j in 0..m {\n");
        loop_iteration(d, x, y);
        put(d, "        }\n    }\n");
    }
    put(d,
        "    for %s in 0..%s { for %s in 0..%s { %s[clip(int64(%s[i, j]) %% 5, 0, 4)] += %d } }\n",
        along ? "i" : "j", along ? "n" : "m", along ? "j" : "i", along ? "m" : "n", h, x,
        1 + (int)dice(d, 3));
    if (chance(d, 40)) /* in order */
        put(d, "    for k in 1..5 { %s[k] += %s[k - 1] }\n", h, h);
    loop_total(d, chance(d, 70) ? x : y, d->arrays[3].name);
    cost_of(d, 3, (const int[]){0, 1, 1}, 30);
}

/* x[n], y[3] and a total. */
static void totals_operands(struct draw *d, int names) {
    ufc_type t = PICK(d, numbers);
    (void)names;
    add_array(d, 'x', t, 1, (const int[]){0});
    add_array(d, 'y', t, 1, (const int[]){add_size(d, "3")});
    add_array(d, 'y', t, 0, NULL);
}

/* An element of the output or of the local array. */
static void put_place(struct draw *d) {
    if (chance(d, 50))
        put(d, "w[%d]", (int)dice(d, 3));
    else
        put(d, "%s[%d]", d->arrays[1].name, (int)dice(d, 3));
}

/* Reductions over the same range, and what elements that others' results are stored to make of it.
 */
static void totals_body(struct draw *d) {
    static const char *const by[] = {"sum", "sum", "max", "min"};
    const char *x = d->arrays[0].name, *type = type_names[d->arrays[0].type];
    put(d, "    var w: %s[3]\n    %s[k] = %s(k + 1) for k\n", type, d->arrays[1].name, type);
    for (int n = 2 + (int)dice(d, 5); n > 0; n--) {
        bool reduces = chance(d, 75);
        int which = (int)dice(d, 4), start = which < 2 && chance(d, 20);
        put(d, "    ");
        put_place(d);
        if (reduces)
            put(d, " = %s(%s((%s[i] * ", type, by[which], x);
        else
            put(d, " = (");
        put_place(d);
        if (reduces)
            put(d, " + %d) %% 97 for i in %d..n) %% 89)\n", (int)dice(d, 9), start);
        else
            put(d, " + %d) %% 91\n", (int)dice(d, 9));
    }
    put(d, "    %s = %s(sum((%s[i] + w[0] + ", d->arrays[2].name, type, x);
    put_place(d);
    put(d, ") %% 97 for i) %% 89)\n");
    cost_of(d, 1, (const int[]){0}, 20);
}

#include "draw_mixed.h"
#include "draw_rows.h"
#include "draw_seldom.h"
#include "draw_stack.h"
#include "draw_steps.h"

/* ---- the forms */

static const struct form_info {
    const char *names[4]; /* of dimensions */
    int least, most;      /* of these */
    int64_t largest;      /* size; 0: no limit of its own */
    void (*operands)(struct draw *d, int names);
    void (*body)(struct draw *d);
} forms[FORMS] = {
    [GENERAL] = {{"n", "m", "k"}, 1, 3, 0, NULL, NULL},
    [PRODUCT] = {{"m", "n", "p"}, 3, 3, 0, product_operands, product_body},
    [STACK] = {{"m", "n", "p", "a"}, 4, 4, 0, stack_operands, stack_body},
    [BAND] = {{"b", "n", "d"}, 3, 3, 0, band_operands, band_body},
    [CAUSAL] = {{"b", "n", "d"}, 3, 3, 60, causal_operands, causal_body},
    [TERMS] = {{"m", "n", "p"}, 3, 3, 0, terms_operands, terms_body},
    [SOLVE] = {{"n", "m"}, 1, 2, 90, solve_operands, solve_body},
    [WINDOW] = {{"n", "k"}, 2, 2, 0, window_operands, window_body},
    [WINDOW_2] = {{"n", "m", "k", "l"}, 4, 4, 0, window_operands, window_body},
    [STENCIL] = {{"n", "m", "l"}, 1, 3, 0, stencil_operands, stencil_body},
    [PASSES] = {{"n", "m"}, 1, 2, 3000, passes_operands, passes_body},
    [TRIANGLE] = {{"n"}, 1, 1, 1500, triangle_operands, triangle_body},
    [PAIRS] = {{"n", "m"}, 2, 2, 400, pairs_operands, pairs_body},
    [VECTOR] = {{"n", "m"}, 2, 2, 0, vector_operands, vector_body},
    [UPDATE] = {{"n"}, 1, 1, 45, update_operands, update_body},
    [LOOPS] = {{"n", "m"}, 2, 2, 400, loops_operands, loops_body},
    [TOTALS] = {{"n"}, 1, 1, 0, totals_operands, totals_body},
    [ROWS] = {{"e", "n", "f"}, 3, 3, 300, rows_operands, rows_body},
    [SELDOM] = {{"n"}, 1, 1, 6000, seldom_operands, seldom_body},
    [MIXED] = {{"n", "m"}, 2, 2, 70, mixed_operands, mixed_body},
    [COLOURS] = {{"n", "m"}, 2, 2, 400, colours_operands, colours_body},
    [STEPS] = {{"n", "m"}, 2, 2, 0, steps_operands, steps_body},
};

#endif
