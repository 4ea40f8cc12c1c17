/* lazy.c: the code of a program that is loaded.
 *
 * The image of a loaded program has the records of all overloads and no code.  Each record names a
 * maker instead, which makes code when a call first needs it: a part of the overload's host code,
 * or one of its GPU kernels.  What is made stays as long as the program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lazy.h"
#include "level.h"
#include "nvtx.h"

/* ---- making a unit */

bool make_unit(struct uc *uc, const struct unit *u, struct buf *code) {
    if (u->on_gpu)
        return gen_gpu(uc, u->plan, UINT64_C(1) << u->kind,
                       ufc_module_sm(kernel_info[u->kind].module, PTX_SM), UFCC_PTX, code);
    struct host_part part = {
        .plans = u->plan, .nplans = 1, .levels = 1U << u->level, .parts = 1U << u->part};
    return gen_host(uc, &part, UFCC_OBJECT, code);
}

/* A unit's name in its program: "ptx stats_density_f 0", "host stats_density_f_v4 0"; of code for
 * certain calls "ptx stats_density_f 0 0123456789abcdef", by what it knows of them. */
static const char *unit_name(struct uc *uc, const struct unit *u) {
    const char *symbol = u->plan->symbol;
    if (!u->on_gpu)
        return arena_printf(uc, "host %s_v%d %d", symbol, (int)u->level + 2, (int)u->part);
    const char *name = arena_printf(uc, "ptx %s %d", symbol, (int)u->kind);
    return u->plan->known ? arena_printf(uc, "%s %s", name, constants_name(uc, u->plan->known))
                          : name;
}

/* Whether libdevice, which calls read anew, is the one that the program was loaded with. */
static bool same_libdevice(const struct uc *uc, const struct loaded *program) {
    struct cache_key now;
    return program_key(uc, UFCC_CUDA, &now) && memcmp(&now, &program->gpu_key, sizeof now) == 0;
}

/* Finds a unit's code in the cache, or makes it and keeps it there.  Tells which, if the options
 * ask for it. */
static bool find_code(struct uc *uc, struct loaded *program, const struct unit *u,
                      struct buf *code) {
    const struct ufcc_options *o = uc->options;
    const char *name = unit_name(uc, u);
    struct cache_key key = piece_key(u->on_gpu ? &program->gpu_key : &program->host_key, name);
    bool found = cache_find(&program->cache, &key, code);
    if (!found && !make_unit(uc, u, code))
        return false;
    if (!found && !code->failed && program->cache.folder != NULL &&
        (!u->on_gpu || same_libdevice(uc, program)))
        (void)cache_keep(&program->cache, &key, code); /* else it is made the next time too */
    const char *line = arena_printf(uc, "%s %s\n", found ? "found" : "made", name);
    if (o->dumped != NULL && o->dump != NULL && strchr(o->dump, 'c') != NULL)
        o->dumped(o->user, line, strlen(line));
    return true;
}

/* Keeps the source where lines of code can name it, unless that is the file it was read from. */
static void keep_source(struct uc *uc, const struct loaded *program) {
    struct file *f = uc->files;
    if (file_holds(f->name, uc->src.text, f->end))
        return;
    char *path = cache_source(&program->cache, f->name, uc->src.text, f->end);
    if (path != NULL)
        f->kept = arena_printf(uc, "%s", path);
    free(path);
}

/* Opens the cache; but not where the LLVM IR is asked for, of which code is made. */
static void open_cache(struct uc *uc, struct loaded *program) {
    const struct ufcc_options *o = uc->options;
    if (o->dump != NULL && strpbrk(o->dump, "lo") != NULL)
        return;
    cache_open(&program->cache, o->cache);
    if (program->cache.folder == NULL)
        return;
    if (o->line_info)
        keep_source(uc, program);
    bool host = o->targets & UFCC_HOST, gpu = o->targets & UFCC_CUDA;
    if ((host && !program_key(uc, UFCC_HOST, &program->host_key)) ||
        (gpu && !program_key(uc, UFCC_CUDA, &program->gpu_key)))
        cache_close(&program->cache);
}

/* The program's JIT; NULL after errors.  Of two threads that make it at once, one does in vain. */
static struct jit *find_jit(struct uc *uc, struct loaded *program) {
    struct jit *jit = atomic_load(&program->jit), *made = jit != NULL ? NULL : jit_new(uc);
    if (made == NULL || atomic_compare_exchange_strong(&program->jit, &jit, made))
        return made != NULL ? made : jit;
    jit_free(made);
    return jit;
}

