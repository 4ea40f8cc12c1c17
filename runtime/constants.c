/* constants.c: what of a call is constant in code that is made for it.
 *
 * A kernel's parameter is all that it is given: what is constant are words of it.  So which kernel
 * is launched, how it shares its work out and in what order it adds are those of the general
 * kernel, whose parameter it is. */
#include <stdlib.h>
#include <string.h>

#include "constants.h"

enum { WORD = sizeof(uint32_t) };

/* Constants of `size` bytes that are all known. */
static struct ufc_constants *constants_new(const void *bytes, size_t size) {
    struct ufc_constants *c = malloc(sizeof *c + size + size / WORD);
    if (!c)
        return NULL;
    char *word = (char *)(c + 1);
    memcpy(word, bytes, size);
    memset(word + size, UFC_KNOWN, size / WORD);
    *c = (struct ufc_constants){(uint32_t)(size / WORD), (const void *)word,
                                (const uint8_t *)word + size};
    return c;
}

static void set(struct ufc_constants *c, size_t at, size_t size, enum ufc_knowledge as) {
    memset((char *)(c + 1) + at, 0, size);
    memset((char *)(c + 1) + (size_t)c->nwords * WORD + at / WORD, as, size / WORD);
}

static void vary(struct ufc_constants *c, size_t at, size_t size) {
    set(c, at, size, UFC_VARIES);
}

static bool is_zero(const struct ufc_constants *c, size_t at) {
    return c->word[at / WORD] == 0 && c->word[at / WORD + 1] == 0;
}

static void vary_address(struct ufc_constants *c, size_t at) {
    bool aligned = c->word[at / WORD] % UFC_ALIGNMENT == 0;
    if (!is_zero(c, at))
        set(c, at, sizeof(uint64_t), aligned ? UFC_ALIGNED : UFC_NOT_ZERO);
}

/* An operand's address, or its number, behind it, where that is 0. */
static void vary_operand(struct ufc_constants *c, size_t ptr) {
    if (!is_zero(c, ptr))
        vary(c, ptr + sizeof(uint64_t), 2 * sizeof(uint64_t));
    vary_address(c, ptr);
}

/* The last axis in use, by which loops of any length are the same. */
static void vary_axis(struct ufc_constants *c, size_t axes, uint32_t axis) {
    static const size_t members[] = {offsetof(struct ufc_kparam_axes, size),
                                     offsetof(struct ufc_kparam_axes, magic),
                                     offsetof(struct ufc_kparam_axes, shift)};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        vary(c, axes + members[i] + axis * sizeof(uint32_t), sizeof(uint32_t));
}

static bool specializes(const struct iteration *it) {
    const struct ufc_maker *maker = it->overload->maker;
    return maker && maker->specializes && maker->specializes(maker);
}

#define VARY(c, base, type, member)                                                                \
    vary(c, (base) + offsetof(type, member), sizeof((type *)NULL)->member)

struct ufc_constants *ufunc_constants(const struct iteration *it,
                                      const struct kernel_launch *launch) {
    const struct ufc_kparam_head *head = launch->param;
    size_t n = (size_t)it->nin + (size_t)it->nout;
    bool checked = it->overload->flags & UFC_CHECKS;
    const struct ufc_param_offsets at = ufc_param_offsets(n, checked);
    struct ufc_constants *c = specializes(it) ? constants_new(head, launch->size) : NULL;
    if (!c)
        return NULL;
    VARY(c, 0, struct ufc_kparam_head, n);
    for (size_t k = 0; k < n; k++)
        vary_operand(c, at.op + k * sizeof(struct ufc_kparam_op));
    if (checked)
        vary_address(c, at.fault);
    if (ufc_is_vector(launch->kind))
        return c;
    vary_address(c, at.mask);
    if (head->naxes == 0)
        return c;
    uint32_t last = head->naxes - 1;
    vary_axis(c, at.axes, last);
    if (launch->kind != UFC_KERNEL_STRIDED && last < 2)
        vary(c, at.pieces + last * sizeof(uint32_t), sizeof(uint32_t));
    return c;
}

/* What NEST's parameter has of addresses, and of how many points there are. */
static void vary_nest(struct ufc_constants *c, size_t nest, uint32_t last) {
    vary_address(c, nest);
    VARY(c, nest, struct ufc_kparam_nest, room);
    VARY(c, nest, struct ufc_kparam_nest, points);
    VARY(c, nest, struct ufc_kparam_nest, groups);
    size_t patch = nest + offsetof(struct ufc_kparam_nest, patch) + last * sizeof(struct ufc_patch);
    if (last >= 2)
        return;
    VARY(c, patch, struct ufc_patch, size);
    VARY(c, patch, struct ufc_patch, number);
}

struct ufc_constants *gufunc_constants(const struct iteration *it,
                                       const struct kernel_launch *launch) {
    const struct ufc_kparam_gufunc *gufunc = launch->param;
    size_t n = (size_t)it->nin + (size_t)it->nout;
    const struct ufc_gufunc_offsets at =
        ufc_gufunc_offsets(n, it->ufunc->core->ndims, (size_t)it->core->naxes);
    struct ufc_constants *c = specializes(it) ? constants_new(gufunc, launch->size) : NULL;
    if (!c)
        return NULL;
    VARY(c, 0, struct ufc_kparam_gufunc, calls);
    VARY(c, 0, struct ufc_kparam_gufunc, room);
    VARY(c, 0, struct ufc_kparam_gufunc, step);
    vary_address(c, offsetof(struct ufc_kparam_gufunc, workspace));
    vary_address(c, offsetof(struct ufc_kparam_gufunc, results));
    vary_address(c, offsetof(struct ufc_kparam_gufunc, fault));
    uint32_t last = gufunc->naxes > 0 ? gufunc->naxes - 1 : 0;
    vary_axis(c, offsetof(struct ufc_kparam_gufunc, axes), last);
    for (size_t k = 0; k < n; k++)
        vary_operand(c, at.operand + k * sizeof(struct ufc_kparam_operand));
    if (launch->kind == UFC_KERNEL_NEST)
        vary_nest(c, at.nest, last);
    return c;
}

/* Copies `n` words of 8 bytes to what is known from `at` on. */
static void know(struct ufc_constants *c, size_t at, const void *from, size_t n) {
    set(c, at, n * sizeof(uint64_t), UFC_KNOWN);
    memcpy((char *)(c + 1) + at, from, n * sizeof(uint64_t));
}

struct ufc_constants *host_constants(const struct iteration *it, const intptr_t *dimensions,
                                     const intptr_t *steps) {
    static const uint64_t none[UFC_MAX_OPERANDS * 2 + MAX_CORE_DIMS + UFC_MAX_OPERANDS + MAX_CORE];
    size_t n = (size_t)it->nin + (size_t)it->nout, numbers = 0;
    size_t ndims = it->core ? it->ufunc->core->ndims : 0;
    size_t ranks = it->core ? (size_t)it->core->naxes : 0;
    const struct ufc_host_words at = ufc_host_words(n, ndims, ranks);
    for (int k = 0; k < it->nin; k++)
        numbers += !it->data[k];
    bool any = numbers > 0 || dimensions;
    struct ufc_constants *c = any && specializes(it) ? constants_new(none, at.end) : NULL;
    if (!c)
        return NULL;
    vary(c, 0, at.end);
    for (int k = 0; k < it->nin; k++)
        if (!it->data[k])
            know(c, (size_t)k * sizeof it->value[k], it->value[k], 2);
    if (dimensions)
        know(c, at.dimension, dimensions, ndims);
    if (steps)
        know(c, at.step, steps, n + ranks);
    return c;
}
