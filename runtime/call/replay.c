/* replay.c: a gufunc's call as a list of what it does on the device: the memory that it takes and
 * clears, and its launches.  The list is made once for calls that are alike, and making it does
 * nothing else; addresses in the launches' parameters are found anew for each call. */
#include <stdlib.h>
#include <string.h>

#include "constants.h"
#include "memo.h"

enum {
    MAX_STEPS = 24,
    MAX_PLACES = 8,      /* pieces of memory that a call takes */
    MAX_PARAMS = 1 << 13 /* bytes of all launches' parameters */
};

/* Addresses of memory that is taken when the list is executed, which no array has: the piece, and
 * an offset in it. */
static const uint64_t places = UINT64_C(1) << 62;
enum { PLACE_SHIFT = 48 };

struct step {
    enum { TAKE, CLEAR, FREE, LAUNCH } action;
    int place;   /* not LAUNCH: which piece of memory */
    size_t size; /* TAKE, CLEAR: bytes */
    struct kernel_launch launch;
    size_t param; /* its parameter, in params; operands' addresses are offsets from their data */
};

struct script {
    struct memo_entry entry;
    int nsteps, nplaces;
    size_t nparams;
    struct step *step;
    char *params;
    uint64_t *key;
};

static struct script *script_new(int nsteps, size_t nparams, size_t nwords) {
    size_t steps = (size_t)nsteps * sizeof(struct step), key = nwords * sizeof(uint64_t);
    struct script *s = malloc(sizeof *s + steps + key + nparams);
    if (!s)
        return NULL;
    *s = (struct script){.nsteps = nsteps, .nparams = nparams};
    atomic_init(&s->entry.users, 1);
    s->step = (struct step *)(s + 1);
    s->key = (uint64_t *)(s->step + nsteps);
    s->params = (char *)(s->key + nwords);
    return s;
}

/* ---- noting what a call does */

struct notes {
    ufc_context ctx; /* whose memory is places */
    struct device_ops ops;
    const struct iteration *it;
    struct script *script;
    bool full;
};

static void add_step(struct notes *n, const struct step *step) {
    n->full = n->full || n->script->nsteps == MAX_STEPS;
    if (!n->full)
        n->script->step[n->script->nsteps++] = *step;
}

static struct notes *notes_of(ufc_context *ctx) {
    return (struct notes *)((char *)ctx - offsetof(struct notes, ctx));
}

static int place_of(uint64_t address) {
    return (int)((address - places) >> PLACE_SHIFT);
}

static ufc_status note_alloc(ufc_context *ctx, void *stream, size_t size, void **memory,
                             ufc_error *err) {
    struct notes *n = notes_of(ctx);
    int place = n->script->nplaces;
    (void)stream, (void)err;
    n->full = n->full || place == MAX_PLACES || size >> PLACE_SHIFT;
    *memory = (void *)(uintptr_t)(places + ((uint64_t)place << PLACE_SHIFT));
    add_step(n, &(struct step){.action = TAKE, .place = place, .size = size});
    n->script->nplaces += !n->full;
    return UFC_OK;
}

static void note_free(ufc_context *ctx, void *stream, void *memory) {
    (void)stream;
    add_step(notes_of(ctx), &(struct step){.action = FREE, .place = place_of((uintptr_t)memory)});
}

static ufc_status note_clear(ufc_context *ctx, void *stream, void *memory, size_t size,
                             ufc_error *err) {
    (void)stream, (void)err;
    add_step(notes_of(ctx),
             &(struct step){.action = CLEAR, .place = place_of((uintptr_t)memory), .size = size});
    return UFC_OK;
}

/* The operands of a gufunc's parameter. */
static struct ufc_kparam_operand *operands_of(void *param) {
    return (void *)((char *)param + ufc_gufunc_offsets(0, 0, 0).operand);
}

static ufc_status note_launch(void *arg, const struct kernel_launch *launch, ufc_error *err) {
    struct notes *n = arg;
    struct script *s = n->script;
    size_t size = (launch->size + 15) & ~(size_t)15;
    struct step step = {.action = LAUNCH, .launch = *launch, .param = s->nparams};
    (void)err;
    n->full = n->full || s->nparams + size > MAX_PARAMS;
    if (n->full) /* the launches behind it need not be known */
        return UFC_ENOMEM;
    memcpy(s->params + s->nparams, launch->param, launch->size);
    struct ufc_kparam_operand *op = operands_of(s->params + s->nparams);
    for (int k = 0; k < n->it->nin + n->it->nout; k++)
        op[k].ptr -= (uintptr_t)n->it->data[k];
    s->nparams += size;
    add_step(n, &step);
    return UFC_OK;
}

