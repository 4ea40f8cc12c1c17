/* hint.h: what the hints about a token that the grammar does not accept share. */
#ifndef HINT_H
#define HINT_H

#include "syntax.h"

/* hint.c: a token, and its place. */
bool is_text(const struct uc *uc, const struct token *t, const char *text);
/* A word's text; NULL: it is no word, or a long one. */
const char *word(struct uc *uc, const struct token *t);
/* The opening bracket that t is directly in, or NULL. */
const struct token *enclosing(const struct token *t);
/* The first token of the statement or declaration that t stands in. */
const struct token *construct(const struct token *t);

/* Each looks whether t, in the construct that begins with `begin`, is what fingers type first, and
 * then reports what to write instead.  Returns whether it has. */
/* hint_head.c: parameters, dimensions, signatures. */
bool hint_of_head(struct uc *uc, const struct token *t, const struct token *begin,
                  const bool *acceptable);
/* hint_body.c: what comes before a block, with how much of the source it spoils; statements and
 * expressions. */
bool hint_of_block(struct uc *uc, const struct token *t, const struct token *begin,
                   enum recovery *recovery);
bool hint_of_body(struct uc *uc, const struct token *t, const struct token *begin,
                  const bool *acceptable);

#endif
