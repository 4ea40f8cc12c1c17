/* memory.c: which memory a thread may use, and when; atomic operations. */
#include <stdlib.h>
#include <string.h>
#include "sim.h"

/* ---- the arrays of a call */

void sim_add_axis(struct sim_axes *axes, int64_t size, int64_t stride) {
    if (stride == 0 || size == 1)
        return;
    axes->size[axes->n] = size;
    axes->stride[axes->n++] = stride;
}

/* Sets the strides of an array with gaps, falling, if each is longer than the smaller ones span.
 * Then an address is an element's if the remainder, after dividing by one stride after the other,
 * is within a run (elements side by side).  No strides are set where there are no gaps, or elements
 * overlap. */
static void find_gaps(struct sim_region *region, const struct sim_axes *axes, int64_t element) {
    int64_t size[MAX_RANK], spanned = element;
    int n = axes->n;
    for (int axis = 0; axis < n; axis++) {
        int64_t stride = llabs(axes->stride[axis]);
        int at = axis;
        for (; at > 0 && region->stride[at - 1] < stride; at--) {
            region->stride[at] = region->stride[at - 1];
            size[at] = size[at - 1];
        }
        region->stride[at] = stride;
        size[at] = axes->size[axis];
    }
    while (n > 0 && region->stride[n - 1] == spanned)
        spanned *= size[--n];
    region->run = spanned;
    region->naxes = n;
    for (int i = n - 1; i >= 0; i--) {
        if (region->stride[i] < spanned)
            region->naxes = 0;
        spanned += region->stride[i] * (size[i] - 1);
    }
}

void sim_region(struct sim_region *region, const char *data, enum ufc_dtype dtype,
                const struct sim_axes *axes) {
    uintptr_t begin = (uintptr_t)data;
    int64_t element = dtype_info[dtype].size;
    region->size = (uint64_t)element;
    for (int axis = 0; axis < axes->n; axis++) {
        int64_t reach = (axes->size[axis] - 1) * axes->stride[axis];
        begin += reach < 0 ? (uintptr_t)reach : 0;
        region->size += (uint64_t)llabs(reach);
    }
    region->begin = begin;
    find_gaps(region, axes, element);
}

int sim_regions(const struct iteration *it, const char *const *names, struct sim_region *regions) {
    int n = 0, mask = it->nin + it->nout;
    for (int k = 0; k < walked(it); k++) {
        struct sim_axes axes = {.n = 0};
        if (!it->data[k])
            continue;
        for (int axis = 0; axis < it->naxes; axis++)
            sim_add_axis(&axes, it->size[axis], it->stride[k][axis]);
        sim_region(&regions[n], it->data[k], it->dtype[k], &axes);
        regions[n].name = k == mask ? "where" : names ? names[k] : "array";
        regions[n++].writable = k >= it->nin && k < mask;
    }
    return n;
}

static bool is_element(const struct sim_region *region, uint64_t at, uint32_t size) {
    if (region->naxes == 0)
        return true;
    for (int i = 0; i < region->naxes; i++)
        at %= (uint64_t)region->stride[i];
    return at + size <= (uint64_t)region->run;
}

/* ---- races */

static bool reads(int use) {
    return use == MEMORY_READ || use == MEMORY_ORDERED;
}

/* Whether an access is one that may meet atomic operations. */
static bool is_concurrent(int use) {
    return use == MEMORY_ORDERED || use == MEMORY_ATOMIC;
}

/* Has thread t met the other thread at a bar.warp.sync since the other's access? */
static bool has_met(const struct sim_thread *t, uint32_t other, uint32_t stamp) {
    return t->number / WARP_LANES == other / WARP_LANES && t->synced[other % WARP_LANES] > stamp;
}

static bool race(struct sim_worker *w, const struct sim_thread *t, uint32_t other, uint32_t insn,
                 bool other_wrote) {
    if (other == 0 || other - 1 == t->number)
        return false;
    w->fault.other = other - 1;
    w->fault.other_insn = insn;
    w->fault.other_wrote = other_wrote;
    w->fault.kind = FAULT_RACE;
    return true;
}

static bool check_shadow(struct sim_worker *w, const struct sim_thread *t, struct shadow *s,
                         int use, uint32_t insn) {
    uint32_t stamp = w->warp_syncs[t->number / WARP_LANES];
    uint16_t self = (uint16_t)(t->number + 1);
    bool both_atomic = is_concurrent(use) && s->atomic;
    if (s->epoch_write == w->epoch && !both_atomic && !has_met(t, s->writer - 1U, s->stamp_write) &&
        race(w, t, s->writer, s->insn_write, true))
        return false;
    for (int k = 0; !reads(use) && s->epoch_read == w->epoch && k < 2; k++)
        if (s->reader[k] && !(use == MEMORY_ATOMIC && s->ordered[k]) &&
            !has_met(t, s->reader[k] - 1U, s->stamp_read[k]) &&
            race(w, t, s->reader[k], s->insn_read[k], false))
            return false;
    if (!reads(use)) {
        s->epoch_write = w->epoch;
        s->writer = self;
        s->atomic = use == MEMORY_ATOMIC;
        s->stamp_write = stamp;
        s->insn_write = insn;
        return true;
    }
    if (s->epoch_read != w->epoch)
        s->reader[0] = s->reader[1] = 0;
    s->epoch_read = w->epoch;
    int k = s->reader[0] && s->reader[0] != self; /* 0: the first reader, 1: the last one of
                                                     the others */
    s->reader[k] = self;
    s->ordered[k] = use == MEMORY_ORDERED;
    s->stamp_read[k] = stamp;
    s->insn_read[k] = insn;
    return true;
}