/* Loads host code, and finds its functions. */
static bool take_host(struct uc *uc, struct loaded *program, const struct unit *u,
                      const struct buf *code, struct made *made) {
    bool calls = u->part == UFC_HOST_CALLS;
    const char *name = arena_printf(uc, "%s_v%d", u->plan->symbol, (int)u->level + 2);
    const char *const names[] = {calls ? name : arena_printf(uc, "%s_fold", name),
                                 arena_printf(uc, calls ? "%s_ask" : "%s_leaf", name)};
    uintptr_t at[2] = {0, 0};
    struct jit *jit = find_jit(uc, program);
    bool both = calls ? u->plan->known == NULL : regroups(u->plan);
    if (jit == NULL || !jit_load(uc, jit, code, names, at, both ? 2 : 1))
        return false;
    if (calls)
        made->host = (struct ufc_host_code){.kernel = (ufc_host_kernel *)at[0],
                                            .ask = (ufc_host_ask *)at[1]};
    else
        made->host = (struct ufc_host_code){.fold = (ufc_fold_kernel *)at[0],
                                            .leaf = (ufc_leaf_kernel *)at[1]};
    return true;
}

/* Keeps PTX, which it takes from *code. */
static void take_ptx(struct uc *uc, const struct unit *u, struct buf *code, struct made *made) {
    const char *name = entry_name(uc, u->plan, u->kind);
    made->ptx = *code;
    *code = (struct buf){0};
    made->gpu = (struct ufc_code){.ptx = made->ptx.data, .id = HASH_BEGIN};
    hash_code(&made->gpu.id, name, strlen(name));
    hash_code(&made->gpu.id, made->ptx.data, made->ptx.size);
}

static bool take(struct uc *uc, struct loaded *program, const struct unit *u, struct buf *code,
                 struct made *made) {
    if (code->failed)
        longjmp(*uc->no_memory, NO_MEMORY);
    if (!u->on_gpu)
        return take_host(uc, program, u, code, made);
    take_ptx(uc, u, code, made);
    return true;
}

static void made_free(struct made *made) {
    if (made != NULL)
        buf_free(&made->ptx);
    free(made);
}

void place_init(struct place *place) {
    pthread_mutex_init(&place->making, NULL);
}

void place_free(struct place *place) {
    made_free(atomic_load(&place->made));
    pthread_mutex_destroy(&place->making);
}

/* A unit to be made: the work of a job. */
struct task {
    struct lazy *overload;
    int number; /* of its units */
    const struct ufc_constants *known;
    struct place *place;
    struct buf code;
    struct made *made;
};

/* The plan of code for certain calls.  Host code has a name of its own, since all of a program's is
 * loaded into one place. */
static const struct plan *special_plan(struct uc *uc, const struct task *t) {
    struct plan *p = NEW(uc, struct plan);
    *p = *t->overload->plan;
    p->known = t->known;
    if (t->number < UFC_HOST_PARTS)
        p->symbol = arena_printf(uc, "%s_%s", p->symbol, constants_name(uc, t->known));
    return p;
}

static struct unit unit_of(struct uc *uc, const struct task *t) {
    return (struct unit){.plan = t->known != NULL ? special_plan(uc, t) : t->overload->plan,
                         .on_gpu = t->number >= UFC_HOST_PARTS,
                         .level = t->overload->maker.level,
                         .part = (enum ufc_host_part)t->number,
                         .kind = (enum ufc_kernel_kind)(t->number - UFC_HOST_PARTS)};
}

static bool do_task(struct uc *own, void *tasks, int i) {
    struct task *t = (struct task *)tasks + i;
    struct unit u = unit_of(own, t);
    t->made = calloc(1, sizeof *t->made);
    if (t->made == NULL)
        longjmp(*own->no_memory, NO_MEMORY);
    return find_code(own, t->overload->program, &u, &t->code) &&
           take(own, t->overload->program, &u, &t->code, t->made);
}

/* Keeps what a task made, or drops what a failed one left. */
static void end_task(struct task *t, bool done) {
    buf_free(&t->code);
    if (done)
        atomic_store(&t->place->made, t->made);
    else
        made_free(t->made);
}

/* ---- what the runtime calls */

