/* vmult.c: a spectrum times a filter's, in place: ufc build vmult.uf; cc vmult.c vmult.o -lufc */
#include <complex.h>
#include <stdio.h>
#include "vmult.h"

enum { N = 5 };

int main(void) {
    float complex spectrum[N], filter[N];
    for (int k = 0; k < N; k++) {
        spectrum[k] = (float)k + 0.5F * I;
        filter[k] = 1 - (float)(k * k) * I;
    }
    int64_t shape[] = {N};
    DLTensor a = ufc_host_array(spectrum, ufc_dltype(UFC_COMPLEX64), 1, shape);
    DLTensor b = ufc_host_array(filter, ufc_dltype(UFC_COMPLEX64), 1, shape);
    ufc_error err;
    if (vmult_vmult(NULL, NULL, ufc_array(&a), ufc_array(&b), ufc_into(&a), &err))
        return fprintf(stderr, "%s\n", err.message), 1;
    for (int k = 0; k < N; k++)
        printf("%g%+gj\n", (double)crealf(spectrum[k]), (double)cimagf(spectrum[k]));
}
