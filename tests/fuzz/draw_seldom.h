/* draw_seldom.h: ordered loops most of whose iterations do nothing: records, the greatest elements,
 * thresholds that move, elements apart.  Part of draw_form.h. */
#ifndef DRAW_SELDOM_H
#define DRAW_SELDOM_H

/* What a loop is drawn with. */
struct seldom_loop {
    struct draw *d;
    const char *type, *x, *other, *best, *all; /* x0[n], x1[n], y0[5], y1[n] */
    int deep, indent;                          /* conditionals around */
    bool inner, leaves;                        /* in a loop within; break and continue may be */
    bool wild;                                 /* conditions are of anything */
};

/* x0[n], x1[n], y0[5], y1[n], y2[4]. */
static void seldom_operands(struct draw *d, int names) {
    ufc_type t = PICK(d, numbers);
    (void)names;
    add_array(d, 'x', t, 1, (const int[]){0});
    add_array(d, 'x', chance(d, 50) ? t : UFC_INT32, 1, (const int[]){0});
    add_array(d, 'y', t, 1, (const int[]){add_size(d, "5")});
    add_array(d, 'y', UFC_INT64, 1, (const int[]){0});
    add_array(d, 'y', UFC_INT64, 1, (const int[]){add_size(d, "4")});
}

static void seldom_line(const struct seldom_loop *s) {
    put(s->d, "%*s", 4 * s->indent, "");
}

/* A condition of what earlier iterations leave. */
static void seldom_state(const struct seldom_loop *s) {
    static const char *const of[] = {
        "e > hi",        "e < lo",        "e == hi",     "hi < w",          "w != lo",
        "e // lo > 2",   "e % hi == 1",   "c % 4 == 1",  "e * 2 > hi + lo", "c < 3 + i // 50",
        "hi - lo < e",   "not (e <= hi)", "e >= hi + 3", "e > hi",          "e < lo",
        "i > last + %d", "i - last >= %d"};
    struct draw *d = s->d;
    const char *text = PICK(d, of);
    if (chance(d, 20))
        put(d, "e > %s[%d]", s->best, (int)dice(d, 5));
    else if (chance(d, 10))
        put(d, chance(d, 50) ? "%s[i] < e" : "%s[n - 1 - i] > c", s->all);
    else if (strstr(text, "last"))
        put(d, text, (int)dice(d, 60));
    else
        put(d, "%s", text);
}

/* A condition, of that only where it must be. */
static void seldom_test(const struct seldom_loop *s, bool must, int depth) {
    static const char *const plain[] = {"i %% 5 != %d", "w > %d", "e %% 4 == %d", "i > %d"};
    struct draw *d = s->d;
    uint64_t which = dice(d, 10);
    must = must && !s->wild;
    if (depth > 0 && which < 4) {
        bool either = chance(d, 30), first = chance(d, 50);
        put(d, "(");
        seldom_test(s, must && (either || first), depth - 1);
        put(d, either ? " or " : " and ");
        seldom_test(s, must && (either || !first), depth - 1);
        put(d, ")");
    } else if (s->wild && which == 4) {
        put(d, "%s[clip(last, 0, n - 1)] > %d", chance(d, 50) ? s->x : s->all, (int)dice(d, 8));
    } else if (must || which > 5) {
        seldom_state(s);
    } else {
        put(d, PICK(d, plain), (int)dice(d, 4));
    }
}

static void seldom_choice(struct seldom_loop *s);

/* Inserts e into the greatest elements, and what comes with it. */
static void seldom_insertion(const struct seldom_loop *s) {
    struct draw *d = s->d;
    bool down = chance(d, 30);
    seldom_line(s);
    put(d, "for k in %s { if v %s %s[k] { let t = %s[k]; %s[k] = v; v = t%s } }\n",
        down            ? "4..-1..-1"
        : chance(d, 80) ? "0..5"
                        : "1..4",
        chance(d, 70) ? ">" : "<", s->best, s->best, s->best, chance(d, 20) ? "; c += k" : "");
}

/* What is done now and then. */
static void seldom_effect(struct seldom_loop *s) {
    static const char *const sets[] = {"hi = e",
                                       "hi = e",
                                       "hi = w",
                                       "hi = min(hi + 2, e)",
                                       "hi = e - 3",
                                       "lo = e",
                                       "lo = lo + 1",
                                       "lo = (hi + lo * 3) % 23",
                                       "hi, lo = lo, hi",
                                       "c += 1",
                                       "c = (c * 3 + i) % 1009",
                                       "c += i",
                                       "last = i",
                                       "last = i",
                                       "last = -last",
                                       "hi = 4"};
    struct draw *d = s->d;
    uint64_t which = dice(d, 16);
    if (which == 0 && s->deep < 3) {
        seldom_choice(s);
        return;
    }
    if (which == 1 && !s->inner) {
        seldom_insertion(s);
        return;
    }
    seldom_line(s);
    switch (which) {
    case 2: put(d, "%s[%d] = hi\n", s->best, (int)dice(d, 5)); break;
    case 3: put(d, "%s[clip(c %% 5, 0, 4)] = e\n", s->best); break;
    case 4: put(d, "%s[i] = c\n", s->all); break;
    case 5:
        put(d, "%s[%s] += 1\n", s->all, chance(d, 50) ? "n - 1 - i" : "clip(c, 0, n - 1)");
        break;
    default:
        if (which == 6 && s->wild)
            put(d, "while hi > lo + 2 { hi -= 2 }\n");
        else if (which == 7 && s->leaves)
            put(d, "if c > %d { %s }\n", (int)dice(d, 300), chance(d, 70) ? "break" : "continue");
        else
            put(d, "%s\n", PICK(d, sets));
    }
}

