/* hint.h: what the files share that give hints about a token that the grammar does not accept. */
#ifndef HINT_H
#define HINT_H

#include "syntax.h"

/* hint.c: tokens and their places. */
bool is_text(const struct uc *uc, const struct token *t, const char *text);
/* A word's text; NULL: the token is no word, or a long one. */
const char *word(struct uc *uc, const struct token *t);
/* The opening bracket directly around t; NULL: none. */
const struct token *enclosing(const struct token *t);
/* The first token of the statement or declaration that contains t. */
const struct token *construct(const struct token *t);

/* Each looks for one habit of other languages: whether t, in the construct that begins with
 * `begin`, is its first token.  If so, it reports what to write instead.  Returns whether it
 * has. */
/* hint_head.c: hints for parameters, dimensions and signatures. */
bool hint_of_head(struct uc *uc, const struct token *t, const struct token *begin,
                  const bool *acceptable);
/* hint_body.c: hints for what precedes a block, with how much of the source the error spoils; hints
 * for statements and expressions. */
bool hint_of_block(struct uc *uc, const struct token *t, const struct token *begin,
                   enum recovery *recovery);
bool hint_of_body(struct uc *uc, const struct token *t, const struct token *begin,
                  const bool *acceptable);

#endif
