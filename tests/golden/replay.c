/* replay.c: calls the ufuncs of ops.uf and functions.uf with the cases that make.py wrote, and with
 * those of tests/numpy, and compares.
 *
 *     replay [--device=cpu|cuda|sim] FILE...
 *
 * make.py describes the files, tests/numpy/expect.py those that are written by hand.  On a GPU each
 * case runs three times: with its buffers on the device, on the host, and some here and some there.
 */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include "../driver.h"
#include "../test.h"
#include "case.h"
#include "functions.h"
#include "gufuncs.h"
#include "ops.h"
#include "ufc.h"

/* ---- running it */

static const char *const statuses[] = {"OK",      "EINVAL", "ESHAPE", "EDTYPE",
                                       "EDEVICE", "ECUDA",  "ENOMEM", "EIO"};

static ufc_context *context;
static ufc_error err;
static int npassed;

static void copy(const DLTensor *from, const DLTensor *to) {
    if (ufc_copy(context, NULL, from, to, &err) != UFC_OK) {
        printf("ufc_copy: %s\n", err.message);
        exit(1);
    }
}

static void bytes_between(struct buffer *b, bool to_device) {
    DLTensor host = b->device->dl_tensor;
    host.device = (DLDevice){kDLCPU, 0};
    host.data = b->host;
    if (to_device)
        copy(&host, &b->device->dl_tensor);
    else
        copy(&b->device->dl_tensor, &host);
}

/* There are two ways to say where a view begins. */
static void prepare_view(struct test_case *c, struct view *v, bool by_offset) {
    if (v->letter < 0)
        return;
    struct buffer *b = &c->buffers[v->letter];
    int64_t skip = v->offset * size_of(b->dtype);
    v->array = ufc_host_array(b->host, ufc_dltype(b->dtype), v->ndim, v->shape);
    if (b->device) {
        v->array.data = b->device->dl_tensor.data;
        v->array.device = b->device->dl_tensor.device;
    }
    if (v->strided)
        v->array.strides = v->strides;
    if (by_offset)
        v->array.byte_offset = (uint64_t)skip;
    else
        v->array.data = (char *)v->array.data + skip;
}

/* Puts the buffers where the call is to find them. */
static void prepare(struct test_case *c, enum place place) {
    for (int i = 0; i < LETTERS; i++) {
        struct buffer *b = &c->buffers[i];
        if (!b->before)
            continue;
        int64_t bytes = b->size * size_of(b->dtype);
        memcpy(b->host, b->before, (size_t)bytes);
        if (place == ON_HOST || b->given || (place == MIXED && (b->seed + (uint64_t)i) % 2))
            continue;
        REQUIRE(ufc_empty(context, UFC_INT8, 1, &bytes, UFC_DEVICE, &b->device, &err) == UFC_OK);
        bytes_between(b, true);
    }
    for (int i = 0; i < c->nin + c->nout; i++)
        prepare_view(c, &c->args[i], i % 2);
    if (c->mask.ndim >= 0)
        prepare_view(c, &c->mask, false);
    c->kw.where = c->mask.ndim >= 0 ? &c->mask.array : NULL;
}

static void collect(struct test_case *c) {
    for (int i = 0; i < LETTERS; i++) {
        struct buffer *b = &c->buffers[i];
        if (b->device) {
            bytes_between(b, false);
            ufc_free(b->device);
            b->device = NULL;
        }
    }
}

/* ---- comparing: each says in `why` what is wrong */

static char why[320];

static bool differs(const char *where, ufc_type t, int64_t i, const void *got, const void *want) {
    char a[64], b[64];
    spell(a, sizeof a, got, t, i);
    spell(b, sizeof b, want, t, i);
    snprintf(why, sizeof why, "%s, element %lld is %s, not %s", where, (long long)i, a, b);
    return false;
}

