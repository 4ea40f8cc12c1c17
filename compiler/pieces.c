/* pieces.c: the code of an object in pieces, which are generated apart, on several threads.
 *
 * How it is cut depends on the plans alone, so that an object is the same however many threads made
 * it. */
#include <stdlib.h>

#include <zstd.h>

#include "level.h"
#include "object.h"

enum { ALL_PARTS = (1 << UFC_HOST_PARTS) - 1 };

static void add(struct uc *uc, struct pieces *all, struct piece piece) {
    if (all->n == all->capacity) {
        all->capacity = 2 * all->capacity + 16;
        struct piece *more = NEWN(uc, struct piece, all->capacity);
        for (int i = 0; i < all->n; i++)
            more[i] = all->all[i];
        all->all = more;
    }
    all->all[all->n++] = piece;
}

/* The GPU modules of all plans, common ones of the first that has them, each as PTX and then as
 * cubins for the first architectures of the options: the order in which image.c takes them. */
static void cut_gpu(struct uc *uc, int ncubins, struct pieces *all) {
    bool made[UFC_MODULE_COUNT] = {false}; /* of those that are common */
    for (const struct plan *p = uc->plans; p != NULL; p = p->next)
        for (int m = 0; m < UFC_MODULE_COUNT; m++) {
            if (made[m] || module_kernels(p, (enum ufc_module)m) == 0)
                continue;
            made[m] = is_common_module((enum ufc_module)m);
            struct piece piece = {.plan = p, .module = (enum ufc_module)m};
            add(uc, all, piece);
            for (int i = 0; i < ncubins; i++) {
                piece.sm = uc->options->archs[i];
                if (ufc_module_fits(piece.module, piece.sm))
                    add(uc, all, piece);
            }
        }
}

/* Has the PTX of each module refer to the first plan's that has it: kernels of a kind are alike,
 * but for what is computed.  Takes those to the front that others refer to. */
static void refer(struct uc *uc, struct pieces *all) {
    struct piece *first[UFC_MODULE_COUNT] = {NULL};
    all->order = NEWN(uc, struct piece *, all->n);
    for (struct piece *p = all->all; p < all->all + all->ngpu; p++) {
        if (p->sm != 0)
            continue;
        p->like = first[p->module];
        if (p->like == NULL)
            first[p->module] = p;
        else
            p->like->is_known = true;
    }
    for (int i = 0; i < all->ngpu; i++)
        if (all->all[i].is_known)
            all->order[all->nfirst++] = &all->all[i];
    for (int i = 0, n = all->nfirst; i < all->n; i++)
        if (!all->all[i].is_known)
            all->order[n++] = &all->all[i];
}

/* ---- how code is cut */

/* Whether all host code takes less time than LLVM does to begin with a piece: a ufunc's alone. */
static bool has_little_code(const struct uc *uc) {
    const struct plan *p = uc->plans;
    return p != NULL && p->next == NULL && p->overload->decl->kind != DECL_GUFUNC &&
           !has_loop(p->body) && !has_host_folds(p);
}

/* The host code: so many plans at a level are a piece. */
static void cut_host(struct uc *uc, unsigned levels, struct pieces *all) {
    enum { PLANS = 8, MOST_CUTS = 512 };
    int nplans = 0, each;
    for (const struct plan *p = uc->plans; p != NULL; p = p->next)
        nplans++;
    each = PLANS + nplans / MOST_CUTS;
    const struct plan *p = uc->plans;
    if (has_little_code(uc)) {
        struct host_part whole = {.plans = p, .nplans = 1, .levels = levels, .parts = ALL_PARTS};
        add(uc, all, (struct piece){.host = whole});
        return;
    }
    for (int left = nplans; left > 0; left -= each) {
        int n = left < each ? left : each;
        for (enum ufc_level level = LEVEL_V2; level < LEVEL_COUNT; level++)
            if (levels & 1U << level)
                add(uc, all,
                    (struct piece){
                        .host = {
                            .plans = p, .nplans = n, .levels = 1U << level, .parts = ALL_PARTS}});
        for (int i = 0; i < n; i++)
            p = p->next;
    }
}

/* ---- an image's code */

/* Replaces PTX by a Zstandard frame of its terse text: a fifteenth. */
static void compress(struct piece *p) {
    enum { LEVEL = 9 }; /* 19 takes thirty times as long to save a fourteenth of that */
    make_terse(&p->code, &p->text);
    buf_free(&p->code);
    const struct buf none = {.data = NULL}, *known = p->like != NULL ? &p->like->text : &none;
    ZSTD_CCtx *context = ZSTD_createCCtx();
    size_t bound = ZSTD_compressBound(p->text.size);
    char *data = p->text.failed || context == NULL ? NULL : malloc(bound);
    size_t size = 0;
    if (data != NULL)
        size = ZSTD_compress_usingDict(context, data, bound, p->text.data, p->text.size,
                                       known->data, known->size, LEVEL);
    ZSTD_freeCCtx(context);
    p->code = (struct buf){.data = data, .size = size, .capacity = bound};
    p->code.failed = data == NULL || ZSTD_isError(size) || known->failed;
    if (!p->is_known)
        buf_free(&p->text);
}