/* The script of a call, in memory of its size; NULL: it fails, or is too long to be kept. */
static struct script *note(const struct launcher *l, const struct iteration *it,
                           launches_fn *launches, size_t nwords) {
    struct script *draft = script_new(MAX_STEPS, MAX_PARAMS, 0), *s = NULL;
    if (!draft)
        return NULL;
    draft->nsteps = 0;
    draft->nparams = 0;
    struct notes n = {.ctx = *l->ctx,
                      .ops = {.alloc = note_alloc, .free = note_free, .clear = note_clear},
                      .it = it,
                      .script = draft};
    n.ctx.ops = &n.ops;
    n.ctx.memo = NULL;
    struct launcher noting = {.ctx = &n.ctx, .stream = l->stream, .launch = note_launch, .arg = &n};
    if (launches(&noting, it, NULL) == UFC_OK && !n.full)
        s = script_new(draft->nsteps, draft->nparams, nwords);
    if (s) {
        s->nplaces = draft->nplaces;
        memcpy(s->step, draft->step, (size_t)s->nsteps * sizeof *s->step);
        memcpy(s->params, draft->params, s->nparams);
    }
    free(draft);
    return s;
}

/* ---- doing it */

struct performance {
    struct launcher *l;
    const struct iteration *it;
    void *memory[MAX_PLACES]; /* NULL: it is not taken */
};

static void find_place(const struct performance *p, uint64_t *address) {
    if (*address >= places)
        *address = (uintptr_t)p->memory[place_of(*address)] +
                   (*address & ((UINT64_C(1) << PLACE_SHIFT) - 1));
}

static ufc_status launch_step(const struct performance *p, const struct script *s,
                              const struct step *step, ufc_error *err) {
    _Alignas(16) unsigned char param[UFC_MAX_PARAMETER];
    struct kernel_launch launch = step->launch;
    const struct iteration *it = p->it;
    memcpy(param, s->params + step->param, launch.size);
    struct ufc_kparam_gufunc *gufunc = (void *)param;
    struct ufc_kparam_operand *op = operands_of(param);
    find_place(p, &gufunc->workspace);
    find_place(p, &gufunc->results);
    for (int k = 0; k < it->nin + it->nout; k++) {
        op[k].ptr += (uintptr_t)it->data[k];
        memcpy(op[k].value, it->value[k], sizeof op[k].value);
    }
    if (launch.kind == UFC_KERNEL_NEST)
        find_place(p, &((struct ufc_kparam_nest *)(void *)(param + launch.size -
                                                           sizeof(struct ufc_kparam_nest)))
                           ->parts);
    launch.param = param;
    launch.planned = it->planned;
    struct ufc_constants *known = gufunc_constants(it, &launch);
    launch.known = known;
    ufc_status status = p->l->launch(p->l->arg, &launch, err);
    free(known);
    return status;
}

static ufc_status perform_step(struct performance *p, const struct script *s,
                               const struct step *step, ufc_error *err) {
    ufc_context *ctx = p->l->ctx;
    void *stream = p->l->stream, **memory = &p->memory[step->place];
    switch (step->action) {
    case TAKE: return ctx->ops->alloc(ctx, stream, step->size, memory, err);
    case CLEAR: return ctx->ops->clear(ctx, stream, *memory, step->size, err);
    case LAUNCH: return launch_step(p, s, step, err);
    case FREE: ctx->ops->free(ctx, stream, *memory); *memory = NULL;
    }
    return UFC_OK;
}

static ufc_status perform(struct launcher *l, const struct iteration *it, const struct script *s,
                          ufc_error *err) {
    struct performance p = {.l = l, .it = it};
    ufc_status status = UFC_OK;
    for (int i = 0; i < s->nsteps && status == UFC_OK; i++)
        status = perform_step(&p, s, &s->step[i], err);
    for (int i = 0; i < s->nplaces; i++)
        if (p.memory[i])
            l->ctx->ops->free(l->ctx, l->stream, p.memory[i]);
    return status;
}

struct script *note_script(ufc_context *ctx, const struct iteration *it, launches_fn *launches) {
    const struct launcher l = {.ctx = ctx};
    return note(&l, it, launches, 0);
}

void script_free(struct script *script) {
    free(script);
}

bool replay_gufunc(struct launcher *l, const struct iteration *it, launches_fn *launches,
                   ufc_status *status, ufc_error *err) {
    struct memo *memo = l->ctx->memo;
    struct memo_key key;
    if (it->script) {
        *status = perform(l, it, it->script, err);
        return true;
    }
    if (!memo_key(&key, memo, it, MEMO_LAUNCHES))
        return false;
    struct script *s = (struct script *)memo_find(memo, &key);
    if (!s) {
        s = note(l, it, launches, key.nwords);
        if (!s)
            return false;
        memo_keep(memo, &key, &s->entry, s->key);
    }
    *status = perform(l, it, s, err);
    memo_let_go(&s->entry);
    return true;
}