/* Compares `got` with the words at *s, and takes them. */
static bool elements_match(const char **s, const char *where, const void *got, const char *before,
                           ufc_type t, int64_t n, double ulps) {
    char *want = malloc((size_t)(n ? n : 1) * (size_t)size_of(t)), word[64];
    REQUIRE(want);
    bool ok = true;
    for (int64_t i = 0; i < n;) {
        int taken = 0;
        if (sscanf(*s, " %63s%n", word, &taken) != 1)
            break;
        *s += taken;
        char *star = strchr(word, '*');
        for (long k = star ? strtol(star + 1, NULL, 10) : 1; k > 0 && i < n; k--, i++) {
            if (*word == '_')
                memcpy(want + i * size_of(t), before + i * size_of(t), (size_t)size_of(t));
            else
                put_word(want, t, i, word);
            if (ok && !equal(got, want, t, i, ulps))
                ok = differs(where, t, i, got, want);
        }
    }
    free(want);
    return ok;
}

/* `0: f4[2,3] ...`: an allocated result. */
static bool result_matches(struct test_case *c, const char **s, DLManagedTensorVersioned *result) {
    ufc_type t;
    int64_t shape[MAX_DIMS], n = 1;
    int ndim;
    char where[32];
    snprintf(where, sizeof where, "output %c", **s);
    *s = dtype_named(*s + 3, &t);
    REQUIRE(*s);
    *s = read_list(*s, ']', shape, &ndim);
    REQUIRE(*s);
    const DLTensor *r = &result->dl_tensor;
    bool same_shape = r->ndim == ndim;
    for (int i = 0; i < ndim; i++) {
        same_shape = same_shape && r->shape[i] == shape[i];
        n *= shape[i];
    }
    if (r->dtype.code != ufc_dltype(t).code || r->dtype.bits != ufc_dltype(t).bits) {
        snprintf(why, sizeof why, "%s is %s", where, ufc_type_name(r->dtype));
        return false;
    }
    if (!same_shape) {
        snprintf(why, sizeof why, "%s has another shape", where);
        return false;
    }
    char *got = malloc((size_t)(n ? n : 1) * (size_t)size_of(t));
    REQUIRE(got);
    DLTensor host = ufc_host_array(got, r->dtype, ndim, shape);
    copy(r, &host);
    bool ok = elements_match(s, where, got, NULL, t, n, c->ulps);
    free(got);
    return ok;
}

static bool buffer_matches(struct test_case *c, int letter, const char **s) {
    const struct buffer *b = &c->buffers[letter];
    char where[32];
    snprintf(where, sizeof where, "buffer %c", 'A' + letter);
    return elements_match(s, where, b->host, b->before, b->dtype, b->size, c->ulps);
}

static bool literal_matches(const struct literal *want, const char *where, const char *got,
                            double ulps) {
    for (int64_t i = 0; i < want->n; i++)
        if (!equal(got, want->data, want->dtype, i, ulps))
            return differs(where, want->dtype, i, got, want->data);
    return true;
}

/* An array like the literal: an allocated result's elements. */
static bool fetch_result(const DLTensor *r, const struct literal *want, char *got) {
    DLDataType t = ufc_dltype(want->dtype);
    bool same = r->ndim == want->ndim;
    for (int d = 0; d < want->ndim && same; d++)
        same = r->shape[d] == want->shape[d];
    if (!same || r->dtype.code != t.code || r->dtype.bits != t.bits) {
        snprintf(why, sizeof why, "the result is %s of rank %d%s", ufc_type_name(r->dtype), r->ndim,
                 same ? "" : ", and has another shape");
        return false;
    }
    DLTensor host = ufc_host_array(got, t, want->ndim, (int64_t *)want->shape);
    copy(r, &host);
    return true;
}

