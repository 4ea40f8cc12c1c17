/* options.c: the options of all commands, in one table for parsing and for -h. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "nearest.h"

enum code {
    TARGET = 256, /* beyond the letters, which are the codes of short options */
    NATIVE,
    ARCH,
    EMIT,
    PREFIX,
    DEVICE,
    THREADS,
    AXIS,
    AXES,
    KEEPDIMS,
    SPECIALIZE,
    INITIAL,
    WHERE,
    CASTING,
    DTYPE,
    SIZES,
    SECONDS,
    PLOT,
    JSON,
    FP_CONTRACT,
    FTZ,
    FAST_MATH,
    CHECKS,
    LIBDEVICE,
    VERSION,
};

enum {
    CALLS = RUN | BENCH | EXPLAIN,
    COMPILES = BUILD | CALLS | CHECK,
    ALL = COMPILES | DOCTOR | CACHE
};

static const struct row {
    int code;
    unsigned commands;
    int value; /* optional_argument: only in the same word, behind the option */
    const char *name;
    const char *shown, *help;
} rows[] = {
    {'o', BUILD, required_argument, NULL, "-o PREFIX", "where to write; with --emit, the FILE"},
    {EMIT, BUILD, required_argument, "emit", "--emit=KIND",
     "write one thing to the file of -o or to standard\noutput: ptx, llvm, asm, obj or header"},
    {TARGET, BUILD, required_argument, "target", "--target=LIST",
     "host, cuda, or host,cuda (the default)"},
    {NATIVE, BUILD, no_argument, "native", "--native",
     "host code for this processor's level alone, not for\nx86-64-v2, v3 and v4"},
    {ARCH, BUILD, required_argument, "arch", "--arch=LIST",
     "add machine code for GPUs, such as sm_80,sm_90, with\nptxas; there is always PTX for all of "
     "them"},
    {PREFIX, BUILD, required_argument, "prefix", "--prefix=STEM",
     "begin names with STEM_, not with the file's stem"},
    {'j', BUILD, required_argument, NULL, "-j N",
     "generate code on N threads; one for each core by\ndefault"},
    {'M', BUILD, optional_argument, NULL, "-MD", "write PREFIX.d, a rule for make"},
    {'M', BUILD, optional_argument, NULL, "-MP",
     "with -MD: add a rule without prerequisites for each\nimported file"},
    {'o', RUN, required_argument, NULL, "-o OUT.npy",
     "write a result instead of printing it; one -o for each\noutput, in order; '-' for standard "
     "output"},
    {DEVICE, CALLS, required_argument, "device", "--device=DEVICE",
     "auto (the default: a GPU, else the host), cpu, cuda,\ncuda:N, cuda:all or cuda:N,N,..., "
     "which share a call,\nor sim, which simulates a GPU"},
    {THREADS, CALLS, required_argument, "threads", "--threads=N",
     "threads of the host; one for each core by default"},
    {AXIS, CALLS, required_argument, "axis", "--axis=LIST",
     "axes that a method goes along, as 0,-1; none: all of\nthem; the default is the first; of a "
     "gufunc the core\naxis of all operands"},
    {AXES, CALLS, required_argument, "axes", "--axes=LIST",
     "a gufunc's core axes for each operand, as (0,1),-1,()"},
    {KEEPDIMS, CALLS, no_argument, "keepdims", "--keepdims",
     "keep reduced axes, or core axes, of size 1"},
    {SPECIALIZE, RUN | BENCH | EXPLAIN, no_argument, "specialize", "--specialize",
     "make code for the call, with its sizes, strides and numbers as constants"},
    {INITIAL, CALLS, required_argument, "initial", "--initial=NUMBER",
     "what a reduction begins with"},
    {WHERE, CALLS, required_argument, "where", "--where=ARGUMENT",
     "bools: what is computed, or reduced"},
    {CASTING, CALLS, required_argument, "casting", "--casting=RULE",
     "no, equiv, safe, same_kind or unsafe"},
    {DTYPE, CALLS, required_argument, "dtype", "--dtype=TYPE", "of the results"},
    {SIZES, BENCH, required_argument, "sizes", "--sizes=A..B",
     "measure with N from A to B in steps of a factor 10;\nA..B..F: of a factor F; sizes are as "
     "1000, 1e3, 2^10"},
    {SECONDS, BENCH, required_argument, "seconds", "--seconds=S",
     "measure each size for about S seconds (1)"},
    {PLOT, BENCH, required_argument, "plot", "--plot=OUT.svg",
     "draw throughput over size, with gnuplot"},
    {JSON, CHECK | BENCH, no_argument, "json", "--json", "print JSON, one object a line"},
    {'W', COMPILES, optional_argument, NULL, "-WNAME, -Wno-NAME",
     "switch a warning on or off: double, unused, unset,\norder, constant, serial (off by "
     "default), all"},
    {'W', COMPILES, optional_argument, NULL, "-Werror", "warnings are errors"},
    {'d', COMPILES, required_argument, NULL, "-d LETTERS",
     "dump stages to standard error: t tokens, a syntax\ntree, y typed tree, p plan; l LLVM "
     "IR\ngenerated, o optimised (not by check); c which code\nwas found in the cache (run, bench, "
     "explain)"},
    {FP_CONTRACT, COMPILES, required_argument, "fp-contract", "--fp-contract=on|off",
     "the last product of a sum is not rounded (off)"},
    {FTZ, COMPILES, no_argument, "ftz", "--ftz", "flush float32 subnormals to zero on the GPU"},
    {FAST_MATH, COMPILES, no_argument, "fast-math", "--fast-math",
     "approximate division, square root and functions on\nthe GPU, and --fp-contract=on"},
    {'g', BUILD | RUN | BENCH, no_argument, NULL, "-g",
     "put the source's lines into the code, for debuggers\nand profilers; run --device=sim does"},
    {CHECKS, BUILD | CALLS, no_argument, "check", "--check",
     "test subscripts as kernels run: a call fails where\none is out of range"},
    {LIBDEVICE, COMPILES, required_argument, "libdevice", "--libdevice=FILE",
     "the libdevice.10.bc to take"},
    {VERSION, ALL, no_argument, "version", "--version", "print the version"},
    {'h', ALL, no_argument, "help", "-h, --help", "print this"},
};
enum { NROWS = sizeof rows / sizeof rows[0] };

