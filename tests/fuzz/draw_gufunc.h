/* draw_gufunc.h: random gufuncs and the calls of them: core dimensions, operands, bodies. */
#ifndef DRAW_GUFUNC_H
#define DRAW_GUFUNC_H

#include "draw_body.h"

enum { MAX_IN = 5, MAX_OUT = 3, MAX_OPERANDS = MAX_IN + MAX_OUT, LOOP = 3 };
enum { MOST_COST = 150000, MOST_ELEMENTS = 40000, MOST_OF_ONE = 16000 };
enum { OF_INPUT = 8 };

struct operand {
    ufc_type type;
    int rank, sizes[RANK];
};

/* The arrays of a call. */
struct call {
    int nloop;
    int64_t loop[LOOP], core[MAX_OPERANDS][RANK];
    int rank[MAX_OPERANDS];           /* less where an optional dimension is missing */
    unsigned broadcast[MAX_OPERANDS]; /* a bit a loop axis, along which an input has size 1 */
    bool across;                      /* elements of neighbouring calls are neighbours */
};

struct gufunc {
    char name[24];
    int nin, nout;
    struct operand operands[MAX_OPERANDS];
    struct call calls[CASES];
};

struct program {
    uint64_t seed;
    char *text;
    struct gufunc main;
};

enum form {
    GENERAL,
    PRODUCT,
    STACK,
    BAND,
    CAUSAL,
    TERMS,
    SOLVE,
    WINDOW,
    WINDOW_2,
    STENCIL,
    PASSES,
    TRIANGLE,
    PAIRS,
    VECTOR,
    UPDATE,
    LOOPS,
    TOTALS,
    ROWS,
    SELDOM,
    MIXED,
    COLOURS,
    STEPS,
    FORMS
};

/* What a case is to be like. */
enum regime { SMALL, MEDIUM, WIDE, WIDEST, ACROSS, SQUARE, MANY, MOST_MANY, TILES, WINDOWS, LARGE };

/* ---- dimensions */

static int add_size(struct draw *d, const char *text) {
    struct size *s = &d->sizes[d->nsizes];
    *s = (struct size){.is_number = *text >= '0' && *text <= '9' && strlen(text) == 1};
    snprintf(s->text, sizeof s->text, "%s", text);
    for (int c = 0; c < CASES && s->is_number; c++)
        s->at[c] = *text - '0';
    return d->nsizes++;
}

static int64_t up_to(struct draw *d, int64_t least, int64_t greatest_one) {
    return least + (int64_t)dice(d, (uint64_t)(greatest_one - least + 1));
}

/* The sizes of the names in case c. */
static void draw_sizes(struct draw *d, int c, int names, enum regime regime) {
    int large = names > 0 ? (int)dice(d, (uint64_t)names) : 0;
    int64_t same = up_to(d, 2, 4);
    for (int i = 0; i < names; i++) {
        int64_t *at = &d->sizes[i].at[c];
        bool is_large = i == large;
        switch (regime) {
        case SMALL: *at = chance(d, 15) ? 0 : up_to(d, 1, 5); break;
        case MEDIUM: *at = up_to(d, 1, is_large ? 40 : 9); break;
        case WIDE: *at = is_large ? up_to(d, 60, 300) : up_to(d, 1, 6); break;
        case WIDEST:
            *at = is_large ? up_to(d, 1030, chance(d, 50) ? 2000 : 5500) : up_to(d, 1, 3);
            break;
        case ACROSS: *at = is_large ? up_to(d, 8, 400) : up_to(d, 1, 5); break;
        case SQUARE: *at = i == 2 ? up_to(d, 1, 24) : up_to(d, 8, 75); break;
        case WINDOWS:
            *at = i >= names / 2 ? up_to(d, 1, 4)
                  : names == 2   ? up_to(d, 1030, 1400)
                  : i            ? up_to(d, 85, 128)
                                 : up_to(d, 13, 16);
            break;
        case LARGE:
            *at = names == 1   ? up_to(d, 3000, 6000)
                  : names == 2 ? up_to(d, 40, 100)
                               : up_to(d, 12, 20);
            break;
        case TILES: *at = i == 2 ? up_to(d, 1, 3) : up_to(d, 33, 40); break;
        default: *at = same; break;
        }
    }
}