/* A given output's elements, which become in the buffer what they were before. */
static bool take_output(struct test_case *c, const struct view *v, const struct literal *want,
                        char *got) {
    struct buffer *b = &c->buffers[v->letter];
    int64_t size = size_of(b->dtype), strides[MAX_DIMS];
    bool same = b->dtype == want->dtype && v->ndim == want->ndim;
    for (int d = 0; d < want->ndim && same; d++)
        same = v->shape[d] == want->shape[d];
    if (!same)
        snprintf(why, sizeof why, "the case expects an output of another type or shape");
    c_strides(v->ndim, v->shape, strides);
    for (int64_t k = 0; k < want->n && same; k++) {
        int64_t place = place_of(k, v->ndim, v->shape, v->strided ? v->strides : strides);
        int64_t at = (v->offset + place) * size;
        memcpy(got + k * size, b->host + at, (size_t)size);
        memcpy(b->host + at, b->before + at, (size_t)size);
    }
    return same;
}

/* The results are literals, in order; `at` has its first argument for one. */
static bool literals_match(struct test_case *c, DLManagedTensorVersioned **results) {
    const char *s = c->expected + 1;
    bool same = true;
    for (int i = 0; i < (c->method == AT ? 1 : c->nout) && same; i++) {
        struct literal want;
        const struct view *v = &c->args[c->method == AT ? 0 : c->nin + i];
        char *got;
        snprintf(why, sizeof why, "the case lacks a result");
        if (*s++ != ' ' || !(s = read_literal(s, &want)))
            return false;
        REQUIRE((got = malloc((size_t)want.n * (size_t)size_of(want.dtype) + 1)));
        same = v->letter < 0 ? fetch_result(&results[i]->dl_tensor, &want, got)
                             : take_output(c, v, &want, got);
        same = same && literal_matches(&want, "the result", got, c->ulps);
        free(want.data);
        free(got);
    }
    for (int i = 0; i < LETTERS && same; i++) { /* the rest is as it was */
        const char *rest = "_*1000000";
        same = !c->buffers[i].before || buffer_matches(c, i, &rest);
    }
    return same;
}

static bool results_match(struct test_case *c, DLManagedTensorVersioned **results) {
    if (islower((unsigned char)c->expected[2]))
        return literals_match(c, results);
    bool seen[LETTERS] = {false};
    const char *s = c->expected + 1;
    while (*s == ' ' && s[1]) {
        s++;
        if (isdigit((unsigned char)*s)) {
            if (!result_matches(c, &s, results[*s - '0']))
                return false;
        } else {
            int letter = *s - 'A';
            REQUIRE(letter >= 0 && letter < LETTERS && c->buffers[letter].before);
            seen[letter] = true;
            s += 2;
            if (!buffer_matches(c, letter, &s))
                return false;
        }
    }
    for (int i = 0; i < LETTERS; i++) { /* the others stay as they were */
        const char *rest = "_*1000000";
        if (c->buffers[i].before && !seen[i] && !buffer_matches(c, i, &rest))
            return false;
    }
    return true;
}

static bool status_matches(struct test_case *c, ufc_status status) {
    char want[16] = "OK";
    if (*c->expected == '!')
        sscanf(c->expected + 2, "%15s", want);
    if (strcmp(want, "any") == 0 ? status != UFC_OK : strcmp(want, statuses[status]) == 0) {
        snprintf(why, sizeof why, "an error without a message");
        return status == UFC_OK || *err.message;
    }
    snprintf(why, sizeof why, "the call gave %s, not %s%s%.150s", statuses[status], want,
             status ? ": " : "", status ? err.message : "");
    return false;
}

static ufc_status call(struct test_case *c, const ufc_arg *in, const ufc_out *out) {
    const ufc_ufunc *f = c->op->ufunc;
    bool plain = c->mask.ndim < 0 && !c->kw.casting && !c->kw.dtype.bits && !c->kw.axes &&
                 !c->kw.core_axes && !c->kw.keepdims;
    switch (c->method) {
    case REDUCE: return ufc_reduce(context, NULL, f, in[0], out[0], &c->kw, &err);
    case ACCUMULATE: return ufc_accumulate(context, NULL, f, in[0], out[0], &c->kw, &err);
    case REDUCEAT:
        return ufc_reduceat(context, NULL, f, in[0], in[1].as.array, out[0], &c->kw, &err);
    case OUTER: return ufc_outer(context, NULL, f, in[0], in[1], out[0], &c->kw, &err);
    case AT: return ufc_at(context, NULL, f, in[0].as.array, in[1].as.array, in[2], &err);
    default:
        return plain ? ufc_call(context, NULL, f, in, out, &err)
                     : ufc_call_with(context, NULL, f, in, out, &c->kw, &err);
    }
}