static bool check_races(struct sim_worker *w, const struct sim_thread *t, uint64_t at,
                        uint32_t size, int use, uint32_t insn) {
    uint32_t step = at % SHADOW_BYTES || size < SHADOW_BYTES ? 1 : SHADOW_BYTES;
    for (uint64_t end = at + size; at < end; at += step) {
        struct shadow_word *word = &w->words[at / SHADOW_BYTES];
        if (step > 1 && word->split != w->epoch) {
            if (!check_shadow(w, t, &word->whole, use, insn))
                return false;
            continue;
        }
        struct shadow *bytes = &w->bytes[at / SHADOW_BYTES * SHADOW_BYTES];
        for (int k = 0; word->split != w->epoch && k < SHADOW_BYTES; k++)
            bytes[k] = word->whole;
        word->split = w->epoch;
        for (uint32_t k = 0; k < step; k++)
            if (!check_shadow(w, t, &bytes[at % SHADOW_BYTES + k], use, insn))
                return false;
    }
    return true;
}

/* ---- accesses */

static bool within(uintptr_t address, uint32_t size, uintptr_t begin, uint64_t room) {
    uint64_t at = address - begin;
    return at <= room && room - at >= size;
}

static bool in_frames(const struct sim_worker *w, const struct sim_thread *t, uintptr_t address,
                      uint32_t size) {
    return within(address, size, (uintptr_t)t->frames, w->kernel->stack_frames);
}

static bool in_param(const struct sim_worker *w, uintptr_t address, uint32_t size) {
    const struct kernel_launch *l = w->launch->launch;
    return within(address, size, (uintptr_t)l->param, l->size);
}

static bool in_shared(const struct sim_worker *w, uintptr_t address, uint32_t size) {
    return w->shared && within(address, size, (uintptr_t)w->shared, w->launch->shared_size);
}

/* Whether a region has the bytes; of a word that is read and exchanged at once, one of them: the
 * others are exchanged for themselves. */
static bool holds(const struct sim_region *region, uintptr_t address, uint32_t size, int use) {
    uint32_t each = is_concurrent(use) && size == 4 ? 1 : size;
    for (uint32_t k = 0; k < size; k += each)
        if (within(address + k, each, region->begin, region->size) &&
            is_element(region, address + k - region->begin, each))
            return true;
    return false;
}

/* Whether the bytes are in an array, or in a variable of the module. */
static bool in_global(struct sim_worker *w, uintptr_t address, uint32_t size, int use) {
    for (int k = 0; k < w->launch->nregions; k++) {
        const struct sim_region *region = &w->launch->regions[k];
        if (!holds(region, address, size, use))
            continue;
        if (reads(use) || region->writable)
            return true;
        w->fault.kind = FAULT_INPUT;
    }
    for (uint32_t k = 0; k < w->program->nvariables; k++) {
        const struct ptx_variable *v = &w->program->variables[k];
        if (within(address, size, (uintptr_t)v->memory, v->size) && (reads(use) || !v->constant))
            return true;
    }
    return false;
}

/* Whether the access is allowed; false: w->fault has the kind, and of a race the other thread. */
static bool is_allowed(struct sim_worker *w, const struct sim_thread *t, enum ptx_space space,
                       uintptr_t address, uint32_t size, int use, uint32_t insn) {
    w->fault.kind = reads(use) ? FAULT_READ : FAULT_WRITE;
    if (address & (size - 1)) { /* sizes are powers of two */
        w->fault.kind = FAULT_ALIGNMENT;
        return false;
    }
    bool any = space == SPACE_GENERIC;
    if ((any || space == SPACE_LOCAL || space == SPACE_PARAM) && in_frames(w, t, address, size))
        return true;
    if ((any || space == SPACE_PARAM) && reads(use) && in_param(w, address, size))
        return true;
    if ((any || space == SPACE_SHARED) && in_shared(w, address, size))
        return check_races(w, t, address - (uintptr_t)w->shared, size, use, insn);
    return (any || space == SPACE_GLOBAL || space == SPACE_CONST) &&
           in_global(w, address, size, use);
}

