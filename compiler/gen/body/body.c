/* body.c: from plan IR to LLVM IR, for any number of lanes: values, variables and a ufunc's body.
 * Statements are in stmt.c. */
#include <llvm-c/DebugInfo.h>

#include "body.h"

LLVMBasicBlockRef gen_block(struct gen *g, const char *name) {
    return LLVMAppendBasicBlockInContext(g->context, g->function, name);
}

void gen_place(struct gen *g, LLVMBasicBlockRef block) {
    LLVMPositionBuilderAtEnd(g->b, block);
    lines_enter(g, LLVMGetBasicBlockParent(block));
}

LLVMValueRef gen_alloca(struct gen *g, LLVMTypeRef type, const char *name) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(g->function);
    LLVMValueRef first = LLVMGetFirstInstruction(entry);
    if (first != NULL)
        LLVMPositionBuilderBefore(g->b, first);
    else
        gen_place(g, entry);
    LLVMValueRef slot = LLVMBuildAlloca(g->b, type, name);
    gen_place(g, here);
    return slot;
}

LLVMValueRef gen_any(struct gen *g, LLVMValueRef condition) {
    LLVMTypeRef type = LLVMTypeOf(condition);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return condition;
    LLVMTypeRef bits = LLVMIntTypeInContext(g->context, LLVMGetVectorSize(type));
    LLVMValueRef word = LLVMBuildBitCast(g->b, condition, bits, "");
    return LLVMBuildICmp(g->b, LLVMIntNE, word, LLVMConstNull(bits), "any");
}

void loop_begin(struct gen *g, struct loop *l, int n, LLVMValueRef *first) {
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b);
    l->header = gen_block(g, "loop");
    l->exit = gen_block(g, "done");
    l->n = n;
    l->keep = false;
    LLVMBuildBr(g->b, l->header);
    gen_place(g, l->header);
    for (int i = 0; i < n; i++) {
        l->phi[i] = LLVMBuildPhi(g->b, LLVMTypeOf(first[i]), "");
        LLVMAddIncoming(l->phi[i], &first[i], &before, 1);
    }
}

void loop_while(struct gen *g, struct loop *l, LLVMValueRef condition) {
    LLVMBasicBlockRef body = gen_block(g, "body");
    LLVMBuildCondBr(g->b, gen_any(g, condition), body, l->exit);
    gen_place(g, body);
}

static LLVMMetadataRef loop_word(struct gen *g, const char *word) {
    LLVMMetadataRef text = LLVMMDStringInContext2(g->context, word, strlen(word));
    return LLVMMDNodeInContext2(g->context, &text, 1);
}

/* Says with `!llvm.loop`, a distinct node whose first operand is itself, what is known of a loop.
 * One that counts ends, so that LLVM deletes it where it computes nothing that is used: ptxas 13.0
 * crashes on such a loop. */
static void tell_of_loop(struct gen *g, const struct loop *l, LLVMValueRef branch) {
    static const char kind[] = "llvm.loop";
    LLVMMetadataRef self = LLVMTemporaryMDNode(g->context, NULL, 0), parts[3] = {self};
    unsigned n = 1;
    if (l->n > 0)
        parts[n++] = loop_word(g, "llvm.loop.mustprogress");
    if (l->keep)
        parts[n++] = loop_word(g, "llvm.loop.unroll.disable");
    LLVMMetadataRef node = LLVMMDNodeInContext2(g->context, parts, n);
    LLVMMetadataReplaceAllUsesWith(self, node);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(g->context, kind, sizeof kind - 1),
                    LLVMMetadataAsValue(g->context, node));
}

void loop_end(struct gen *g, struct loop *l, LLVMValueRef *next) {
    LLVMBasicBlockRef latch = LLVMGetInsertBlock(g->b);
    for (int i = 0; i < l->n; i++)
        LLVMAddIncoming(l->phi[i], &next[i], &latch, 1);
    LLVMValueRef back = LLVMBuildBr(g->b, l->header);
    if (l->keep || l->n > 0)
        tell_of_loop(g, l, back);
    gen_place(g, l->exit);
}

/* ---- values */

/* The dtype that a built-in function computes in: see gen_builtin. */
static enum ufc_dtype call_dtype(const struct pval *v) {
    for (int i = 0; i < v->nargs; i++)
        if (is_float(v->args[i]->dtype))
            return v->args[i]->dtype;
    return v->dtype;
}

