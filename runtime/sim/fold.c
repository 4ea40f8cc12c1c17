/* fold.c: the memory that a launch of a reduction may reach, read from its parameter
 * (image_abi.h). */
#include <string.h>
#include "sim.h"

/* The arrays, inputs first, as operands of an iteration that has the axes of all of them. */
enum { IN, WHERE, BOUNDS, CARRY, OUT, ARRAYS };

static const char *const names[ARRAYS] = {"array", "where", "bounds", "carry", "out"};

static void set_array(struct iteration *it, int k, uint64_t address, int64_t dtype) {
    it->data[k] = (char *)(uintptr_t)address;
    it->dtype[k] = (enum ufc_dtype)dtype;
}

/* Adds an axis, along which all strides are 0; gives its number. */
static int add_axis(struct iteration *it, int64_t size) {
    it->size[it->naxes] = size;
    for (int k = 0; k < ARRAYS; k++)
        it->stride[k][it->naxes] = 0;
    return it->naxes++;
}

/* The size of an axis.  An only axis has all the elements: the kernel does not read its size. */
static int64_t size_of(const struct ufc_kparam_axes *axes, uint32_t n, uint32_t axis, int64_t all) {
    return n == 1 ? all : (int64_t)axes->size[axis];
}

/* Adds a workspace of the launches; gives the number of regions. */
static int add_workspace(struct sim_region *regions, int n, uint64_t begin, int64_t size) {
    regions[n] = (struct sim_region){
        .begin = begin, .size = (uint64_t)size, .writable = true, .name = "workspace"};
    return n + 1;
}

int sim_fold_regions(const struct ufc_overload *overload, const struct ufc_kparam_fold *p,
                     struct sim_region *regions) {
    struct iteration it = {.nin = OUT, .nout = 1};
    int64_t element = dtype_info[overload->dtypes[2]].size;
    set_array(&it, IN, p->in, p->in_dtype);
    set_array(&it, WHERE, p->where, DT_BOOL);
    set_array(&it, BOUNDS, p->bounds, DT_INT64);
    set_array(&it, CARRY, p->segments > 1 && !p->entries && !p->keys ? p->carry : 0,
              overload->dtypes[2]);
    set_array(&it, OUT, p->out, p->out_dtype);
    for (uint32_t i = 0; i < p->nouter; i++) {
        int axis = add_axis(&it, size_of(&p->outer, p->nouter, i, p->lines));
        it.stride[IN][axis] = p->in_outer[i];
        it.stride[WHERE][axis] = p->where_outer[i];
        it.stride[OUT][axis] = p->out_outer[i];
    }
    for (uint32_t i = 0; i < p->ninner; i++) {
        int axis = add_axis(&it, size_of(&p->inner, p->ninner, i, p->length));
        it.stride[IN][axis] = p->in_inner[i];
        it.stride[WHERE][axis] = p->where_inner[i];
        it.stride[OUT][axis] = p->out_inner[i];
    }
    it.stride[OUT][add_axis(&it, p->keys ? p->rows : p->segments)] = p->segment_stride;
    it.stride[BOUNDS][add_axis(&it, 2 * p->segments)] = sizeof(int64_t);
    it.stride[CARRY][add_axis(&it, (p->segments - 1) * p->lines)] = element;
    int n = sim_regions(&it, names, regions);
    if (p->sorted) {
        int64_t keys = p->length * (int64_t)sizeof(int64_t);
        int64_t counts = (p->segments + 1) << p->lane;
        n = add_workspace(regions, n, p->keys, keys);
        n = add_workspace(regions, n, p->sorted, keys);
        n = add_workspace(regions, n, p->carry, counts * (int64_t)sizeof(uint32_t));
    } else if (p->keys) {
        int64_t pieces = p->piece > 0 ? (p->length - 1) / p->piece + 1 : 0;
        n = add_workspace(regions, n, p->keys,
                          (p->length + (pieces > 0 ? 0 : 2)) * (int64_t)sizeof(int64_t));
        if (p->carry && pieces > 0)
            n = add_workspace(regions, n, p->carry, pieces * p->lines * element);
    } else if (p->carry && p->entries) {
        n = add_workspace(regions, n, p->carry, p->entries * ufc_scan_entry(element));
    }
    return n;
}
