/* gufunc.c: the memory that the kernels of a gufunc may reach. */
#include "sim.h"

int sim_gufunc_regions(const struct iteration *it, struct sim_region *regions) {
    const struct ufc_core *core = it->ufunc->core;
    const uint8_t *dims = core->dim;
    const int64_t *strides = it->core->stride;
    int n = 0;
    for (int k = 0; k < it->nin + it->nout; k++) {
        struct sim_axes axes = {.n = 0};
        bool empty = false;
        for (int axis = 0; axis < it->naxes; axis++)
            sim_add_axis(&axes, it->size[axis], it->stride[k][axis]);
        for (int i = 0; i < core->rank[k]; i++, dims++) {
            sim_add_axis(&axes, it->core->size[*dims], *strides++);
            empty = empty || it->core->size[*dims] == 0;
        }
        if (!it->data[k] && !empty)
            continue;
        if (empty) /* for messages */
            regions[n] = (struct sim_region){.begin = (uintptr_t)it->data[k]};
        else
            sim_region(&regions[n], it->data[k], it->dtype[k], &axes);
        regions[n].name = it->ufunc->params[k];
        regions[n++].writable = k >= it->nin;
    }
    return n;
}

/* What the reductions of a launch's calls have left. */
static struct sim_region results_region(const struct ufc_overload *overload,
                                        const struct ufc_kparam_gufunc *p) {
    int64_t size = overload->partial;
    for (uint32_t axis = 0; axis < p->naxes; axis++)
        size += (p->axes.size[axis] - INT64_C(1)) * p->result[axis];
    if (p->rows)
        size += (p->rows - INT64_C(1)) * p->result[UFC_MAX_AXES - 1];
    return (struct sim_region){
        .begin = (uintptr_t)p->results, .size = (uint64_t)size, .name = "workspace"};
}

int sim_launch_regions(const struct ufc_overload *overload, const struct kernel_launch *launch,
                       struct sim_region *regions, int n) {
    const struct ufc_kparam_gufunc *p = launch->param;
    if (p->results && launch->kind != UFC_KERNEL_NEST) {
        regions[n] = results_region(overload, p);
        regions[n++].writable = ufc_is_band(launch->kind);
    }
    if (launch->kind == UFC_KERNEL_PREFIX && p->room > 0)
        regions[n++] = (struct sim_region){.begin = (uintptr_t)p->results + (uintptr_t)p->room,
                                           .size = (uint64_t)p->calls * p->blocks *
                                                   overload->phase[p->phase + 1].bytes,
                                           .writable = true,
                                           .name = "workspace"};
    if (!p->workspace)
        return n;
    uint64_t size = (uint64_t)p->calls;
    if (launch->kind == UFC_KERNEL_NEST)
        size = ufc_nest_of(p, launch->size)->room;
    else if (launch->kind == UFC_KERNEL_PREFIX)
        size *= (uint64_t)ufc_scan_entries(p->blocks) * overload->phase[p->phase].entry;
    else if (launch->kind == UFC_KERNEL_STRIP)
        size *= (uint64_t)ufc_strip_entries(p->blocks) * overload->phase[p->phase].entry;
    else if (launch->kind == UFC_KERNEL_JOINT)
        size = 2 * (uint64_t)launch->blocks * overload->entry;
    else if (launch->kind == UFC_KERNEL_COLUMNS)
        size = 2 * (uint64_t)launch->blocks * p->across * overload->entry;
    else if (ufc_is_sweep(launch->kind) || launch->kind == UFC_KERNEL_DEAL)
        size = p->room;
    else if (launch->kind == UFC_KERNEL_FOLLOW)
        size = (uint64_t)ufc_follow_bytes(p->calls, p->blocks, overload->entry);
    else if (launch->kind == UFC_KERNEL_BLOCK)
        size = (uint64_t)ufc_portion_bytes(p->calls, overload->portion);
    else if (launch->together)
        size *= sizeof(uint32_t);
    else
        size *= (p->blocks / ufc_tile_units(p)) * p->parts *
                ufc_part_bytes(&overload->phase[p->phase], launch->kind);
    regions[n] = (struct sim_region){
        .begin = (uintptr_t)p->workspace, .size = size, .writable = true, .name = "workspace"};
    return n + 1;
}
