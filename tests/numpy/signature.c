/* signature.c: what NumPy's test_ufunc.py asserts of the signatures of gufuncs, where a declaration
 * gives them: each operand's number of core dimensions, which of the dimensions they are, which of
 * those may be missing or are of a fixed size; and that what is no signature is refused.
 *
 * NumPy numbers dimensions as they are met.  Here all that bear one name are one, and those that
 * are computed come last. */
#include <string.h>
#include "../test.h"
#include "image_abi.h"
#include "ufc.h"
#include "ufcc.h"

enum { MOST = 8 };

struct expected {
    const char *test;   /* NumPy's */
    const char *source; /* its body and types are added */
    const char *core;   /* what the header shows; NULL: refused */
    const char *why;    /* words of the error */
    int rank[MOST], dim[MOST], ndims;
    int64_t size[MOST];
    unsigned flags[MOST];
};

enum { OPTIONAL = UFC_DIM_OPTIONAL, COMPUTED = UFC_DIM_COMPUTED };
#define F "float64"

static const struct expected cases[] = {
    {"test_signature0",
     "f(a[i], b[i]) -> c : " F "(" F ", " F ") { c = a[0] + b[0] }",
     "(i),(i)->()",
     NULL,
     {1, 1, 0},
     {0, 0},
     1,
     {-1},
     {0}},
    {"test_signature1",
     "f(a, b) -> c : " F "(" F ", " F ") { c = a + b }",
     "(),()->()",
     NULL,
     {0, 0, 0},
     {0},
     0,
     {0},
     {0}},
    /* a dimension that only an output has, which NumPy takes from `out`, is not known here */
    {"test_signature2",
     "f(a[i1,i2], b[J_1]) -> c[_kAB] : " F "(" F ", " F ") { c[0] = a[0,0] + b[0] }",
     NULL,
     "'_kAB' is no dimension of an input",
     {0},
     {0},
     0,
     {0},
     {0}},
    {"test_signature2",
     "f(a[i1,i2], b[J_1]) -> c[J_1] : " F "(" F ", " F ") { c[0] = a[0,0] + b[0] }",
     "(i1,i2),(J_1)->(J_1)",
     NULL,
     {2, 1, 1},
     {0, 1, 2, 2},
     3,
     {-1, -1, -1},
     {0}},
    {"test_signature3",
     "f(a[i1, i12],   b[J_1]) -> c[i12, i2] : " F "(" F ", " F ") { c[0, 0] = a[0,0] + b[0] }",
     NULL,
     "'i2' is no dimension of an input",
     {0},
     {0},
     0,
     {0},
     {0}},
    {"test_signature3",
     "f(a[i1, i12],   b[J_1]) -> c[i12, i1] : " F "(" F ", " F ") { c[0, 0] = a[0,0] + b[0] }",
     "(i1,i12),(J_1)->(i12,i1)",
     NULL,
     {2, 1, 2},
     {0, 1, 2, 1, 0},
     3,
     {-1, -1, -1},
     {0}},
    {"test_signature4",
     "f(a[n,k], b[k,m]) -> c[n,m] : " F "(" F ", " F ") { c[0,0] = a[0,0] + b[0,0] }",
     "(n,k),(k,m)->(n,m)",
     NULL,
     {2, 2, 2},
     {0, 1, 1, 2, 0, 2},
     3,
     {-1, -1, -1},
     {0}},
    {"test_signature5",
     "f(a[n?,k], b[k,m?]) -> c[n?,m?] : " F "(" F ", " F ") { c[0,0] = a[0,0] + b[0,0] }",
     "(n?,k),(k,m?)->(n?,m?)",
     NULL,
     {2, 2, 2},
     {0, 1, 1, 2, 0, 2},
     3,
     {-1, -1, -1},
     {OPTIONAL, 0, OPTIONAL}},
    {"test_signature6",
     "f(a[3]) -> c : " F "(" F ") { c = a[0] }",
     "(3)->()",
     NULL,
     {1, 0},
     {0},
     1,
     {3},
     {0}},
    {"test_signature7",
     "f(a[3], b[3,3], x[n]) -> c[9] : " F "(" F ", " F ", " F ") { c[0] = a[0] + b[0,0] + x[0] }",
     "(3),(3,3),(n)->(9)",
     NULL,
     {1, 2, 1, 1},
     {0, 0, 0, 1, 2},
     3,
     {3, -1, 9},
     {0}},
    /* numbers are Python's, which has no 03 */
    {"test_signature7",
     "f(a[03]) -> c : " F "(" F ") { c = a[0] }",
     NULL,
     "leading zeros",
     {0},
     {0},
     0,
     {0},
     {0}},
    /* only a name may be missing */
    {"test_signature8",
     "f(a[3?]) -> c[9] : " F "(" F ") { c[0] = a[0] }",
     NULL,
     "'?'",
     {0},
     {0},
     0,
     {0},
     {0}},
    {"test_signature9",
     "f (  a[  3] ) -> c : " F "(" F ") { c = a[0] }",
     "(3)->()",
     NULL,
     {1, 0},
     {0},
     1,
     {3},
     {0}},
    {"test_signature10",
     "f ( a[ n?] , b [m ,  n? ] ,x[ m ]\n)-> c[ 9] : " F "(" F ", " F ", " F
     ") { c[0] = a[0] + b[0,0] + x[0] }",
     "(n?),(m,n?),(m)->(9)",
     NULL,
     {1, 2, 1, 1},
     {0, 1, 0, 1, 2},
     3,
     {-1, -1, 9},
     {OPTIONAL, 0, 0}},
    {"test_signature_failure_extra_parenthesis",
     "f(a[[i]], b[i]) -> c : " F "(" F ", " F ") { c = 0 }",
     NULL,
     "unexpected '['",
     {0},
     {0},
     0,
     {0},
     {0}},
    {"test_signature_failure_mismatching_parenthesis",
     "f(a[i], b]i[) -> c : " F "(" F ", " F ") { c = 0 }",
     NULL,
     "']'",
     {0},
     {0},
     0,
     {0},
     {0}},
    {"test_signature_failure_signature_missing_input_arg",
     "f(a[i]) -> c : " F "(" F ", " F ") { c = a[0] }",
     NULL,
     "2 inputs",
     {0},
     {0},
     0,
     {0},
     {0}},
    {"test_signature_failure_signature_missing_output_arg",
     "f(a[i], b[i]) -> c : (" F ", " F ")(" F ", " F ") { c = a[0] }",
     NULL,
     "2 results",
     {0},
     {0},
     0,
     {0},
     {0}},
    {"test_get_signature",
     "f(a[n], b[n]) -> c : " F "(" F ", " F ") = sum(a[k] * b[k] for k)",
     "(n),(n)->()",
     NULL,
     {1, 1, 0},
     {0, 0},
     1,
     {-1},
     {0}},
    {"test_conv1d_full",
     "f(x[m], w[n]) -> y[m + n - 1] : " F "(" F ", " F ") { y[0] = x[0] + w[0] }",
     "(m),(n)->(m + n - 1)",
     NULL,
     {1, 1, 1},
     {0, 1, 2},
     3,
     {-1, -1, -1},
     {0, 0, COMPUTED}},
};