void print_options(unsigned commands) {
    puts("Options:");
    for (const struct row *row = rows; row < rows + NROWS; row++) {
        if (!(row->commands & commands))
            continue;
        printf("  %-21s ", row->shown);
        for (const char *line = row->help; line;) {
            size_t n = strcspn(line, "\n");
            printf("%.*s\n", (int)n, line);
            line = line[n] ? line + n + 1 : NULL;
            if (line)
                printf("%24s", "");
        }
    }
}

/* ---- values */

/* Calls `use` for each word of a list separated by commas. */
static bool each_word(const char *list, bool (*use)(struct arguments *, const char *, size_t),
                      struct arguments *args) {
    for (;; list++) {
        size_t n = strcspn(list, ",");
        if (!use(args, list, n))
            return false;
        list += n;
        if (!*list)
            return true;
    }
}

static bool add_target(struct arguments *args, const char *word, size_t n) {
    bool host = n == 4 && memcmp(word, "host", n) == 0;
    bool cuda = n == 4 && memcmp(word, "cuda", n) == 0;
    args->compile.targets |= host ? UFCC_HOST : cuda ? UFCC_CUDA : 0;
    return host || cuda;
}

static bool add_arch(struct arguments *args, const char *word, size_t n) {
    enum { OLDEST = 75 };
    int arch = 0;
    if (args->compile.narchs == MAX_ARCHS || n < 5 || n > 6 || memcmp(word, "sm_", 3) != 0)
        return false;
    for (size_t i = 3; i < n; i++) {
        if (word[i] < '0' || word[i] > '9')
            return false;
        arch = 10 * arch + word[i] - '0';
    }
    if (arch < OLDEST)
        return false;
    args->archs[args->compile.narchs++] = arch;
    args->compile.archs = args->archs;
    return true;
}

static int set_emit(struct arguments *args, const char *value) {
    static const struct emission kinds[] = {
        {"ptx", UFCC_PTX, UFCC_CUDA}, {"llvm", UFCC_LLVM, 0},     {"asm", UFCC_ASM, UFCC_HOST},
        {"obj", UFCC_OBJECT, 0},      {"header", UFCC_HEADER, 0},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(value, kinds[i].name) == 0) {
            args->emit = &kinds[i];
            return DONE;
        }
    return misuse(args->command, "--emit=%s: say ptx, llvm, asm, obj or header", value);
}

