/* draw_arrays.h: arrays that a body makes, by `let`, `var` and calls; accumulating definitions.
 * Part of draw_body.h. */
#ifndef DRAW_ARRAYS_H
#define DRAW_ARRAYS_H

enum { MAX_MADE = 5, OF_TURNED = 200000 };

static bool may_make(const struct draw *d) {
    return !d->in_def && d->nmade < MAX_MADE && d->narrays < MAX_ARRAYS - 1;
}

static bool has_optional(const struct draw *d, const struct array *a) {
    for (int r = 0; r < a->rank; r++)
        if (d->sizes[a->sizes[r]].is_optional)
            return true;
    return false;
}

/* An array of sizes that are known before a call; its name begins with the letter. */
static bool new_array(struct draw *d, char letter, struct array *a) {
    int like = readable_array(d, UFC_BOOL, true), rank = chance(d, 70) ? 1 : 2;
    if (like < 0 || d->arrays[like].rank < rank || has_optional(d, &d->arrays[like]))
        return false;
    *a = (struct array){.type = PICK(d, numbers), .rank = rank, .bound = OF_ARRAY};
    a->readable = true;
    for (int r = 0; r < rank; r++)
        a->sizes[r] = d->arrays[like].sizes[r];
    snprintf(a->name, sizeof a->name, "%c%d", letter, d->ndeclared++);
    return true;
}

/* Adds an array, and what setting its elements costs. */
static void add_made(struct draw *d, const struct array *a) {
    for (int c = 0; c < CASES; c++) {
        double n = 2;
        for (int r = 0; r < a->rank; r++)
            n *= (double)d->sizes[a->sizes[r]].at[c];
        d->cost[c] += d->weight[c] * n;
    }
    d->arrays[d->narrays++] = *a;
    d->nmade++;
}

/* `let s1[i, j] = value for i in 0..n, j in 0..m` */
static void draw_made(struct draw *d) {
    struct array a;
    struct clauses cl = begin_clauses(d);
    if (!may_make(d) || d->nindices > MAX_INDICES - 8 || !new_array(d, 's', &a))
        return;
    line(d);
    put(d, "let %s[", a.name);
    for (int r = 0; r < a.rank; r++) {
        int s = a.sizes[r], i = declare_index(d, s, 0);
        double times[CASES];
        for (int c = 0; c < CASES; c++)
            times[c] = (double)d->sizes[s].at[c];
        snprintf(cl.text[r], sizeof cl.text[r], "%s in 0..%s", d->indices[i].name, size_text(d, s));
        *cl.bare[r] = 0;
        cl.index[cl.n++] = i;
        multiply(d, &cl, times);
        put(d, "%s%s", r ? ", " : "", d->indices[i].name);
    }
    put(d, "]: %s = ", type_names[a.type]);
    draw_value(d, same_kind(d, a.type), a.bound, d->depth);
    put_clauses(d, &cl, 0);
    put(d, "\n");
    leave_clauses(d, &cl);
    add_made(d, &a);
}

/* Zeros, of which definitions and assignments set elements. */
static void draw_zeros(struct draw *d) {
    struct array a;
    if (!may_make(d) || !new_array(d, 'u', &a))
        return;
    line(d);
    put(d, "var %s: %s[", a.name, type_names[a.type]);
    for (int r = 0; r < a.rank; r++)
        put(d, "%s%s", r ? ", " : "", size_text(d, a.sizes[r]));
    put(d, "]\n");
    add_made(d, &a);
}

/* Whether elements of `from` may be arguments of a function of type `to`. */
static bool may_be_given(ufc_type from, ufc_type to) {
    return from == to || (from == UFC_INT32 && to == UFC_INT64) ||
           (from == UFC_FLOAT32 && to == UFC_FLOAT64);
}

/* Makes of the one axis of a slice a part of it, of which the size is added; false: it stays. */
static bool cut_axis(struct draw *d, struct slice *s) {
    static const char *const cuts[] = {"1:", ":%s // 2", "::2", "2::-1", "1:(%s) - 1"};
    static const char *const sizes[] = {"max((%s) - 1, 0)", "(%s) // 2", "((%s) + 1) // 2", "3",
                                        "max((%s) - 2, 0)"};
    const char *n = size_text(d, s->sizes[0]);
    int which = (int)dice(d, 5);
    char *colon = strstr(s->text, ":"), cut[TEXT / 4], rest[TEXT] = "]";
    struct size *size = &d->sizes[d->nsizes];
    if (d->nsizes == MAX_SIZES || which == 3 || (colon && (colon[1] == ':' || !colon[1])))
        return false;
    if (colon)
        snprintf(rest, sizeof rest, "%s", colon + 1);
    else {
        if (strchr(s->text, '['))
            return false;
        colon = s->text + strlen(s->text);
        *colon++ = '[';
    }
    *size = (struct size){.is_computed = true};
    if (snprintf(size->text, sizeof size->text, sizes[which], n) >= (int)sizeof size->text)
        return false;
    for (int c = 0; c < CASES; c++) {
        int64_t of = d->sizes[s->sizes[0]].at[c];
        const int64_t at[] = {of - 1, of / 2, (of + 1) / 2, 3, of - 2};
        size->at[c] = at[which] > 0 ? at[which] : 0;
    }
    snprintf(cut, sizeof cut, cuts[which], n);
    snprintf(colon, sizeof s->text - (size_t)(colon - s->text), "%s%s", cut, rest);
    s->sizes[0] = d->nsizes++;
    return true;
}