static LLVMValueRef gen_constant(struct gen *g, const struct pval *v) {
    return is_float(v->dtype) ? gen_float(g, v->dtype, v->f) : gen_int(g, v->dtype, (int64_t)v->i);
}

const struct settled *gen_settled(const struct gen *g, const struct pval *v) {
    if (g->settled == NULL || (v->kind != PV_OP && v->kind != PV_CALL && v->kind != PV_VAR))
        return NULL;
    for (const struct settled *s = g->settled; s != NULL && s->value != NULL; s++)
        if (same_value(s->value, v))
            return s;
    return NULL;
}

const struct pval *gen_varying_argument(struct gen *g, const struct pval *v) {
    return v->args[gen_varies(g, v->args[0]) ? 0 : 1];
}

static enum walk find_varying_part(const struct pval *v, void *arg) {
    const struct gen *g = arg;
    const struct settled *settled = gen_settled(g, v);
    if (settled != NULL && settled->truth != NULL)
        return WALK_PAST;
    return varies_itself(g->varying, v) ? WALK_STOP : WALK_IN;
}

bool gen_varies(struct gen *g, const struct pval *v) {
    return g->varying == NULL || (g->settled != NULL ? !value_walk(v, find_varying_part, g)
                                                     : value_varies(g->varying, v));
}

bool gen_var_varies(struct gen *g, const struct pvar *v) {
    return g->varying == NULL || g->varying->vars[v->id];
}

LLVMValueRef gen_scalar(struct gen *g, const struct pval *v) {
    struct lanes_scope outer = lanes_enter(g, 1);
    LLVMValueRef r = gen_value(g, v);
    lanes_leave(g, outer);
    return r;
}

LLVMValueRef gen_slot_of(struct gen *g, const struct pvar *v) {
    return g->lanes > 1 && gen_var_varies(g, v) ? var_of(g, v)->lanes : var_of(g, v)->slot;
}

LLVMTypeRef gen_slot_type(struct gen *g, const struct pvar *v) {
    LLVMTypeRef scalar = gen_scalar_type(g, v->dtype);
    return gen_var_varies(g, v) ? gen_lanes_of(g, scalar) : scalar;
}

LLVMValueRef gen_add_product(struct gen *g, LLVMValueRef *args) {
    if (!g->target->has_fma(g))
        return LLVMBuildFAdd(g->b, LLVMBuildFMul(g->b, args[0], args[1], ""), args[2], "");
    return gen_intrinsic(g, "fma", NULL, args, 3);
}

/* a % b, where a is at least -b, and below b. */
static LLVMValueRef gen_near_remainder(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef below = LLVMBuildICmp(g->b, LLVMIntSLT, a, LLVMConstNull(LLVMTypeOf(a)), "");
    return LLVMBuildSelect(g->b, below, LLVMBuildAdd(g->b, a, b, ""), a, "");
}

/* Is v a quotient or remainder of integers by a power of two? */
static bool divides_by_power(const struct pval *v, enum ufc_dtype d) {
    if (v->power)
        return true;
    bool divides = v->op == OP_FLOORDIV || v->op == OP_MOD;
    if (!divides || is_float(d) || v->args[1]->kind != PV_CONST)
        return false;
    int64_t by = (int64_t)v->args[1]->i;
    return by > 0 && (by & (by - 1)) == 0;
}

static LLVMValueRef gen_operation(struct gen *g, const struct pval *v, enum ufc_dtype d,
                                  LLVMValueRef *args) {
    LLVMValueRef r = NULL;
    if (v->direct != NULL)
        return gen_near_remainder(g, args[0], args[1]);
    if (v->op == OP_DIV && g->quotient != NULL)
        r = g->quotient(g, v, args[0]);
    if (divides_by_power(v, d))
        return gen_by_power(g, v->op, d, args[0], args[1]);
    return r != NULL ? r : gen_op(g, v->op, d, args[0], args[1]);
}

/* Is a constant added to a number, or subtracted from it? */
static bool adds_constant(const struct pval *v, LLVMValueRef *args) {
    return v->kind == PV_OP &&
           ((v->op == OP_ADD && (LLVMIsAConstantInt(args[0]) || LLVMIsAConstantInt(args[1]))) ||
            (v->op == OP_SUB && LLVMIsAConstantInt(args[1])));
}

