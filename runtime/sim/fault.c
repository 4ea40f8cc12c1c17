/* fault.c: the simulator's messages for faults of a thread. */
#include <stdio.h>
#include <stdarg.h>
#include <string.h>
#include "sim.h"

struct text {
    char text[640];
};

__attribute__((format(printf, 2, 3))) static void append(struct text *t, const char *format, ...) {
    size_t used = strlen(t->text);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(t->text + used, sizeof t->text - used, format, args);
    va_end(args);
}

/* Appends an instruction's place: "stats.uf:12" or, where the PTX has no .loc, "line 34 of its
 * PTX". */
static void append_place(struct text *t, const struct ptx_program *m, uint32_t insn) {
    const struct place *place = &m->places[insn];
    const char *file = place->file < m->nfiles ? m->files[place->file] : NULL;
    if (place->line && file)
        append(t, "%s:%u", file, (unsigned)place->line);
    else
        append(t, "line %u of its PTX", (unsigned)place->ptx_line);
}

/* The array that is nearest to an address. */
static const struct sim_region *nearest(const struct sim_launch *l, uintptr_t address) {
    const struct sim_region *best = NULL;
    uint64_t least = UINT64_MAX;
    for (int k = 0; k < l->nregions; k++) {
        const struct sim_region *r = &l->regions[k];
        uint64_t distance = address < r->begin             ? r->begin - address
                            : address - r->begin < r->size ? 0
                                                           : address - r->begin - r->size + 1;
        if (distance < least) {
            least = distance;
            best = r;
        }
    }
    return best;
}

/* "'z' or 'w'": the arrays that have no elements, of which each is at the same address. */
static void append_empty(struct text *t, const struct sim_launch *l) {
    const char *between = "";
    for (int k = 0; k < l->nregions; k++)
        if (l->regions[k].size == 0) {
            append(t, "%s'%s'", between, l->regions[k].name);
            between = " or ";
        }
}

static void append_array(struct text *t, const struct sim_launch *l, const struct sim_fault *f) {
    const struct sim_region *r = nearest(l, f->address);
    if (!r) {
        append(t, ", where the call has no array");
        return;
    }
    if (r->size == 0) {
        append(t, ", of the array ");
        append_empty(t, l);
        append(t, ", which has no elements");
        return;
    }
    const char *where = f->address < r->begin                         ? "before"
                        : f->address - r->begin >= r->size            ? "beyond"
                        : r->size - (f->address - r->begin) < f->size ? "across the end of"
                                                                      : "between the elements of";
    append(t, ", %s the array '%s' (%llu bytes at 0x%llx)", where, r->name,
           (unsigned long long)r->size, (unsigned long long)r->begin);
}

static void append_access(struct text *t, const struct sim_launch *l, const struct sim_fault *f) {
    append(t, "%s %u bytes at 0x%llx", f->is_write ? "writes" : "reads", (unsigned)f->size,
           (unsigned long long)f->address);
    if (f->kind == FAULT_ALIGNMENT)
        append(t, ", which is not aligned to %u bytes", (unsigned)f->size);
    else if (f->kind == FAULT_INPUT)
        append(t, ", in the input '%s'", nearest(l, f->address)->name);
    else if (f->space == SPACE_SHARED)
        append(t, ", outside the %u bytes of shared memory", (unsigned)l->shared_size);
    else if (f->space == SPACE_LOCAL)
        append(t, ", outside its %u bytes of local memory", (unsigned)l->kernel->stack_frames);
    else if (f->space == SPACE_GENERIC && l->kernel->stack_frames > 0)
        append(t,
               ", outside its %u bytes of local memory and the call's arrays: a build with --check "
               "tells which subscript",
               (unsigned)l->kernel->stack_frames);
    else if (f->space == SPACE_PARAM)
        append(t, ", outside its parameters");
    else
        append_array(t, l, f);
}

static void append_race(struct text *t, const struct sim_launch *l, const struct sim_fault *f) {
    append(t, "%s %u bytes of shared memory that thread (%u) %s at ",
           f->is_write ? "writes" : "reads", (unsigned)f->size, (unsigned)f->other,
           f->other_wrote ? "wrote" : "read");
    append_place(t, l->program, f->other_insn);
    append(t, ", with no barrier between them: where a subscript may be out of range, a build with "
              "--check tells which");
}

static void append_wait(struct text *t, const struct sim_launch *l, const struct sim_fault *f) {
    if (f->kind == FAULT_WARP && f->other == f->thread) {
        append(t, "is not in the member mask of its instruction");
        return;
    }
    append(t,
           f->kind == FAULT_WARP ? "waits for thread (%u) of its warp, which "
                                 : "waits at a barrier that thread (%u) does not reach: it ",
           (unsigned)f->other);
    if (f->other_ended) {
        append(t, "has ended");
        return;
    }
    append(t, "waits at ");
    append_place(t, l->program, f->other_insn);
}

static struct text describe(const struct sim_launch *l, uint32_t block, const struct sim_fault *f) {
    struct text t = {""};
    append(&t, "function '%s', ", l->name ? l->name : l->kernel->name);
    append_place(&t, l->program, f->insn);
    append(&t, ": thread (%u) of block (%u) ", (unsigned)f->thread, (unsigned)block);
    switch (f->kind) {
    case FAULT_RACE: append_race(&t, l, f); break;
    case FAULT_BARRIER:
    case FAULT_ALIGNED:
    case FAULT_WARP: append_wait(&t, l, f); break;
    case FAULT_TRAP: append(&t, "ends by trap"); break;
    case FAULT_BRANCH: append(&t, "branches beyond its table"); break;
    default: append_access(&t, l, f); break;
    }
    return t;
}

void sim_report(struct sim_launch *l, uint32_t block, const struct sim_fault *fault) {
    pthread_mutex_lock(&l->lock);
    if (block < atomic_load(&l->failed)) { /* of several faults the first block's is kept */
        atomic_store(&l->failed, block);
        l->status = fail(l->err, UFC_ESIM, "%s", describe(l, block, fault).text);
    }
    pthread_mutex_unlock(&l->lock);
}
