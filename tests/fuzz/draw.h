/* draw.h: random programs: a ufunc, with the defs and ufuncs that it calls, of whatever gives the
 * same bits everywhere: all types and statements, and the functions that are not transcendental.
 *
 * A program is drawn from its seed alone.  Its functions' names end in the seed, so that many go
 * into one source. */
#ifndef DRAW_H
#define DRAW_H

#include "draw_expr.h"

/* ---- statements */

enum { DEPTH = 3 };

static void draw_block(struct draw *d, int statements);

static void line(struct draw *d) {
    put(d, "%*s", 4 * d->indent, "");
}

static int declare_name(struct draw *d, ufc_type t, bool is_var) {
    int i = d->nnames++;
    snprintf(d->names[i].name, sizeof d->names[i].name, "%c%d", is_var ? 'v' : 'x',
             d->ndeclared++ % 1000);
    d->names[i].type = t;
    d->names[i].is_var = is_var;
    d->names[i].is_index = false;
    return i;
}

/* A type that values of t are stored in without being asked. */
static ufc_type same_kind(struct draw *d, ufc_type t) {
    char kind[2] = {kind_of(t), 0};
    return chance(d, 20) ? type_of(d, kind) : t;
}

static void draw_let(struct draw *d) {
    bool is_var = chance(d, 50);
    ufc_type t = any_type(d), to = same_kind(d, t);
    line(d);
    if (is_var && chance(d, 10)) {
        put(d, "var %s: %s\n", d->names[declare_name(d, t, true)].name, type_names[t]);
        return;
    }
    int i = declare_name(d, to, is_var);
    put(d, "%s %s", is_var ? "var" : "let", d->names[i].name);
    if (to != t || chance(d, 20))
        put(d, ": %s", type_names[to]);
    put(d, " = ");
    d->nnames--; /* not in its own value */
    draw_expr(d, t, DEPTH);
    d->nnames++;
    put(d, "\n");
}

/* Two or more names at once. */
static void draw_several(struct draw *d) {
    static const ufc_type floats[] = {UFC_FLOAT16, UFC_BFLOAT16, UFC_FLOAT32, UFC_FLOAT64};
    const struct function *f = NULL;
    for (int i = 0; i < d->nfunctions; i++)
        if (d->functions[i].nout > 1)
            f = &d->functions[i];
    int first = d->nnames, n = f && chance(d, 60) ? f->nout : 2;
    bool own = f && n == f->nout && chance(d, 80);
    uint64_t which = dice(d, 3);
    ufc_type t = which == 0 ? type_of(d, "iuf") : PICK(d, floats);
    for (int i = 0; i < (own ? f->nout : 2); i++)
        declare_name(d, own ? f->out[i] : which == 2 && i ? UFC_INT32 : t, false);
    line(d);
    put(d, "let ");
    for (int i = first; i < d->nnames; i++)
        put(d, "%s%s", i > first ? ", " : "", d->names[i].name);
    put(d, " = ");
    int after = d->nnames;
    d->nnames = first;
    if (own)
        draw_arguments(d, f, DEPTH - 1);
    else
        draw_call_of(d, t, (const char *[]){"divmod", "modf", "frexp"}[which], which ? 1 : 2,
                     DEPTH - 1);
    d->nnames = after;
    put(d, "\n");
}

static void draw_assignment(struct draw *d) {
    static const char *const whole[] = {"+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>"};
    static const char *const real[] = {"+", "-", "*", "/", "//", "%"};
    static const char *const of_complex[] = {"+", "-", "*", "/"};
    static const char *const logic[] = {"&", "|", "^"};
    ufc_type t = any_type(d), u = any_type(d);
    int a = name_of(d, t, true), b = name_of(d, u, true);
    if (a < 0)
        return;
    line(d);
    put(d, "%s", d->names[a].name);
    if (b >= 0 && a != b && chance(d, 40)) {
        put(d, ", %s = ", d->names[b].name);
        draw_expr(d, t, DEPTH - 1);
        put(d, ", ");
        draw_expr(d, u, DEPTH - 1);
    } else if (chance(d, 50)) {
        char kind = kind_of(t);
        const char *op = kind == 'b'   ? PICK(d, logic)
                         : kind == 'f' ? PICK(d, real)
                         : kind == 'c' ? PICK(d, of_complex)
                                       : PICK(d, whole);
        put(d, " %s= ", op);
        draw_operand(d, t, DEPTH - 1, *op != '<' && *op != '>');
    } else {
        put(d, " = ");
        draw_operand(d, t, DEPTH, t != UFC_BOOL);
    }
    put(d, "\n");
}

static void draw_return(struct draw *d) {
    line(d);
    put(d, "return ");
    for (int i = 0; i < d->current->nout; i++) {
        put(d, i ? ", " : "");
        draw_expr(d, d->current->is_ufunc ? same_kind(d, d->current->out[i]) : d->current->out[i],
                  DEPTH);
    }
    put(d, "\n");
}

static void draw_body(struct draw *d, int statements) {
    int before = d->nnames;
    d->indent++;
    put(d, " {\n");
    draw_block(d, statements);
    d->indent--;
    d->nnames = before;
    line(d);
    put(d, "}");
}

