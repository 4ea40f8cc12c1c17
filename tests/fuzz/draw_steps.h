/* draw_steps.h: ordered loops whose iterations access several elements of rows, side by side: all
 * or some of them, up or down.  Part of draw_form.h. */
#ifndef DRAW_STEPS_H
#define DRAW_STEPS_H

/* x0[n, 2 to 4], x1[m], y0[n, 2 to 4], y1[m]. */
static void steps_operands(struct draw *d, int names) {
    static const char *const whole[] = {"2", "3", "4"};
    (void)names;
    const int in = add_size(d, PICK(d, whole)), out = add_size(d, PICK(d, whole));
    ufc_type t = PICK(d, numbers);
    add_array(d, 'x', t, 2, (const int[]){0, in});
    add_array(d, 'x', chance(d, 70) ? t : UFC_INT32, 1, (const int[]){1});
    add_array(d, 'y', t, 2, (const int[]){0, out});
    add_array(d, 'y', t, 1, (const int[]){1});
}

/* What an iteration reads: `apart` elements of x1 have one in common with it, or the first alone.
 */
static void steps_reads(struct draw *d, int in, int apart, bool first, bool before) {
    const char *x = d->arrays[0].name, *z = d->arrays[1].name,
               *type = type_names[d->arrays[0].type];
    put(d, "        s = %s((s * 3", type);
    for (int c = 0; c < in; c++)
        if (chance(d, 80))
            put(d, " + %s[i, %d]", x, c);
    for (int c = 0; c < (first ? 1 : apart); c++)
        if (c == 0 || chance(d, 60))
            put(d, " - %s[%d * i + %d]", z, apart, c);
    if (before && chance(d, 50))
        put(d, " + %s[i * %d - 1]", z, apart);
    if (before && chance(d, 50))
        put(d, " + %s[i - 1, %d]", d->arrays[2].name, (int)dice(d, 2));
    put(d, ") %% 89)\n");
}

static void steps_stores(struct draw *d, int out, int apart, bool first) {
    const char *y = d->arrays[2].name, *w = d->arrays[3].name,
               *type = type_names[d->arrays[0].type];
    bool turned = chance(d, 50), all = chance(d, 75), several = chance(d, 50);
    for (int k = 0; k < out; k++) {
        int c = turned ? out - 1 - k : k;
        if (!all && chance(d, 40))
            continue;
        if (chance(d, 15))
            put(d, "        if s %% 3 == 1 { %s[i, %d] = s }\n", y, c);
        else
            put(d, "        %s[i, %d] = %s((s * %d + %s[i, %d]) %% 97)\n", y, c, type, c + 1, y,
                (int)dice(d, 2));
    }
    for (int c = 0; c < (first || !several ? 1 : apart); c++)
        put(d, "        %s[i * %d + %d] = %s(s + %d)\n", w, apart, c, type, c);
}

static void steps_body(struct draw *d) {
    const char *y = d->arrays[2].name, *w = d->arrays[3].name,
               *type = type_names[d->arrays[0].type];
    int in = (int)d->sizes[d->arrays[0].sizes[1]].at[0],
        out = (int)d->sizes[d->arrays[2].sizes[1]].at[0], apart = 2 + (int)dice(d, 2);
    bool first = chance(d, 30), down = chance(d, 30), before = !down && chance(d, 30);
    char end[64];
    snprintf(end, sizeof end, "min(n, (m + %d) // %d)", first ? apart - 1 : 0, apart);
    put(d, "    for i in 0..n { for a in 0..%d { %s[i, a] = a } }\n", out, y);
    put(d, "    for j in 0..m { %s[j] = j %% 7 }\n    var s: %s = 1\n", w, type);
    if (down)
        put(d, "    for i in %s - 1..-1..-1 {\n", end);
    else
        put(d, "    for i in %d..%s {\n", before, end);
    steps_reads(d, in, apart, first, before);
    steps_stores(d, out, apart, first);
    if (chance(d, 8))
        put(d, "        if s == 5 { break }\n");
    put(d, "    }\n");
    cost_of(d, 1, (const int[]){0}, 40);
}

#endif