/* Reads the number of threads of an option, which is shown as `name` and its value. */
static int set_threads(struct arguments *args, const char *name, const char *value, int *threads) {
    char *end;
    errno = 0;
    long n = strtol(value, &end, 10);
    if (errno || end == value || *end || n < 1 || n > 65536)
        return misuse(args->command, "%s%s: say a number from 1", name, value);
    *threads = (int)n;
    return DONE;
}

/* Parses the value of --sizes: "1e3..1e9", "2^10..2^20..2". */
static int set_sizes(struct arguments *args, const char *value) {
    struct sizes *s = &args->sizes;
    const char *text = value;
    char *end = NULL;
    s->factor = 10;
    bool read = size_parse(&text, &s->first) && strncmp(text, "..", 2) == 0;
    text += read ? 2 : 0;
    read = read && size_parse(&text, &s->last);
    if (read && strncmp(text, "..", 2) == 0) {
        s->factor = strtod(text + 2, &end);
        text = end;
    }
    if (!read || *text || s->first < 1 || s->last < s->first || !(s->factor > 1))
        return misuse(args->command,
                      "--sizes=%s: say it as 1e3..1e9, or 1e3..1e9..2 for steps of "
                      "a factor 2",
                      value);
    return DONE;
}

static int set_seconds(struct arguments *args, const char *value) {
    char *end;
    args->seconds = strtod(value, &end);
    if (end == value || *end || !(args->seconds > 0 && args->seconds <= 3600))
        return misuse(args->command, "--seconds=%s: say a number above 0, up to 3600", value);
    return DONE;
}

static int set_contract(struct arguments *args, const char *value) {
    args->compile.fp_contract = strcmp(value, "on") == 0;
    if (!args->compile.fp_contract && strcmp(value, "off") != 0)
        return misuse(args->command, "--fp-contract=%s: say on or off", value);
    return DONE;
}

static int set_warning(struct arguments *args, const char *value) {
    if (!value)
        return misuse(args->command, "-W: say the name without a space, as in -Wno-double");
    if (strcmp(value, "error") == 0 || strcmp(value, "no-error") == 0)
        args->compile.warnings_are_errors = *value == 'e';
    else
        args->warnings[args->compile.nwarnings++] = value;
    return DONE;
}

static int set_prefix(struct arguments *args, const char *value) {
    const char *c = value;
    while (isalnum((unsigned char)*c) || *c == '_')
        c++;
    args->compile.prefix = value;
    if (*c || c == value || isdigit((unsigned char)*value))
        return misuse(args->command, "--prefix=%s: say an identifier of C", value);
    return DONE;
}

static int add_dump(struct arguments *args, const char *letters) {
    unsigned command = args->command->bit;
    const char *known = command == CHECK ? "tayp" : command == BUILD ? "tayplo" : "tayploc";
    for (; *letters; letters++) {
        if (!strchr(known, *letters))
            return misuse(args->command, "-d %c: %s", *letters,
                          strchr("lo", *letters) ? "check makes no LLVM IR; build does"
                          : *letters == 'c'      ? "only run, bench and explain look for code"
                                                 : "there is no such stage");
        if (!strchr(args->dump, *letters))
            args->dump[strlen(args->dump)] = *letters;
    }
    args->compile.dump = args->dump;
    return DONE;
}

static int set_option(struct arguments *args, int code, const char *value) {
    switch (code) {
    case TARGET:
        if (!each_word(value, add_target, args))
            return misuse(args->command, "--target=%s: say host, cuda, or host,cuda", value);
        return DONE;
    case ARCH:
        if (!each_word(value, add_arch, args))
            return misuse(args->command, "--arch=%s: the oldest is sm_75; say them as sm_80,sm_90",
                          value);
        return DONE;
    case EMIT: return set_emit(args, value);
    case 'j': return set_threads(args, "-j ", value, &args->compile.threads);
    case THREADS: return set_threads(args, "--threads=", value, &args->threads);
    case SIZES: return set_sizes(args, value);
    case SECONDS: return set_seconds(args, value);
    case FP_CONTRACT: return set_contract(args, value);
    case 'W': return set_warning(args, value);
    case 'd': return add_dump(args, value);
    case 'M':
        if (!value || (strcmp(value, "D") != 0 && strcmp(value, "P") != 0))
            return misuse(args->command, "there is no option '-M%s', but -MD and -MP",
                          value ? value : "");
        *(*value == 'D' ? &args->rule : &args->phony) = true;
        return DONE;
    case 'o': args->outputs[args->noutputs++] = value; break;
    case PREFIX: return set_prefix(args, value);
    case LIBDEVICE: args->compile.libdevice = value; break;
    case 'g': args->compile.line_info = true; break;
    case CHECKS: args->compile.check = true; break;
    case NATIVE: args->compile.native = true; break;
    case FTZ: args->compile.ftz = true; break;
    case FAST_MATH: args->compile.fast_math = true; break;
    case DEVICE: args->device = value; break;
    case AXIS: args->axis = value; break;
    case AXES: args->axes = value; break;
    case KEEPDIMS: args->keepdims = true; break;
    case SPECIALIZE: args->specialize = true; break;
    case INITIAL: args->initial = value; break;
    case WHERE: args->where = value; break;
    case CASTING: args->casting = value; break;
    case DTYPE: args->dtype = value; break;
    case PLOT: args->plot = value; break;
    case JSON: args->json = true; break;
    case VERSION: args->version = true; break;
    default: /* 'h' */ args->help = true; break;
    }
    return DONE;
}

