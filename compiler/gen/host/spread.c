/* spread.c: an outermost PS_SPREAD on the host is a function of its own, of a range of it, so that
 * the runtime can give ranges of a large one to several threads.
 *
 * The range of a definition is of points.  That of a reduction is of pieces, each of many points;
 * the accs of each piece are kept, and joined in pairs at the end.  Pieces, the blocks within them
 * and the copies of the accs follow from the number of points alone, so that neither the number of
 * threads nor strides change a bit. */
#include "gufunc.h"

/* Words of the frame: pointers to the kernel's sizes and strides and to the pieces' accs, then the
 * arrays' addresses, then the variables that the function reads. */
enum { SIZES, STRIDES, PARTIALS, OPERANDS };

static LLVMValueRef pointer_at(struct gen *g, LLVMValueRef base, uint64_t bytes) {
    LLVMValueRef offset = i64(g, bytes);
    return LLVMBuildInBoundsGEP2(g->b, LLVMInt8TypeInContext(g->context), base, &offset, 1, "");
}

static LLVMTypeRef pointer_type(struct gen *g) {
    return LLVMPointerTypeInContext(g->context, 0);
}

/* ---- ranges */

/* Whether a list has loops other than reductions of few points, which are not cut into lanes. */
static bool has_long_loops(const struct pstmt *s) {
    for (; s != NULL; s = s->next)
        if (s->kind == PS_SPREAD ? !is_brief(s) || has_loop(s->body)
            : s->kind == PS_IF   ? has_long_loops(s->body) || has_long_loops(s->other)
                                 : s->kind != PS_SET && s->kind != PS_PUT)
            return true;
    return false;
}

const struct pstmt *spread_in_lanes(struct gen *g, const struct pstmt *s) {
    const struct prange *last = s->ranges;
    struct prange *ranges = NULL, **end = &ranges;
    bool many = false;
    for (; last->next != NULL; last = last->next) {
        *end = NEW(g->uc, struct prange);
        **end = *last;
        (*end)->next = NULL;
        many = constant_points(*end) == INT64_MAX;
        end = &(*end)->next;
    }
    int64_t n = constant_points(last);
    if (!many || n >= LANES_ROW || n >= g->vector_lanes || s->accs != NULL || s->ordered ||
        has_long_loops(s->body) || host_tiles(g, s))
        return s;
    struct pstmt *points = NEW(g->uc, struct pstmt), *each = NEW(g->uc, struct pstmt);
    *each = (struct pstmt){.kind = PS_FOR,
                           .at = s->at,
                           .var = last->var,
                           .lo = last->lo,
                           .hi = last->hi,
                           .step = last->step,
                           .body = s->body};
    *points = *s;
    points->ranges = ranges;
    points->body = each;
    return points;
}

void find_ranges(struct gen *g, const struct pstmt *s, struct spread_fn *p) {
    *p = (struct spread_fn){.s = s, .copies = 1, .total = i64(g, 1)};
    for (const struct prange *r = s->ranges; r != NULL; r = r->next, p->n++) {
        p->range[p->n] = r;
        p->lo[p->n] = gen_scalar(g, r->lo);
        p->step[p->n] = gen_scalar(g, r->step);
        p->count[p->n] = gen_count(g, p->lo[p->n], gen_scalar(g, r->hi), p->step[p->n]);
        p->total = multiply(g, p->total, p->count[p->n]);
    }
    p->is_long = has_loop(s->body);
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        p->naccs++;
}

/* ---- reductions */