struct made *find_made(struct lazy *overload, int number, const struct ufc_constants *known,
                       struct place *place, char *why, size_t size) {
    struct task t = {.overload = overload, .number = number, .known = known, .place = place};
    struct made *made = atomic_load(&place->made);
    if (made != NULL)
        return made;
    if (!llvm_begin()) { /* nor may others end what they make */
        snprintf(why, size, "%s", llvm_lost);
        return NULL;
    }
    pthread_mutex_lock(&place->making);
    made = atomic_load(&place->made); /* another thread may have made it meanwhile */
    if (made == NULL) {
        nvtx_push("compile %s for the %s", overload->plan->symbol,
                  number < UFC_HOST_PARTS ? "host" : "GPU");
        end_task(&t, run_job(&overload->program->uc, do_task, &t, why, size));
        nvtx_pop();
        made = atomic_load(&place->made);
    }
    pthread_mutex_unlock(&place->making);
    llvm_end();
    return made;
}

static struct made *find(struct ufc_maker *maker, int number, char *why, size_t size) {
    struct lazy *overload = (struct lazy *)maker;
    return find_made(overload, number, NULL, &overload->units[number], why, size);
}

static const struct ufc_host_code *find_host(struct ufc_maker *maker, enum ufc_host_part part,
                                             char *why, size_t size) {
    static const struct ufc_host_code none;
    if (part == UFC_HOST_FOLDS && !has_host_folds(((struct lazy *)maker)->plan))
        return &none;
    const struct made *made = find(maker, (int)part, why, size);
    return made != NULL ? &made->host : NULL;
}

static const struct ufc_code *find_gpu(struct ufc_maker *maker, enum ufc_kernel_kind kind,
                                       char *why, size_t size) {
    const struct made *made = find(maker, UFC_HOST_PARTS + (int)kind, why, size);
    return made != NULL ? &made->gpu : NULL;
}

/* What a driver made of PTX: the work of a job, since the caller's stack may be small. */
struct cubin {
    const struct loaded *program;
    const char *ptx, *device;
    struct buf code;
    bool found; /* it is to be found, else kept */
};

/* The key has the PTX itself: it may be of another libdevice than the program's key. */
static bool do_cubin(struct uc *own, void *arg, int i) {
    struct cubin *c = arg;
    unsigned char sum[DIGEST_SIZE];
    struct buf name = {0};
    (void)i;
    digest(c->ptx, strlen(c->ptx), sum);
    buf_printf(&name, "cubin %s ", c->device);
    for (size_t k = 0; k < sizeof sum; k++)
        buf_printf(&name, "%02x", sum[k]);
    if (name.failed || c->code.failed) {
        buf_free(&name);
        longjmp(*own->no_memory, NO_MEMORY);
    }
    struct cache_key key = piece_key(&c->program->gpu_key, name.data);
    buf_free(&name);
    if (c->found)
        c->found = cache_find(&c->program->cache, &key, &c->code);
    else
        (void)cache_keep(&c->program->cache, &key, &c->code); /* else it is made again */
    return true;
}

/* False: the job was not done. */
static bool run_cubin(struct cubin *c) {
    char why[100];
    bool begun = llvm_begin(),
         done = begun && run_job(&c->program->uc, do_cubin, c, why, sizeof why);
    if (begun)
        llvm_end();
    return done;
}

static void keep_cubin(struct ufc_maker *maker, const struct ufc_code *code, const char *device,
                       const void *cubin, size_t size) {
    struct cubin c = {((struct lazy *)maker)->program, code->ptx, device, {0}, false};
    buf_put(&c.code, cubin, size);
    (void)run_cubin(&c);
    buf_free(&c.code);
}

static void *find_cubin(struct ufc_maker *maker, const struct ufc_code *code, const char *device,
                        size_t *size) {
    struct cubin c = {((struct lazy *)maker)->program, code->ptx, device, {0}, true};
    if (!run_cubin(&c) || !c.found) {
        buf_free(&c.code);
        return NULL;
    }
    *size = c.code.size;
    return c.code.data;
}

/* ---- programs */

static bool has_unit(const struct lazy *l, int number) {
    if (number >= UFC_HOST_PARTS)
        return l->maker.gpu != NULL &&
               has_kernel(l->plan, (enum ufc_kernel_kind)(number - UFC_HOST_PARTS));
    return l->maker.host != NULL && (number == UFC_HOST_CALLS || has_host_folds(l->plan));
}