static void draw_if(struct draw *d) {
    line(d);
    put(d, "if ");
    draw_expr(d, UFC_BOOL, DEPTH);
    draw_body(d, 2);
    for (int i = 0; i < 2 && chance(d, 25); i++) {
        put(d, " elif ");
        draw_expr(d, UFC_BOOL, DEPTH - 1);
        draw_body(d, 1);
    }
    if (chance(d, 40)) {
        put(d, " else");
        draw_body(d, 2);
    }
    put(d, "\n");
}

/* An end that data decide on, small. */
static void draw_bound(struct draw *d) {
    ufc_type t = type_of(d, "iu");
    if (chance(d, 50))
        put(d, "%d", (int)dice(d, 7));
    else {
        put(d, "(");
        draw_expr(d, t, 1);
        put(d, " %% 6)");
    }
}

static void draw_for(struct draw *d) {
    static const char *const steps[] = {"..1", "..2", "..3", "..-1", "..-2"};
    int before = d->nnames, i = declare_name(d, UFC_INT64, false);
    d->names[i].is_index = true;
    line(d);
    put(d, "for %s in ", d->names[i].name);
    d->nnames--; /* not in its own range */
    draw_bound(d);
    put(d, "..");
    draw_bound(d);
    put(d, "%s", chance(d, 30) ? PICK(d, steps) : "");
    d->nnames++;
    d->nloops++;
    draw_body(d, 3);
    d->nloops--;
    d->nnames = before;
    put(d, "\n");
}

static void draw_while(struct draw *d) {
    int before = d->nnames, i = declare_name(d, UFC_INT64, false); /* its body only counts it */
    line(d);
    put(d, "var %s = 0\n", d->names[i].name);
    line(d);
    put(d, "while %s < %d and ", d->names[i].name, 1 + (int)dice(d, 6));
    draw_expr(d, UFC_BOOL, DEPTH - 1);
    put(d, " {\n%*s%s += 1\n", 4 * d->indent + 4, "", d->names[i].name);
    d->nloops++;
    d->indent++;
    draw_block(d, 3);
    d->indent--;
    d->nloops--;
    d->nnames = before;
    line(d);
    put(d, "}\n");
}

static void draw_statement(struct draw *d) {
    uint64_t which = dice(d, 20);
    if (d->nnames > MAX_NAMES - 8)
        which = 7;
    if (which < 6)
        draw_let(d);
    else if (which < 7)
        draw_several(d);
    else if (which < 13 || d->indent > 3)
        draw_assignment(d);
    else if (which < 16)
        draw_if(d);
    else if (which < 17)
        draw_for(d);
    else if (which < 18)
        draw_while(d);
    else if (d->indent > 1) {
        line(d);
        put(d, "if ");
        draw_expr(d, UFC_BOOL, DEPTH - 1);
        put(d, " {\n");
        d->indent++;
        if (d->nloops > 0 && chance(d, 70)) {
            line(d);
            put(d, chance(d, 50) ? "break\n" : "continue\n");
        } else
            draw_return(d);
        d->indent--;
        line(d);
        put(d, "}\n");
    }
}

static void draw_block(struct draw *d, int statements) {
    for (int n = 1 + (int)dice(d, (uint64_t)statements); n > 0; n--)
        draw_statement(d);
}

/* ---- functions and programs */

struct program {
    uint64_t seed;
    char *text;
    struct function main;
};

static void draw_types(struct draw *d, const ufc_type *types, int n) {
    for (int i = 0; i < n; i++)
        put(d, "%s%s", i ? ", " : "", type_names[types[i]]);
}

static void draw_function(struct draw *d, struct function *f, const char *name, int statements) {
    snprintf(f->name, sizeof f->name, "%s%llu", name, (unsigned long long)d->seed);
    f->nin = 1 + (int)dice(d, MAX_IN);
    f->nout = chance(d, 60) ? 1 : 1 + (int)dice(d, MAX_OUT);
    d->current = f;
    d->nnames = 0;
    put(d, "%s %s(", f->is_ufunc ? "ufunc" : "def", f->name);
    for (int i = 0; i < f->nin; i++) {
        f->in[i] = any_type(d);
        put(d, "%s%s", i ? ", " : "", d->names[declare_name(d, f->in[i], false)].name);
    }
    for (int i = 0; i < f->nout; i++)
        f->out[i] = any_type(d);
    put(d, ")");
    if (f->is_ufunc) {
        put(d, f->nout > 1 ? " : (" : " : ");
        draw_types(d, f->out, f->nout);
        put(d, f->nout > 1 ? ")(" : "(");
        draw_types(d, f->in, f->nin);
        put(d, ")");
    }
    put(d, "\n{\n");
    d->indent = 1;
    draw_block(d, statements);
    draw_return(d);
    put(d, "}\n");
}

/* The caller frees its text. */
static struct program draw_program(uint64_t seed) {
    static const char *const names[MAX_FUNCTIONS] = {"f", "g", "h"};
    struct draw d = {.seed = seed};
    struct program p = {.seed = seed};
    size_t size;
    REQUIRE(d.out = open_memstream(&p.text, &size));
    int n = (int)dice(&d, MAX_FUNCTIONS);
    for (int i = 0; i < n; i++) {
        struct function f = {.is_ufunc = chance(&d, 50)};
        draw_function(&d, &f, names[i], 3);
        d.functions[d.nfunctions++] = f;
    }
    p.main.is_ufunc = true;
    draw_function(&d, &p.main, "p", 8);
    fclose(d.out);
    return p;
}

#endif
