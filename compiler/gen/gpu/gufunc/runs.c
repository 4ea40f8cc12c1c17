/* runs.c: the iterations of a tile of PREFIX of which each thread has a run of neighbouring ones,
 * one after the other.  What they load and store at places that grow with the index the threads of
 * a warp load and store side by side, and turn in shared memory. */
#include "scan.h"

struct runs {
    struct scan *x;
    const struct scan_run *r;
    LLVMValueRef whole;                       /* i1 */
    LLVMValueRef base;                        /* i64: the number of the warp's first iteration */
    LLVMValueRef value[RUN_LOADS][RUN_UNITS]; /* of the run's iterations */
    LLVMValueRef stored[RUN_PUTS][RUN_UNITS];
    LLVMValueRef left;       /* i32: the run's iterations that there are; or more, or less than 0 */
    struct accs begin, tail; /* of r->tail: at first; behind the run */
};

enum {
    TURNED_APART = 16, /* bytes between runs whose banks would be the same */
    TURNED_VECTOR = 16 /* bytes of a vector of a run's elements */
};

static unsigned element_bytes(const struct pval *place) {
    return dtype_info[place->dtype].bits / 8;
}

/* Bytes from one thread's run of elements to the next one's. */
static unsigned run_bytes(const struct scan_run *r, unsigned size) {
    unsigned bytes = (unsigned)r->units * size;
    return bytes + (bytes % (2 * TURNED_APART) == 0 ? TURNED_APART : 0);
}

unsigned runs_bytes(const struct scan_run *r) {
    unsigned most = 1;
    for (int i = 0; i < r->nloads; i++)
        most = element_bytes(r->load[i].place) > most ? element_bytes(r->load[i].place) : most;
    for (int i = 0; i < r->nputs; i++)
        most = element_bytes(r->put[i]->place) > most ? element_bytes(r->put[i]->place) : most;
    return WARP * run_bytes(r, most);
}

/* ---- places */

static void meet(struct runs *p) {
    gpu(p->x->g)->warp_barrier(p->x->g, i32(p->x->g, UINT32_MAX));
}

/* The number, in unit u, of the iteration that is the thread's there. */
static LLVMValueRef number_in_unit(struct runs *p, int u) {
    struct gen *g = p->x->g;
    return add(g, add(g, p->base, extended(g, p->x->lane)), i64(g, (uint64_t)u * WARP));
}

/* The number of iteration i of its run. */
static LLVMValueRef number_in_run(struct runs *p, int i) {
    struct gen *g = p->x->g;
    LLVMValueRef first = multiply(g, extended(g, p->x->lane), i64(g, (uint64_t)p->r->units));
    return add(g, add(g, p->base, first), i64(g, (uint64_t)i));
}

/* The warp's room. */
static LLVMValueRef room_of(struct runs *p) {
    struct gen *g = p->x->g;
    LLVMValueRef at = multiply(g, p->x->warp, i32(g, p->x->room.bytes));
    return at_byte(g, p->x->room.rows, extended(g, at));
}

/* Where the thread's element in unit u is turned. */
static LLVMValueRef place_in_unit(struct runs *p, int u, unsigned size) {
    struct gen *g = p->x->g;
    unsigned units = (unsigned)p->r->units, apart = run_bytes(p->r, size);
    LLVMValueRef run = LLVMBuildUDiv(g->b, p->x->lane, i32(g, units), "");
    LLVMValueRef in_run = LLVMBuildURem(g->b, p->x->lane, i32(g, units), "");
    LLVMValueRef at = add(g, multiply(g, run, i32(g, apart)), multiply(g, in_run, i32(g, size)));
    at = at_byte(g, room_of(p), extended(g, at));
    return at_byte(g, at, i64(g, (uint64_t)u * (WARP / units) * apart));
}

/* Where its run is; *align: the alignment of element i. */
static LLVMValueRef place_in_run(struct runs *p, int i, unsigned size, unsigned *align) {
    struct gen *g = p->x->g;
    unsigned apart = run_bytes(p->r, size), offset = (unsigned)i * size;
    unsigned low = (apart | offset | 16);
    *align = low & (~low + 1);
    LLVMValueRef at = multiply(g, p->x->lane, i32(g, apart));
    return at_byte(g, at_byte(g, room_of(p), extended(g, at)), i64(g, offset));
}

