/* draw_turns.h: rows that take turns, rows that are stored twice, and grids whose elements change
 * by those of other colours.  Part of draw_mixed.h. */
#ifndef DRAW_TURNS_H
#define DRAW_TURNS_H

/* Rows that are stored, and then again by what is found of them. */
static void mixed_rows(struct mixed *x) {
    static const char *const stores[] = {"%s[%s, j] = %s((%s[%s, j] * 2 - p + q) %% 97)",
                                         "%s[%s, j] = %s(floor(50 * %s[%s, j] / (1 + abs(q))))",
                                         "%s[%s, j] = %s((%s[%s, m - 1 - j] + q - p) %% 89)"};
    struct draw *d = x->d;
    struct mixed_array *a = mixed_target(x, false);
    const char *text = chance(d, 60) ? "x0" : a->name, *t = x->type;
    if (strcmp(a->axes, "nm") != 0)
        return;
    mixed_line(x);
    put(d, "for c in %s {\n", chance(d, 70) ? "0..n" : "n // 3..n");
    put(d, "%*slet p = max(%s[c, j] for j in 0..m%s)\n", 4 * ++x->indent, "", text,
        chance(d, 20) ? " - 1" : "");
    mixed_line(x);
    put(d, "for j in 0..m { %s[c, j] = %s((%s[c, j] * %d - p) %% 41) }\n", a->name, t, text,
        1 + (int)dice(d, 3));
    if (chance(d, 50)) {
        mixed_line(x);
        put(d, "let q = %s(sum(%s[c, j] for j in 0..m) %% 97)\n", t, a->name);
    } else {
        mixed_line(x);
        put(d, "var q: %s = 0\n", t);
        mixed_line(x);
        put(d, "for j in 0..m { q = (q %s %s[c, j]) %% 97 }\n", chance(d, 50) ? "+" : "* 2 +",
            a->name);
    }
    for (int n = 1 + (int)dice(d, 2); n > 0; n--) {
        mixed_line(x);
        put(d, chance(d, 80) ? "for j in 0..m { " : "for j in m // 2..m { ");
        put(d, PICK(d, stores), a->name, "c", t, a->name, "c");
        put(d, " }\n");
    }
    if (chance(d, 50)) {
        mixed_line(x);
        put(d, "y3[c] = (q + p) %% 97\n");
    }
    x->indent--;
    mixed_line(x);
    put(d, "}\n");
}

/* Elements that need those a distance before them, or behind, which each turn has its own of. */
static void mixed_residues(struct mixed *x) {
    static const char *const distances[] = {
        "c % 5",      "c % 4 - 1", "3", "int64(abs(x0[c, 0])) % 9 if 0 < m else 1",
        "c // 2 + 1", "n - c"};
    static const char *const ranges[] = {"max(s, 0)..n - max(-s, 0)",
                                         "n - 1 - max(-s, 0)..max(s, 0) - 1..-1"};
    static const char *const guards[] = {"if spot >= s and s >= 0 { ",
                                         "if spot - s >= 0 { if spot - s < n { ", "if s > 0 { "};
    static const char *const values[] = {"(%s * 2 + %s + 1) %% 97", "max(%s, %s - 1)",
                                         "(%s - 3 * %s) %% 89", "(%s + %s) %% 31 + 2"};
    struct draw *d = x->d;
    bool table = chance(d, 30);
    int guard = (int)dice(d, 8);
    const char *at = table ? "y2[spot, j]" : "y3[spot]",
               *other = table ? "y2[spot - s, j]" : "y3[spot - s]";
    mixed_line(x);
    put(d, "for c in 0..n {\n");
    x->indent++;
    mixed_line(x);
    put(d, "let s = %s\n", PICK(d, distances));
    mixed_line(x);
    put(d, table ? "for j in 0..m { " : "");
    put(d, "for spot in %s { %s", guard < 2 ? "0..n" : PICK(d, ranges),
        guard < 3 ? guards[guard] : "");
    put(d, "%s = %s(", at, x->type);
    put(d, PICK(d, values), at, other);
    put(d, ") }%s%s\n", guard == 1 ? " } }" : guard < 3 ? " }" : "", table ? " }" : "");
    x->indent--;
    mixed_line(x);
    put(d, "}\n");
}

/* Rows that take turns. */
static void mixed_turns(struct mixed *x) {
    static const char *const turns[][2] = {{"i % 2", "1 - i % 2"},
                                           {"i % 2", "(i + 1) % 2"},
                                           {"a", "1 - a"},
                                           {"1 - a", "a"},
                                           {"(i + 1) % 2", "i % 2"}};
    static const char *const before[] = {"max(j - 1, 0)", "j", "min(j + 1, m - 1)", "m - 1 - j",
                                         "(j + 2) % m"};
    static const char *const behind[] = {"j", "j", "m - 1 - j"};
    struct draw *d = x->d;
    int which = (int)dice(d, 5);
    bool has = false, variable = *turns[which][0] == 'a' || *turns[which][1] == 'a';
    for (int k = 0; k < x->narrays; k++)
        has = has || *x->array[k].name == 'r';
    if (!has || (variable && !x->turns))
        return;
    mixed_line(x);
    put(d, "for i in %d..n {\n", (int)dice(d, 2));
    x->indent++;
    for (int n = 1 + (int)dice(d, 2); n > 0; n--) {
        mixed_line(x);
        put(d, "for j in %s { r[%s, j] = %s((r[%s, %s] * 2 + ", chance(d, 70) ? "0..m" : "1..m",
            turns[which][0], x->type, turns[which][n == 2 && chance(d, 50) ? 0 : 1],
            PICK(d, before));
        put(d, chance(d, 30) ? "r[%s, %s] - " : "%.0s%.0s", turns[which][1], PICK(d, before));
        put(d, "x0[i, j]) %% 97)%s }\n", chance(d, 20) ? "; y2[i, j] = r[0, j]" : "");
    }
    if (chance(d, 60)) {
        mixed_line(x);
        put(d, "for j in 0..m { y2[i, j] = r[%s, %s] }\n", turns[which][dice(d, 4) == 0],
            PICK(d, behind));
    }
    if (variable) {
        mixed_line(x);
        put(d, chance(d, 80) ? "a = 1 - a\n" : "if m > 0 and x0[i, 0] %% 3 != 1 { a = 1 - a }\n");
    }
    x->indent--;
    mixed_line(x);
    put(d, "}\n");
}