/* Reduces points [begin, end) to the accs' slots of one value, which hold the identity before. */
static void gen_piece(struct gen *g, const struct spread_fn *p, LLVMValueRef begin,
                      LLVMValueRef end) {
    const struct pstmt *s = p->s;
    if (s->ordered) {
        points_between(g, p, begin, end);
        return;
    }
    struct blocks blocks;
    struct loop l;
    LLVMBasicBlockRef selected = select_points(g, p, begin, end);
    points_take_first(g, p);
    lanes_begin(g, s->accs);
    if (!blocks_matter(s)) {
        points_of_block(g, p, begin, end);
        lanes_join(g, s);
        if (selected != NULL)
            end_if(g, selected);
        return;
    }
    struct lanes_scope outer = lanes_enter(g, g->vector_lanes);
    blocks_begin(g, &blocks, s, false);
    lanes_leave(g, outer);
    LLVMBasicBlockRef done = gen_block(g, "summed"), more = gen_block(g, "more");
    loop_begin(g, &l, 1, &begin);
    loop_while(g, &l, LLVMConstInt(LLVMInt1TypeInContext(g->context), 1, false));
    l.keep = true;
    LLVMValueRef block =
        i64(g, (uint64_t)BLOCK_TURNS * (uint64_t)p->copies * (uint64_t)g->vector_lanes);
    LLVMValueRef block_end = add(g, l.phi[0], block);
    LLVMValueRef whole = compare(g, LLVMIntSLT, block_end, end);
    points_of_block(g, p, l.phi[0], gen_select(g, whole, block_end, end));
    LLVMBuildCondBr(g->b, whole, more, done);
    gen_place(g, more);
    outer = lanes_enter(g, g->vector_lanes);
    blocks_push(g, &blocks);
    lanes_leave(g, outer);
    loop_end(g, &l, &block_end);
    LLVMBuildUnreachable(g->b);
    gen_place(g, done);
    outer = lanes_enter(g, g->vector_lanes);
    blocks_finish(g, &blocks);
    lanes_leave(g, outer);
    lanes_join(g, s);
}

/* How points are cut into pieces; *bits: log2 of a piece's points; *pieces: how many. */
static void cut(struct gen *g, const struct spread_fn *p, LLVMValueRef *bits,
                LLVMValueRef *pieces) {
    LLVMValueRef least_bits = i64(g, p->is_long ? LONG_PIECE_BITS : PIECE_BITS);
    LLVMValueRef one = i64(g, 1), last = subtract(g, p->total, one);
    LLVMValueRef many = LLVMBuildLShr(g->b, last, add(g, least_bits, i64(g, PIECES_BITS)), "");
    LLVMValueRef args[] = {many, LLVMConstInt(LLVMInt1TypeInContext(g->context), 0, false)};
    LLVMTypeRef type = i64_type(g);
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(g->module, gen_intrinsic_id("ctlz"), &type, 1);
    LLVMValueRef zeros = LLVMBuildCall2(g->b, LLVMGlobalGetValueType(f), f, args, 2, "");
    *bits = add(g, least_bits, subtract(g, i64(g, 64), zeros));
    LLVMValueRef n = add(g, LLVMBuildLShr(g->b, last, *bits, ""), one);
    LLVMValueRef has_points = compare(g, LLVMIntSGT, p->total, i64(g, 0));
    *bits = gen_select(g, has_points, *bits, least_bits);
    *pieces = gen_select(g, has_points, n, i64(g, 0));
}

/* The address of acc i of a piece (i64). */
static LLVMValueRef partial_at(struct gen *g, LLVMValueRef partials, LLVMValueRef piece, int naccs,
                               int i) {
    LLVMValueRef n = add(g, multiply(g, piece, i64(g, (uint64_t)naccs)), i64(g, (uint64_t)i));
    return LLVMBuildGEP2(g->b, i64_type(g), partials, &n, 1, "");
}

/* Reduces pieces [begin, end), each from the accs' first values on, and stores the accs. */
static void gen_pieces(struct gen *g, const struct spread_fn *p, LLVMValueRef begin,
                       LLVMValueRef end, LLVMValueRef partials) {
    LLVMValueRef *first = NEWN(g->uc, LLVMValueRef, p->naccs), bits, pieces;
    struct loop l;
    int i = 0;
    cut(g, p, &bits, &pieces);
    for (const struct pacc *a = p->s->accs; a != NULL; a = a->next, i++)
        first[i] = LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), var_of(g, a->acc)->slot, "");
    loop_begin(g, &l, 1, &begin);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    l.keep = true;
    i = 0;
    for (const struct pacc *a = p->s->accs; a != NULL; a = a->next, i++)
        LLVMBuildStore(g->b, first[i], var_of(g, a->acc)->slot);
    LLVMValueRef next = add(g, l.phi[0], i64(g, 1));
    LLVMValueRef from = LLVMBuildShl(g->b, l.phi[0], bits, "");
    gen_piece(g, p, from, least(g, LLVMBuildShl(g->b, next, bits, ""), p->total));
    i = 0;
    for (const struct pacc *a = p->s->accs; a != NULL; a = a->next, i++)
        move_slot(g, a->acc, var_of(g, a->acc)->slot,
                  partial_at(g, partials, l.phi[0], p->naccs, i));
    loop_end(g, &l, &next);
}