/* Sets the index, of the tail as well. */
static void set_numbers(struct runs *p, LLVMValueRef number) {
    struct gen *g = p->x->g;
    scan_index(p->x, number);
    if (p->r->tail != NULL)
        LLVMBuildStore(g->b, LLVMBuildLoad2(g->b, i64_type(g), var_of(g, p->x->s->var)->slot, ""),
                       var_of(g, p->r->tail->ranges->var)->slot);
}

/* Sets the indices, and the variables that they tell. */
static void go_to(struct runs *p, LLVMValueRef number) {
    set_numbers(p, number);
    for (int i = 0; i < p->r->nsets; i++)
        gen_list(p->x->g, p->r->set[i], p->r->set[i]->next);
}

/* i1: whether the subscripts at hand are in the array. */
static LLVMValueRef is_there(struct gen *g, const struct pval *place) {
    LLVMValueRef is = NULL;
    for (int i = 0; i < place->nargs; i++) {
        const struct dim *d = g->plan->operands[place->operand].dims[i];
        LLVMValueRef size = d->index >= 0 ? g->dims[d->index] : i64(g, (uint64_t)d->size);
        LLVMValueRef own = compare(g, LLVMIntULT, gen_value(g, place->args[i]), size);
        is = is != NULL ? both(g, is, own) : own;
    }
    return is;
}

/* The address of the thread's element in a unit, and bytes to that of the next one. */
struct walked {
    LLVMValueRef at, step;
};

static struct walked walk_units(struct runs *p, const struct pval *place) {
    struct gen *g = p->x->g;
    LLVMValueRef at[2], number[2];
    for (int i = 0; i < 2; i++) {
        go_to(p, number_in_unit(p, i));
        at[i] = gen_address(g, place);
        number[i] = LLVMBuildPtrToInt(g->b, at[i], i64_type(g), "");
    }
    return (struct walked){at[0], subtract(g, number[1], number[0])};
}

/* ---- loads */

/* Loads what the thread has in units into slots. */
static void load_units(struct runs *p, bool whole, LLVMValueRef slot[][RUN_UNITS]) {
    struct gen *g = p->x->g;
    struct walked at[RUN_LOADS];
    for (int k = 0; k < p->r->nloads; k++)
        at[k] = walk_units(p, p->r->load[k].place);
    for (int u = 0; u < p->r->units; u++) {
        LLVMValueRef number = number_in_unit(p, u);
        LLVMBasicBlockRef end = whole ? NULL : begin_if(g, compare(g, LLVMIntSLT, number, p->x->n));
        go_to(p, number);
        for (int k = 0; k < p->r->nloads; k++) {
            const struct run_load *l = &p->r->load[k];
            LLVMBasicBlockRef after = l->always ? NULL : begin_if(g, is_there(g, l->place));
            unsigned align = dtype_align(l->place->dtype);
            LLVMBuildStore(g->b, gen_element_aligned(g, l->place, at[k].at, align), slot[k][u]);
            if (after != NULL)
                end_if(g, after);
        }
        if (end != NULL)
            end_if(g, end);
        for (int k = 0; k < p->r->nloads; k++)
            at[k].at = at_byte(g, at[k].at, at[k].step);
    }
}

/* Turns an element's values in units to those of the run. */
static void turn_load(struct runs *p, int k, LLVMValueRef *slot) {
    struct gen *g = p->x->g;
    enum ufc_dtype d = p->r->load[k].place->dtype;
    LLVMTypeRef memory = gen_memory_type(g, d);
    unsigned size = element_bytes(p->r->load[k].place), align;
    for (int u = 0; u < p->r->units; u++) {
        LLVMValueRef v = LLVMBuildLoad2(g->b, gen_type(g, d), slot[u], "");
        gen_store_element(g, memory, v, place_in_unit(p, u, size), size);
    }
    meet(p);
    for (int i = 0; i < p->r->units; i++) {
        LLVMValueRef at = place_in_run(p, i, size, &align);
        p->value[k][i] = gen_load_element(g, d, memory, at, align);
    }
    meet(p); /* the next element takes its place */
}