/* A value with `narrow` set, of args that are int64, computed in 32 bits; but a constant is added
 * in 64, so that passes make it part of an access's address. */
static LLVMValueRef gen_narrow(struct gen *g, const struct pval *v, LLVMValueRef *args) {
    if (adds_constant(v, args))
        return gen_operation(g, v, DT_INT64, args);
    bool divides = v->kind == PV_OP && (v->op == OP_MOD || v->op == OP_FLOORDIV);
    enum ufc_dtype d = divides && v->plain ? DT_UINT32 : DT_INT32;
    LLVMTypeRef type = gen_scalar_type(g, d);
    for (int i = 0; i < v->nargs; i++)
        args[i] = LLVMBuildTrunc(g->b, args[i], type, "");
    if (v->kind == PV_CAST)
        return gen_cast(g, args[0], DT_INT32, v->dtype);
    bool shifts = v->kind == PV_OP && (v->op == OP_SHL || v->op == OP_SHR);
    LLVMValueRef r = shifts             ? gen_word_shift(g, v->op, args[0], args[1])
                     : v->kind == PV_OP ? gen_operation(g, v, d, args)
                                        : gen_builtin(g, v->builtin, v->result, d, type, args);
    return v->dtype == DT_INT64 ? LLVMBuildSExt(g->b, r, gen_scalar_type(g, DT_INT64), "") : r;
}

/* A product with `wide` set, of args that are int64: of words, unless one is a constant, which
 * passes know more of. */
static LLVMValueRef gen_wide_product(struct gen *g, const struct pval *v, LLVMValueRef *args) {
    LLVMTypeRef type = gen_scalar_type(g, DT_INT32);
    if (LLVMIsConstant(args[0]) || LLVMIsConstant(args[1]))
        return gen_operation(g, v, DT_INT64, args);
    return g->target->multiply_wide(g, LLVMBuildTrunc(g->b, args[0], type, ""),
                                    LLVMBuildTrunc(g->b, args[1], type, ""));
}

static LLVMValueRef gen_variable(struct gen *g, const struct pvar *var) {
    LLVMValueRef v = LLVMBuildLoad2(g->b, gen_type(g, var->dtype), gen_slot_of(g, var), "");
    return g->index != NULL ? g->index(g, var, v) : v;
}

/* An is_sign_cast of the sign of x: two comparisons, which are less than a conversion; 0 of a NaN.
 */
static LLVMValueRef gen_side(struct gen *g, const struct pval *v) {
    const struct pval *of = v->args[0]->args[0];
    LLVMValueRef x = gen_value(g, of);
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(x)), none = LLVMConstNull(gen_type(g, v->dtype));
    LLVMValueRef less = gen_op(g, OP_LT, of->dtype, x, zero);
    LLVMValueRef more = gen_op(g, OP_GT, of->dtype, x, zero);
    LLVMValueRef r = gen_select(g, less, gen_int(g, v->dtype, -1), none);
    return gen_select(g, more, gen_int(g, v->dtype, 1), r);
}

/* Numbers at known distances. */
static LLVMValueRef gen_apart_lanes(struct gen *g, const struct settled *s) {
    LLVMTypeRef type = LLVMInt64TypeInContext(g->context);
    LLVMValueRef apart[MOST_LANES];
    for (int i = 0; i < g->lanes; i++)
        apart[i] = LLVMConstInt(type, (uint64_t)(int64_t)s->apart[i], true);
    return g->lanes == 1 ? s->first
                         : LLVMBuildAdd(g->b, gen_dynamic_splat(g, s->first),
                                        LLVMConstVector(apart, (unsigned)g->lanes), "");
}

