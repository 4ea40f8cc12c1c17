/* show.h: shows debuggers and profilers the host code that is loaded into the process. */
#ifndef SHOW_H
#define SHOW_H

#include "uc.h"

struct shown;
/* Shows a loaded object, of which function `name` is at an address: to debuggers if the options
 * want lines, and adds it to the list then; to perf if $UFC_PERF is 1. */
void show_object(const struct uc *uc, const struct buf *object, const char *name, uintptr_t at,
                 struct shown **list);
/* Ends it for all of a list, before they are unloaded. */
void show_nothing(struct shown **list);

#endif