static bool make_gpu(struct uc *uc, const struct pieces *all, struct piece *p) {
    int sm = p->sm != 0 ? p->sm : ufc_module_sm(p->module, PTX_SM);
    uint64_t kernels = module_kernels(p->plan, p->module);
    if (p->sm == 0) {
        bool ok = gen_gpu(uc, p->plan, kernels, sm, UFCC_PTX, &p->code);
        if (ok)
            compress(p);
        return ok;
    }
    struct buf ptx = {0};
    bool ok = gen_gpu(uc, p->plan, kernels, sm, UFCC_PTX, &ptx) &&
              run_ptxas(uc, all->ptxas, sm, &ptx, &p->code);
    buf_free(&ptx);
    return ok;
}

static bool make_piece(struct uc *uc, void *arg, int i) {
    struct pieces *all = arg;
    struct piece *p = all->next[i];
    return p->plan != NULL ? make_gpu(uc, all, p) : gen_host(uc, &p->host, UFCC_OBJECT, &p->code);
}

static void join_piece(struct join *join, struct piece *p) {
    if (p->plan == NULL) {
        join_object(join, &p->code);
    } else {
        p->id = HASH_BEGIN;
        p->size = p->code.size;
        if (!p->code.failed)
            hash_code(&p->id, p->code.data, p->code.size);
        p->at = join_code(join, &p->code);
    }
    buf_free(&p->code);
}

/* Makes the next n pieces and joins them, so many at a time: more would take memory alone. */
static bool make_next(struct uc *uc, struct pieces *all, int n, struct join *join) {
    enum { EACH = 16 }; /* a thread's, that few wait for the last one */
    int threads = uc->options->threads, most = EACH * (threads > 1 ? threads : 1);
    while (n > 0) {
        int now = n < most ? n : most;
        if (!run_jobs(uc, now, make_piece, all))
            return false;
        for (int i = 0; i < now; i++)
            join_piece(join, all->next[i]);
        all->next += now;
        n -= now;
    }
    return true;
}

/* Finds ptxas, if cubins are wanted.  False: it is not found. */
static bool find_tools(struct uc *uc, struct pieces *all) {
    const struct ufcc_options *o = uc->options;
    if (o->narchs == 0 || !(o->targets & UFCC_CUDA))
        return true;
    all->ptxas = find_ptxas(o->ptxas);
    if (all->ptxas == NULL && o->ptxas != NULL)
        error_nowhere(uc, "%s is no program that can be run as ptxas", o->ptxas);
    else if (all->ptxas == NULL)
        error_nowhere(uc,
                      "machine code for sm_%d needs ptxas (--arch), which is neither on PATH "
                      "nor in CUDA's folders: install Debian's nvidia-cuda-toolkit, or take "
                      "ptxas of NVIDIA's Python wheel nvidia-cuda-nvcc-cu12 to ~/.cache/ufc",
                      o->archs[0]);
    return all->ptxas != NULL;
}

bool make_pieces(struct uc *uc, unsigned levels, struct pieces *all, struct join *join) {
    if (!find_tools(uc, all))
        return false;
    if (uc->options->targets & UFCC_CUDA)
        cut_gpu(uc, uc->options->narchs, all);
    all->ngpu = all->n;
    if (levels != 0)
        cut_host(uc, levels, all);
    refer(uc, all);
    all->next = all->order;
    return make_next(uc, all, all->nfirst, join) && make_next(uc, all, all->n - all->nfirst, join);
}

/* ---- other outputs */

/* The host code of all plans. */
static void add_whole_host(struct uc *uc, unsigned levels, struct pieces *all) {
    struct host_part all_plans = {.plans = uc->plans, .levels = levels, .parts = ALL_PARTS};
    for (const struct plan *p = uc->plans; p != NULL; p = p->next)
        all_plans.nplans++;
    add(uc, all, (struct piece){.host = all_plans});
}

static bool list_piece(struct uc *uc, void *arg, int i) {
    struct pieces *all = arg;
    struct piece *p = &all->all[i];
    int arch = uc->options->narchs > 0 ? uc->options->archs[0] : PTX_SM;
    return p->plan != NULL ? gen_gpu(uc, p->plan, module_kernels(p->plan, p->module),
                                     ufc_module_sm(p->module, arch), all->output, &p->code)
                           : gen_host(uc, &p->host, all->output, &p->code);
}

bool list_pieces(struct uc *uc, unsigned levels, ufcc_output output, struct pieces *all,
                 struct buf *out) {
    all->output = output;
    if (levels != 0)
        add_whole_host(uc, levels, all);
    if (output != UFCC_ASM)
        cut_gpu(uc, 0, all);
    if (!run_jobs(uc, all->n, list_piece, all))
        return false;
    for (int i = 0; i < all->n; i++) {
        buf_put(out, all->all[i].code.data, all->all[i].code.size);
        out->failed |= all->all[i].code.failed;
    }
    return true;
}

void pieces_free(struct pieces *all) {
    for (int i = 0; i < all->n; i++) {
        buf_free(&all->all[i].code);
        buf_free(&all->all[i].text);
    }
    free(all->ptxas);
    *all = (struct pieces){0};
}
