/* lazy.h: the code of a program that is loaded, which is made when calls need it.
 *
 *   lazy.c      code for all calls
 *   special.c   code for certain calls */
#ifndef LAZY_H
#define LAZY_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "cache.h"
#include "object.h"

/* The code of a unit. */
struct made {
    struct ufc_host_code host;
    struct ufc_code gpu;
    struct buf ptx; /* gpu's */
};

/* Where a unit's code is found. */
struct place {
    pthread_mutex_t making;
    _Atomic(struct made *) made; /* NULL: not yet; set by who holds `making` */
};

/* The units of an overload: its parts of host code, then its kernels. */
enum { UNITS = UFC_HOST_PARTS + UFC_KERNEL_COUNT };

struct special;

/* An overload's code. */
struct lazy {
    struct ufc_maker maker; /* first: the runtime has its address */
    struct loaded *program;
    const struct plan *plan;
    struct place units[UNITS];
    /* special.c */
    atomic_int how; /* ufcc_specialization */
    pthread_mutex_t adding;
    _Atomic(struct special *) specials;
    int nspecials;
};

/* The thread that makes code in the background: there is none but while it has some to make. */
struct worker {
    pthread_mutex_t lock; /* over all below */
    pthread_t thread;
    pid_t process; /* that `thread` is to be joined in; 0: there is none to join */
    bool running, stop;
    struct special *first, *last; /* what is to be made */
};

struct loaded {
    struct uc uc;                /* as it was when the program was loaded; jobs have copies of it */
    struct ufcc_options options; /* uc's */
    char *libdevice;             /* that of options where it was found, allocated with malloc */
    struct image image;
    struct cache cache;
    struct cache_key host_key, gpu_key; /* of the program */
    _Atomic(struct jit *) jit;          /* made with the first host code */
    struct lazy *overloads;             /* noverloads of the image */
    struct task *tasks;                 /* of make_all, as long as it is at work */
    int ntasks;
    struct worker worker;
};

/* lazy.c */
void place_init(struct place *place);
void place_free(struct place *place);
/* The code of an overload's unit; it is made, once, by the thread that is the first to come, for
 * which the others wait.  known: of the calls that it is for; NULL: of all.  NULL: `why`, of `size`
 * bytes, says why there is none. */
struct made *find_made(struct lazy *overload, int number, const struct ufc_constants *known,
                       struct place *place, char *why, size_t size);

/* special.c */
/* An overload's maker, of which lazy.c sets the rest. */
void special_begin(struct lazy *overload);
/* Ends the work in the background, after what is being made, and frees all code for certain calls.
 */
void specials_free(struct loaded *program);

#endif
