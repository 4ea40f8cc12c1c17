/* model.c: what a call costs at least, by what its body does and what the GPU can. */
#include <math.h>

#include "apart.h"
#include "model.h"

void model_rates(struct gpu_model *m, int capability, double hertz) {
    static const struct {
        int capability;
        double matrix, rate[UFC_WORK_COUNT];
    } rows[] = {
#define RATE(capability, matrix, ...) {(capability), (matrix), {__VA_ARGS__}},
#include "rate.def"
    };
    size_t row = 0;
    while (row + 1 < sizeof rows / sizeof rows[0] && rows[row + 1].capability <= capability)
        row++;
    m->clock = hertz;
    for (int k = 0; k < UFC_WORK_COUNT; k++)
        m->rate[k] = rows[row].rate[k] * hertz * m->multiprocessors;
    bool fits = ufc_module_fits(UFC_MODULE_MATRIX, capability) && m->shared >= UFC_MATRIX_SHARED;
    m->matrix = fits ? rows[row].matrix * hertz * m->multiprocessors : 0;
}

void model_reference(struct gpu_model *m) {
    *m = (struct gpu_model){.multiprocessors = H100_MULTIPROCESSORS,
                            .threads = 2048,
                            .shared = 227 << 10,
                            .together = H100_MULTIPROCESSORS,
                            .cluster = CLUSTER_LARGE,
                            .l2 = 50 << 20,
                            .copy_rate = 4.2e12};
    model_rates(m, 90, 1.98e9);
}

void model_body(struct body *body, const struct iteration *it) {
    const struct ufc_overload *o = it->overload;
    body->it = it;
    for (uint32_t i = 0; i < o->nloops; i++)
        if (it->core)
            body->size[i] = loop_size(it, (int)i);
        else if (!o->loops[i].size.nterms ||
                 !compute_size(&o->loops[i].size, NULL, &body->size[i])) /* constants */
            body->size[i] = -1;
}

/* Iterations of a loop; one where they are not known. */
static double iterations(const struct iteration *it, const struct ufc_loop *loop) {
    int64_t n = 1;
    const int64_t *size = it->core ? it->core->size : NULL;
    if (loop->size.nterms > 0 && !compute_size(&loop->size, size, &n))
        n = INT64_MAX;
    return (double)n;
}

double model_points(const struct iteration *it, uint64_t loops) {
    const struct ufc_overload *o = it->overload;
    double n = 1;
    for (uint32_t i = 0; i < o->nloops; i++)
        if (loops & UINT64_C(1) << i)
            n *= iterations(it, &o->loops[i]);
    return n;
}

double model_operations(const struct iteration *it, const struct ufc_work *work) {
    double n = 0;
    for (int k = 0; k < UFC_WORK_COUNT; k++)
        n += work->operations[k];
    return n * model_points(it, work->loops);
}

void model_work(const struct iteration *it, double *work) {
    const struct ufc_overload *o = it->overload;
    for (int k = 0; k < UFC_WORK_COUNT; k++)
        work[k] = 0;
    for (uint32_t i = 0; i < o->nwork; i++) {
        double n = (double)it->total * model_points(it, o->work[i].loops);
        for (int k = 0; k < UFC_WORK_COUNT; k++)
            work[k] += n * o->work[i].operations[k];
    }
}

bool is_depth(const struct ufc_overload *o, int loop) {
    const struct ufc_loop *l = &o->loops[loop];
    return l->kind == UFC_LOOP_REDUCTION ||
           (l->kind == UFC_LOOP_SERIAL && l->parent >= 0 && o->phase[l->phase].in_order);
}

bool is_matrix_work(const struct ufc_overload *o, const struct ufc_work *work) {
    int loop = work->loops ? 63 - __builtin_clzll(work->loops) : -1;
    return loop >= 0 && o->loops[loop].kind == UFC_LOOP_REDUCTION &&
           o->phase[o->loops[loop].phase].matrix > 0;
}

