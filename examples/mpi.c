/* mpi.c: heat that spreads on a plate, whose rows are shared by the ranks of an MPI program.  Each
 * computes its rows on a GPU if there is one, and exchanges the rows at their edges with its
 * neighbours: from GPU to GPU where MPI can, else through the host.
 * ufc build heat.uf && mpicc mpi.c heat.o -lufc -lm && mpirun -n 2 ./a.out
 * Rank 0 computes the whole plate too: the bits are the same. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#include "heat.h"

enum { ROWS = 256, COLUMNS = 512, STEPS = 50 };

static ufc_context *ctx;
static ufc_error err;

static void must(ufc_status status) {
    if (status != UFC_OK) {
        fprintf(stderr, "mpi: %s\n", err.message);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* Does MPI send from and receive into a GPU's memory? */
static bool takes_gpu_memory(void) {
#if defined MPIX_CUDA_AWARE_SUPPORT && MPIX_CUDA_AWARE_SUPPORT
    return MPIX_Query_cuda_support();
#else
    return false;
#endif
}

/* Rows of a plate, with one above and one below that belong to others, and a column at each side;
 * two plates, of which each step reads one and writes the other. */
struct plate {
    int64_t rows, shape[2], strides[2];
    DLManagedTensorVersioned *now, *next;
};

/* A view of `rows` rows and `columns` columns from a place on. */
static DLTensor view(const DLManagedTensorVersioned *of, int64_t *shape, int64_t *strides,
                     int64_t row, int64_t column) {
    DLTensor t = of->dl_tensor;
    t.shape = shape;
    t.strides = strides;
    t.byte_offset += (uint64_t)(row * (COLUMNS + 2) + column) * sizeof(float);
    return t;
}

/* Rows first, ... of a plate that is hot in the middle. */
static void make_plate(struct plate *p, int64_t first, int64_t rows) {
    int64_t shape[] = {rows + 2, COLUMNS + 2};
    DLManagedTensorVersioned *host;
    *p = (struct plate){rows, {rows, COLUMNS}, {COLUMNS + 2, 1}, NULL, NULL};
    must(ufc_empty(ctx, UFC_FLOAT32, 2, shape, UFC_HOST, &host, &err));
    float *h = host->dl_tensor.data;
    for (int64_t i = 0; i < shape[0]; i++)
        for (int64_t j = 0; j < shape[1]; j++) {
            int64_t row = first + i;
            bool hot = row > ROWS / 3 && row < 2 * ROWS / 3 && j > COLUMNS / 3 && j < COLUMNS / 2;
            h[i * shape[1] + j] = hot ? 100 : 0;
        }
    must(ufc_to_device(ctx, NULL, &host->dl_tensor, &p->now, &err));
    must(ufc_to_device(ctx, NULL, &host->dl_tensor, &p->next, &err));
    ufc_free(host);
}

static void step(struct plate *p) {
    static const int row[] = {1, 0, 2, 1, 1}, column[] = {1, 1, 1, 0, 2};
    DLTensor in[5], out = view(p->next, p->shape, p->strides, 1, 1);
    for (int i = 0; i < 5; i++)
        in[i] = view(p->now, p->shape, p->strides, row[i], column[i]);
    must(heat_step(ctx, NULL, ufc_array(&in[0]), ufc_array(&in[1]), ufc_array(&in[2]),
                   ufc_array(&in[3]), ufc_array(&in[4]), ufc_into(&out), &err));
    DLManagedTensorVersioned *keep = p->now;
    p->now = p->next;
    p->next = keep;
}

/* Sends row `from` to a neighbour, and receives its row into row `to`. */
static void exchange(const struct plate *p, int64_t from, int64_t to, int neighbour,
                     bool directly) {
    int64_t shape[] = {1, COLUMNS}, strides[] = {COLUMNS + 2, 1};
    float rows[2][COLUMNS], *data[2] = {rows[0], rows[1]};
    DLTensor theirs[] = {view(p->now, shape, strides, from, 1),
                         view(p->now, shape, strides, to, 1)};
    if (neighbour == MPI_PROC_NULL)
        return;
    for (int i = 0; i < 2 && directly; i++)
        data[i] = (float *)(void *)((char *)theirs[i].data + theirs[i].byte_offset);
    DLTensor ours[] = {ufc_host_array(rows[0], theirs[0].dtype, 2, shape),
                       ufc_host_array(rows[1], theirs[0].dtype, 2, shape)};
    if (directly) /* MPI knows nothing of the stream */
        must(ufc_synchronize(ctx, NULL, &err));
    else
        must(ufc_copy(ctx, NULL, &theirs[0], &ours[0], &err));
    MPI_Sendrecv(data[0], COLUMNS, MPI_FLOAT, neighbour, 0, data[1], COLUMNS, MPI_FLOAT, neighbour,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!directly)
        must(ufc_copy(ctx, NULL, &ours[1], &theirs[1], &err));
}

/* The plate's own rows on the host, the columns at the sides too. */
static float *to_host(const struct plate *p, DLManagedTensorVersioned **host) {
    must(ufc_to_host(ctx, NULL, &p->now->dl_tensor, host, &err));
    return (float *)(*host)->dl_tensor.data + COLUMNS + 2;
}

static void free_plate(struct plate *p) {
    ufc_free(p->now);
    ufc_free(p->next);
}

/* Compares what all ranks have with the whole plate, on rank 0. */
static bool is_whole(const float *rows, int64_t n, int ranks, const int *counts, const int *at) {
    static float together[ROWS * (COLUMNS + 2)];
    struct plate whole;
    DLManagedTensorVersioned *host;
    MPI_Gatherv(rows, (int)n * (COLUMNS + 2), MPI_FLOAT, together, counts, at, MPI_FLOAT, 0,
                MPI_COMM_WORLD);
    if (!counts)
        return true;
    make_plate(&whole, -1, ROWS);
    for (int i = 0; i < STEPS; i++)
        step(&whole);
    bool same = memcmp(to_host(&whole, &host), together, sizeof together) == 0;
    printf("%d ranks: the bits %s\n", ranks, same ? "of the whole plate" : "differ");
    ufc_free(host);
    free_plate(&whole);
    return same;
}

int main(int argc, char **argv) {
    int rank, ranks, counts[ROWS], at[ROWS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks > ROWS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    char device[32];
    int gpus = ufc_device_count(NULL);
    snprintf(device, sizeof device, gpus ? "cuda:%d" : "cpu", gpus ? rank % gpus : 0);
    must(ufc_context_new(&ctx, device, 0, &err));
    for (int i = 0; i < ranks; i++) {
        at[i] = ROWS * i / ranks * (COLUMNS + 2);
        counts[i] = ROWS * (i + 1) / ranks * (COLUMNS + 2) - at[i];
    }
    struct plate mine;
    int64_t first = ROWS * rank / ranks, rows = counts[rank] / (COLUMNS + 2);
    make_plate(&mine, first - 1, rows);
    int north = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int south = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
    bool directly = gpus == 0 || takes_gpu_memory();
    for (int i = 0; i < STEPS; i++) {
        step(&mine);
        exchange(&mine, 1, 0, north, directly);
        exchange(&mine, rows, rows + 1, south, directly);
    }
    DLManagedTensorVersioned *host;
    float *own = to_host(&mine, &host);
    bool same = is_whole(own, rows, ranks, rank == 0 ? counts : NULL, at);
    ufc_free(host);
    free_plate(&mine);
    ufc_context_free(ctx);
    MPI_Finalize();
    return !same;
}
