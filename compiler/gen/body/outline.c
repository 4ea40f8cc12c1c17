/* outline.c: a long body on the host is cut into sections, each outlined: made a function of its
 * own.
 *
 * Much of LLVM takes more than linear time in the size of a function or a block, or in the uses of
 * a value.  As all functions are about as large as a section, the time is linear in the number of
 * sections.  A section has slots of its own for the variables that it mentions, which become
 * registers there; a variable that other sections mention too is copied in where the section
 * begins, and out where it is left.  Statements that are not the plan's own, such as those that
 * pack a product's factors, mention variables that the code around them sets or reads, and which it
 * does not mention itself: all of theirs are copied.  A section's blocks are moved to a new
 * function when the module is complete; the values of the function around them that they use become
 * its parameters. */
#include <stdlib.h>

#include "body.h"

/* A variable's slot in a section, and its slot in the code around the section. */
struct own_slot {
    const struct pvar *var;
    LLVMTypeRef type;
    LLVMValueRef own, outer;
    bool shared; /* the code outside of the section may set or read the variable, too */
    struct own_slot *next;
};

struct section {
    LLVMValueRef function; /* the one that it is moved out of */
    enum ufc_level level;
    LLVMValueRef enter;             /* the branch to its first block */
    LLVMBasicBlockRef first, after; /* its first block; the block behind it */
    struct own_slot *slots;
    LLVMValueRef own_mask, outer_mask; /* slots of the active lanes; NULL with one lane */
    struct section *next;
};

/* ---- costs */

struct cost {
    const struct gen *g;
    int n, limit; /* operations so far; counting stops beyond the limit */
};

static enum walk add_cost(struct cost *c, int cost) {
    c->n += cost;
    return c->n > c->limit ? WALK_STOP : WALK_IN;
}

static enum walk add_value(const struct pval *v, void *arg) {
    struct cost *c = arg;
    return add_cost(c, v->kind == PV_CALL ? CALL_COST : v->kind == PV_ELEM ? 2 * c->g->lanes : 1);
}

/* A PS_SPREAD that is a function of its own exceeds the limit.  Bounds of ranges cost nothing. */
static enum walk add_stmt(const struct pstmt *s, void *arg) {
    struct cost *c = arg;
    if (s->kind == PS_SPREAD && s->outermost && c->g->sharing != NULL)
        return add_cost(c, c->limit + 1);
    if (s->ranges == NULL && !stmt_values(s, add_value, c))
        return WALK_STOP;
    return add_cost(c, s->body != NULL ? BRANCH_COST : 1);
}

static const struct plan_visitor cost_visitor = {.stmt = add_stmt, .joined = true};

/* ---- which variables a section mentions */

/* How often a variable is mentioned. */
struct mentioned_var {
    int all, here; /* in the plan, in the section */
};

struct mentioned {
    struct mentioned_var *vars; /* by id */
    const struct pstmt **own;   /* the plan's statements, sorted */
    int nown;
};

/* Counts how often variables are mentioned. */
struct mentions {
    struct gen *g;
    bool whole;             /* in the whole plan, else in a section */
    struct own_slot *found; /* the section's variables */
};

static void mention(struct mentions *m, const struct pvar *v) {
    if (v == NULL)
        return;
    if (m->whole) {
        m->g->sections.mentioned->vars[v->id].all++;
        return;
    }
    if (m->g->sections.mentioned->vars[v->id].here++ > 0)
        return;
    struct own_slot *slot = NEW(m->g->uc, struct own_slot);
    *slot = (struct own_slot){.var = v, .next = m->found};
    m->found = slot;
}

static enum walk mention_value(const struct pval *v, void *m) {
    mention(m, v->kind == PV_VAR ? v->var : NULL);
    return WALK_IN;
}

static enum walk mention_stmt(const struct pstmt *s, void *m) {
    mention(m, s->var);
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        mention(m, r->var);
    for (const struct pacc *a = s->accs; a != NULL; a = a->next) {
        mention(m, a->acc);
        mention(m, a->other);
    }
    return WALK_IN;
}

static void mention_stmts(struct mentions *m, const struct pstmt *s, const struct pstmt *end) {
    const struct plan_visitor visitor = {mention_stmt, mention_value, .joined = true};
    for (; s != end; s = s->next)
        stmt_walk(s, &visitor, m);
}