LLVMValueRef gen_value(struct gen *g, const struct pval *v) {
    if (g->lanes > 1 && v->kind != PV_CONST && !gen_varies(g, v))
        return gen_dynamic_splat(g, gen_scalar(g, v));
    if (v->kind == PV_ELEM)
        return gen_element(g, v);
    if (v->kind == PV_TABLE)
        return gen_table(g, v);
    const struct settled *settled = gen_settled(g, v);
    if (settled != NULL)
        return settled->apart != NULL   ? gen_apart_lanes(g, settled)
               : settled->truth != NULL ? settled->truth
               : settled->same != NULL  ? gen_value(g, settled->same)
                                        : gen_value(g, gen_varying_argument(g, v));
    if (is_sign_cast(v))
        return gen_side(g, v);
    LLVMValueRef args[3] = {NULL, NULL, NULL};
    for (int i = 0; i < v->nargs; i++)
        args[i] = gen_value(g, v->args[i]);
    if (v->narrow && g->narrow && g->lanes == 1)
        return gen_narrow(g, v, args);
    if (v->wide && g->narrow && g->lanes == 1)
        return gen_wide_product(g, v, args);
    switch (v->kind) {
    case PV_CONST: return gen_constant(g, v);
    case PV_VAR:
        if (var_of(g, v->var)->known != NULL)
            return var_of(g, v->var)->known;
        return gen_variable(g, v->var);
    case PV_LOAD: return g->inputs[v->operand];
    case PV_ELEM:
    case PV_TABLE: break; /* above */
    case PV_DIM: return g->dims[v->operand];
    case PV_OP: return gen_operation(g, v, v->args[0]->dtype, args);
    case PV_CAST: return gen_cast(g, args[0], v->args[0]->dtype, v->dtype);
    case PV_CALL:
        return gen_builtin(g, v->builtin, v->result, call_dtype(v), gen_type(g, v->dtype), args);
    case PV_SELECT: return gen_select(g, args[0], args[1], args[2]);
    case PV_FMA: return gen_add_product(g, args);
    case PV_PART: return gen_part(g, v->args[0]->dtype, args[0], v->result);
    case PV_PACK: return gen_pack(g, v->dtype, args[0], args[1]);
    }
    return NULL;
}

/* ---- variables */

/* A slot that holds zero: inactive lanes must not hold undefined values, on which branches depend.
 */
static LLVMValueRef gen_slot(struct gen *g, LLVMTypeRef type, const char *name) {
    LLVMValueRef slot = gen_alloca(g, type, name);
    LLVMBuildStore(g->b, LLVMConstNull(type), slot);
    return slot;
}

void gen_lane_slots(struct gen *g, int lanes) {
    struct lanes_scope outer = lanes_enter(g, lanes);
    for (const struct pvar *v = g->plan->vars; v != NULL; v = v->next)
        if (gen_var_varies(g, v))
            var_of(g, v)->lanes = gen_slot(g, gen_type(g, v->dtype), v->name);
    g->mask = gen_alloca(g, gen_type(g, DT_BOOL), "mask");
    lanes_leave(g, outer);
}

void gen_variables(struct gen *g, int lanes) {
    struct lanes_scope outer = lanes_enter(g, 1);
    g->vars = NEWN(g->uc, struct gen_var, g->plan->nvars);
    for (const struct pvar *v = g->plan->vars; v != NULL; v = v->next)
        var_of(g, v)->slot = gen_slot(g, gen_type(g, v->dtype), v->name);
    if (g->step != NULL)
        LLVMBuildStore(g->b, g->step, var_of(g, g->plan->steps->number)->slot);
    lanes_leave(g, outer);
    g->scope = NULL;
    g->all_active = true;
    if (lanes > 1)
        gen_lane_slots(g, lanes);
}

/* A ufunc's local arrays: each lane is an element, and has its own. */
static void gen_element_arrays(struct gen *g) {
    const struct plan *p = g->plan;
    g->vector_lanes = g->lanes;
    g->arrays = NEWN(g->uc, struct gen_array, p->noperands + p->nlocals);
    gen_local_arrays(g);
}

void gen_body(struct gen *g) {
    const struct plan *p = g->plan;
    gen_variables(g, g->lanes);
    if (p->nlocals > 0)
        gen_element_arrays(g);
    for (int k = p->nin; k < p->noperands; k++)
        g->outputs[k] = gen_slot(g, gen_type(g, p->operands[k].dtype), p->operands[k].name);
    g->stop = p->checked ? gen_block(g, "stop") : NULL;
    outline_body(g);
    gen_stmts(g, p->body);
    if (p->checked) {
        LLVMBuildBr(g->b, g->stop);
        gen_place(g, g->stop);
    }
    for (int k = p->nin; k < p->noperands; k++)
        g->outputs[k] = LLVMBuildLoad2(g->b, gen_type(g, p->operands[k].dtype), g->outputs[k], "");
}