static bool run_case(struct test_case *c, enum place place) {
    ufc_arg in[MAX_ARGS];
    ufc_out out[MAX_ARGS];
    DLManagedTensorVersioned *results[MAX_ARGS] = {NULL};
    int nin = c->nin, nout = c->nout;
    prepare(c, place);
    for (int i = 0; i < nin; i++)
        in[i] = c->args[i].letter < 0 ? c->args[i].number : ufc_array(&c->args[i].array);
    for (int i = 0; i < nout; i++)
        out[i] =
            c->args[nin + i].letter < 0 ? ufc_new(&results[i]) : ufc_into(&c->args[nin + i].array);
    *err.message = 0;
    ufc_status status = call(c, in, out);
    bool ok = status_matches(c, status);
    if (ufc_synchronize(context, NULL, &err) != UFC_OK) {
        printf("ufc_synchronize: %s\n", err.message);
        exit(1);
    }
    collect(c);
    if (ok && status == UFC_OK)
        ok = results_match(c, results);
    for (int i = 0; i < nout; i++)
        ufc_free(results[i]);
    return ok;
}

static const char *path; /* where we are */
static int line_number;

static void run_line(const char *line) {
    static const char *const places[] = {"", " (on the device)", " (on host and device)"};
    static char words[MAX_LINE];
    struct test_case c;
    snprintf(words, sizeof words, "%s", line);
    if (!read_case(words, &c)) {
        printf("%s:%d: not a case: %.60s\n", path, line_number, line);
        exit(1);
    }
    for (enum place p = ON_HOST; p <= (on_gpu ? MIXED : ON_HOST); p++) {
        if (c.for_hosts && by_kernels)
            break;
        if (run_case(&c, p)) {
            npassed++;
            continue;
        }
        test_failures++;
        printf("%s:%d%s: %s\n    %.160s%s\n", path, line_number, places[p], why, line,
               strlen(line) > 160 ? " ..." : "");
    }
    free_case(&c);
}

static void replay(const char *file) {
    static char line[MAX_LINE];
    FILE *f = fopen(file, "r");
    path = file;
    if (!f) {
        printf("replay: cannot read %s\n", path);
        exit(1);
    }
    for (line_number = 1; fgets(line, sizeof line, f); line_number++) {
        line[strcspn(line, "\n")] = 0;
        char *comment = strstr(line, " # ");
        if (comment)
            *comment = 0;
        if (*line && *line != '#')
            for_each_line(line, run_line);
    }
    fclose(f);
}

int main(int argc, char **argv) {
    const char *device = "cpu";
    int first = 1;
    if (first < argc && strncmp(argv[first], "--device=", 9) == 0)
        device = argv[first++] + 9;
    on_gpu = strcmp(device, "cuda") == 0;
    by_kernels = strcmp(device, "cpu") != 0;
    const char *reason = "no GPU";
    if (on_gpu && ufc_device_count(&reason) == 0) {
        printf("replay: %s\n", reason);
        return SKIPPED;
    }
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        make_known(operations[i].ufunc);
    if (ufc_context_new(&context, device, 0, &err) != UFC_OK) {
        printf("replay: %s\n", err.message);
        return 1;
    }
    for (int i = first; i < argc; i++)
        replay(argv[i]);
    ufc_context_free(context);
    printf("%d passed, %d failed\n", npassed, test_failures);
    return test_failures > 0;
}