static void keep_error(void *user, const ufcc_diagnostic *d) {
    char *text = user;
    if (d->severity == UFCC_ERROR)
        snprintf(text + strlen(text), 1000 - strlen(text), "%s\n", d->message);
}

static bool same_dims(const struct expected *e, const ufc_ufunc *f) {
    const struct ufc_core *core = f->core;
    int n = 0;
    if (!core || strcmp(core->signature, e->core) != 0 || (int)core->ndims != e->ndims)
        return false;
    for (uint32_t k = 0; k < f->nin + f->nout; k++) {
        if (core->rank[k] != e->rank[k])
            return false;
        for (int i = 0; i < core->rank[k]; i++, n++)
            if (core->dim[n] != e->dim[n])
                return false;
    }
    for (int d = 0; d < e->ndims; d++)
        if (core->dims[d].size != e->size[d] || core->dims[d].flags != e->flags[d])
            return false;
    return true;
}

static void check(const struct expected *e) {
    char source[1000], errors[1000] = "";
    snprintf(source, sizeof source, "gufunc %s\n", e->source);
    ufcc_options options = {.targets = UFCC_HOST, .diagnostic = keep_error, .user = errors};
    ufcc_program *p = ufcc_compile("signature.uf", source, strlen(source), &options);
    bool loaded = p && ufcc_load(p);
    const ufc_ufunc *f = loaded ? ufcc_function(p, "f") : NULL;
    if (e->core ? !f || !same_dims(e, f) : f || !strstr(errors, e->why)) {
        printf("%s: %s\n    %s%s\n", e->test, e->source, errors,
               f && f->core ? f->core->signature : "");
        test_failures++;
    }
    ufcc_free(p);
}

int main(void) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(&cases[i]);
    return test_failures > 0;
}
