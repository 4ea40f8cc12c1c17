/* first.c: the shortest program.  ufc build add.uf && cc first.c add.o -lufc && ./a.out */
#include <stdio.h>
#include "add.h"

int main(void) {
    int64_t a[] = {10, 20, 30, 40}, b[] = {1, 2, 3, 4}, sum[4], shape[] = {4};
    DLTensor ta = ufc_host_array(a, ufc_dltype(UFC_INT64), 1, shape), tb = ta, tsum = ta;
    tb.data = b, tsum.data = sum;
    ufc_error err = {{0}};
    if (add_add_ufunc(NULL, NULL, ufc_array(&ta), ufc_array(&tb), ufc_into(&tsum), &err))
        return fprintf(stderr, "first: %s\n", err.message), 1;
    printf("%d %d %d %d\n", (int)sum[0], (int)sum[1], (int)sum[2], (int)sum[3]);
}