/* ---- which statements are the plan's */

static enum walk note_own(const struct pstmt *s, void *arg) {
    struct mentioned *m = arg;
    if (m->own != NULL)
        m->own[m->nown] = s;
    m->nown++;
    return WALK_IN;
}

static int compare_stmts(const void *a, const void *b) {
    const struct pstmt *const *x = a, *const *y = b;
    return ((uintptr_t)*x > (uintptr_t)*y) - ((uintptr_t)*x < (uintptr_t)*y);
}

static void find_own(struct gen *g, struct mentioned *m) {
    const struct plan_visitor visitor = {.stmt = note_own, .joined = true};
    plan_walk(g->plan->body, &visitor, m);
    m->own = NEWN(g->uc, const struct pstmt *, m->nown + 1);
    m->nown = 0;
    plan_walk(g->plan->body, &visitor, m);
    qsort(m->own, (size_t)m->nown, sizeof m->own[0], compare_stmts);
}

/* Whether the statements [s, end) are the plan's. */
static bool are_own(const struct mentioned *m, const struct pstmt *s, const struct pstmt *end) {
    while (s != end &&
           bsearch(&s, m->own, (size_t)m->nown, sizeof m->own[0], compare_stmts) != NULL)
        s = s->next;
    return s == end;
}

/* ---- while the body is generated */

void outline_body(struct gen *g) {
    struct mentions m = {.g = g, .whole = true};
    struct cost cost = {.g = g, .limit = LONG_BODY};
    g->sections.mentioned = NULL;
    if (g->sections.all == NULL || plan_walk(g->plan->body, &cost_visitor, &cost))
        return;
    g->sections.mentioned = NEW(g->uc, struct mentioned);
    *g->sections.mentioned =
        (struct mentioned){.vars = NEWN(g->uc, struct mentioned_var, g->plan->nvars + 1)};
    mention_stmts(&m, g->plan->body, NULL);
    find_own(g, g->sections.mentioned);
}

const struct pstmt *section_end(const struct gen *g, const struct pstmt *s,
                                const struct pstmt *behind) {
    struct cost total = {.g = g, .limit = SECTION_MAX};
    const struct pstmt *t = s;
    if (g->sections.mentioned == NULL || g->sections.current != NULL)
        return s;
    for (; t != behind; t = t->next) {
        int before = total.n;
        bool fits = stmt_walk(t, &cost_visitor, &total);
        if (!fits && (before > 0 || t->body != NULL || t->ranges != NULL)) {
            total.n = before;
            break;
        }
    }
    return total.n < SECTION_MIN ? s : t;
}

static void set_slot(struct gen *g, const struct pvar *v, LLVMValueRef slot) {
    if (g->lanes > 1 && gen_var_varies(g, v))
        var_of(g, v)->lanes = slot;
    else
        var_of(g, v)->slot = slot;
}

static void copy(struct gen *g, LLVMTypeRef type, LLVMValueRef from, LLVMValueRef to) {
    LLVMBuildStore(g->b, LLVMBuildLoad2(g->b, type, from, ""), to);
}

/* Gives a variable its slot in the section.  One that only the section mentions need not be copied
 * in: it is set there before it is read.  own: the section's statements are the plan's. */
static void take_slot(struct gen *g, struct own_slot *o, bool own) {
    const struct pvar *v = o->var;
    struct mentioned_var *m = &g->sections.mentioned->vars[v->id];
    o->shared = !own || m->here < m->all;
    m->here = 0;
    o->outer = gen_slot_of(g, v);
    o->type = LLVMGetAllocatedType(o->outer);
    o->own = gen_alloca(g, o->type, v->name);
    if (o->shared)
        copy(g, o->type, o->outer, o->own);
    else
        LLVMBuildStore(g->b, LLVMConstNull(o->type), o->own);
    set_slot(g, v, o->own);
}

