/* cache.c: `ufc cache`: shows, prunes and clears the code on disk that run, bench and explain keep.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"

char *cache_problem(const ufcc_cache_state *state) {
    char *text = NULL;
    int n = 0;
    if (state->unclear)
        n = asprintf(&text, "UFC_CACHE_SIZE is '%s': say bytes, as 1000, 500M or 2G",
                     state->unclear);
    else if (state->error == EFBIG)
        n = asprintf(&text, "UFC_CACHE_SIZE is %llu bytes: too few to keep code", state->limit);
    else if (state->error)
        n = asprintf(&text, "no code can be kept there: %s", strerror(state->error));
    return n < 0 ? NULL : text;
}

/* "1.3 MiB" */
static void put_size(const char *label, unsigned long long bytes) {
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    double size = (double)bytes / 1024;
    int unit = 0;
    for (; unit < 3 && size >= 1024; unit++)
        size /= 1024;
    if (bytes < 1024)
        printf("%-9s%llu bytes\n", label, bytes);
    else
        printf("%-9s%.1f %s\n", label, size, units[unit]);
}

static int show(const ufcc_cache_state *state) {
    char *problem = cache_problem(state);
    printf("%-9s%s\n%-9s%llu\n", "folder:", state->folder, "entries:", state->entries);
    put_size("size:", state->size);
    put_size("limit:", state->limit);
    if (problem)
        complain("%s", problem);
    int status = problem ? FAILED : DONE;
    free(problem);
    return status;
}

static int prune(const ufcc_cache_state *state, unsigned long long size) {
    return ufcc_cache_prune(state->folder, size)
               ? DONE
               : complain("%s: not all can be removed: %s", state->folder, strerror(errno));
}

int command_cache(const struct arguments *args) {
    const char *verb = args->noperands > 0 ? args->operands[0] : "show";
    bool clears = strcmp(verb, "clear") == 0, prunes = strcmp(verb, "prune") == 0;
    if (args->noperands > 1 || !(clears || prunes || strcmp(verb, "show") == 0))
        return misuse(args->command, "'%s': say show, prune or clear",
                      args->noperands > 1 ? args->operands[1] : verb);
    ufcc_cache_state state;
    if (!ufcc_cache(NULL, &state)) {
        if (state.error)
            return complain("the cache's folder cannot be told: %s", strerror(state.error));
        puts("there is none: UFC_CACHE is 0, or there is no home");
        return DONE;
    }
    int status = prunes || clears ? prune(&state, clears ? 0 : state.limit) : show(&state);
    free(state.folder);
    return status;
}
