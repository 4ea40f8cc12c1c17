/* domain.h: what domain.c has of other files. */
#ifndef UC_PLAN_DOMAIN_H
#define UC_PLAN_DOMAIN_H
#include "plan.h"

/* operations.c */
/* Adds what operations of each enum ufc_work_kind the value takes, without its arguments, to
 * `work`.  False: it is not computed. */
bool add_operations(const struct pval *v, uint32_t *work);

#endif
