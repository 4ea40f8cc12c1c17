/* object.h: what an object is made of: pieces of code, and the image, which describes it. */
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
};
struct pieces {
    struct piece *all;
    int n, capacity;
    int ngpu;           /* of make_pieces: the first ones, which are GPU code */
    ufcc_output output; /* of list_pieces */
    char *ptxas;        /* the path of ptxas, if cubins are wanted; else NULL */
};
/* Makes the GPU code of all plans, in the order of plans, modules, PTX and architectures, and their
 * host code for these levels: in pieces that are to be joined, or else in one.  False after errors.
 * The caller frees the pieces in both cases. */
bool make_pieces(struct uc *uc, unsigned levels, bool joined, struct pieces *all);
void pieces_free(struct pieces *all);
/* Appends an output other than an object to *out: host code for these levels, unless 0, and that of
 * GPUs, unless it is assembly.  The pieces are freed as those of make_pieces. */
bool list_pieces(struct uc *uc, unsigned levels, ufcc_output output, struct pieces *all,
                 struct buf *out);

/* image.c: the records of image_abi.h as bytes, whose pointers are to be filled in */
struct reloc {
    size_t offset;      /* of an 8-byte pointer in the image; offsets ascend */
    const char *symbol; /* a host kernel, or NULL: the image itself */
    size_t addend;      /* from the image's start */
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
};
/* Makes the image of all plans, with host kernels of these levels (bits 1 << LEVEL_V2, …) and with
 * the GPU code, which it takes out of the pieces.  False: out of memory, which is reported.  The
 * caller frees the image in both cases. */
bool make_image(struct uc *uc, unsigned levels, struct pieces *code, struct image *image);
void image_free(struct image *image);

/* elf.c */
/* Appends an object of n objects of LLVM's and of the image, whose exports are all that is global.
 */
void join_objects(struct uc *uc, const struct piece *objects, int n, const struct image *image,
                  struct buf *out);

#endif