/* Joins the pieces' accs in pairs until one is left, in the accs' slots. */
static void join_pieces(struct gen *g, const struct spread_fn *p, LLVMValueRef pieces,
                        LLVMValueRef partials) {
    const struct pstmt *s = p->s;
    struct loop rounds, l;
    LLVMValueRef zero = i64(g, 0), one = i64(g, 1);
    int naccs = p->naccs, i;
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntSGT, pieces, zero));
    loop_begin(g, &rounds, 1, &pieces);
    loop_while(g, &rounds, compare(g, LLVMIntSGT, rounds.phi[0], one));
    rounds.keep = true;
    LLVMValueRef half = LLVMBuildLShr(g->b, rounds.phi[0], one, "");
    LLVMValueRef odd = LLVMBuildAnd(g->b, rounds.phi[0], one, "");
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], half));
    l.keep = true;
    LLVMValueRef left = LLVMBuildShl(g->b, l.phi[0], one, ""), right = add(g, left, one);
    i = 0;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next, i++) {
        move_slot(g, a->acc, partial_at(g, partials, left, naccs, i), var_of(g, a->acc)->slot);
        move_slot(g, a->acc, partial_at(g, partials, right, naccs, i), var_of(g, a->other)->slot);
    }
    gen_stmts(g, s->joined);
    i = 0;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next, i++)
        move_slot(g, a->acc, var_of(g, a->acc)->slot, partial_at(g, partials, l.phi[0], naccs, i));
    LLVMValueRef next = add(g, l.phi[0], one);
    loop_end(g, &l, &next);
    i = 0; /* an odd last one goes behind the pairs; if there is none, this copy is not used */
    for (const struct pacc *a = s->accs; a != NULL; a = a->next, i++)
        move_slot(g, a->acc, partial_at(g, partials, subtract(g, rounds.phi[0], one), naccs, i),
                  partial_at(g, partials, half, naccs, i));
    LLVMValueRef fewer = add(g, half, odd);
    loop_end(g, &rounds, &fewer);
    i = 0;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next, i++)
        move_slot(g, a->acc, partial_at(g, partials, zero, naccs, i), var_of(g, a->acc)->slot);
    end_if(g, after);
}

/* ---- the variables that a PS_SPREAD reads from the code around it */

struct reads {
    bool *read, *set; /* by id: the PS_SPREAD reads, sets the variable */
};

static enum walk mark_read(const struct pval *v, void *arg) {
    const struct reads *r = arg;
    if (v->kind == PV_VAR)
        r->read[v->var->id] = true;
    return WALK_IN;
}

static enum walk mark_set(const struct pstmt *s, void *arg) {
    const struct reads *r = arg;
    for (const struct prange *range = s->ranges; range != NULL; range = range->next)
        r->set[range->var->id] = true;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        r->set[a->other->id] = true;
    if (s->var != NULL)
        r->set[s->var->id] = true;
    return WALK_IN;
}

/* The variables that s reads and does not set, and its accs, in the order of the plan; NULL at the
 * end. */
static const struct pvar **outer_variables(struct gen *g, const struct pstmt *s) {
    int n = g->plan->nvars, k = 0;
    struct reads r = {NEWN(g->uc, bool, n + 1), NEWN(g->uc, bool, n + 1)};
    const struct pvar **list = NEWN(g->uc, const struct pvar *, n + 1);
    stmt_walk(s, &(struct plan_visitor){mark_set, mark_read, .joined = true}, &r);
    for (const struct pacc *a = s->accs; a != NULL; a = a->next) {
        r.read[a->acc->id] = true;
        r.set[a->acc->id] = false;
    }
    for (const struct pvar *v = g->plan->vars; v != NULL; v = v->next)
        if (r.read[v->id] && !r.set[v->id])
            list[k++] = v;
    return list;
}

/* ---- the function */

/* The address of word i of the frame. */
static LLVMValueRef frame_word(struct gen *g, LLVMValueRef frame, int i) {
    return pointer_at(g, frame, 8 * (uint64_t)i);
}

static LLVMValueRef load_pointer(struct gen *g, LLVMValueRef frame, int i) {
    return LLVMBuildLoad2(g->b, pointer_type(g), frame_word(g, frame, i), "");
}

