/* nvptx_clear.c: arrays that are cleared.  What is longer than 128 bytes LLVM clears byte by byte
 * in a loop: pieces of 16 bytes in its place, in straight code.  That comes last, since before it
 * an array may still become registers. */
#include <string.h>

#include "nvptx.h"

enum { SHORT = 128, LONG = 4096, PIECE = 16 }; /* bytes that LLVM, and this, write out */

/* The alignment that a call says of its first argument. */
static uint64_t alignment(LLVMValueRef call) {
    unsigned kind = LLVMGetEnumAttributeKindForName("align", strlen("align"));
    LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, 1, kind);
    return a != NULL ? LLVMGetEnumAttributeValue(a) : 1;
}

/* Bytes that a call clears in pieces; 0: it does not. */
static uint64_t cleared(LLVMValueRef i) {
    if (!LLVMIsAMemSetInst(i) || alignment(i) < PIECE)
        return 0;
    LLVMValueRef v = LLVMGetOperand(i, 1), n = LLVMGetOperand(i, 2);
    if (!LLVMIsAConstantInt(v) || LLVMConstIntGetZExtValue(v) != 0 || !LLVMIsAConstantInt(n))
        return 0;
    uint64_t bytes = LLVMConstIntGetZExtValue(n);
    return bytes > SHORT && bytes <= LONG ? bytes : 0;
}

static void clear(struct gen *g, LLVMValueRef call, uint64_t bytes) {
    LLVMTypeRef byte = LLVMInt8TypeInContext(g->context),
                type = LLVMVectorType(LLVMInt32TypeInContext(g->context), PIECE / 4);
    LLVMValueRef base = LLVMGetOperand(call, 0);
    LLVMPositionBuilderBefore(g->b, call);
    for (uint64_t at = 0; at < bytes; at += PIECE) {
        LLVMValueRef by = i64(g, at), to = LLVMBuildGEP2(g->b, byte, base, &by, 1, "");
        if (bytes - at >= PIECE)
            LLVMSetAlignment(LLVMBuildStore(g->b, LLVMConstNull(type), to), PIECE);
        else
            LLVMBuildMemSet(g->b, to, LLVMConstNull(byte), i64(g, bytes - at), PIECE);
    }
    LLVMInstructionEraseFromParent(call);
}

void nvptx_clear(struct gen *g) {
    LLVMValueRef f = LLVMGetFirstFunction(g->module);
    for (; f != NULL; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL;
             b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i != NULL; i = next) {
                next = LLVMGetNextInstruction(i);
                uint64_t bytes = cleared(i);
                if (bytes > 0)
                    clear(g, i, bytes);
            }
}
