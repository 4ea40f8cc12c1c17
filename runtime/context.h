/* context.h: what calls in a context share. */
#ifndef UFC_CONTEXT_H
#define UFC_CONTEXT_H

#include "device.h"

struct ufc_context {
    const struct device_ops *ops;
    DLDevice device;
    int threads;               /* host threads, for calls on the host and for staging */
    struct gpu_model gpu;      /* of devices that run kernels */
    struct memo *memo;         /* memo.h: of these; NULL: nothing is kept */
    void *state;               /* the device's own data */
    struct recorder *recorder; /* the recorder that this context is part of; NULL: none */
    struct gpus *gpus;   /* of a context of several GPUs (gpus.h); NULL: it is of one device */
    struct rates *rates; /* of a GPU (rates.h) */
    ufc_context *beside; /* of an "auto" context on a GPU: the host, with as many threads */
    int version;         /* tests: the version that calls of gufuncs take, if they can (memo.h:
                            version_of); on the host 1: `tiled`, 2: `stacked`.  0: what is faster */
};

#endif