/* The size of an output, made of the names. */
static int computed_size(struct draw *d, int names, int i) {
    int j = (int)dice(d, (uint64_t)names);
    char text[40];
    int64_t at[CASES];
    uint64_t which = dice(d, 6);
    if (d->sizes[j].is_optional)
        j = i;
    if (which == 1 && i == j) /* the compiler would know the size, and refuse numbers beyond it */
        which = 0;
    const char *a = d->sizes[i].text, *b = d->sizes[j].text;
    for (int c = 0; c < CASES; c++) {
        int64_t x = d->sizes[i].at[c], y = d->sizes[j].at[c], full = x + y - 1, rest = x - y + 1;
        const int64_t all[] = {full > 0 ? full : 0, rest > 0 ? rest : 0, x + 2,
                               x / 2 + 1,           (x + 2) / 3,         x > y ? x : y};
        at[c] = all[which];
    }
    const char *const formats[] = {"max(%s + %s - 1, 0)", "max(%s - %s + 1, 0)", "%s + 2",
                                   "%s // 2 + 1",         "(%s + 2) // 3",       "max(%s, %s)"};
    snprintf(text, sizeof text, formats[which], a, b);
    for (int k = 0; k < d->nsizes; k++)
        if (strcmp(d->sizes[k].text, text) == 0)
            return k;
    int s = add_size(d, text);
    d->sizes[s].is_computed = true;
    memcpy(d->sizes[s].at, at, sizeof at);
    return s;
}

/* ---- operands */

static int add_array(struct draw *d, char letter, ufc_type t, int rank, const int *sizes) {
    struct array *a = &d->arrays[d->narrays];
    *a = (struct array){.type = t,
                        .rank = rank,
                        .bound = letter == 'x' ? OF_INPUT : OF_ARRAY,
                        .readable = letter == 'x'};
    for (int r = 0; r < rank; r++)
        a->sizes[r] = sizes[r];
    snprintf(a->name, sizeof a->name, "%c%d", letter, d->ndeclared++);
    return d->narrays++;
}

/* Does one more dimension leave the array small enough? */
static bool fits(const struct draw *d, int s, const double *times) {
    for (int c = 0; c < CASES; c++)
        if (times[c] * (double)d->sizes[s].at[c] > MOST_OF_ONE)
            return false;
    return true;
}

/* Of names and numbers; of an output also what is computed. */
static void draw_operand(struct draw *d, char letter, int names, bool has[]) {
    static const char *const whole[] = {"2", "3", "4", "5"};
    int sizes[RANK], rank = (int)dice(d, 10);
    rank = rank < 1 ? 0 : rank < 6 ? 1 : rank < 9 ? 2 : 3;
    double times[CASES] = {1, 1, 1};
    for (int r = 0; r < rank; r++) {
        int s = names > 0 ? (int)dice(d, (uint64_t)names) : 0;
        if (names == 0 || chance(d, 15) || !fits(d, s, times)) {
            const char *text = PICK(d, whole);
            for (s = 0; s < d->nsizes && strcmp(d->sizes[s].text, text) != 0; s++) {
            }
            if (s == d->nsizes)
                s = add_size(d, text);
        } else if (letter == 'y' && chance(d, 20) && !d->sizes[s].is_optional) {
            int computed = computed_size(d, names, s);
            s = fits(d, computed, times) ? computed : s;
        } else if (letter == 'y' && !has[s])
            for (s = 0; !has[s]; s++) {
            }
        if (s < names && letter == 'x')
            has[s] = true;
        sizes[r] = s;
        for (int c = 0; c < CASES; c++)
            times[c] *= (double)d->sizes[s].at[c];
    }
    add_array(d, letter, PICK(d, numbers), rank, sizes);
}

#include "draw_form.h"

/* ---- bodies */

/* Each output is written whole before anything reads it. */
static void general_body(struct draw *d) {
    int nouts = 0, statements = d->depth > 1 ? 4 : 1;
    for (int i = 0; i < d->narrays; i++)
        nouts += *d->arrays[i].name == 'y';
    int first = d->narrays - nouts;
    for (int i = 0; i < nouts; i++) {
        if (chance(d, 40))
            draw_block(d, statements);
        draw_definition(d, first + i, true);
        d->arrays[first + i].readable = true;
    }
    if (chance(d, 60))
        draw_block(d, statements);
}

/* ---- calls */

/* The core calls that a regime is for. */
static int64_t wanted_calls(struct draw *d, enum regime r) {
    switch (r) {
    case SMALL: return (int64_t)dice(d, 30);
    case MEDIUM: return up_to(d, 1, 12);
    case WIDE: return up_to(d, 1, 20);
    case WIDEST: return up_to(d, 1, 4);
    case ACROSS: return up_to(d, 16, 100);
    case SQUARE: return up_to(d, 1, 6);
    case MANY: return up_to(d, 4096, 4600);
    case LARGE: return up_to(d, 1, 8);
    case TILES: return 200;
    case WINDOWS: return up_to(d, 32, 40);
    default: return up_to(d, 65536, 66000);
    }
}

/* How much more than others it may take. */
static double room_of(enum regime r) {
    return r == TILES ? 30 : r == MOST_MANY || r == WINDOWS || r == LARGE ? 10 : r == MANY ? 4 : 1;
}

