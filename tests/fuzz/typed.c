/* typed.c: whatever types meet in a built-in function, an operator or a statement, the compiler
 * gives a program or errors, and never crashes.
 *
 *     typed ufunc|gufunc|def|declaration EVERY GENERATE
 *
 * The cases whose number EVERY divides, in the body of a ufunc, of a gufunc or of a def that a
 * ufunc calls; with code of one in GENERATE of those that compile.
 *
 * A case is a template with a type for each $ and an operand for each @: of every type, weak or
 * not, a constant or not, or no value at all.  They run in a child process; where it crashes,
 * another one goes on behind. */
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../test.h"
#include "ufcc.h"

enum { MAX_HOLES = 5, MAX_TEXT = 2048, MAX_FAILURES = 20 };

static const char *const types[] = {"bool",     "int8",    "uint8",   "int16",     "uint16",
                                    "int32",    "uint32",  "int64",   "uint64",    "float16",
                                    "bfloat16", "float32", "float64", "complex64", "complex128"};
enum { TYPES = sizeof types / sizeof *types };

/* Operands beside one of each type; the first ones alone where three or more meet. */
static const char *const others[] = {"True",
                                     "3",
                                     "0.5",
                                     "2j",
                                     "k",
                                     "0",
                                     "-1",
                                     "300",
                                     "2**100",
                                     "-2.0",
                                     "1e300",
                                     "inf",
                                     "nan",
                                     "int8(-128)",
                                     "float16(1)",
                                     "float32(2)",
                                     "complex64(1)",
                                     "(k * 0.5)",
                                     "(k * 2j)",
                                     "(1 if k > 0 else 0.5)",
                                     "a",
                                     "w",
                                     "pair(k)",
                                     "total"};
enum { OTHERS = sizeof others / sizeof *others, FEW = 5 };

static const struct function {
    const char *name;
    int nargs;
    bool alias; /* checked as another name is */
} functions[] = {
#define BUILTIN(ID, name, nargs, ...) {name, nargs, false},
#define ALIAS(name, of)               {name, 0, true},
#define WRITTEN(name, nargs, ...)     {name, nargs, false},
#include "../../compiler/builtin.def"
    {"where", 3, false}, {"divmod", 2, false}, {"remainder", 2, false}, {"mod", 2, false},
    {"pair", 1, false},  {"scaled", 2, false}, {"chosen", 2, false},    {"total", 1, false}};

static const struct operation {
    const char *spelling;
    int arity;
    bool assigns; /* with an = behind it */
} operations[] = {
#define OP(ID, spelling, arity, kind) {spelling, arity, (arity) == 2 && OP_##kind},
#define OP_ARITH                      true
#define OP_BITS                       true
#define OP_SHIFT                      true
#define OP_COMPARE                    false
#define OP_LOGIC                      false
#include "../../compiler/op.def"
};

static const char *const comprehensions[] = {
#define REDUCE(ID, name) name,
#include "../../compiler/reduce.def"
};

/* Behind a comprehension's name. */
static const char *const elements[] = {"(@ for j in 0..3)",
                                       "(@ for v in a if @)",
                                       "(v for v in @)",
                                       "(a[j] for j in @..@)",
                                       "(j * 2.5 for j in 0..3..@)",
                                       "(@)",
                                       "(@, @)",
                                       "(@, @ for j in 0..3)",
                                       "(scaled, @, @ for j in 0..3)",
                                       "(chosen, 0, @ for v in a)",
                                       "(pair, @, 1 for v in a)",
                                       "(@, 0, 1 for v in a)"};