static void seldom_effects(struct seldom_loop *s) {
    s->indent++;
    for (int n = 1 + (int)dice(s->d, 3); n > 0; n--)
        seldom_effect(s);
    s->indent--;
}

/* if …, often with another branch. */
static void seldom_choice(struct seldom_loop *s) {
    struct draw *d = s->d;
    seldom_line(s);
    put(d, "if ");
    seldom_test(s, s->deep == 0, 1);
    put(d, " {\n");
    s->deep++;
    seldom_effects(s);
    if (chance(d, 25)) {
        seldom_line(s);
        put(d, "} elif ");
        seldom_test(s, s->deep == 1, 1);
        put(d, " {\n");
        seldom_effects(s);
    }
    if (s->deep > 1 && chance(d, 15)) {
        seldom_line(s);
        put(d, "} else {\n");
        seldom_effects(s);
    }
    s->deep--;
    seldom_line(s);
    put(d, "}\n");
}

/* What an iteration has of its own: e, w and v. */
static void seldom_values(const struct seldom_loop *s, bool behind, bool ahead) {
    struct draw *d = s->d;
    seldom_line(s);
    put(d, "%s e: %s = ", chance(d, 80) ? "let" : "var", s->type);
    switch (dice(d, 6)) {
    case 0:
        put(d, behind ? "%s[i] - %s[i - 1]\n" : "%s[i] + 2 * %s[n - 1 - i]\n", s->x, s->x);
        break;
    case 1: put(d, ahead ? "%s[i] + %s[i + 1]\n" : "%s[i] * 3 - %s[i]\n", s->x, s->x); break;
    case 2: put(d, "%s((%s[i] * 5 + i) %% 91)\n", s->type, s->x); break;
    case 3: put(d, "%s((%s[i] + i // 64) %% 53)\n", s->type, s->x); break;
    default: put(d, "%s[i]\n", s->x);
    }
    seldom_line(s);
    put(d, "var w: %s = %s(%s[i] %% 7)\n", s->type, s->type, s->other);
    seldom_line(s);
    put(d, "var v = e\n");
    if (chance(d, 30)) {
        seldom_line(s);
        put(d, "if e > %d { w = %s(i %% 17) }\n", (int)dice(d, 5), s->type);
    }
    if (chance(d, 20)) {
        seldom_line(s);
        put(d, "for k in 0..3 { w = (w + %s[k]) %% 19 }\n", s->best);
    }
    if (s->leaves && chance(d, 15)) {
        seldom_line(s);
        put(d, "if e %% 8 == %d { continue }\n", (int)dice(d, 8));
    }
}

static void seldom_loop(struct seldom_loop *s) {
    static const struct {
        const char *range;
        bool behind, ahead;
    } ranges[] = {{"0..n", false, false},           {"1..n", true, false},
                  {"0..n - 1", false, true},        {"1..n - 1", true, true},
                  {"n // 3..n", false, false},      {"2..n - 1", true, true},
                  {"0..min(n, 900)", false, false}, {"max(n - 800, 0)..n", false, false},
                  {"5..n // 2", true, true},        {"n..n", false, false}};
    struct draw *d = s->d;
    int which =
        chance(d, 40) ? 0 : (int)dice(d, chance(d, 70) ? 4 : sizeof ranges / sizeof *ranges);
    s->wild = chance(d, 30);
    s->leaves = s->wild && chance(d, 30);
    seldom_line(s);
    put(d, "for i in %s {\n", ranges[which].range);
    s->indent++;
    seldom_values(s, ranges[which].behind, ranges[which].ahead);
    if (chance(d, 30))
        seldom_insertion(s);
    for (int n = (int)dice(d, 3); n >= 0; n--) {
        bool within = chance(d, 15);
        if (within) {
            seldom_line(s);
            put(d, "for j in 0..%d {\n", 1 + (int)dice(d, 4));
            s->indent++;
            s->inner = true;
        }
        seldom_choice(s);
        if (within) {
            s->indent--;
            s->inner = false;
            seldom_line(s);
            put(d, "}\n");
        }
    }
    s->indent--;
    seldom_line(s);
    put(d, "}\n");
}

static void seldom_body(struct draw *d) {
    const char *rest = d->arrays[4].name;
    struct seldom_loop s = {.d = d,
                            .type = type_names[d->arrays[0].type],
                            .x = d->arrays[0].name,
                            .other = d->arrays[1].name,
                            .best = d->arrays[2].name,
                            .all = d->arrays[3].name,
                            .indent = 1};
    put(d, "    for k in 0..5 { %s[k] = %s }\n    for k in 0..n { %s[k] = k %% 7 }\n", s.best,
        chance(d, 50) ? "-k" : "2 * k - 9", s.all);
    put(d, "    var hi: %s = %d\n    var lo: %s = %d\n", s.type, (int)dice(d, 9) - 8, s.type,
        (int)dice(d, 9));
    put(d, "    var c: int64 = 0\n    var last: int64 = -%d\n", (int)dice(d, 50));
    bool again = chance(d, 15);
    if (again) {
        put(d, "    for turn in 0..2 {\n");
        s.indent++;
    }
    for (int n = 1 + (int)dice(d, 2); n > 0; n--)
        seldom_loop(&s);
    if (again)
        put(d, "    }\n");
    put(d, "    %s[0], %s[1] = int64(hi), int64(lo)\n    %s[2], %s[3] = c, last\n", rest, rest,
        rest, rest);
    cost_of(d, 1, (const int[]){0}, 60);
}

#endif
