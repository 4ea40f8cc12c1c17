/* image.c: makes an image: the records of image_abi.h, with the code and text that they point to,
 * as bytes whose pointers are still to be filled in. */
#include <stdlib.h>
#include <string.h>

#include "object.h"

struct builder {
    struct uc *uc;
    struct image *image;
    const struct piece *gpu; /* the GPU code that comes next; NULL: there is none */
    size_t capacity;         /* of image->relocs */
    unsigned levels;
    size_t *cores; /* the offsets of gufuncs' struct ufc_core */
    size_t ncores;
    struct version {
        const struct plan *plan;
        size_t at; /* the offset of its ufunc */
    } * versions;  /* before the overloads that point to them */
    size_t nversions;
    size_t copies; /* the offset of the ufunc that copies gufuncs' operands */
    struct module {
        bool made;              /* it is in the image */
        size_t ptx, cubins;     /* offsets, in the code and here; 0: there are no cubins */
        uint64_t id, ptx_size;  /* a hash; the size of its PTX as it is in the image */
        size_t like;            /* the offset of the code that it refers to; 0: it does not */
    } common[UFC_MODULE_COUNT]; /* that all overloads share */
    struct first {
        size_t at; /* the offset of its struct ufc_code */
        uint64_t id;
    } first[UFC_MODULE_COUNT]; /* code that later ones refer to */
};

void image_free(struct image *image) {
    buf_free(&image->bytes);
    free(image->relocs);
    *image = (struct image){0};
}

/* ---- bytes and pointers */

/* Appends data at a multiple of align.  Gives its offset. */
static size_t put(struct builder *b, const void *data, size_t size, size_t align) {
    static const char zeros[16];
    struct buf *bytes = &b->image->bytes;
    buf_put(bytes, zeros, -bytes->size % align);
    size_t at = bytes->size;
    buf_put(bytes, data, size);
    return at;
}

/* Appends n records of a size, all zero, for `set` to fill.  Gives their offset. */
static size_t put_zeros(struct builder *b, size_t n, size_t size) {
    return put(b, NEWN(b->uc, char, n *size), n * size, 8);
}

static void set(struct builder *b, size_t at, const void *data, size_t size) {
    if (!b->image->bytes.failed)
        memcpy(b->image->bytes.data + at, data, size);
}

static void add_reloc(struct builder *b, struct reloc reloc) {
    struct image *image = b->image;
    if (image->nrelocs == b->capacity) {
        size_t capacity = 2 * b->capacity + 64;
        struct reloc *more = realloc(image->relocs, capacity * sizeof *more);
        if (more == NULL) {
            image->bytes.failed = true;
            return;
        }
        image->relocs = more;
        b->capacity = capacity;
    }
    image->relocs[image->nrelocs++] = reloc;
}

/* Makes the pointer at offset `at` point to offset `to`. */
static void point(struct builder *b, size_t at, size_t to) {
    add_reloc(b, (struct reloc){.offset = at, .addend = to});
}

static void point_symbol(struct builder *b, size_t at, const char *symbol) {
    add_reloc(b, (struct reloc){.offset = at, .symbol = symbol});
}

static void point_text(struct builder *b, size_t at, const char *text) {
    point(b, at, put(b, text, strlen(text) + 1, 1));
}

