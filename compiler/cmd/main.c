/* main.c: the command line of ufc, see ufc(1): finds the command and runs it. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "cmd.h"
#include "nearest.h"

static const struct command commands[] = {
    {"build", BUILD, "FILE.uf [-o PREFIX]",
     "Compile to PREFIX.o and PREFIX.h, for C programs.  Without -o the prefix is the\n"
     "file's name without .uf, in the current folder.",
     command_build},
    {"run", RUN, "FILE.uf NAME[.METHOD] ARGUMENT... [-o OUT.npy]...",
     "Call a ufunc, or a method of one, as NAME.reduce, and print its results.  An\n"
     "argument is a .npy file, '-' (one from standard input), a number, or an array made\n"
     "on the spot, KIND:SHAPE:DTYPE, such as rand:1000x3:f4; the kinds are rand, arange,\n"
     "linspace, ones and zeros.  rand(-1,1):1000,3:f4:seed=7 has a range and a seed.  arg1\n"
     "is the first argument again.  Views follow as in NumPy: rand:2^20:f4[::2], a.npy.T.\n"
     "Without a NAME: list the file's ufuncs.",
     command_run},
    {"bench", BENCH, "FILE.uf NAME[.METHOD] ARGUMENT...",
     "Measure how long calls take on arrays that are where they are computed, and how\n"
     "much of the memory's speed they reach.  NAME and arguments are as of run.  A size N,\n"
     "as in rand:Nx3:f4, goes through --sizes.",
     command_bench},
    {"explain", EXPLAIN, "FILE.uf NAME[.METHOD] ARGUMENT...",
     "Tell how a call or a method would go on arrays that are where it is computed: its\n"
     "loop, the kernel and why it is that one, its grid, registers, bytes and predicted\n"
     "speed; on the host what fills vectors, and the threads.  NAME and arguments are as\n"
     "of run.",
     command_explain},
    {"check", CHECK, "FILE.uf...", "Print errors and warnings, and make nothing.", command_check},
    {"cache", CACHE, "[show|prune|clear]",
     "Show the code on disk that run, bench and explain have kept, and programs that\n"
     "compile; prune it to its limit; or remove it.",
     command_cache},
    {"doctor", DOCTOR, "", "Tell what was found on this machine, and what to do about the rest.",
     command_doctor},
};
enum { NCOMMANDS = sizeof commands / sizeof commands[0] };

static void vcomplain(const char *command, const char *format, va_list args) {
    fprintf(stderr, "ufc%s%s: ", command ? " " : "", command ? command : "");
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

int complain(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vcomplain(NULL, format, args);
    va_end(args);
    return FAILED;
}

int misuse(const struct command *command, const char *format, ...) {
    const char *name = command ? command->name : NULL;
    va_list args;
    va_start(args, format);
    vcomplain(name, format, args);
    va_end(args);
    fprintf(stderr, "Try 'ufc %s%s-h'.\n", name ? name : "", name ? " " : "");
    return MISUSED;
}

const char out_of_memory[] = "out of memory";

int refuse(const struct command *command, const char *option, const char *text, const char *wrong) {
    if (wrong == out_of_memory)
        return complain("%s", wrong);
    return option ? misuse(command, "%s=%s: %s", option, text, wrong)
                  : misuse(command, "'%s': %s", text, wrong);
}

static int version(void) {
    printf("ufc %s (LLVM %s)\n", UFC_VERSION, ufcc_llvm_version());
    return DONE;
}

static void usage(FILE *out) {
    fputs("Usage: ufc COMMAND ...\n\n"
          "Compile scalar functions for arrays on CPUs and GPUs, and run them.\n\n",
          out);
    for (int i = 0; i < NCOMMANDS; i++)
        fprintf(out, "  ufc %s%s%s\n", commands[i].name, *commands[i].operands ? " " : "",
                commands[i].operands);
    fputs("\nA FILE.uf that is '-' is standard input.  'ufc COMMAND -h' lists the options of a\n"
          "command, 'ufc --version' prints the version.\n",
          out);
}

static int help(const struct command *c) {
    printf("Usage: ufc %s [OPTION...]%s%s\n\n%s\n\n", c->name, *c->operands ? " " : "", c->operands,
           c->summary);
    print_options(c->bit);
    return DONE;
}

static int run(const struct command *command, int argc, char **argv) {
    struct arguments args;
    int status = arguments_parse(&args, command, argc, argv);
    if (status == DONE)
        status = args.help ? help(command) : args.version ? version() : command->main(&args);
    arguments_end(&args);
    return status;
}

static int unknown_command(const char *name) {
    const char *known[NCOMMANDS + 1] = {NULL};
    for (int i = 0; i < NCOMMANDS; i++)
        known[i] = commands[i].name;
    const char *near = *name == '-' ? NULL : nearest_name(name, known);
    return near ? misuse(NULL, "there is no command '%s'; did you mean '%s'?", name, near)
                : misuse(NULL, "there is no %s '%s'", *name == '-' ? "option" : "command", name);
}

static int dispatch(int argc, char **argv) {
    if (argc < 2) {
        usage(stderr);
        return MISUSED;
    }
    const char *name = argv[1];
    for (int i = 0; i < NCOMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0)
            return run(&commands[i], argc - 1, argv + 1);
    if (strcmp(name, "--version") == 0)
        return version();
    if (strcmp(name, "-h") == 0 || strcmp(name, "--help") == 0) {
        usage(stdout);
        return DONE;
    }
    return unknown_command(name);
}

int main(int argc, char **argv) {
    static char buffer[BUFSIZ]; /* a diagnostic's line is one write */
    setvbuf(stderr, buffer, _IOLBF, sizeof buffer);
    int status = dispatch(argc, argv);
    bool failed = ferror(stdout);
    errno = 0;
    if ((fflush(stdout) != 0 || failed) && status == DONE)
        status = complain("cannot write to standard output%s%s", errno ? ": " : "",
                          errno ? strerror(errno) : "");
    return status;
}
