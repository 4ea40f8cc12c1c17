/* fakecuda_link.c: the fake CUDA driver's compiler of PTX to cubins. */
#include <stdlib.h>
#include <string.h>

#include "fakecuda.h"
#include "fakecuda_work.h"

/* What it makes of PTX is the PTX, behind the first bytes of a cubin. */
struct CUlinkState_st {
    struct handle handle;
    char *cubin;
    size_t size;
};

static void release_link(struct handle *handle) {
    CUlinkState link = (CUlinkState)handle;
    free(link->cubin);
    free(link);
}

static bool keeps_lines;

bool fakecuda_keeps_lines(void) {
    return keeps_lines;
}

API(cuLinkCreate_v2, unsigned options, int *option, void **values, CUlinkState *state) {
    ENTER_WITH_CONTEXT;
    (void)values;
    keeps_lines = false;
    for (unsigned i = 0; i < options; i++)
        keeps_lines = keeps_lines || option[i] == CU_JIT_GENERATE_LINE_INFO;
    *state = calloc(1, sizeof **state);
    if (!*state)
        return CUDA_ERROR_OUT_OF_MEMORY;
    own(&(*state)->handle, release_link);
    return CUDA_SUCCESS;
}

API(cuLinkAddData_v2, CUlinkState state, int type, void *data, size_t size, const char *name,
    unsigned options, int *option, void **values) {
    ENTER_WITH_CONTEXT;
    (void)name, (void)options, (void)option, (void)values;
    const char *text = data;
    if (type != CU_JIT_INPUT_PTX || size == 0 || text[size - 1] != '\0' || *text != '/')
        return INVALID_PTX;
    state->size = size + 4;
    state->cubin = malloc(state->size);
    if (!state->cubin)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memcpy(state->cubin, "\177ELF", 4);
    memcpy(state->cubin + 4, text, size);
    return CUDA_SUCCESS;
}

API(cuLinkComplete, CUlinkState state, void **cubin, size_t *size) {
    ENTER_WITH_CONTEXT;
    *cubin = state->cubin;
    *size = state->size;
    return state->cubin ? CUDA_SUCCESS : INVALID_VALUE;
}

API(cuLinkDestroy, CUlinkState state) {
    ENTER_RELEASE;
    if (!current() || state->handle.context != current())
        return INVALID_HANDLE;
    disown(&state->handle);
    return told;
}
