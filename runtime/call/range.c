/* range.c: names of ranges, which are made where a tool asks for them. */
#include <string.h>

#include "range.h"
#include "recorder.h"

enum { NAME = 400 }; /* bytes of a name */

/* Appends "[3,40]". */
static void put_shape(char *name, int ndim, const int64_t *shape) {
    put_text(name, NAME, "[");
    for (int i = 0; i < ndim; i++)
        put_text(name, NAME, "%s%lld", i > 0 ? "," : "", (long long)shape[i]);
    put_text(name, NAME, "]");
}

void range_of_call(const struct ufc_ufunc *ufunc, const char *method,
                   const struct ufc_overload *overload, int ndim, const int64_t *shape,
                   const int64_t *core) {
    if (!nvtx_wanted())
        return;
    char name[NAME] = "";
    put_text(name, sizeof name, "%s%s%s", ufunc->name, method ? "." : "", method ? method : "");
    if (overload) {
        put_text(name, sizeof name, " %s ", overload->signature);
        put_shape(name, ndim, shape);
    }
    for (uint32_t i = 0; core && i < ufunc->core->ndims; i++)
        if (ufunc->core->dims[i].size < 0)
            put_text(name, sizeof name, " %s=%lld", ufunc->core->dims[i].name, (long long)core[i]);
    nvtx_push("%s", name);
}

void range_of_copy(const char *which, const struct operand *array) {
    if (!nvtx_wanted())
        return;
    char name[NAME] = "";
    put_text(name, sizeof name, "%s: %s ", which, dtype_info[array->dtype].name);
    put_shape(name, array->ndim, array->shape);
    nvtx_push("%s", name);
}