bool sim_reach(struct sim_worker *w, const struct sim_thread *t, enum ptx_space space,
               uintptr_t address, uint32_t size, int use, uint32_t insn) {
    if (is_allowed(w, t, space, address, size, use, insn))
        return true;
    w->fault.insn = insn;
    w->fault.thread = t->number;
    w->fault.space = space;
    w->fault.address = address;
    w->fault.size = size;
    w->fault.is_write = !reads(use);
    return false;
}

bool sim_is_space(const struct sim_worker *w, const struct sim_thread *t, enum ptx_space space,
                  uintptr_t address) {
    switch (space) {
    case SPACE_SHARED: return in_shared(w, address, 1);
    case SPACE_LOCAL: return in_frames(w, t, address, 1);
    case SPACE_PARAM: return in_param(w, address, 1);
    case SPACE_CONST:
        for (uint32_t k = 0; k < w->program->nvariables; k++) {
            const struct ptx_variable *v = &w->program->variables[k];
            if (v->constant && within(address, 1, (uintptr_t)v->memory, v->size))
                return true;
        }
        return false;
    default:
        return !in_shared(w, address, 1) && !in_frames(w, t, address, 1) &&
               !in_param(w, address, 1) && !sim_is_space(w, t, SPACE_CONST, address);
    }
}

/* ---- atomic operations */

static uint64_t add_float(uint64_t a, uint64_t b, uint32_t size) {
    uint64_t result = 0;
    if (size == 8) {
        double x, y;
        memcpy(&x, &a, sizeof x);
        memcpy(&y, &b, sizeof y);
        x += y;
        memcpy(&result, &x, sizeof x);
    } else {
        float x, y;
        memcpy(&x, &a, sizeof x);
        memcpy(&y, &b, sizeof y);
        x += y;
        memcpy(&result, &x, sizeof x);
        if (x != x)
            result = 0x7fffffff;
    }
    return result;
}

static int64_t as_signed(uint64_t v, uint32_t size) {
    return size == 8 ? (int64_t)v : (int32_t)v;
}

static uint64_t combined(enum atom_op op, uint32_t size, uint64_t old, uint64_t b, uint64_t c) {
    bool less = as_signed(old, size) < as_signed(b, size);
    switch (op) {
    case ATOM_ADD: return old + b;
    case ATOM_MIN_U: return old < b ? old : b;
    case ATOM_MAX_U: return old > b ? old : b;
    case ATOM_MIN_S: return less ? old : b;
    case ATOM_MAX_S: return less ? b : old;
    case ATOM_AND: return old & b;
    case ATOM_OR: return old | b;
    case ATOM_XOR: return old ^ b;
    case ATOM_INC: return old >= b ? 0 : old + 1;
    case ATOM_DEC: return old == 0 || old > b ? b : old - 1;
    case ATOM_CAS: return old == b ? c : old;
    case ATOM_ADD_F: return add_float(old, b, size);
    default: return b;
    }
}

typedef uint8_t __attribute__((may_alias)) word8;
typedef uint16_t __attribute__((may_alias)) word16;
typedef uint32_t __attribute__((may_alias)) word32;
typedef uint64_t __attribute__((may_alias)) word64;

/* A word may have bytes beyond an array's end, as `holds` allows: these functions do without
 * AddressSanitizer, which does not. */
__attribute__((no_sanitize_address)) uint64_t sim_load_ordered(uintptr_t address, unsigned size) {
    switch (size) {
    case 1: return __atomic_load_n((const word8 *)address, __ATOMIC_SEQ_CST);
    case 2: return __atomic_load_n((const word16 *)address, __ATOMIC_SEQ_CST);
    case 4: return __atomic_load_n((const word32 *)address, __ATOMIC_SEQ_CST);
    default: return __atomic_load_n((const word64 *)address, __ATOMIC_SEQ_CST);
    }
}

__attribute__((no_sanitize_address)) void sim_store_ordered(uintptr_t address, unsigned size,
                                                            uint64_t value) {
    switch (size) {
    case 1: __atomic_store_n((word8 *)address, (uint8_t)value, __ATOMIC_SEQ_CST); break;
    case 2: __atomic_store_n((word16 *)address, (uint16_t)value, __ATOMIC_SEQ_CST); break;
    case 4: __atomic_store_n((word32 *)address, (uint32_t)value, __ATOMIC_SEQ_CST); break;
    default: __atomic_store_n((word64 *)address, value, __ATOMIC_SEQ_CST); break;
    }
}

__attribute__((no_sanitize_address)) uint64_t
sim_atomic(enum atom_op op, uint32_t size, uintptr_t address, uint64_t b, uint64_t c) {
    if (size == 8) {
        word64 *at = (word64 *)address;
        word64 old = __atomic_load_n(at, __ATOMIC_SEQ_CST);
        while (!__atomic_compare_exchange_n(at, &old, combined(op, size, old, b, c), false,
                                            __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            continue;
        return old;
    }
    word32 *at = (word32 *)address;
    word32 old = __atomic_load_n(at, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n(at, &old, (uint32_t)combined(op, size, old, b, c), false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        continue;
    return old;
}
