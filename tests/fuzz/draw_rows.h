/* draw_rows.h: loops over rows: such that update rows by keys, that store elements and add to
 * variables, and that store to arrays in one dimension.  Part of draw_form.h. */
#ifndef DRAW_ROWS_H
#define DRAW_ROWS_H

/* x0[e, f], x1[n], y0[n + 1, f], y1[e * f], y2[e]. */
static void rows_operands(struct draw *d, int names) {
    ufc_type t = PICK(d, numbers);
    (void)names;
    add_array(d, 'x', t, 2, (const int[]){0, 2});
    add_array(d, 'x', UFC_INT32, 1, (const int[]){1});
    int keys = add_size(d, "n + 1"), all = add_size(d, "e * f");
    d->sizes[keys].is_computed = d->sizes[all].is_computed = true;
    for (int c = 0; c < CASES; c++) {
        d->sizes[keys].at[c] = d->sizes[1].at[c] + 1;
        d->sizes[all].at[c] = d->sizes[0].at[c] * d->sizes[2].at[c];
    }
    add_array(d, 'y', t, 2, (const int[]){keys, 2});
    add_array(d, 'y', t, 1, (const int[]){all});
    add_array(d, 'y', t, 1, (const int[]){0});
}

/* Rows of y0 by keys. */
static void rows_by_key(struct draw *d, const char *x, const char *y, const char *z) {
    bool counts = chance(d, 30), lets = chance(d, 50);
    put(d, "    for k in 0..n + 1 { for a in 0..f { %s[k, a] = k + a } }\n", y);
    put(d, "    for k in 0..e {\n        let v = %s[k]\n", z);
    if (chance(d, 60))
        put(d, "        let at = clip(int64(v) %% (n + 1), 0, n)\n");
    else
        put(d, "        let at = (k * %d + n) %% (n + 1)\n", 1 + (int)dice(d, 9));
    put(d, "        for a in 0..f {\n");
    if (lets)
        put(d, "            let u = %s[k, a] * %d\n", x, 1 + (int)dice(d, 3));
    const char *element = lets ? "u" : "v";
    switch (dice(d, 4)) {
    case 0: put(d, "            %s[at, a] += %s\n", y, element); break;
    case 1: put(d, "            %s[at, a] = %s[at, a] - %s\n", y, y, element); break;
    case 2: put(d, "            %s[at, a] = max(%s[at, a], %s + a)\n", y, y, element); break;
    default: put(d, "            %s[at, a] = (%s[at, a] * 3 + %s) %% 91\n", y, y, element);
    }
    put(d, "        }\n");
    if (counts)
        put(d, "        %s[k] = %s[k] + 1\n", z, z);
    put(d, "    }\n");
}

/* Rows that store elements, and add to a variable. */
static void rows_and_sums(struct draw *d, const char *x, const char *z) {
    const char *type = type_names[d->arrays[0].type];
    bool reads = chance(d, 20);
    put(d, "    for i in 0..e {\n        var w: %s[f]\n        var t: %s = %d\n", type, type,
        (int)dice(d, 3));
    put(d, "        for a in 0..f {\n            w[a] = %s[i, a] * 2 + ", x);
    if (chance(d, 50))
        put(d, "(sum(%s[i, c] for c in a..f) %% 97)\n", x);
    else
        put(d, "%s[i, f - 1 - a]\n", x);
    if (reads)
        put(d, "            t = (t + w[%s]) %% 89\n        }\n",
            chance(d, 50) ? "0" : "max(a - 1, 0)");
    else
        put(d, "            t %s w[a]\n        }\n", chance(d, 50) ? "+=" : "= 1 - t +");
    if (chance(d, 50))
        put(d, "        for a in 0..f { w[a] = w[a] - t }\n");
    put(d, "        %s[i] = t\n        for a in 0..f { %s[i] += w[a] * %s[i, a] }\n    }\n", z, z,
        x);
}

/* Stores of own elements with which iterations begin, mostly before what loops go on with, beside
 * what is added up in order. */
static void rows_begun(struct draw *d, const char *x, const char *z) {
    static const char *const begins[] = {"0", "0", "i", "t", "e + 1 - i"};
    const char *type = type_names[d->arrays[0].type];
    bool late = chance(d, 50), own = chance(d, 85), reads = chance(d, 20);
    put(d, "    for i in 0..e { %s[i] = i }\n    var t: %s = 1\n    for i in 0..e {\n", z, type);
    if (late)
        put(d, "        var least: %s = %d\n", type, (int)dice(d, 20));
    put(d, "        %s[%s] = %s(%s)\n", z, own ? "i" : "e - 1 - i", type, PICK(d, begins));
    if (!late)
        put(d, "        var least: %s = %d\n", type, (int)dice(d, 20));
    if (reads)
        put(d, "        least = (least + %s[%s]) %% 83\n", z,
            chance(d, 50) ? "i" : "max(i - 1, 0)");
    put(d, "        for a in 0..f {\n");
    if (chance(d, 60))
        put(d,
            "            if %s[i, a] < least {\n                least = %s[i, a]\n"
            "                %s[i] = a\n            }\n",
            x, x, z);
    else
        put(d, "            %s[i] = (%s[i] * 2 + %s[i, a]) %% 79\n", z, z, x);
    put(d, "        }\n");
    if (chance(d, 10))
        put(d, "        if least < -5 { break }\n");
    put(d, "        t = (t * 3 + least) %% 89\n    }\n    for i in 0..e { %s[i] += t }\n", z);
}

/* y1 by numbers whose digits are indices, or that are almost such. */
static void rows_in_line(struct draw *d, const char *x, const char *flat) {
    static const char *const at[] = {"a * e + i", "i * f + a", "(e * f - 1) - (a * e + i)",
                                     "(a * e + i + 1) % (e * f)", "(a * f + i) % (e * f)"};
    bool along = chance(d, 50);
    put(d, "    for k in 0..e * f { %s[k] = k %% 5 }\n", flat);
    put(d, "    for %s { for %s { %s[%s] = %s[i, a] + a } }\n", along ? "i in 0..e" : "a in 0..f",
        along ? "a in 0..f" : "i in 0..e", flat, PICK(d, at), x);
}

static void rows_body(struct draw *d) {
    const char *x = d->arrays[0].name, *y = d->arrays[2].name, *flat = d->arrays[3].name,
               *z = d->arrays[4].name;
    if (chance(d, 50))
        rows_begun(d, x, z);
    else
        rows_and_sums(d, x, z);
    rows_by_key(d, x, y, z);
    rows_in_line(d, x, flat);
    cost_of(d, 3, (const int[]){0, 2, 2}, 8);
}

#endif
