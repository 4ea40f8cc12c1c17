/* sim_malformed.c: PTX that is none, as a damaged object has, or that the simulator does not know:
 * each is an error that says where and what. */
#include "sim_kernel.h"

/* In the kernel, and before it. */
#define BODY(text, ...)                                                                            \
    {                                                                                              \
        "", text, NULL, {                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define HEAD(text, ...)                                                                            \
    {                                                                                              \
        text, "mov.b32 %r6, %r5;", NULL, {                                                         \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define BODY_AFTER(head, text, ...)                                                                \
    {                                                                                              \
        head, text, NULL, {                                                                        \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define CALL(text) "{ .param .b32 to; .param .b32 from; st.param.b32 [from], %r5; " text " }"
#define FUNCTION   ".func (.param .b32 r) one(.param .b32 a)\n{\nret;\n}\n"

static const struct test_case cases[] = {
    /* variables */
    BODY(".local .zz q[4];", "unknown type '.zz'"),
    HEAD(".global .align 4 q;", "'q' has no type"),
    HEAD(".global .b32 q[99999999999];", "'q' is too large"),
    HEAD(".global .b32 q[1] = {1, 2};", "'q' has more values than elements"),
    HEAD(".global .b64 q = nothing;", "'nothing' is not a global variable"),
    BODY(".reg .q8 %z<2>;", "unknown type '.q8' of registers"),
    BODY(".reg .b32 %z<99999999>;", "there are too many registers"),
    /* statements */
    BODY("L1: L1: mov.b32 %r6, %r5;", "the label 'L1' is there twice"),
    BODY(".foo 1;", "unknown directive '.foo'"),
    BODY("= 3;", "unexpected '='"),
    BODY("{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{", "'}' is missing"),
    /* operands */
    BODY("add.s32 %r6, %r5;", "operand 3 of 'add.s32' is not a value"),
    BODY("add.s32 5, %r5, %r5;", "operand 1 of 'add.s32' is not a register"),
    BODY("add.s32 %r6, %r5, %r5, %r5, %r5, %r5, %r5;", "add.s32"),
    BODY("ld.global.b32 %r6, %r5;", "is not an address"),
    BODY("call.uni tile;", "'tile' is not a function"),
    /* types that an instruction does not have */
    BODY("popc.b16 %r6, %r5;", "popc.b16"),
    BODY("brev.b16 %r6, %r5;", "brev.b16"),
    BODY("clz.b16 %r6, %r5;", "clz.b16"),
    BODY("bfind.b32 %r6, %r5;", "bfind.b32"),
    BODY("mul.wide.u64 %rd9, %rd6, %rd6;", "mul.wide.u64"),
    BODY("mad.lo.f32 %r6, %r5, %r5, %r5;", "mad.lo.f32"),
    BODY("lop3.b64 %rd9, %rd6, %rd6, %rd6, 3;", "lop3.b64"),
    BODY("prmt.b64 %rd9, %rd6, %rd6, 3;", "prmt.b64"),
    BODY("shf.l.wrap.b64 %rd9, %rd6, %rd6, %r5;", "shf.l.wrap.b64"),
    BODY("and.s32 %r6, %r5, 1;", "and.s32"),
    BODY("min.b32 %r6, %r5, %r5;", "min.b32"),
    BODY("abs.u32 %r6, %r5;", "abs.u32"),
    BODY("sqrt.rn.s32 %r6, %r5;", "sqrt.rn.s32"),
    BODY("fma.rn.s32 %r6, %r5, %r5, %r5;", "fma.rn.s32"),
    BODY("shfl.sync.idx.b64 %rd9, %rd6, 0, 31, -1;", "shfl.sync.idx.b64"),
    BODY("frob.b32 %r6, %r5;", "frob.b32"),
    /* functions */
    HEAD(FUNCTION FUNCTION, "'one' is there twice"),
    HEAD(".func (.param .b32 r) one(.reg .b32 a)\n{\nret;\n}\n", "'.param' is missing"),
    {".func none();\n", "call.uni none;", NULL, {"'none' has no body"}},
    {".func me()\n{\ncall.uni me;\nret;\n}\n", "call.uni me;", NULL, {"'me' calls itself"}},
    BODY_AFTER(FUNCTION, CALL("call.uni (to), one, (from, from);"), "2 are passed, 1 wanted"),
    BODY_AFTER(FUNCTION, CALL("call.uni (to), one;"), "0 are passed, 1 wanted"),
    BODY_AFTER(FUNCTION, CALL("call.uni (to), one, (%r5);"), "'%r5' cannot be passed"),
    /* the module */
    HEAD(".address_size 32", "addresses do not have 64 bits"),
    HEAD(".foo", "unknown directive '.foo'"),
    HEAD("= 3", "unexpected '='"),
};

int main(void) {
    run_cases(cases, sizeof cases / sizeof *cases);
    return test_failures > 0;
}