struct runs *runs_load(struct scan *x, const struct scan_run *r, LLVMValueRef base,
                       LLVMValueRef whole) {
    struct gen *g = x->g;
    struct runs *p = NEW(g->uc, struct runs);
    LLVMValueRef slot[RUN_LOADS][RUN_UNITS];
    *p = (struct runs){.x = x, .r = r, .whole = whole, .base = base};
    for (int k = 0; k < r->nloads; k++)
        for (int u = 0; u < r->units; u++) {
            LLVMTypeRef type = gen_type(g, r->load[k].place->dtype);
            slot[k][u] = gen_alloca(g, type, "element");
            LLVMBuildStore(g->b, LLVMConstNull(type), slot[k][u]);
        }
    LLVMBasicBlockRef all = gen_block(g, "whole"), some = gen_block(g, "end"),
                      done = gen_block(g, "loaded");
    LLVMBuildCondBr(g->b, whole, all, some);
    gen_place(g, all);
    load_units(p, true, slot);
    LLVMBuildBr(g->b, done);
    gen_place(g, some);
    load_units(p, false, slot);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    for (int k = 0; k < r->nloads; k++)
        turn_load(p, k, slot[k]);
    return p;
}

/* ---- iterations */

/* Has the elements of iteration i of the run at hand; stored: those as well that it stores. */
static void hold(struct runs *p, int i, struct held *held, bool stored) {
    struct gen *g = p->x->g;
    g->held = held;
    g->nheld = 0;
    for (int k = 0; k < p->r->nfound; k++) {
        const struct run_found *f = &p->r->found[k];
        if (f->load >= 0)
            held[g->nheld++] = (struct held){f->place, p->value[f->load][i]};
        else if (stored)
            held[g->nheld++] = (struct held){f->place, p->stored[f->put][i]};
    }
}

/* Goes to iteration i of the run. */
static void enter(struct runs *p, int i, struct held *held) {
    hold(p, i, held, false);
    set_numbers(p, number_in_run(p, i));
}

struct accs runs_join(struct runs *p) {
    struct gen *g = p->x->g;
    struct held held[RUN_FOUND];
    scan_store(g, p->x->s->accs, &p->x->empty);
    for (int i = 0; i < p->r->units; i++) { /* behind one that there is not none is */
        enter(p, i, held);
        gen_scan_term(g, p->x->s);
    }
    g->nheld = 0;
    return scan_load(g, p->x->s->accs);
}

/* The number of a store in p->r->put; -1: it is none of these. */
static int number_of_put(const struct scan_run *r, const struct pstmt *s) {
    for (int k = 0; k < r->nputs; k++)
        if (r->put[k] == s)
            return k;
    return -1;
}

/* i1: there is an iteration i of the run. */
static LLVMValueRef is_in_run(struct runs *p, int i) {
    return compare(p->x->g, LLVMIntSLT, i32(p->x->g, (uint32_t)i), p->left);
}

/* What the iteration at hand makes of the accs, of which it keeps what is turned. */
static void gen_point(struct runs *p, int i) {
    struct gen *g = p->x->g;
    const struct pstmt *scan = p->x->s, *end = scan->before ? scan->rest : NULL;
    for (const struct pstmt *s = scan->before ? scan->body : scan->rest; s != end; s = s->next) {
        int k = number_of_put(p->r, s);
        if (k >= 0) {
            p->stored[k][i] = gen_value(g, s->value);
            continue;
        }
        bool alone = s->kind == PS_IF && p->r->alone;
        LLVMBasicBlockRef after = alone ? begin_if(g, is_in_run(p, i)) : NULL;
        gen_list(g, s, s->next);
        if (after != NULL)
            end_if(g, after);
    }
}

/* Joins a term of the tail. */
static void gen_behind(struct runs *p, int i, struct held *held) {
    struct gen *g = p->x->g;
    hold(p, i, held, true);
    LLVMBasicBlockRef after = begin_if(g, is_in_run(p, i));
    gen_stmts(g, p->r->tail->body);
    end_if(g, after);
}