static void end_tasks(struct loaded *program, bool done) {
    for (int i = 0; i < program->ntasks; i++)
        end_task(&program->tasks[i], done);
    program->ntasks = 0;
}

/* Makes all code.  False after errors. */
static bool make_all(struct uc *uc, struct loaded *program) {
    size_t n = program->image.noverloads;
    program->tasks = NEWN(uc, struct task, n * UNITS);
    for (size_t i = 0; i < n; i++)
        for (int number = 0; number < UNITS; number++)
            if (has_unit(&program->overloads[i], number))
                program->tasks[program->ntasks++] =
                    (struct task){.overload = &program->overloads[i],
                                  .number = number,
                                  .place = &program->overloads[i].units[number]};
    if (!run_jobs(uc, program->ntasks, do_task, program->tasks))
        return false;
    end_tasks(program, true);
    return true;
}

/* Gives each overload's record its maker. */
static void set_makers(struct uc *uc, struct loaded *program, int level) {
    const struct ufcc_options *o = uc->options;
    const struct plan *p = uc->plans;
    char *image = program->image.bytes.data;
    for (size_t i = 0; i < program->image.noverloads; i++, p = p->next) {
        struct lazy *l = &program->overloads[i];
        void *at = image + program->image.overloads[i];
        struct ufc_overload *record = at;
        *l = (struct lazy){.program = program, .plan = p};
        for (int number = 0; number < UNITS; number++)
            place_init(&l->units[number]);
        if (o->targets & UFCC_HOST && has_host_code(uc, p))
            l->maker = (struct ufc_maker){.level = (enum ufc_level)level, .host = find_host};
        if (o->targets & UFCC_CUDA)
            l->maker.gpu = find_gpu;
        if (o->targets & UFCC_CUDA && program->cache.folder != NULL) {
            l->maker.keep_cubin = keep_cubin;
            l->maker.find_cubin = find_cubin;
        }
        special_begin(l);
        record->maker = &l->maker;
    }
}

/* Takes what calls need of the compilation.  Where libdevice lies does not depend on what the
 * environment is by then. */
static void take_compilation(struct loaded *program, const struct uc *uc) {
    program->uc = *uc;
    program->options = *uc->options;
    program->uc.options = &program->options;
    if (program->options.libdevice == NULL && program->options.targets & UFCC_CUDA)
        program->options.libdevice = program->libdevice = find_libdevice(NULL);
}

static void set_pointers(struct image *image) {
    for (size_t i = 0; i < image->nrelocs; i++) {
        const char *to = image->bytes.data + image->relocs[i].addend;
        memcpy(image->bytes.data + image->relocs[i].offset, &to, sizeof to);
    }
}

bool load_program(struct uc *uc, int level, struct loaded **made) {
    struct loaded *program = *made = calloc(1, sizeof *program);
    if (program == NULL)
        longjmp(*uc->no_memory, NO_MEMORY);
    pthread_mutex_init(&program->worker.lock, NULL);
    take_compilation(program, uc);
    if (!make_image(uc, 0, NULL, &program->image))
        return false;
    program->overloads = calloc(program->image.noverloads + 1, sizeof *program->overloads);
    if (program->overloads == NULL)
        longjmp(*uc->no_memory, NO_MEMORY);
    set_pointers(&program->image);
    open_cache(uc, program);
    set_makers(uc, program, level);
    return !uc->options->eager || make_all(uc, program);
}

void loaded_free(struct uc *uc, struct loaded *program) {
    if (program == NULL)
        return;
    end_tasks(program, false);
    specials_free(program);
    struct jit *jit = atomic_load(&program->jit);
    if (jit != NULL && llvm_enter(uc))
        jit_free(jit);
    for (size_t i = 0; program->overloads != NULL && i < program->image.noverloads; i++)
        for (int number = 0; number < UNITS; number++)
            place_free(&program->overloads[i].units[number]);
    free(program->overloads);
    free(program->libdevice);
    cache_close(&program->cache);
    image_free(&program->image);
    free(program);
}

const ufc_ufunc *loaded_function(const struct loaded *program, const char *name) {
    for (size_t i = 0; i < program->image.nexports; i++) {
        const void *record = program->image.bytes.data + program->image.exports[i].offset;
        const ufc_ufunc *ufunc = record;
        if (strcmp(ufunc->name, name) == 0)
            return ufunc;
    }
    return NULL;
}