/* x0[n, m], y0[n, m]. */
static void colours_operands(struct draw *d, int names) {
    ufc_type t = PICK(d, numbers);
    (void)names;
    add_array(d, 'x', t, 2, (const int[]){0, 1});
    add_array(d, 'y', t, 2, (const int[]){0, 1});
}

/* A subscript of an index, which may be out of range; of: of what it takes remainders. */
static void put_coloured(struct draw *d, char *to, size_t size, const char *index, const char *of) {
    static const char *const forms[] = {"%s",          "%s",         "%s",     "%s - 1",
                                        "%s + 1",      "%s + 2",     "%s - 2", "2 * %s",
                                        "2 * %s + 1",  "%s ^ 1",     "3 * %s", "%s - %s %% 2",
                                        "%s // 2 * 2", "%s & 6",     "%s & 1", "%s %% 2",
                                        "1 - %s %% 2", "6 - 2 * %s", "7 - %s", "%s + turn"};
    if (chance(d, 15))
        snprintf(to, size, chance(d, 50) ? "(%s + %d) %% %s" : "(%s + %d) %% %s", index,
                 1 + (int)dice(d, 2), of);
    else
        snprintf(to, size, PICK(d, forms), index, index);
}

/* A condition that tells a colour, or nearly does. */
static void put_colour(struct draw *d) {
    static const char *const sums[] = {"i + j",     "i",         "j",     "i - j",    "i + 2 * j",
                                       "2 * i + j", "i * 3 + j", "i ^ j", "j + turn", "i + turn"};
    static const char *const others[] = {"i <= 0",         "j >= m - 1",     "i != j",    "i < 2",
                                         "i % 2 != j % 2", "i & 1 == j & 1", "n % 2 == 0"};
    int by = 2 + (int)dice(d, 3);
    const char *op = chance(d, 80) ? "==" : "!=";
    if (chance(d, 20))
        put(d, "%s", PICK(d, others));
    else if (chance(d, 70))
        put(d, "(%s) %% %d %s %d", PICK(d, sums), by, op, (int)dice(d, (uint64_t)by));
    else
        put(d, "(%s) & %d %s turn %% 2", PICK(d, sums), by == 3 ? 3 : 1, op);
    if (chance(d, 20)) {
        put(d, chance(d, 70) ? " and " : " or ");
        put_colour(d);
    }
}

static void put_steps(struct draw *d, bool inner) {
    static const char *const from[] = {
        "0", "0", "1", "turn % 2", "2", "(i + turn) % 2", "1 + (i + 1) % 2"};
    int step = 1 + (int)dice(d, 3);
    put(d, inner ? "for j in %s" : "for i in %s", from[dice(d, inner ? 7 : 5)]);
    put(d, "..%s%s", inner ? "m" : "n", chance(d, 30) ? " - 1" : "");
    put(d, step > 1 && chance(d, 60) ? "..%d {" : " {", step);
}

/* One element by others, where all are in range. */
static void coloured_step(struct draw *d, const char *x, const char *y) {
    static const char *const steps[] = {"%s[%s, %s] = (%s[%s, %s] * 2 + %s[i, j]) %% 97",
                                        "%s[%s, %s] += (%s[%s, %s] + %s[i, j]) %% 89",
                                        "%s[%s, %s] = max(%s[%s, %s] - %s[i, j], -50)"};
    char at[4][80];
    for (int k = 0; k < 4; k++)
        put_coloured(d, at[k], sizeof at[k], k % 2 ? "j" : "i", k % 2 ? "m" : "n");
    put(d, "            if ");
    for (int k = 0; k < 4; k++)
        put(d, "0 <= %s and %s < %s and ", at[k], at[k], k % 2 ? "m" : "n");
    put(d, "(");
    put_colour(d);
    put(d, ") { ");
    put(d, PICK(d, steps), y, at[0], at[1], y, at[2], at[3], x);
    put(d, " }\n");
}

/* A grid in place, some of whose elements change by others, in several turns. */
static void colours_body(struct draw *d) {
    const char *x = d->arrays[0].name, *y = result_of(d)->name;
    put(d, "    %s = %s\n    for turn in 0..%d {\n", y, x, 1 + (int)dice(d, 3));
    for (int n = 1 + (int)dice(d, 2); n > 0; n--) {
        put(d, "        ");
        put_steps(d, false);
        put(d, " ");
        put_steps(d, true);
        put(d, "\n");
        for (int k = 1 + (int)dice(d, 10) / 7; k > 0; k--)
            coloured_step(d, x, y);
        put(d, "        } }\n");
    }
    put(d, "    }\n");
    cost_of(d, 2, (const int[]){0, 1}, 60);
}

#endif