void section_begin(struct gen *g, const struct pstmt *s, const struct pstmt *end) {
    struct section *section = NEW(g->uc, struct section);
    struct mentions m = {.g = g};
    mention_stmts(&m, s, end);
    *section = (struct section){.function = g->function,
                                .level = g->level,
                                .first = gen_block(g, "section"),
                                .slots = m.found};
    section->enter = LLVMBuildBr(g->b, section->first);
    gen_place(g, section->first);
    bool own = are_own(g->sections.mentioned, s, end);
    for (struct own_slot *o = section->slots; o != NULL; o = o->next)
        take_slot(g, o, own);
    if (g->lanes > 1) {
        LLVMTypeRef type = gen_type(g, DT_BOOL);
        section->outer_mask = g->mask;
        section->own_mask = gen_alloca(g, type, "mask");
        copy(g, type, g->mask, section->own_mask);
        g->mask = section->own_mask;
    }
    g->sections.current = section;
}

void section_leave(struct gen *g) {
    const struct section *section = g->sections.current;
    for (const struct own_slot *o = section->slots; o != NULL; o = o->next)
        if (o->shared)
            copy(g, o->type, o->own, o->outer);
    if (section->own_mask != NULL)
        copy(g, gen_type(g, DT_BOOL), section->own_mask, section->outer_mask);
}

void section_finish(struct gen *g) {
    struct section *section = g->sections.current;
    section_leave(g);
    for (const struct own_slot *o = section->slots; o != NULL; o = o->next)
        set_slot(g, o->var, o->outer);
    if (section->own_mask != NULL)
        g->mask = section->outer_mask;
    section->after = gen_block(g, "after");
    LLVMBuildBr(g->b, section->after);
    gen_place(g, section->after);
    section->next = *g->sections.all;
    *g->sections.all = section;
    g->sections.current = NULL;
}

/* ---- when the module is complete */

/* A value of the function around a section that the section uses, or a block of it that the section
 * branches to. */
struct outside {
    LLVMValueRef value;
    LLVMValueRef stand_in; /* replaces a value until there are parameters; for a block, the block of
                              the new function that returns its number */
    struct outside *next;
};

/* A section being outlined. */
struct outline {
    struct gen *g;
    LLVMValueRef function; /* holds its blocks until their parameters are known */
    struct outside *values, *exits;
    int nvalues, nexits;
};

static void move_blocks(LLVMBasicBlockRef first, LLVMBasicBlockRef end, LLVMValueRef to) {
    for (LLVMBasicBlockRef b = first, next; b != end; b = next) {
        next = LLVMGetNextBasicBlock(b);
        LLVMRemoveBasicBlockFromParent(b);
        LLVMAppendExistingBasicBlock(to, b);
    }
}

static LLVMValueRef function_of(LLVMValueRef v) {
    if (LLVMIsAArgument(v))
        return LLVMGetParamParent(v);
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(v));
}

static void place_first(struct outline *o) {
    LLVMPositionBuilderBefore(o->g->b,
                              LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(o->function)));
}

/* Moves a slot that only the section uses into it.  False: v is no such slot. */
static bool take_alloca(struct outline *o, LLVMValueRef v) {
    if (!LLVMIsAAllocaInst(v))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(v); use != NULL; use = LLVMGetNextUse(use))
        if (function_of(LLVMGetUser(use)) != o->function)
            return false;
    LLVMInstructionRemoveFromParent(v);
    place_first(o);
    LLVMInsertIntoBuilder(o->g->b, v);
    return true;
}

static struct outside *outside_of(struct outline *o, struct outside **list, LLVMValueRef value) {
    struct outside *v = *list;
    while (v != NULL && v->value != value)
        v = v->next;
    if (v != NULL)
        return v;
    v = NEW(o->g->uc, struct outside);
    *v = (struct outside){.value = value, .next = *list};
    *list = v;
    return v;
}

/* The stand-in of a value of the function around the section; NULL: the value needs none. */
static LLVMValueRef stand_in(struct outline *o, LLVMValueRef value) {
    if ((!LLVMIsAInstruction(value) && !LLVMIsAArgument(value)) ||
        function_of(value) == o->function || take_alloca(o, value))
        return NULL;
    struct outside *v = outside_of(o, &o->values, value);
    if (v->stand_in == NULL) {
        place_first(o);
        v->stand_in = LLVMBuildFreeze(o->g->b, LLVMGetPoison(LLVMTypeOf(value)), "");
        o->nvalues++;
    }
    return v->stand_in;
}

/* The block that returns the number of a block of the function around the section; NULL: the block
 * is in the section. */
