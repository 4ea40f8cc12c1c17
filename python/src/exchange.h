/* exchange.h: DLPack's exchange API, which DLPack declares from version 1.3 on. */
#ifndef UFC_EXCHANGE_H
#define UFC_EXCHANGE_H

#include "ext.h"

typedef void set_error_fn(void *context, const char *kind, const char *message);

struct exchange {
    struct {
        uint32_t major, minor; /* of DLPack */
        const struct exchange *older;
    } header;
    int (*allocate)(DLTensor *prototype, DLManagedTensorVersioned **made, void *context,
                    set_error_fn *set_error);
    int (*managed_of)(void *array, DLManagedTensorVersioned **made);
    int (*array_of)(DLManagedTensorVersioned *managed, void **array);
    int (*tensor_of)(void *array, DLTensor *tensor); /* the array's own; may be NULL */
    int (*current_stream)(DLDeviceType type, int32_t device, void **stream);
};

/* cupy.c */
bool is_cupys(PyTypeObject *type); /* by its name; an exception may be set */
/* CuPy's; NULL: it is not the type of CuPy's arrays, or these are not as they are known here, which
 * takes long to find out.  Its tensor_of gives extents that the caller frees with PyMem_Free; its
 * allocate leaves Python's exception. */
const struct exchange *exchange_of_cupy(PyTypeObject *type);

#endif