/* Sets sizes, arrays and variables from the frame. */
static void enter_frame(struct gen *g, const struct pstmt *s, LLVMValueRef frame,
                        const struct pvar *const *vars) {
    const struct plan *p = g->plan;
    gufunc_host_sizes(g, load_pointer(g, frame, SIZES), load_pointer(g, frame, STRIDES));
    gen_variables(g, s->ordered ? 1 : g->vector_lanes);
    gen_local_arrays(g);
    for (int k = 0; k < p->noperands + p->nlocals; k++)
        if (k < p->noperands || !g->varying->arrays[k])
            g->arrays[k].base = load_pointer(g, frame, OPERANDS + k);
    gufunc_host_scalars(g);
    int at = OPERANDS + p->noperands + p->nlocals;
    for (; *vars != NULL; vars++, at++)
        move_slot(g, *vars, frame_word(g, frame, at), var_of(g, *vars)->slot);
}

/* Whether s is a definition of little work that is not among the statements of the body itself. */
static bool is_light(const struct gen *g, const struct pstmt *s) {
    const struct pstmt *top = g->plan->body->body;
    while (top != NULL && top != s)
        top = top->next;
    return top == NULL && s->accs == NULL && !s->ordered &&
           body_cost(s->body, LIGHT_BODY) < LIGHT_BODY;
}

/* The function of s: void(frame, begin, end). */
static LLVMValueRef gen_function(struct gen *outer, const struct pstmt *s,
                                 const struct pvar *const *vars) {
    struct gen inner = *outer, *g = &inner;
    LLVMTypeRef types[] = {pointer_type(g), i64_type(g), i64_type(g)};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g->context), types, 3, false);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b);
    int arrays = g->plan->noperands + g->plan->nlocals;
    g->function =
        LLVMAddFunction(g->module, arena_printf(g->uc, "%s_spread", g->plan->symbol), type);
    LLVMSetLinkage(g->function, LLVMInternalLinkage);
    llvm_host_attributes(g->function, g->level);
    gen_place(g, gen_block(g, "entry"));
    g->arrays = NEWN(g->uc, struct gen_array, arrays);
    g->sharing = NULL;
    if (!s->ordered)
        g->varying = find_varying_within(g->uc, g->plan, s, true);
    LLVMValueRef frame = LLVMGetParam(g->function, 0), begin = LLVMGetParam(g->function, 1),
                 end = LLVMGetParam(g->function, 2);
    enter_frame(g, s, frame, vars);
    if (s->accs == NULL && host_tiles(g, s)) {
        host_tile(g, s, begin, end);
        LLVMBuildRetVoid(g->b);
        gen_place(g, here);
        return inner.function;
    }
    struct spread_fn p;
    find_ranges(g, s, &p);
    g->lane_var = p.range[p.n - 1]->var;
    g->lane_step = p.step[p.n - 1];
    g->lane_lo = p.lo[p.n - 1];
    p.light = is_light(g, s);
    if (!s->ordered) {
        points_make_accs(g, &p);
        points_find_unit(g, &p);
    }
    struct rows rows;
    bool of_rows = s->accs == NULL && !s->ordered && rows_find(g, &p, &rows),
         lines = s->accs == NULL && !s->ordered && !of_rows && lines_find(g, &p, &rows);
    g->rows = of_rows || lines ? &rows : NULL;
    p.light = p.light && !lines;
    if (s->accs != NULL)
        gen_pieces(g, &p, begin, end, load_pointer(g, frame, PARTIALS));
    else
        points_between(g, &p, begin, end);
    LLVMBuildRetVoid(g->b);
    gen_place(g, here);
    return inner.function;
}

/* ---- the call */