static int64_t elements_of(const struct draw *d, const struct operand *o, int c) {
    int64_t n = 1;
    for (int r = 0; r < o->rank; r++)
        n *= d->sizes[o->sizes[r]].at[c];
    return n;
}

/* As many calls as are wanted, and as can be afforded. */
static void draw_call_shape(struct draw *d, struct gufunc *f, int c, enum regime regime) {
    struct call *call = &f->calls[c];
    int64_t calls = wanted_calls(d, regime), elements = 1;
    double cost = (double)calls * (d->cost[c] + 1), room = room_of(regime);
    for (int k = 0; k < f->nin + f->nout; k++)
        elements += elements_of(d, &f->operands[k], c);
    if (cost > MOST_COST * room)
        calls = (int64_t)((double)calls * MOST_COST / cost);
    if ((double)calls * (double)elements > MOST_ELEMENTS * room)
        calls = MOST_ELEMENTS / elements;
    if (calls < 1 && regime != SMALL)
        calls = 1;
    call->across = regime == ACROSS || (regime == MOST_MANY && chance(d, 50));
    bool missing = false;
    for (int i = 0; i < d->nsizes && !call->across; i++)
        missing = missing || (d->sizes[i].is_optional && d->sizes[i].at[c] == 1);
    call->nloop = missing ? 0 : calls == 1 ? (int)dice(d, 2) : 1 + (int)dice(d, LOOP);
    for (int i = 0; i < call->nloop; i++) {
        int64_t part = i == call->nloop - 1 ? calls : 1 + (int64_t)dice(d, calls > 4 ? 4 : 2);
        call->loop[i] = part;
        calls = part > 0 ? (calls + part - 1) / part : 0;
    }
    for (int k = 0; k < f->nin; k++)
        for (int i = 0; i < call->nloop && k > 0; i++)
            call->broadcast[k] |= chance(d, 25) ? 1U << i : 0;
    for (int k = 0; k < f->nin + f->nout; k++)
        for (int r = 0; r < f->operands[k].rank; r++) {
            const struct size *s = &d->sizes[f->operands[k].sizes[r]];
            if (!s->is_optional || !missing)
                call->core[k][call->rank[k]++] = s->at[c];
        }
}

/* ---- programs */

static enum regime regime_of(struct draw *d, enum form form) {
    static const enum regime of_products[] = {SMALL, SQUARE, SQUARE, MEDIUM, MANY, WIDE, ACROSS};
    bool product =
        form == PRODUCT || form == STACK || form == BAND || form == CAUSAL || form == TERMS;
    if (product && chance(d, 2))
        return TILES;
    if ((form == WINDOW || form == WINDOW_2) && chance(d, 30))
        return WINDOWS;
    if (form == STENCIL && chance(d, 40))
        return LARGE;
    static const enum regime of_one[] = {SMALL, WIDE, WIDEST, WIDEST, WIDEST};
    if (form == SELDOM && chance(d, 80))
        return PICK(d, of_one);
    static const enum regime others[] = {SMALL,  MEDIUM, WIDE, WIDE,   WIDEST,
                                         WIDEST, MANY,   MANY, ACROSS, MOST_MANY};
    return product ? PICK(d, of_products) : PICK(d, others);
}

/* Until no array of a call is too large. */
static void limit_sizes(struct draw *d, int c, int names, enum form form) {
    for (int64_t i = 0, most = forms[form].largest; i < names && most > 0; i++)
        if (d->sizes[i].at[c] > most)
            d->sizes[i].at[c] %= most;
    for (;;) {
        int64_t product = 1, *large = &d->sizes[0].at[c];
        for (int i = 0; i < names; i++) {
            int64_t n = d->sizes[i].at[c];
            product *= n > 1 ? n : 1;
            large = n > *large ? &d->sizes[i].at[c] : large;
        }
        if (product <= (form == GENERAL ? MOST_OF_ONE : 8 * MOST_OF_ONE))
            return;
        *large /= 2;
    }
}

static void draw_dimensions(struct draw *d, enum form form, int names, enum regime *regimes) {
    for (int i = 0; i < names; i++)
        add_size(d, forms[form].names[i]);
    for (char whole[] = "2"; names == 0 && *whole < '5'; ++*whole)
        add_size(d, whole);
    for (int c = 0; c < CASES; c++) {
        regimes[c] = c == 0 ? SMALL : names == 0 ? MANY : regime_of(d, form);
        draw_sizes(d, c, names, regimes[c]);
        limit_sizes(d, c, names, form);
    }
    bool may = form == GENERAL || form == PRODUCT;
    bool has_optional = may && names > 0 && chance(d, 12);
    int optional = has_optional ? (int)dice(d, form == PRODUCT ? 2 : (uint64_t)names) : -1;
    if (optional >= 0)
        d->sizes[optional].is_optional = true;
    for (int c = 0; c < CASES && optional >= 0; c++)
        if (chance(d, 50))
            d->sizes[optional].at[c] = 1;
}