/* What the functions that every program has make of an array, or of a row of one. */
static void draw_called(struct draw *d) {
    int i = readable_array(d, UFC_BOOL, true);
    bool turned = chance(d, 50);
    struct slice s;
    if (i < 0 || !may_make(d) || !d->calls || d->arrays[i].rank == 0 ||
        has_optional(d, &d->arrays[i]) || (turned && !may_be_given(d->arrays[i].type, d->called)) ||
        !draw_slice(d, &d->arrays[i], 1, &s))
        return;
    if (chance(d, 40))
        cut_axis(d, &s);
    struct array a = {.type = turned ? d->called : d->arrays[i].type, .rank = 1, .readable = true};
    a.sizes[0] = s.sizes[0];
    a.bound = turned ? d->arrays[i].bound : 97;
    snprintf(a.name, sizeof a.name, "s%d", d->ndeclared++);
    line(d);
    put(d, "let %s", a.name);
    if (turned)
        put(d, ", %s", d->scalars[declare_scalar(d, UFC_INT64, OF_TURNED, false)].name);
    put(d, turned ? " = turned%llu(%s)\n" : " = scaled%llu(%s, %d)\n", (unsigned long long)d->seed,
        s.text, (int)dice(d, 5));
    add_made(d, &a);
}

/* The functions that draw_called calls. */
static void put_called(struct draw *d) {
    const char *t = type_names[d->called];
    put(d, "def scaled%llu(a[n], f) { return (a[i] + f) %% 97 for i }\n",
        (unsigned long long)d->seed);
    put(d,
        "gufunc turned%llu(x[n]) -> (y[n], t) : (T, U)(T) for T in %s, U in int64\n{\n"
        "    y[i] = x[n - 1 - i] for i\n    t = U(count(v > 0 for v in x))\n}\n",
        (unsigned long long)d->seed, t);
}

/* A place in the target, and conditions for it. */
static void put_target(struct draw *d, const struct array *a, char *place, char *guards) {
    int at = snprintf(place, TEXT, "%s", a->name), end = 0;
    *guards = 0;
    for (int r = 0; r < a->rank; r++) {
        char sub[TEXT / 4], guard[TEXT / 2];
        const char *n = size_text(d, a->sizes[r]);
        int s = scalar_of(d, UFC_INT64, true, false);
        if (s >= 0 && chance(d, 50)) {
            snprintf(sub, sizeof sub, "int64(abs(%s)) %% (%s)", d->scalars[s].name, n);
            snprintf(guard, sizeof guard, "0 < %s", n);
        } else
            draw_subscript(d, a->sizes[r], sub, guard);
        at += snprintf(place + at, TEXT - (size_t)at, "%s%s%s", r ? ", " : "[", sub,
                       r == a->rank - 1 ? "]" : "");
        if (*guard)
            end += snprintf(guards + end, 2 * TEXT - (size_t)end, "%s%s", end ? " and " : " if ",
                            guard);
    }
}

/* Each iteration adds to an element, or joins onto it what does not depend on the order. */
static void draw_accumulation(struct draw *d, int out) {
    static const char *const ops[] = {"+",   "+",   "+",   "^",    "^",      "|", "&",
                                      "max", "min", "gcd", "join", "larger", "*"};
    static const char *const of_floats[] = {"+", "+", "+", "max", "min", "fmax", "larger", "*"};
    struct array *a = &d->arrays[out];
    struct clauses cl;
    char place[TEXT], guards[2 * TEXT];
    a->readable = false; /* in the clauses too */
    if (!draw_clauses(d, &cl, false)) {
        leave_clauses(d, &cl);
        a->readable = true;
        return;
    }
    const char *op = is_floating(a->type) ? PICK(d, of_floats) : PICK(d, ops);
    double times = greatest(cl.times), limit = a->bound, bits = 1;
    bool joins = strcmp(op, "join") == 0, own = joins || strcmp(op, "larger") == 0;
    if (joins)
        limit = 96;
    else if (*op == '*')
        limit = 1;
    else if (*op == '+') {
        limit = floor(least_of(most(a->type) / 8, 1e6) / times);
        a->bound += limit * times;
    } else if (strlen(op) == 1) {
        while (bits < a->bound)
            bits *= 2;
        a->bound = bits;
    }
    if (a->bound <= most(a->type) / 4) {
        put_target(d, a, place, guards);
        line(d);
        put(d, strlen(op) == 1 ? "%s %s= " : "%s = %s", place, op);
        if (own)
            put(d, "%llu", (unsigned long long)d->seed);
        put(d, strlen(op) == 1 ? "" : "(");
        if (strlen(op) > 1)
            put(d, "%s, ", place);
        put(d, joins || *op == '*' ? "%s(abs(" : "%s((", type_names[a->type]);
        draw_value(d, a->type, limit < 1 ? 1 : limit, d->depth - 1);
        put(d, *op == '*' ? ") %% 2 * 2 - 1)" : strlen(op) == 1 ? "))" : ")))");
        put_clauses(d, &cl, 0);
        put(d, "%s\n", guards);
    }
    a->readable = true;
    leave_clauses(d, &cl);
}

#endif