/* The time of operations of a kind; products of float64 that matrix units can add are faster. */
static double work_seconds(const struct iteration *it, int kind, double work,
                           const struct gpu_model *m) {
    const struct ufc_overload *o = it->overload;
    double products = 0;
    for (uint32_t i = 0; i < o->nwork && kind == UFC_WORK_FLOAT64; i++)
        if (m->matrix > m->rate[kind] && is_matrix_work(o, &o->work[i]))
            products += (double)it->total * model_points(it, o->work[i].loops) *
                        o->work[i].operations[kind];
    double seconds = m->rate[kind] > 0 ? (work - products) / m->rate[kind] : 0;
    return products > 0 ? seconds + products / m->matrix : seconds;
}

double model_seconds(const struct gpu_model *m, int64_t bytes) {
    return m->copy_rate > 0 ? (double)bytes / m->copy_rate : 0;
}

/* A term of a chain, but for its factor. */
static double chain_points(const struct iteration *it, const struct ufc_chain *term) {
    double n = 1;
    for (int i = 0; i < UFC_CHAIN_POWERS; i++) {
        n *= term->dim[i] ? (double)it->core->size[term->dim[i] - 1] : 1;
        if (term->over[i])
            n /= it->core->size[term->over[i] - 1] > 0 ? (double)it->core->size[term->over[i] - 1]
                                                       : INFINITY;
    }
    return n;
}

/* The terms of the sum that begins with term i; where the next one does. */
static uint32_t chain_sum(const struct iteration *it, uint32_t i, double *clocks,
                          double *operations) {
    const struct ufc_overload *o = it->overload;
    uint32_t sum = o->chain[i].sum;
    *clocks = *operations = 0;
    for (; i < o->nchain && o->chain[i].sum == sum; i++) {
        double n = chain_points(it, &o->chain[i]);
        *clocks += o->chain[i].clocks * n;
        *operations += o->chain[i].operations * n;
    }
    return i;
}

double model_chain(const struct iteration *it, double *operations) {
    const struct ufc_overload *o = it->overload;
    double most = 0, count = 0;
    for (uint32_t i = 0; i < o->nchain && it->core;) {
        double clocks, own, other, others;
        uint32_t least = o->chain[i].least;
        i = chain_sum(it, i, &clocks, &own);
        while (least > 0 && i < o->nchain && o->chain[i].least == least) {
            i = chain_sum(it, i, &other, &others);
            own = other < clocks ? others : own;
            clocks = other < clocks ? other : clocks;
        }
        count = clocks > most ? own : count;
        most = clocks > most ? clocks : most;
    }
    for (uint32_t i = 0; i < o->nloops; i++) {
        bool known = o->loops[i].chain > 0 && !(o->loops[i].flags & UFC_LOOP_MAY_END);
        double clocks = known ? iterations(it, &o->loops[i]) * o->loops[i].chain : 0;
        count = clocks > most ? 0 : count;
        most = clocks > most ? clocks : most;
    }
    if (operations)
        *operations = count;
    return most;
}

struct bound model_bound(const struct iteration *it, int64_t bytes, const struct gpu_model *m) {
    static const char *const names[] = {"float32", "float64", "integers", "special functions"};
    double work[UFC_WORK_COUNT];
    struct bound b = {.bytes = model_seconds(m, bytes), .work_by = "none"};
    model_work(it, work);
    for (int k = 0; k < UFC_WORK_COUNT; k++) {
        double seconds = work_seconds(it, k, work[k], m);
        if (seconds > b.work) {
            b.work = seconds;
            b.work_by = names[k];
        }
    }
    double chained, chain = m->clock > 0 ? model_chain(it, &chained) / m->clock : 0;
    if (chain > b.work && it->total > 0) {
        b.work = chain;
        b.work_by = "chain";
        b.chained = chained;
    }
    return b;
}