/* Begins the tail's accs. */
static void begin_tail(struct runs *p) {
    struct gen *g = p->x->g;
    gen_list(g, p->x->s->next, p->r->tail);
    p->begin = scan_load(g, p->r->tail->accs);
}

/* ---- stores */

static void store_units(struct runs *p, const struct pstmt *s, bool whole) {
    struct gen *g = p->x->g;
    enum ufc_dtype d = s->place->dtype;
    unsigned size = element_bytes(s->place);
    LLVMTypeRef memory = gen_memory_type(g, d);
    struct walked to = walk_units(p, s->place);
    for (int u = 0; u < p->r->units; u++) {
        LLVMValueRef number = number_in_unit(p, u);
        LLVMBasicBlockRef end = whole ? NULL : begin_if(g, compare(g, LLVMIntSLT, number, p->x->n));
        LLVMValueRef v = gen_load_element(g, d, memory, place_in_unit(p, u, size), size);
        gen_store_element(g, memory, v, to.at, dtype_align(d));
        if (end != NULL)
            end_if(g, end);
        to.at = at_byte(g, to.at, to.step);
    }
}

/* Puts what iterations of the run from `first` on, before `end`, store where it is turned. */
static void put_turned(struct runs *p, int k, int first, int end) {
    struct gen *g = p->x->g;
    const struct pval *place = p->r->put[k]->place;
    unsigned size = element_bytes(place), align;
    for (int i = first; i < end; i++) {
        LLVMValueRef at = place_in_run(p, i, size, &align);
        gen_store_element(g, gen_memory_type(g, place->dtype), p->stored[k][i], at, align);
    }
}

/* The first put that is stored, whose values need not wait in registers; -1: none is. */
static int early_put(const struct scan_run *r) {
    for (int k = 0; k < r->nputs; k++)
        if (!(r->kept >> k & 1))
            return k;
    return -1;
}

/* Puts a vector of those of iterations up to i there, if i ends one. */
static void put_early(struct runs *p, int i) {
    int k = early_put(p->r);
    if (k < 0)
        return;
    int most = TURNED_VECTOR / (int)element_bytes(p->r->put[k]->place);
    int n = most < p->r->units ? most : p->r->units;
    if ((i + 1) % n == 0)
        put_turned(p, k, i + 1 - n, i + 1);
}

/* Turns the values of the run, and stores them. */
static void turn_store(struct runs *p, int k) {
    struct gen *g = p->x->g;
    const struct pstmt *s = p->r->put[k];
    if (k != early_put(p->r)) {
        meet(p);
        put_turned(p, k, 0, p->r->units);
    }
    meet(p);
    LLVMBasicBlockRef all = gen_block(g, "whole"), some = gen_block(g, "end"),
                      done = gen_block(g, "stored");
    LLVMBuildCondBr(g->b, p->whole, all, some);
    gen_place(g, all);
    store_units(p, s, true);
    LLVMBuildBr(g->b, done);
    gen_place(g, some);
    store_units(p, s, false);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

void runs_store(struct runs *p, const struct accs *before) {
    struct gen *g = p->x->g;
    struct held held[RUN_FOUND];
    bool before_term = p->x->s->before;
    LLVMValueRef most = i64(g, (uint64_t)p->r->units);
    LLVMValueRef left = least(g, subtract(g, p->x->n, number_in_run(p, 0)), most);
    p->left = LLVMBuildTrunc(g->b, left, i32_type(g), "");
    if (p->r->tail != NULL)
        begin_tail(p);
    scan_store(g, p->x->s->accs, before);
    for (int i = 0; i < p->r->units; i++) {
        enter(p, i, held);
        if (!before_term)
            gen_scan_term(g, p->x->s);
        gen_point(p, i);
        if (before_term)
            gen_scan_term(g, p->x->s);
        put_early(p, i);
        if (p->r->tail != NULL)
            gen_behind(p, i, held);
    }
    g->nheld = 0;
    if (p->r->tail != NULL)
        p->tail = scan_load(g, p->r->tail->accs);
    for (int k = 0; k < p->r->nputs; k++)
        if (!(p->r->kept >> k & 1))
            turn_store(p, k);
}

struct accs runs_tail(const struct runs *p, struct accs *begin) {
    *begin = p->begin;
    return p->tail;
}