static void draw_operands(struct draw *d, enum form form, int names) {
    if (forms[form].operands) {
        forms[form].operands(d, names);
        return;
    }
    int nin = 1 + (int)dice(d, 3), nout = 1 + (int)dice(d, chance(d, 60) ? 1 : MAX_OUT);
    bool has[4] = {false};
    draw_operand(d, 'x', names, has);
    while (names > 0 && !has[0] && !has[1] && !has[2]) {
        d->narrays--;
        draw_operand(d, 'x', names, has);
    }
    for (int i = 1; i < nin; i++)
        draw_operand(d, 'x', names, has);
    for (int i = 0; i < names; i++) /* of which no size is known */
        if (!has[i]) {
            has[i] = true;
            add_array(d, 'x', PICK(d, numbers), 1, &i);
        }
    for (int i = 0; i < nout; i++)
        draw_operand(d, 'y', names, has);
}

static void put_head(struct draw *d, struct gufunc *f) {
    put(d, "gufunc %s(", f->name);
    for (int i = 0; i < d->narrays; i++) {
        put(d, i == f->nin ? ") -> (" : i > 0 ? ", " : "");
        put_operand(d, d->arrays[i].name, &d->arrays[i]);
        f->operands[i] = (struct operand){.type = d->arrays[i].type, .rank = d->arrays[i].rank};
        memcpy(f->operands[i].sizes, d->arrays[i].sizes, sizeof f->operands[i].sizes);
    }
    put(d, ") : (");
    for (int i = 0; i < d->narrays; i++) {
        int k = (i + f->nin) % d->narrays; /* outputs first */
        put(d, "%s%s", i == f->nout ? ")(" : i > 0 ? ", " : "", type_names[f->operands[k].type]);
    }
    put(d, ")\n{\n");
}

/* The caller frees its text. */
static struct program draw_program(uint64_t seed) {
    struct draw d = {.seed = seed, .defined = -1, .indent = 1};
    struct program p = {.seed = seed};
    enum regime regimes[CASES];
    size_t size;
    REQUIRE(d.out = open_memstream(&p.text, &size));
    enum form form = chance(&d, 50) ? GENERAL : 1 + (enum form)dice(&d, FORMS - 1);
    int least = forms[form].least;
    int names = form == GENERAL && chance(&d, 4)
                    ? 0
                    : least + (int)dice(&d, (uint64_t)(forms[form].most - least + 1));
    draw_dimensions(&d, form, names, regimes);
    draw_operands(&d, form, names);
    for (int c = 0; c < CASES; c++)
        d.weight[c] = 1;
    put(&d, "def join%llu(a, b) = (a * b + a + b) %% 97\n", (unsigned long long)seed);
    put(&d, "const K%llu = [%d, -7, 50, 0, -%d, 3]\n", (unsigned long long)seed, (int)dice(&d, 50),
        (int)dice(&d, 50));
    put(&d, "const R%llu = [[4, -1, %d], [0, 50, 2]]\nconst N%llu = 3\n", (unsigned long long)seed,
        (int)dice(&d, 50), (unsigned long long)seed);
    put(&d, "def later%llu(a, b) = b\n", (unsigned long long)seed);
    put(&d, "def affine%llu(a, b, c, d) { return a * c %% 97, (b * c + d) %% 97 }\n",
        (unsigned long long)seed);
    put(&d, "def larger%llu(a, b) = a if a > b else b\n", (unsigned long long)seed);
    for (int i = 0; i < d.narrays; i++)
        *(*d.arrays[i].name == 'x' ? &p.main.nin : &p.main.nout) += 1;
    for (int n = (int)dice(&d, 1 + MAX_HELPERS); form == GENERAL && n > 0; n--)
        draw_helper(&d);
    d.calls = form == GENERAL && chance(&d, 40);
    d.called = PICK(&d, numbers);
    if (d.calls)
        put_called(&d);
    snprintf(p.main.name, sizeof p.main.name, "g%llu", (unsigned long long)seed);
    put_head(&d, &p.main);
    d.depth = chance(&d, 30) ? 1 : 2 + (int)dice(&d, 2);
    if (forms[form].body)
        forms[form].body(&d);
    else
        general_body(&d);
    if (form != GENERAL && chance(&d, 30))
        draw_block(&d, 2);
    put(&d, "}\n");
    fclose(d.out);
    for (int c = 0; c < CASES; c++)
        draw_call_shape(&d, &p.main, c, regimes[c]);
    return p;
}

#endif
