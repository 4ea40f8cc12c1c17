/* fakeload.c: preloaded into ufc, makes known to the fake CUDA driver what ufc loads, so that its
 * commands call on --device=cuda without a GPU. */
#include <dlfcn.h>

#include "fakecuda.h"
#include "ufcc.h"

#pragma GCC visibility push(default)

const ufc_ufunc *ufcc_function(const ufcc_program *program, const char *name) {
    const ufc_ufunc *(*real)(const ufcc_program *, const char *);
    *(void **)&real = dlsym(RTLD_NEXT, "ufcc_function");
    const ufc_ufunc *found = real(program, name);
    if (found)
        fakecuda_register(found);
    for (unsigned i = 0; found && i < found->noverloads; i++)
        for (const ufc_ufunc *f = found->overloads[i].other; f; f = f->overloads->other)
            fakecuda_register(f);
    return found;
}
