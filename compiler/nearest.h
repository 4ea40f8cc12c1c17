/* nearest.h: of the compiler and of the command line. */
#ifndef UFC_NEAREST_H
#define UFC_NEAREST_H

/* The name among candidates (NULL-terminated) that was probably meant, or NULL. */
const char *nearest_name(const char *name, const char *const *candidates);

#endif