static int by_offset(const void *a, const void *b) {
    const struct reloc *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* ---- records */

void hash_code(uint64_t *hash, const void *data, size_t size) { /* FNV-1a */
    const unsigned char *c = data;
    for (size_t i = 0; i < size; i++)
        *hash = (*hash ^ c[i]) * 0x100000001b3u;
}

static void point_code(struct builder *b, size_t at, size_t to) {
    add_reloc(b, (struct reloc){.offset = at, .to_code = true, .addend = to});
}

/* Appends what there is of a module's PTX and cubins beside themselves. */
static void put_module(struct builder *b, enum ufc_module module, struct module *m) {
    const struct ufcc_options *o = b->uc->options;
    const struct piece *piece = b->gpu++;
    hash_code(&m->id, &piece->id, sizeof m->id);
    if (piece->like != NULL) { /* equal frames are equal code if what they refer to is */
        m->like = b->first[module].at;
        hash_code(&m->id, &b->first[module].id, sizeof m->id);
    }
    m->ptx_size = piece->size;
    m->ptx = piece->at;
    if (o->narchs == 0)
        return;
    m->cubins = put_zeros(b, (size_t)o->narchs, sizeof(struct ufc_cubin));
    for (size_t at = m->cubins, i = 0; i < (size_t)o->narchs; i++, at += sizeof(struct ufc_cubin)) {
        struct ufc_cubin cubin = {.sm = (uint32_t)o->archs[i]};
        if (!ufc_module_fits(module, o->archs[i])) {
            set(b, at, &cubin, sizeof cubin);
            continue;
        }
        piece = b->gpu++;
        hash_code(&m->id, &piece->id, sizeof m->id);
        cubin.size = piece->size;
        set(b, at, &cubin, sizeof cubin);
        point_code(b, at + offsetof(struct ufc_cubin, data), piece->at);
    }
}

/* Has the record of an overload's code at `at` point to a module, which is appended unless the
 * image has it.  id: the hash of the overload's entries. */
static void put_module_code(struct builder *b, enum ufc_module module, size_t at, uint64_t id,
                            struct ufc_code *code) {
    struct module own = {.made = false}, *m = is_common_module(module) ? &b->common[module] : &own;
    if (!m->made) {
        m->made = true;
        m->id = m == &own ? id : HASH_BEGIN;
        put_module(b, module, m);
    }
    point_code(b, at + offsetof(struct ufc_code, ptx), m->ptx);
    if (m->cubins != 0)
        point(b, at + offsetof(struct ufc_code, cubins), m->cubins);
    if (m->like != 0)
        point(b, at + offsetof(struct ufc_code, like), m->like);
    else if (b->first[module].at == 0)
        b->first[module] = (struct first){at, m->id};
    code->id = m->id;
    code->ptx_size = m->ptx_size;
}

static void put_device(struct builder *b, const struct plan *p, size_t at, struct ufc_overload *r) {
    uint64_t id = HASH_BEGIN;
    bool scalars = p->overload->decl->kind == DECL_UFUNC;
    r->vector_width = scalars ? (uint32_t)vector_width(p) : 0;
    r->ptx_sm = PTX_SM;
    for (size_t k = 0; k < UFC_KERNEL_COUNT; k++) {
        enum ufc_kernel_kind kind = (enum ufc_kernel_kind)k;
        if (!has_kernel(p, kind))
            continue;
        const char *name = entry_name(b->uc, p, kind);
        hash_code(&id, name, strlen(name));
        point_text(b, at + offsetof(struct ufc_overload, kernel) + k * sizeof name, name);
        r->block[k] = block_threads(p, kind);
    }
    if (b->gpu == NULL)
        return;
    r->ncubins = (uint32_t)b->uc->options->narchs;
    for (size_t k = 0; k < UFC_MODULE_COUNT; k++) {
        size_t code = at + offsetof(struct ufc_overload, code) + k * sizeof(struct ufc_code);
        r->code[k].id = id;
        if (module_kernels(p, (enum ufc_module)k) != 0)
            put_module_code(b, (enum ufc_module)k, code, id, &r->code[k]);
    }
}

/* Points the record at `at` to the overload's host code of one level. */
static void point_host(struct builder *b, const struct plan *p, size_t at, size_t level) {
    const char *name = arena_printf(b->uc, "%s_v%zu", p->symbol, level + 2);
    size_t place = level * sizeof(void *);
    point_symbol(b, at + offsetof(struct ufc_overload, host) + place, name);
    point_symbol(b, at + offsetof(struct ufc_overload, ask) + place,
                 arena_printf(b->uc, "%s_ask", name));
    if (!has_host_folds(p))
        return;
    point_symbol(b, at + offsetof(struct ufc_overload, fold) + place,
                 arena_printf(b->uc, "%s_fold", name));
    if (regroups(p))
        point_symbol(b, at + offsetof(struct ufc_overload, leaf) + place,
                     arena_printf(b->uc, "%s_leaf", name));
}

static void put_program(struct builder *b, size_t at, const struct ufc_term *terms, int n) {
    struct ufc_program r = {.nterms = (uint64_t)n};
    set(b, at, &r, sizeof r);
    if (n > 0)
        point(b, at + offsetof(struct ufc_program, terms),
              put(b, terms, (size_t)n * sizeof *terms, 8));
}

/* Appends what the body does, and points the overload's record at `at` to it. */
static void put_domain(struct builder *b, const struct body_domain *d, size_t at) {
    size_t each = sizeof *d->loops, loops = put(b, d->loops, d->nloops * each, 8);
    point(b, at + offsetof(struct ufc_overload, loops), loops);
    for (uint32_t i = 0; i < d->nloops; i++)
        put_program(b, loops + i * each + offsetof(struct ufc_loop, size), d->loops[i].size.terms,
                    (int)d->loops[i].size.nterms);
    point(b, at + offsetof(struct ufc_overload, work),
          put(b, d->work, d->nwork * sizeof *d->work, 8));
    point(b, at + offsetof(struct ufc_overload, chain),
          put(b, d->chain, d->nchain * sizeof *d->chain, 8));
    each = sizeof *d->accesses;
    size_t accesses = put_zeros(b, d->naccesses, each);
    point(b, at + offsetof(struct ufc_overload, accesses), accesses);
    for (uint32_t i = 0; i < d->naccesses; i++) {
        struct ufc_access a = d->accesses[i];
        size_t steps = put(b, a.steps, (size_t)(a.nsteps + a.noffsets) * sizeof *a.steps, 8);
        a.steps = NULL;
        set(b, accesses + i * each, &a, sizeof a);
        point(b, accesses + i * each + offsetof(struct ufc_access, steps), steps);
    }
}

enum { BAND_SHARE = 10 }; /* per cent of a square between diagonals, of which no more is known */

/* The per cent of a square of results that are on the sides of diagonals where they are reductions,
 * or where factors are not zeros; 0: there is none. */
static uint32_t reduced_share(const struct tiling *t) {
    int share = 100;
    for (int i = 0; i < t->nbounds; i++) {
        int down = t->bounds[i].growth[TILE_ROW], across = t->bounds[i].growth[TILE_COLUMN];
        if ((down < 0) == (across < 0) || down == 0 || across == 0)
            continue;
        down = abs(down);
        across = abs(across);
        share -= down > across ? 50 * across / down : 100 - 50 * down / across;
    }
    return share == 100 ? 0 : share < BAND_SHARE ? BAND_SHARE : (uint32_t)share;
}

/* Appends the phases, and points the overload's record at `at` to them. */
static void put_phases(struct builder *b, const struct plan *p, size_t at) {
    const struct mapping *m = &p->map;
    size_t each = sizeof *m->phase, phases = put(b, m->phase, (size_t)m->phases * each, 8);
    point(b, at + offsetof(struct ufc_overload, phase), phases);
    for (int i = 0; i < m->phases; i++) {
        const struct tiling *t = m->tiling[i];
        size_t here = phases + (size_t)i * each;
        struct ufc_phase r = m->phase[i];
        set(b, here, &r, sizeof r);
        const struct deal *d = r.deals > 0 ? m->deal[i] : NULL;
        if (d != NULL) {
            put_program(b, here + offsetof(struct ufc_phase, dealt), d->iterations, d->niterations);
            put_program(b, here + offsetof(struct ufc_phase, entries), d->entries, d->nentries);
            put_program(b, here + offsetof(struct ufc_phase, bins), d->bins, d->nbins);
            put_program(b, here + offsetof(struct ufc_phase, ragged), d->rows, d->nrows);
        }
        if (t == NULL)
            continue;
        r.shared = t->shared;
        r.batched = t->batched;
        r.skew = (uint32_t)t->skew;
        r.matrix = is_matrix(t) ? (uint32_t)matrix_columns(t) : 0;
        r.gathers = t->gathers;
        r.in_order = t->in_order;
        r.reduced = reduced_share(t->masked != NULL ? t->masked : t);
        for (int k = 0; k < 2; k++) {
            r.per[k] = (uint32_t)t->per[k];
            r.computed[k] = (uint32_t)t->computed[k];
        }
        for (const struct pacc *a = t->shape.accs; a != NULL; a = a->next)
            r.result += (uint32_t)dtype_info[a->acc->dtype].bits / 8;
        set(b, here, &r, sizeof r);
        put_program(b, here + offsetof(struct ufc_phase, rows), t->shape.rows, t->shape.nrows);
        put_program(b, here + offsetof(struct ufc_phase, columns), t->shape.columns,
                    t->shape.ncolumns);
        put_program(b, here + offsetof(struct ufc_phase, depth), t->depth, t->ndepth);
        put_program(b, here + offsetof(struct ufc_phase, batch), t->batches, t->nbatches);
    }
}

/* The hash of an overload's record, which is at `at`, of what was appended for it from `from` on,
 * and of its operands. */
static uint64_t overload_id(const struct builder *b, const struct plan *p, size_t at, size_t from) {
    const struct buf *bytes = &b->image->bytes;
    uint64_t id = HASH_BEGIN;
    if (bytes->failed)
        return 0;
    hash_code(&id, bytes->data + at, sizeof(struct ufc_overload));
    hash_code(&id, bytes->data + from, bytes->size - from);
    for (int k = 0; k < p->noperands; k++) {
        int64_t operand[] = {p->operands[k].dtype, p->operands[k].rank};
        hash_code(&id, operand, sizeof operand);
        for (int i = 0; i < p->operands[k].rank; i++) {
            const struct dim *d = p->operands[k].dims[i];
            int64_t dim[] = {d->index, d->size, d->optional, d->expr != NULL};
            hash_code(&id, dim, sizeof dim);
            hash_code(&id, d->terms, (size_t)d->nterms * sizeof *d->terms);
        }
    }
    return id;
}

static void set_halo(const struct halo *h, struct ufc_halo *r) {
    if (h == NULL)
        return;
    r->naxes = (uint32_t)h->naxes;
    r->stored = h->stored;
    for (int i = 0; i < h->naxes; i++) {
        r->dims[i] = (uint32_t)h->dims[i];
        r->each[i] = (uint32_t)h->each[i];
        r->outside[i] = (uint32_t)h->outside[i];
        r->pad[i] = (uint32_t)h->pad[i];
        r->wraps |= h->wraps[i] ? 1U << i : 0;
    }
}

static void set_panels(const struct panels *x, struct ufc_panels *r) {
    if (x == NULL)
        return;
    r->stored = x->stored | x->staged;
    r->far = x->far != 0;
    for (int i = 0; i < PANEL_AXES; i++)
        if (x->dims[i] != NULL) {
            r->axes |= 1U << i;
            r->dims[i] = (uint32_t)x->dims[i]->index;
        }
    for (int k = 0; k < 32; k++)
        for (int i = 0; i < 2; i++)
            r->cut[k] |= (uint8_t)(x->axis[k][i] << 2 * i);
}

/* What SERIES has, and lanes of NEST: a version that has both has room for either. */
static void set_series(const struct plan *p, struct ufc_overload *r) {
    if (has_kernel(p, UFC_KERNEL_SERIES)) {
        struct series_groups groups = series_groups(p);
        r->adders = (uint32_t)groups.n;
        r->series = groups.bytes;
        r->series_calls = (uint16_t)p->map.series;
        r->series_units = (uint16_t)groups.units;
    } else if (p->map.in_phases) {
        r->adders = (uint32_t)p->map.lane_points;
    }
    if (p->map.in_phases && p->map.lane_series > r->series)
        r->series = p->map.lane_series;
}

static size_t place_of_version(const struct builder *b, const struct plan *version) {
    size_t i = 0;
    while (b->versions[i].plan != version)
        i++;
    return b->versions[i].at;
}

/* Fills the overload's record at `at`. */
static void put_overload(struct builder *b, const struct plan *p, size_t at) {
    struct ufc_overload r = {
        .flags = method_flags(p) | (p->checked ? UFC_CHECKS : 0U) |
                 (p->map.scans ? UFC_SCANS : 0U) | (copies_input(p) ? UFC_COPIES : 0U) |
                 (p->calls && !p->retimed ? UFC_ROWS : 0U) | (p->map.phased ? UFC_PHASED : 0U) |
                 (p->passes ? UFC_PASSES : 0U) | (p->map.several ? UFC_SEVERAL : 0U),
        .unwritten = p->overload->inst->unwritten,
        .in_place = p->in_place};
    uint8_t dtypes[UFC_MAX_OPERANDS];
    for (int k = 0; k < p->noperands; k++)
        dtypes[k] = (uint8_t)p->operands[k].dtype;
    point(b, at + offsetof(struct ufc_overload, dtypes), put(b, dtypes, (size_t)p->noperands, 1));
    point_text(b, at + offsetof(struct ufc_overload, signature), p->overload->signature);
    for (size_t level = LEVEL_V2; level < LEVEL_COUNT; level++)
        if (b->levels & 1U << level && has_host_code(b->uc, p))
            point_host(b, p, at, level);
    identity_bits(p, r.identity);
    if (b->uc->options->targets & UFCC_CUDA)
        put_device(b, p, at, &r);
    size_t from = b->image->bytes.size; /* behind the code, which has a hash of its own */
    r.phases = (uint32_t)p->map.phases;
    r.steps.first = p->steps != NULL ? (uint32_t)p->steps->begin->phase : 0;
    r.steps.end = p->steps != NULL ? (uint32_t)p->steps->end->phase + 1 : 0;
    r.partial = (uint32_t)p->map.partial;
    r.nloops = p->domain.nloops;
    r.nwork = p->domain.nwork;
    r.naccesses = p->domain.naccesses;
    r.nchain = p->domain.nchain;
    r.held = (uint32_t)p->map.held;
    r.kept = (uint32_t)p->map.kept_bytes;
    r.in_memory = p->map.in_memory;
    r.side = (uint32_t)transpose_side(p);
    r.resident = p->map.resident;
    r.repeated = p->repeated;
    r.state = p->map.state != NULL ? (uint32_t)p->map.state->index + 1 : 0;
    r.in_lanes = p->map.state != NULL ? p->map.state_arrays : 0;
    r.small = p->map.small != NULL ? (uint16_t)(p->map.small->index + 1) : 0;
    r.small_most = (uint16_t)p->map.small_most;
    r.entry = (uint32_t)p->map.entry;
    r.portion = (uint32_t)p->map.portion;
    set_series(p, &r);
    set_halo(p->map.halo, &r.halo);
    set_panels(p->map.panels, &r.panels);
    set(b, at, &r, sizeof r);
    if (p->other != NULL)
        point(b, at + offsetof(struct ufc_overload, other), place_of_version(b, p->other));
    if (p->tiled != NULL)
        point(b, at + offsetof(struct ufc_overload, tiled), place_of_version(b, p->tiled));
    if (p->stacked != NULL)
        point(b, at + offsetof(struct ufc_overload, stacked), place_of_version(b, p->stacked));
    put_domain(b, &p->domain, at);
    put_phases(b, p, at);
    put_program(b, at + offsetof(struct ufc_overload, width), p->map.width, p->map.nwidth);
    put_program(b, at + offsetof(struct ufc_overload, step), p->map.step, p->map.nstep);
    b->image->overloads[b->image->noverloads++] = at;
    if (p->map.halo != NULL)
        put_program(b, at + offsetof(struct ufc_overload, halo.turns), p->map.halo->turns,
                    p->map.halo->nturns);
    if (p->map.panels != NULL)
        put_program(b, at + offsetof(struct ufc_overload, panels.turns), p->map.panels->turns,
                    p->map.panels->nturns);
    if (p->steps != NULL)
        put_program(b, at + offsetof(struct ufc_overload, steps.count), p->steps->count,
                    p->steps->ncount);
    if (p->map.window != NULL) {
        const struct shape *s = &p->map.window->shape;
        put_program(b, at + offsetof(struct ufc_overload, rows), s->rows, s->nrows);
        put_program(b, at + offsetof(struct ufc_overload, columns), s->columns, s->ncolumns);
    }
    uint64_t id = overload_id(b, p, at, from);
    set(b, at + offsetof(struct ufc_overload, id), &id, sizeof id);
}

/* Fills the core dimension's record at `at`. */
static void put_dim(struct builder *b, const struct dim *d, size_t at) {
    struct ufc_dim r = {.size = d->size,
                        .flags = (d->optional ? UFC_DIM_OPTIONAL : 0U) |
                                 (d->expr != NULL ? UFC_DIM_COMPUTED : 0U)};
    set(b, at, &r, sizeof r);
    point_text(b, at + offsetof(struct ufc_dim, name), d->name);
    put_program(b, at + offsetof(struct ufc_dim, program), d->terms, d->nterms);
}

/* A gufunc's signature as NumPy writes it: "(m,n),(n,p)->(m,p)". */
static const char *core_signature(struct uc *uc, const struct decl *d) {
    const char *text = "";
    for (int outputs = 0; outputs < 2; outputs++) {
        const struct param *first = outputs ? d->outputs : d->params;
        for (const struct param *p = first; p != NULL; p = p->next) {
            text = arena_printf(uc, "%s%s(", text, p != first ? "," : outputs ? "->" : "");
            for (int i = 0; i < p->rank; i++)
                text = arena_printf(uc, "%s%s%s%s", text, i > 0 ? "," : "", p->core[i]->name,
                                    p->core[i]->optional ? "?" : "");
            text = arena_printf(uc, "%s)", text);
        }
    }
    return text;
}

/* Appends the texts for subscripts out of range, and points the ufunc's record at `ufunc` to
 * them. */
static void put_places(struct builder *b, const struct decl *d, size_t ufunc) {
    size_t each = sizeof(char *), at = put_zeros(b, (size_t)count_places(d), each);
    if (d->elements == NULL)
        return;
    point(b, ufunc + offsetof(struct ufc_ufunc, places), at);
    for (const struct element *e = d->elements; e != NULL; e = e->next)
        for (int i = 0; i < e->rank; i++)
            point_text(b, at + (size_t)(e->place + i) * each, place_text(b->uc, e, i));
}

/* Appends what makes a gufunc of a ufunc, and points the ufunc's record at `at` to it. */
static void put_gufunc(struct builder *b, const struct plan *p, size_t at) {
    const struct decl *d = p->overload->decl;
    uint8_t rank[UFC_MAX_OPERANDS], dim[UFC_MAX_OPERANDS * MAX_CORE_RANK], *end = dim;
    for (int k = 0; k < p->noperands; k++) {
        rank[k] = (uint8_t)p->operands[k].rank;
        for (int i = 0; i < p->operands[k].rank; i++)
            *end++ = (uint8_t)p->operands[k].dims[i]->index;
    }
    struct ufc_core r = {.ndims = (uint32_t)d->ndims};
    size_t core = put(b, &r, sizeof r, 8), size = sizeof(struct ufc_dim);
    size_t dims = put_zeros(b, (size_t)d->ndims, size);
    point(b, at + offsetof(struct ufc_ufunc, core), core);
    point_text(b, core + offsetof(struct ufc_core, signature), core_signature(b->uc, d));
    point(b, core + offsetof(struct ufc_core, dims), dims);
    for (const struct dim *k = d->dims; k != NULL; k = k->next)
        put_dim(b, k, dims + (size_t)k->index * size);
    point(b, core + offsetof(struct ufc_core, rank), put(b, rank, (size_t)p->noperands, 1));
    point(b, core + offsetof(struct ufc_core, dim), put(b, dim, (size_t)(end - dim), 1));
    b->cores[b->ncores++] = core;
}

/* Appends the record of a ufunc, whose overloads are n plans in a row. */
static void put_ufunc(struct builder *b, const struct plan *p, uint32_t n) {
    const struct decl *d = p->overload->decl;
    const struct plan *first = p;
    size_t noperands = (size_t)p->noperands;
    struct ufc_ufunc r = {.version = UFC_IMAGE_ABI_VERSION,
                          .nin = (uint32_t)p->nin,
                          .nout = (uint32_t)p->overload->nout,
                          .nintermediates = (uint32_t)p->overload->nintermediates,
                          .noverloads = n,
                          .nplaces = (uint64_t)count_places(d)};
    size_t at = put(b, &r, sizeof r, 8), params = put_zeros(b, noperands, sizeof(char *));
    point_text(b, at + offsetof(struct ufc_ufunc, name), d->name);
    if (d->doc != NULL)
        point_text(b, at + offsetof(struct ufc_ufunc, doc), d->doc);
    point(b, at + offsetof(struct ufc_ufunc, params), params);
    for (size_t k = 0; k < noperands; k++)
        point_text(b, params + k * sizeof(char *), p->operands[k].name);
    size_t overload = put_zeros(b, n, sizeof(struct ufc_overload));
    point(b, at + offsetof(struct ufc_ufunc, overloads), overload);
    for (; n > 0; n--, p = p->next, overload += sizeof(struct ufc_overload))
        put_overload(b, p, overload);
    if (d->kind == DECL_GUFUNC)
        put_gufunc(b, first, at);
    put_places(b, d, at);
    if (d == b->uc->copies) {
        b->copies = at;
        return;
    }
    if (is_version(first)) {
        b->versions[b->nversions++] = (struct version){first, at};
        return;
    }
    const char *symbol = arena_printf(b->uc, "%s_%s_ufunc", stem(b->uc), d->name);
    b->image->exports[b->image->nexports++] = (struct export){symbol, at};
}

/* ---- the image */

bool make_image(struct uc *uc, unsigned levels, struct pieces *code, struct image *image) {
    struct builder b = {.uc = uc, .image = image, .levels = levels};
    uint32_t n = 0;
    for (const struct plan *p = uc->plans; p != NULL; p = p->next)
        n++;
    if (code != NULL)
        b.gpu = code->all;
    image->exports = NEWN(uc, struct export, n);
    image->overloads = NEWN(uc, size_t, n);
    b.cores = NEWN(uc, size_t, n);
    b.versions = NEWN(uc, struct version, n);
    for (const struct plan *p = uc->plans, *end; p != NULL; p = end) {
        for (n = 0, end = p; end && end->overload->decl == p->overload->decl; end = end->next)
            n++;
        put_ufunc(&b, p, n);
    }
    for (size_t i = 0; i < b.ncores; i++)
        point(&b, b.cores[i] + offsetof(struct ufc_core, copies), b.copies);
    if (image->nrelocs > 0)
        qsort(image->relocs, image->nrelocs, sizeof *image->relocs, by_offset);
    if (image->bytes.failed)
        error_nowhere(uc, "out of memory");
    return !image->bytes.failed;
}
