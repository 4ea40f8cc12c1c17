/* plot.c: what `ufc bench` measured: as text, as JSON, and as a drawing by gnuplot. */
#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd.h"

extern char **environ;

static double fraction(const struct measure *m) {
    return bytes_per_second(m) / m->copy;
}

/* The calls after which code for the call has saved the time that the first one took; INFINITY:
 * none. */
static double break_even(const struct measure *m) {
    double saved = m->general - m->quartile[1];
    return saved > 0 ? ceil(m->making / saved) : INFINITY;
}

/* ---- text */

static void print_gain(const struct measure *m) {
    printf(" %12.2f %8.2f %12.1f", 1e6 * m->general, m->general / m->quartile[1], 1e3 * m->making);
    if (isfinite(break_even(m)))
        printf(" %12.0f", break_even(m));
    else
        printf(" %12s", "never");
}

void print_measures(const struct call *c, const char *device, const struct measure *m, int n) {
    bool sizes = m[0].n != SWEPT;
    printf("%s on %s\n", c->args->operands[1], device);
    if (sizes)
        printf("%12s ", "N");
    printf("%14s %25s %14s %10s %10s %9s", "us a call", "quartiles", "bytes a call", "GB/s",
           "copy GB/s", "of copy");
    if (c->args->specialize)
        printf(" %12s %8s %12s %12s", "general us", "gain", "first ms", "pays after");
    putchar('\n');
    for (; n > 0; n--, m++) {
        char quartiles[64];
        snprintf(quartiles, sizeof quartiles, "%.2f - %.2f", 1e6 * m->quartile[0],
                 1e6 * m->quartile[2]);
        if (sizes)
            printf("%12lld ", (long long)m->n);
        printf("%14.2f %25s %14lld %10.2f %10.2f %9.3f", 1e6 * m->quartile[1], quartiles,
               (long long)m->bytes, 1e-9 * bytes_per_second(m), 1e-9 * m->copy, fraction(m));
        if (m->general > 0)
            print_gain(m);
        putchar('\n');
    }
}

/* ---- JSON */

static void put_member(const char *name, const char *text) {
    printf("\"%s\":", name);
    put_json(text);
    putchar(',');
}

void print_measures_json(const struct call *c, const char *device, const struct measure *m, int n) {
    for (; n > 0; n--, m++) {
        putchar('{');
        put_member("file", c->args->operands[0]);
        put_member("name", c->args->operands[1]);
        printf("\"arguments\":[");
        for (int i = 0; i < c->ninputs; i++) {
            fputs(i ? "," : "", stdout);
            put_json(c->inputs[i].text);
        }
        printf("],");
        put_member("device", device);
        if (m->n != SWEPT)
            printf("\"N\":%lld,", (long long)m->n);
        printf("\"seconds\":%.9g,\"quartiles\":[%.9g,%.9g],\"calls\":%lld,\"bursts\":%d,"
               "\"bytes\":%lld,\"bytes_per_second\":%.9g,\"copy_bytes_per_second\":%.9g,"
               "\"fraction\":%.6g",
               m->quartile[1], m->quartile[0], m->quartile[2], (long long)m->calls, m->bursts,
               (long long)m->bytes, bytes_per_second(m), m->copy, fraction(m));
        if (m->general > 0)
            printf(",\"general_seconds\":%.9g,\"first_seconds\":%.9g", m->general, m->making);
        puts("}");
    }
}

/* ---- the drawing */

/* Runs gnuplot on a script; what it prints goes to `out`.  Where it is not found, errno says
 * why. */
static bool run_gnuplot(FILE *script, FILE *out, bool *found) {
    char *const argv[] = {"gnuplot", "-", NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = -1;
    rewind(script);
    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
    int error = posix_spawnp(&child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    *found = error == 0;
    errno = error;
    if (error)
        return false;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Writes a text in single quotes, as gnuplot reads them. */
static void put_quoted(FILE *out, const char *s) {
    fputc('\'', out);
    for (; *s; s++)
        fprintf(out, *s == '\'' ? "''" : "%c", *s);
    fputc('\'', out);
}

static void put_script(FILE *out, const struct call *c, const char *device, const struct measure *m,
                       int n) {
    char title[256];
    snprintf(title, sizeof title, "%s on %s", c->args->operands[1], device);
    fputs("set terminal svg size 800,500 dynamic noenhanced\n"
          "set logscale x\nset format x '%.0e'\nset yrange [0:*]\nset grid\nset key below\n"
          "set xlabel 'N'\nset ylabel 'GB/s'\nset title ",
          out);
    put_quoted(out, title);
    fputs("\n$data << END\n", out);
    for (int i = 0; i < n; i++)
        fprintf(out, "%lld %.9g %.9g\n", (long long)m[i].n, 1e-9 * bytes_per_second(&m[i]),
                1e-9 * m[i].copy);
    fputs("END\nplot $data using 1:2 with linespoints linewidth 2 title ", out);
    put_quoted(out, c->args->operands[1]);
    fputs(", $data using 1:3 with lines dashtype 2 title 'copy'\n", out);
}

/* Reads a whole file. */
static char *read_back(FILE *file, size_t *size) {
    long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *data = end < 0 ? NULL : malloc((size_t)end + 1);
    rewind(file);
    *size = data ? fread(data, 1, (size_t)end, file) : 0;
    return data;
}

/* The drawing that gnuplot makes, of *size bytes; NULL after an error, which is printed. */
static char *draw(const struct call *c, const char *device, const struct measure *m, int n,
                  size_t *size) {
    char *svg = NULL;
    bool found = true;
    FILE *script = tmpfile(), *out = tmpfile();
    if (!script || !out) {
        complain("--plot: no temporary file can be made: %s", strerror(errno));
    } else {
        if (n > 0)
            put_script(script, c, device, m, n);
        if (run_gnuplot(script, out, &found))
            svg = read_back(out, size);
        else if (!found)
            complain("--plot needs gnuplot: %s; on Debian it is in the package gnuplot-nox",
                     strerror(errno));
        else
            complain("--plot: gnuplot failed");
    }
    if (script)
        fclose(script);
    if (out)
        fclose(out);
    return svg;
}

bool plot_begin(void) {
    size_t size;
    char *nothing = draw(NULL, NULL, NULL, 0, &size);
    free(nothing);
    return nothing;
}

bool plot_measures(const struct call *c, const char *device, const struct measure *m, int n) {
    size_t size;
    char *svg = draw(c, device, m, n, &size);
    bool kept = svg && output_write(c->args->plot, svg, size);
    free(svg);
    return kept;
}