/* Calls f for [0, n), by the caller's threads if it has several and n is more than `grain`. */
static void gen_call(struct gen *g, LLVMValueRef f, LLVMValueRef n, int grain) {
    const struct host_call *h = g->call;
    LLVMValueRef has_threads = LLVMBuildIsNotNull(g->b, h->share, "");
    LLVMValueRef size = i64(g, (uint64_t)grain), many = compare(g, LLVMIntSGT, n, size);
    LLVMBasicBlockRef shared = gen_block(g, "shared"), alone = gen_block(g, "alone"),
                      done = gen_block(g, "done");
    LLVMBuildCondBr(g->b, both(g, has_threads, many), shared, alone);
    gen_place(g, shared);
    LLVMTypeRef p = pointer_type(g), i = i64_type(g), types[] = {p, p, p, i, i};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g->context), types, 5, false);
    LLVMValueRef args[] = {h->data, f, h->frame, n, size};
    LLVMBuildCall2(g->b, type, h->share, args, 5, "");
    LLVMBuildBr(g->b, done);
    gen_place(g, alone);
    LLVMValueRef own[] = {h->frame, i64(g, 0), n};
    LLVMBuildCall2(g->b, LLVMGlobalGetValueType(f), f, own, 3, "");
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* s, which is no single point, as a function that is called. */
static void call_spread(struct gen *g, const struct pstmt *s) {
    const struct host_call *h = g->call;
    const struct plan *plan = g->plan;
    const struct pvar **vars = outer_variables(g, s);
    LLVMValueRef f = gen_function(g, s, vars), pieces, bits;
    struct spread_fn p;
    int at = OPERANDS + plan->noperands + plan->nlocals;
    for (int n = 0; vars[n] != NULL; n++)
        move_slot(g, vars[n], var_of(g, vars[n])->slot, frame_word(g, h->frame, at + n));
    find_ranges(g, s, &p);
    if (s->accs == NULL && host_tiles(g, s)) {
        gen_call(g, f, host_tile_count(g, s), 1);
        return;
    }
    if (s->accs == NULL) {
        gen_call(g, f, p.total, p.is_long ? LONG_POINTS_GRAIN : POINTS_GRAIN);
        return;
    }
    LLVMTypeRef type = LLVMArrayType2(i64_type(g), (uint64_t)p.naccs << PIECES_BITS);
    LLVMValueRef partials = gen_alloca(g, type, "partials");
    LLVMBuildStore(g->b, partials, frame_word(g, h->frame, PARTIALS));
    cut(g, &p, &bits, &pieces);
    gen_call(g, f, pieces, 1);
    join_pieces(g, &p, pieces, partials);
}

LLVMValueRef spread_fills_lanes(struct gen *g, const struct pstmt *s) {
    struct spread_fn p;
    find_ranges(g, s, &p);
    LLVMValueRef least = i64(g, (uint64_t)g->vector_lanes);
    return compare(g, LLVMIntSGE, p.count[p.n - 1], least);
}

typedef void emit_spread(struct gen *g, const struct pstmt *s);

/* What `emit` makes of s, or, where `other` holds, of it in another form. */
static void choose_form(struct gen *g, LLVMValueRef other, const struct pstmt *form,
                        const struct pstmt *s, emit_spread *emit) {
    LLVMBasicBlockRef then = gen_block(g, "form"), as_is = gen_block(g, "as_is"),
                      done = gen_block(g, "done");
    LLVMBuildCondBr(g->b, other, then, as_is);
    gen_place(g, then);
    emit(g, form);
    LLVMBuildBr(g->b, done);
    gen_place(g, as_is);
    emit(g, s);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* s in vectors of points of its last range, or, where these are few, of several rows. */
static void in_vectors(struct gen *g, const struct pstmt *s) {
    const struct pstmt *lanes = spread_in_lanes(g, s);
    if (lanes == s)
        call_spread(g, s);
    else
        choose_form(g, spread_fills_lanes(g, lanes), lanes, s, call_spread);
}

static void host_spread(struct gen *g, const struct pstmt *s) {
    int n = 0;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        n++;
    if (n > MAX_RANGES || is_brief(s) || is_single(s)) {
        gen_stmts(g, s->serial);
        return;
    }
    const struct pstmt *stored = spread_as_stored(g, s);
    if (stored == s)
        in_vectors(g, s);
    else
        choose_form(g, goes_as_stored(g, s, stored), stored, s, in_vectors);
}

const struct sharing host_sharing = {.spread = host_spread, .shares_loops = true};

LLVMValueRef host_frame(struct gen *g, LLVMValueRef sizes, LLVMValueRef strides) {
    int words = OPERANDS + g->plan->noperands + g->plan->nlocals + g->plan->nvars;
    LLVMValueRef frame = gen_alloca(g, LLVMArrayType2(i64_type(g), (uint64_t)words), "frame");
    LLVMBuildStore(g->b, sizes, frame_word(g, frame, SIZES));
    LLVMBuildStore(g->b, strides, frame_word(g, frame, STRIDES));
    return frame;
}

void host_frame_arrays(struct gen *g, LLVMValueRef frame) {
    for (int k = 0; k < g->plan->noperands + g->plan->nlocals; k++)
        LLVMBuildStore(g->b, g->arrays[k].base, frame_word(g, frame, OPERANDS + k));
}
