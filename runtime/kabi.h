/* kabi.h: the image's layout, shared by compiler/ (which writes it) and runtime/ (which reads it).
 *
 * An image is one `struct ufc_ufunc` a function and what it points to: constant data and code,
 * nothing to initialise.  `ufc build` writes it into an object, the embedded compiler lays the same
 * bytes out in memory. */
#ifndef UFC_KABI_H
#define UFC_KABI_H

#include <stddef.h>
#include <stdint.h>

#define UFC_KABI_VERSION 1

enum ufc_dtype {
#define DTYPE(ID, name, brief, kind, bits, ctype) DT_##ID,
#include "dtype.def"
#undef DTYPE
    DT_COUNT
};

/* Host code comes in up to three instruction sets, chosen when it is first called. */
enum ufc_level { LEVEL_V2, LEVEL_V3, LEVEL_V4, LEVEL_COUNT }; /* x86-64-v2, -v3, -v4 */

/* A host kernel has the shape of NumPy's inner loop (PyUFuncGenericFunction): args holds nin inputs
 * then nout outputs, dimensions[0] the number of elements, steps the byte strides.  It is right for
 * any strides, for outputs that are inputs, and for step 0 on an output, as NumPy's reduce calls
 * it. Each pointer must be aligned to its element.  data may be NULL. */
typedef void ufc_host_kernel(char **args, const intptr_t *dimensions, const intptr_t *steps,
                             void *data);

/* A device kernel's only parameter is one struct, built by the runtime:
 *
 *     struct ufc_kparam_head head;
 *     struct ufc_kparam_op op[nin + nout];                      all three kernels
 *     struct ufc_kparam_axes axes;                              strided kernels only
 *     struct ufc_kparam_layout layout[nin + nout];              strided kernels only
 *
 * UFC_KERNEL_VECTOR: all operands are of the signature's dtypes; an operand is contiguous, or (an
 *     input) one element for all when its bit of head.scalars is set.  Contiguous operands are
 *     aligned to vector_width elements.  A thread computes vector_width consecutive elements:
 *     element (blockIdx.x * blockDim.x + threadIdx.x) * vector_width onward, up to head.n.  The
 *     thread's number is computed in 32 bits: a launch has less than 2^31 threads.
 * UFC_KERNEL_STRIDED: any strides.  A thread computes one element; head.n < 2^31.
 * UFC_KERNEL_CAST: as STRIDED, and each operand's element type is layout[].dtype; inputs are
 *     converted to the signature's types when loaded, outputs from them when stored. */
enum ufc_kernel_kind { UFC_KERNEL_VECTOR, UFC_KERNEL_STRIDED, UFC_KERNEL_CAST, UFC_KERNEL_COUNT };

#define UFC_MAX_OPERANDS 32 /* inputs and outputs of a ufunc together */
#define UFC_MAX_AXES     6  /* merged axes that a device kernel walks; the runtime loops the rest */

struct ufc_kparam_head {
    int64_t n;        /* elements of this launch */
    uint32_t scalars; /* bit k: input k is one element for all (VECTOR) */
    uint32_t naxes;   /* axes in use, the fastest first (STRIDED, CAST) */
};

struct ufc_kparam_op {
    uint64_t ptr;      /* device address of the first element; 0: the element is `value` */
    uint64_t value[2]; /* a number by value, in the operand's dtype, in the low bytes */
};

/* Index i of an element splits into axis positions by q = (uint64_t(i) * magic) >> 32 >> shift,
 * r = i - q * size, with magic 0 standing for a size that is a power of two: q = i >> shift.
 * (Magic numbers as in Granlund and Montgomery, 1994; exact for i < 2^31.) */
struct ufc_kparam_axes {
    uint32_t size[UFC_MAX_AXES], magic[UFC_MAX_AXES], shift[UFC_MAX_AXES];
};

struct ufc_kparam_layout {
    int64_t stride[UFC_MAX_AXES]; /* bytes; 0 on axes not in use */
    int64_t dtype;                /* enum ufc_dtype of the array (CAST) */
};

/* Machine code for one GPU architecture, as ptxas writes it. */
struct ufc_cubin {
    uint32_t sm; /* 90: runs on 9.x with x >= 0 */
    uint32_t reserved;
    uint64_t size;
    const void *data;
};

struct ufc_overload {
    const uint8_t *dtypes;              /* nin inputs, then nout outputs: enum ufc_dtype */
    const char *signature;              /* "float32(float32, float32)", for messages */
    ufc_host_kernel *host[LEVEL_COUNT]; /* NULL where not built */
    const char *ptx;                    /* NUL-terminated; NULL without the cuda target */
    const struct ufc_cubin *cubins;
    uint32_t ncubins;
    uint32_t ptx_sm;                      /* PTX for this architecture and later: 75 */
    const char *kernel[UFC_KERNEL_COUNT]; /* entry names in the PTX and the cubins */
    uint32_t block[UFC_KERNEL_COUNT];     /* threads a block */
    uint32_t vector_width;                /* elements a thread, VECTOR */
    uint64_t id;                          /* hash of PTX, cubins and entry names: equal ids
                                             are equal device code */
};

struct ufc_ufunc {
    uint32_t version; /* UFC_KABI_VERSION */
    uint32_t nin, nout;
    uint32_t noverloads;
    const char *name;
    const char *doc;           /* the documentation comment; NULL without */
    const char *const *params; /* nin names, then nout names ("out" where there is one) */
    const struct ufc_overload *overloads; /* in the source's order: the first that fits is taken */
};

#endif