static LLVMBasicBlockRef way_out(struct outline *o, LLVMBasicBlockRef block) {
    if (LLVMGetBasicBlockParent(block) == o->function)
        return NULL;
    struct outside *v = outside_of(o, &o->exits, LLVMBasicBlockAsValue(block));
    if (v->stand_in == NULL) {
        LLVMBasicBlockRef b = LLVMAppendBasicBlockInContext(o->g->context, o->function, "");
        LLVMTypeRef type = LLVMInt32TypeInContext(o->g->context);
        gen_place(o->g, b);
        LLVMBuildRet(o->g->b, LLVMConstInt(type, (unsigned)o->nexits++, false));
        v->stand_in = LLVMBasicBlockAsValue(b);
    }
    return LLVMValueAsBasicBlock(v->stand_in);
}

static void cut_instruction(struct outline *o, LLVMValueRef i) {
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
        LLVMValueRef v = stand_in(o, LLVMGetOperand(i, k));
        if (v != NULL)
            LLVMSetOperand(i, k, v);
    }
    for (unsigned k = 0; LLVMIsATerminatorInst(i) && k < LLVMGetNumSuccessors(i); k++) {
        LLVMBasicBlockRef b = way_out(o, LLVMGetSuccessor(i, k));
        if (b != NULL)
            LLVMSetSuccessor(i, k, b);
    }
}

/* Makes a function of the section's blocks.  *args: what it is to be called with. */
static LLVMValueRef outlined(struct outline *o, LLVMValueRef **args, const char *name) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(o->g->context);
    LLVMTypeRef *types = NEWN(o->g->uc, LLVMTypeRef, o->nvalues + 1);
    *args = NEWN(o->g->uc, LLVMValueRef, o->nvalues + 1);
    int n = 0;
    for (const struct outside *v = o->values; v != NULL; v = v->next, n++) {
        (*args)[n] = v->value;
        types[n] = LLVMTypeOf(v->value);
    }
    LLVMTypeRef type = LLVMFunctionType(i32, types, (unsigned)n, false);
    LLVMValueRef f = LLVMAddFunction(o->g->module, name, type);
    move_blocks(LLVMGetFirstBasicBlock(o->function), NULL, f);
    LLVMDeleteFunction(o->function);
    n = 0;
    for (const struct outside *v = o->values; v != NULL; v = v->next, n++) {
        LLVMReplaceAllUsesWith(v->stand_in, LLVMGetParam(f, (unsigned)n));
        LLVMInstructionEraseFromParent(v->stand_in);
    }
    return f;
}

/* Calls f in place of the section, and branches to the exit whose number it returns. */
static void gen_call(struct outline *o, const struct section *s, LLVMValueRef f,
                     LLVMValueRef *args) {
    struct gen *g = o->g;
    LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(g->context, s->function, "");
    LLVMSetSuccessor(s->enter, 0, block);
    gen_place(g, block);
    LLVMValueRef way =
        LLVMBuildCall2(g->b, LLVMGlobalGetValueType(f), f, args, (unsigned)o->nvalues, "");
    LLVMValueRef choice = LLVMBuildSwitch(g->b, way, s->after, (unsigned)o->nexits);
    for (const struct outside *e = o->exits; e != NULL; e = e->next) {
        LLVMValueRef back = LLVMGetBasicBlockTerminator(LLVMValueAsBasicBlock(e->stand_in));
        LLVMAddCase(choice, LLVMGetOperand(back, 0), LLVMValueAsBasicBlock(e->value));
    }
}

static void outline(struct gen *g, const struct section *s) {
    LLVMTypeRef type = LLVMFunctionType(LLVMInt32TypeInContext(g->context), NULL, 0, false);
    struct outline o = {.g = g, .function = LLVMAddFunction(g->module, "", type)};
    move_blocks(s->first, s->after, o.function);
    for (LLVMBasicBlockRef b = s->first; b != NULL; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            cut_instruction(&o, i);
    LLVMValueRef *args;
    size_t size;
    const char *around = LLVMGetValueName2(s->function, &size);
    LLVMValueRef f = outlined(&o, &args, arena_printf(g->uc, "%s_section", around));
    LLVMSetLinkage(f, LLVMInternalLinkage);
    llvm_host_attributes(f, s->level);
    lines_moved(g, f);
    gen_call(&o, s, f, args);
}

void outline_sections(struct gen *g) {
    for (const struct section *s = *g->sections.all; s != NULL; s = s->next)
        outline(g, s);
}
