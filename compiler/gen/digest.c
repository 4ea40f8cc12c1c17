/* digest.c: a cryptographic hash: BLAKE3, which LLVM brings with it. */
#include <llvm-c/blake3.h>

#include "cache.h"

_Static_assert((int)DIGEST_SIZE == LLVM_BLAKE3_OUT_LEN, "the digest is BLAKE3's");

void digest(const void *data, size_t size, unsigned char sum[DIGEST_SIZE]) {
    llvm_blake3_hasher hasher;
    llvm_blake3_hasher_init(&hasher);
    llvm_blake3_hasher_update(&hasher, data, size);
    llvm_blake3_hasher_finalize(&hasher, sum, DIGEST_SIZE);
}