static const char *const statements[] = {"y = @",
                                         "y = @ if @ else @",
                                         "y = $(@)",
                                         "y = T(@)",
                                         "y = dtype(p0)(@)",
                                         "y = a[@]",
                                         "y = a[@, @]",
                                         "y = w[k - @]",
                                         "let s = @; y = s",
                                         "let s: $ = @; y = s",
                                         "var s = @; s = @; y = s",
                                         "var s: $ = @; y = s",
                                         "var s: $; s = @",
                                         "let s, t = @, @; y = s + t",
                                         "let s, t = @",
                                         "let s, t = pair(@); y = s * t",
                                         "let s, t: $ = pair(@); y = s",
                                         "let s, t = frexp(@); y = t",
                                         "let s, t = modf(@)",
                                         "let s, t = divmod(@, @); y = s",
                                         "let s, t = sin(@)",
                                         "let s, t, u = modf(@)",
                                         "y, y = pair(@)",
                                         "y, w[0] = @, @",
                                         "if @ { y = 1 }",
                                         "if @ == 1 { y = 1 } elif not @ { y = 2 }",
                                         "while @ { y = 1; break }",
                                         "for j in @..@ { y = j }",
                                         "for j in @..@..@ { y = j }",
                                         "for v in @ { y = v }",
                                         "return",
                                         "return @",
                                         "return @, @",
                                         "y = @; break",
                                         "w[@] = @",
                                         "w = @",
                                         "p0 = @",
                                         "@ = 1",
                                         "k = @",
                                         "var u: $[3]; u[1] = @; y = u[1]",
                                         "var u: $[3]; u[0] += @; y = u[0]",
                                         "var u: float32[@]; y = u[0]",
                                         "z[@] = @",
                                         "z[j] = @ for j",
                                         "z[j] = @ for j in @..@",
                                         "z[j] = 1 for j in 0..3..@",
                                         "z[j] = 1 for j if @",
                                         "z[j] += @ for j",
                                         "z[j] *= @ for j in 0..@",
                                         "z[a[j]] = @ for j",
                                         "z[0] = @; z[0] += z[@]"};

/* In the place of all of it. */
static const char *const declarations[] = {
    "const C = @\nufunc f(x) : $($) = x + C\n",
    "ufunc f(x) : $($) = x\n",
    "ufunc f(x) : $($), $($) = x\n",
    "ufunc f(x, y) : $($) = x\n",
    "ufunc f(x) : $(bool) = @\n",
    "ufunc f(x) : (int32, $)(bool) = @, @\n",
    "ufunc f(x) : $(float32) = @, 1\n",
    "ufunc f(x) : ($, $)($) = frexp(x)\n",
    "ufunc f(x, y) : ($, $)($, $) = divmod(x, y)\n",
    "ufunc f(x, y) : T(T, T) for T in $ with identity @ = x * y\n",
    "gufunc f(x[@]) -> y : $($) = x[0]\n",
    "gufunc f(x[n]) -> y[n + @] : $($) { y[j] = x[0] for j in 0..n }\n",
    "gufunc f(x[n]) -> y : $($) = sum(v for v in x)\n",
    "gufunc f(x[n]) -> y : $($) = argmax(v for v in x)\n",
    "gufunc f(x[n]) -> y : $($) { y = mean(v for v in x) + @ }\n"};

static const char helpers[] =
    "def scaled(x, y) = x * y\n"
    "def pair(x) { return x, x + 1 }\n"
    "def total(v[m]) = sum(e for e in v)\n"
    "ufunc chosen(x, y) : int32(int32, int32), float64(float64, float64),\n"
    "    complex64(complex64, complex64) with identity 0 = x + y\n";

/* ---- a case as a source */

enum mode { UFUNC, GUFUNC, DEF, DECLARATION };
static enum mode mode;

struct hole {
    bool is_type;
    int choice; /* a type, or, behind them, one of others */
};

static const char *operand(const struct hole *h, int i, enum mode within, char *room) {
    if (h->choice >= TYPES && within != DEF)
        return others[h->choice - TYPES];
    sprintf(room, within == DEF ? "x%d" : within == GUFUNC ? "p%d[k]" : "p%d", i);
    if (within == DECLARATION)
        sprintf(room, "%s(1)", types[h->choice]);
    return room;
}

/* The template with what is in its holes. */
static void fill(FILE *out, const char *template, const struct hole *holes, enum mode within) {
    char room[32];
    int i = 0;
    for (const char *c = template; *c; c++)
        if (*c == '$')
            fputs(types[holes[i++].choice], out);
        else if (*c == '@') {
            fputs(operand(&holes[i], i, within, room), out);
            i++;
        } else
            fputc(*c, out);
}

static void write_params(FILE *out, const struct hole *holes, int n, const char *format) {
    for (int i = 0; i < n; i++)
        if (!holes[i].is_type)
            fprintf(out, format, i);
}