/* ---- the command line */

/* Makes getopt's tables for a command.  "-:" makes getopt return operands in place, as code 1, and
 * ':' where a value is missing. */
static void getopt_tables(unsigned command, char *letters, struct option *names) {
    letters += sprintf(letters, "-:");
    for (const struct row *row = rows; row < rows + NROWS; row++) {
        if (!(row->commands & command))
            continue;
        if (row->code < 256) /* one colon: a value; two: an optional one in the same word */
            letters += sprintf(letters, "%c%.*s", row->code, row->value, "::");
        if (row->name)
            *names++ = (struct option){row->name, row->value, NULL, row->code};
    }
    *names = (struct option){0};
}

/* names: the command's, as getopt has them. */
static int unknown_option(const struct arguments *args, const struct option *names,
                          const char *word) {
    char typed[64];
    const char *known[NROWS + 1] = {NULL};
    if (optopt > 255 || optopt == 'h') /* a known option, with a value that it does not take */
        return misuse(args->command, "%s: this option takes no value", word);
    if (optopt)
        return misuse(args->command, "there is no option '-%c'", optopt);
    for (size_t i = 0; names[i].name; i++)
        known[i] = names[i].name;
    snprintf(typed, sizeof typed, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    const char *near = nearest_name(typed, known);
    return near ? misuse(args->command, "there is no option '%s'; did you mean '--%s'?", word, near)
                : misuse(args->command, "there is no option '%s'", word);
}

static int parse(struct arguments *args, int argc, char **argv) {
    char letters[3 * NROWS + 3];
    struct option names[NROWS + 1];
    getopt_tables(args->command->bit, letters, names);
    opterr = 0;
    for (;;) {
        /* A negative number, or a view of "-", is an argument of a call, not an option. */
        while (args->command->bit & CALLS && optind < argc && argv[optind][0] == '-' &&
               (is_number(argv[optind]) || is_stdin(argv[optind])))
            args->operands[args->noperands++] = argv[optind++];
        int code = getopt_long(argc, argv, letters, names, NULL), status = DONE;
        if (code == -1)
            break;
        if (code == 1)
            args->operands[args->noperands++] = optarg;
        else if (code == '?')
            status = unknown_option(args, names, argv[optind - 1]);
        else if (code == ':')
            status = misuse(args->command, "%s: this option needs a value", argv[optind - 1]);
        else
            status = set_option(args, code, optarg);
        if (status != DONE || args->help || args->version)
            return status;
    }
    while (optind < argc) /* operands behind "--" */
        args->operands[args->noperands++] = argv[optind++];
    return DONE;
}

int arguments_parse(struct arguments *args, const struct command *command, int argc, char **argv) {
    *args = (struct arguments){.command = command, .device = "auto", .seconds = 1};
    args->operands = calloc((size_t)argc, sizeof *args->operands);
    args->outputs = calloc((size_t)argc, sizeof *args->outputs);
    args->warnings = calloc((size_t)argc, sizeof *args->warnings);
    if (!args->operands || !args->outputs || !args->warnings)
        return complain("out of memory");
    args->compile.warnings = args->warnings;
    return parse(args, argc, argv);
}

void arguments_end(struct arguments *args) {
    free(args->operands);
    free(args->outputs);
    free(args->warnings);
}
