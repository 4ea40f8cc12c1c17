/* object.h: what an object is made of: pieces of code, and the image, which describes it; and what
 * a loaded program is, whose code is made when calls need it. */
#ifndef OBJECT_H
#define OBJECT_H

#include "uc.h"

/* pieces.c: code that is generated apart from other code */
struct piece {
    const struct plan *plan; /* GPU code: a module of this plan; NULL: host code */
    enum ufc_module module;
    int sm; /* a cubin for sm_<sm>; 0: PTX, compressed */
    struct host_part host;
    struct buf code;
    size_t at, size;    /* GPU code: where it is in the object's, and its bytes */
    uint64_t id;        /* its hash */
    struct piece *like; /* PTX: the same module of another plan, whose text its frame refers to;
                           NULL: there is none */
    bool is_known;      /* others refer to it */
    struct buf text;    /* then its terse text */
};
struct pieces {
    struct piece *all;
    int n, capacity;
    int ngpu;                     /* of make_pieces: the first ones, which are GPU code */
    struct piece **order, **next; /* in which they are made; the next ones of these */
    int nfirst;                   /* of `order`: those that others refer to */
    ufcc_output output;           /* of list_pieces */
    char *ptxas;                  /* the path of ptxas, if cubins are wanted; else NULL */
};
struct join;
/* Makes the GPU code of all plans and their host code for these levels, joins it, and frees it.
 * False after errors.  The caller frees the pieces in both cases. */
bool make_pieces(struct uc *uc, unsigned levels, struct pieces *all, struct join *join);
void pieces_free(struct pieces *all);
/* Appends an output other than an object to *out: host code for these levels, unless 0, and that of
 * GPUs, unless it is assembly.  The pieces are freed as those of make_pieces. */
bool list_pieces(struct uc *uc, unsigned levels, ufcc_output output, struct pieces *all,
                 struct buf *out);

/* terse.c: appends PTX, and a NUL, as objects have it (terse.h) */
void make_terse(const struct buf *ptx, struct buf *out);

/* image.c: the records of image_abi.h as bytes, whose pointers are to be filled in */
struct reloc {
    size_t offset;      /* of an 8-byte pointer in the image; offsets ascend */
    const char *symbol; /* a host kernel, or NULL: the image itself, or GPU code */
    bool to_code;
    size_t addend; /* from the image's start, or the code's */
};
struct export {
    const char *symbol; /* "stats_gaussian_pdf" */
    size_t offset;      /* of its struct ufc_ufunc */
};
struct image {
    struct buf bytes;
    struct reloc *relocs;
    size_t nrelocs;
    struct export *exports;
    size_t nexports;
    size_t *overloads; /* the offsets of the plans' struct ufc_overload, in the plans' order */
    size_t noverloads;
};
/* Makes the image of all plans, with host kernels of these levels (bits 1 << LEVEL_V2, …) and with
 * the GPU code of the pieces, which was joined; code: NULL for none.  False: out of memory, which
 * is reported.  The caller frees the image in both cases. */
bool make_image(struct uc *uc, unsigned levels, struct pieces *code, struct image *image);
void image_free(struct image *image);
/* Continues the hash of code that is its id, which begins with HASH_BEGIN. */
#define HASH_BEGIN UINT64_C(0xcbf29ce484222325)
void hash_code(uint64_t *hash, const void *data, size_t size);

/* gen/llvm.c */
/* Where objects are loaded into the process.  NULL after errors. */
struct jit *jit_new(struct uc *uc);
/* Loads an object and finds n of its functions.  False after errors; then it is not loaded. */
bool jit_load(struct uc *uc, struct jit *j, const struct buf *object, const char *const *names,
              uintptr_t *functions, int n);
void jit_free(struct jit *j);

/* lazy.c */
/* What is made at a time: a part of an overload's host code, or one of its GPU kernels. */
struct unit {
    const struct plan *plan;
    bool on_gpu;
    enum ufc_level level; /* host code: of this level, and this part */
    enum ufc_host_part part;
    enum ufc_kernel_kind kind; /* GPU code: PTX with this kernel alone */
};
/* Appends the unit's code to *code: an ELF object, or PTX.  False after errors. */
bool make_unit(struct uc *uc, const struct unit *unit, struct buf *code);
struct loaded;
/* Makes a program's functions in the process: their records and, with options->eager, all their
 * code; host code is to be of a level.  False after errors.  The caller frees *made in both cases;
 * it uses the plans and the options until then. */
bool load_program(struct uc *uc, int level, struct loaded **made);
void loaded_free(struct uc *uc, struct loaded *program); /* program may be NULL */
/* special.c */
/* What ufcc_specialize does.  False: there is no such function. */
bool specialize_program(struct loaded *program, const char *name, ufcc_specialization how);
/* lazy.c */
/* NULL: there is none. */
const ufc_ufunc *loaded_function(const struct loaded *program, const char *name);

/* elf.c: an object, which is written to *out as its parts come */
struct join *join_begin(struct uc *uc, struct buf *out);
/* Appends GPU code, all of it before any object; gives where it is. */
size_t join_code(struct join *join, const struct buf *code);
/* Appends an object of LLVM's. */
void join_object(struct join *join, const struct buf *object);
/* Appends the image, whose exports are all that is global. */
void join_end(struct join *join, const struct image *image);
void join_free(struct join *join); /* join may be NULL; *out is the caller's */

#endif