static void write_types(FILE *out, const struct hole *holes, int n) {
    for (int i = 0; i < n; i++)
        if (!holes[i].is_type)
            fprintf(out, ", %s", holes[i].choice < TYPES ? types[holes[i].choice] : "bool");
}

static const char arrays[] = "    var y: complex64\n    var a: int32[3]\n    var z: float32[3]\n";

/* A body that knows y, which is a complex64, an index k, arrays a, w, z, and the operands. */
static void write_body(FILE *out, const char *template, const struct hole *holes,
                       enum mode within) {
    fprintf(out, "%s    var w: float32[3]\n    for k in 0..2 { ",
            within == GUFUNC ? "    var y: complex64\n" : arrays);
    fill(out, template, holes, within);
    fputs(" }\n", out);
}

static void write_source(FILE *out, const char *template, const struct hole *holes, int n) {
    fputs(helpers, out);
    if (mode == DECLARATION) {
        fill(out, template, holes, mode);
        return;
    }
    if (mode == DEF) {
        fputs("def g(x", out);
        write_params(out, holes, n, ", x%d");
        fputs(")\n{\n", out);
        write_body(out, template, holes, mode);
        fputs("    return y\n}\n", out);
    }
    fputs(mode == GUFUNC ? "gufunc f(a[n]" : mode == DEF ? "ufunc f(a" : "ufunc f(x", out);
    write_params(out, holes, n, mode == GUFUNC ? ", p%d[n]" : ", p%d");
    fprintf(out, "%s : T(int32", mode == GUFUNC ? ") -> z[n]" : ")");
    write_types(out, holes, n);
    fputs(") for T in complex64\n{\n", out);
    if (mode != DEF)
        write_body(out, template, holes, mode);
    else {
        fputs("    var y: complex64\n    var w: float32[3]\n    for k in 0..2 { y = g(a", out);
        for (int i = 0; i < n; i++) {
            char room[32];
            if (!holes[i].is_type)
                fprintf(out, ", %s", operand(&holes[i], i, UFUNC, room));
        }
        fputs(") }\n", out);
    }
    fputs(mode == GUFUNC ? "    z[j] = y for j\n}\n" : "    return y\n}\n", out);
}

/* ---- the compiler's answer */

/* What a child leaves. */
static struct {
    long next, run, compiled, generated, failures; /* next: where another child goes on */
    char text[MAX_TEXT];
} * state;

static long every, generate_every, number;

struct seen {
    int errors;
    bool internal;
};

static void report(void *user, const ufcc_diagnostic *d) {
    struct seen *seen = user;
    seen->errors += d->severity == UFCC_ERROR;
    seen->internal = seen->internal || strstr(d->message, "internal error");
}

static void drop(void *user, const char *text, size_t size) {
    (void)user, (void)text, (void)size;
}

/* What is wrong with it, or NULL. */
static const char *compile(const char *text) {
    struct seen seen = {0};
    ufcc_options options = {.targets = state->run % 16 ? UFCC_HOST : UFCC_HOST | UFCC_CUDA,
                            .native = true,
                            .only = "f",
                            .diagnostic = report,
                            .dumped = drop,
                            .user = &seen,
                            .dump = "yp"};
    ufcc_program *program = ufcc_compile("typed.uf", text, strlen(text), &options);
    const char *wrong = NULL;
    if (!program && !seen.errors)
        wrong = "no program, and no error";
    if (program && seen.errors)
        wrong = "a program, and errors";
    state->compiled += program != NULL;
    if (program && generate_every && state->compiled % generate_every == 0) {
        char *code = NULL;
        size_t size;
        state->generated++;
        if (ufcc_emit(program, UFCC_LLVM, &code, &size))
            free(code);
        else
            wrong = "no code";
    }
    ufcc_free(program);
    return seen.internal ? "an internal error" : wrong;
}

static void fail(const char *what) {
    printf("case %ld: %s:\n%s\n", state->next - 1, what, state->text);
    fflush(stdout);
    if (++state->failures >= MAX_FAILURES)
        exit(1);
}

static void run_case(const char *template, const struct hole *holes, int n) {
    long i = number++;
    if (i % every != 0 || i < state->next)
        return;
    state->next = i + 1;
    state->run++;
    FILE *out = fmemopen(state->text, sizeof state->text, "w");
    REQUIRE(out);
    write_source(out, template, holes, n);
    REQUIRE(fputc(0, out) == 0 && fclose(out) == 0);
    const char *wrong = compile(state->text);
    if (wrong)
        fail(wrong);
}

/* ---- all cases */

/* With all choices for the holes from i on. */
static void choose(const char *template, struct hole *holes, int n, int noperands, int i) {
    if (i == n) {
        run_case(template, holes, n);
        return;
    }
    int choices = holes[i].is_type ? TYPES : TYPES + (noperands > 2 ? FEW : OTHERS);
    for (holes[i].choice = 0; holes[i].choice < choices; holes[i].choice++)
        choose(template, holes, n, noperands, i + 1);
}

static void all_of(const char *template) {
    struct hole holes[MAX_HOLES];
    int n = 0, noperands = 0;
    for (const char *c = template; *c; c++)
        if (*c == '$' || *c == '@') {
            REQUIRE(n < MAX_HOLES);
            noperands += *c == '@';
            holes[n++].is_type = *c == '$';
        }
    choose(template, holes, n, noperands, 0);
}

static void all_with(const char *before, const char *name, const char *after) {
    char template[200];
    snprintf(template, sizeof template, "%s%s%s", before, name, after);
    all_of(template);
}

/* With n arguments: different ones, or, where they are too many or too few, the same. */
static void all_calls(const struct function *f) {
    static const char *const lists[] = {"()", "(@)", "(@, @)", "(@, @, @)"};
    static const char *const others_of[] = {"()", "(@)", "(@, 1)", "(@, 1, True)", "(@, 1, 2, 3)"};
    for (int n = 0; n < 5; n++)
        all_with("y = ", f->name, !f->alias && n == f->nargs ? lists[n] : others_of[n]);
    all_with("let s, t = ", f->name, f->nargs == 2 ? "(@, 1)" : "(@)");
}

static void all_operations(const struct operation *o) {
    if (o->arity == 1) {
        all_with("y = ", o->spelling, " @");
        return;
    }
    all_with("y = @ ", o->spelling, " @");
    if (!o->assigns)
        return;
    all_with("var s = @; s ", o->spelling, "= @; y = s");
    all_with("y ", o->spelling, "= @");
    all_with("w[k] ", o->spelling, "= @; y = w[k]");
    all_with("z[j] ", o->spelling, "= @ for j");
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void all_cases(void) {
    for (size_t i = 0; mode == DECLARATION && i < COUNT(declarations); i++)
        all_of(declarations[i]);
    if (mode == DECLARATION)
        return;
    for (size_t i = 0; i < COUNT(functions); i++)
        all_calls(&functions[i]);
    for (size_t i = 0; i < COUNT(operations); i++)
        all_operations(&operations[i]);
    for (size_t i = 0; i < COUNT(statements); i++)
        all_of(statements[i]);
    for (size_t i = 0; i < COUNT(comprehensions); i++)
        for (size_t k = 0; k < COUNT(elements); k++)
            all_with("y = ", comprehensions[i], elements[k]);
}

/* Whether a child came to the end. */
static bool run_child(void) {
    fflush(stdout);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        all_cases();
        exit(0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    if (WIFSIGNALED(status))
        fail(strsignal(WTERMSIG(status)));
    else if (status != 0)
        fail("the compiler ended the process");
    return status == 0;
}

int main(int argc, char **argv) {
    static const char *const modes[] = {"ufunc", "gufunc", "def", "declaration"};
    REQUIRE(argc == 4);
    while (strcmp(argv[1], modes[mode]) != 0)
        REQUIRE(++mode < COUNT(modes));
    every = strtol(argv[2], NULL, 10);
    generate_every = strtol(argv[3], NULL, 10);
    REQUIRE(every > 0);
    state = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(state != MAP_FAILED);
    while (!run_child() && state->failures < MAX_FAILURES)
        ;
    printf("%s: %ld cases, %ld compiled, code of %ld, %ld failed\n", modes[mode], state->run,
           state->compiled, state->generated, state->failures);
    return state->failures > 0;
}
