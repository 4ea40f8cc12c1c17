/* syntax.h: what the stages from text to AST share: tokens, the parser's state, constructors.
 *
 * text ─scan.re→ tokens ─layout.c→ tokens with line ends, brackets paired ─parse.y, ast.c→ AST */
#ifndef SYNTAX_H
#define SYNTAX_H

#include "uc.h"

enum {
    MAX_BRACKETS = 200, /* that are open at once */
    MAX_DEPTH = 1000,   /* of a tree, since later stages recurse over it */
};

/* An error at a token that is found before the grammar sees the token.  The parser reports it when
 * it gets there, so that messages come in the order of the source. */
struct problem {
    struct span at;
    const char *message;
    struct span note_at;
    const char *note; /* NULL: none */
    struct problem *next;
};

struct token {
    struct span at;           /* empty for a line end, the end of the source, an inserted bracket */
    struct problem *problems; /* in the order of the source */
    uint16_t code;            /* TK_… of parse.h; 0 at the end of the source */
    uint16_t depth; /* how many brackets are open around it; the same for both of a pair */
    bool first;     /* the first token of its line */
    bool inserted;  /* stands for a missing bracket */
    bool wrong;     /* has more problems than are kept */
};

/* scan.re */
struct scanner {
    struct uc *uc;
    const char *cursor, *limit, *marker;
    struct problem *problems, **tail; /* those found since the last token */
    int nproblems;                    /* those of all tokens */
    bool wrong;                       /* a problem was found since the last token, but not kept */
    bool first;                       /* there is no token on this line yet */
    bool unclosed;                    /* the rest of the source does not close C comments */
};
void scan_begin(struct scanner *s, struct uc *uc);
/* The next token, as the source has it; code 0 at the source's end. */
struct token scan(struct scanner *s);
/* A problem, its message formatted in the arena. */
struct problem *problem_new(struct uc *uc, struct span at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* layout.c */
/* All tokens for the grammar, in the arena: line ends where they count, brackets in pairs.  Two
 * tokens of code 0 stand before the first, and two behind the last.  Problems are kept in the
 * tokens, not reported. */
const struct token *layout(struct uc *uc);

/* hint.c */
/* The text at a place in the source, in quotes, shortened if long. */
const char *quoted(struct uc *uc, struct span at);
/* The token's text in quotes, or a description of a token without text. */
const char *token_description(struct uc *uc, const struct token *t);
enum recovery { RECOVER_STATEMENT, RECOVER_DECLARATION };
/* Reports that t is unexpected; acceptable[code] says which tokens are not.  Returns how much of
 * the source the error spoils. */
enum recovery syntax_error(struct uc *uc, const struct token *t, const bool *acceptable);
/* Whether t stands in an `elif`, directly or in its block. */
bool in_elif(const struct token *t);
/* Reports a tree that is too deep.  what: TK_ELIF, a chain of `elif`; TK_PLUS, operators; 0,
 * others. */
void too_deep(struct uc *uc, struct span at, int what);

/* parse.y */
struct parser {
    struct uc *uc;
    struct decl **tail;
    bool overflow; /* the automaton's stack was full */
    bool deep;     /* a tree that is too deep was reported */
};

/* A list that the grammar's actions append to. */
#define LIST_OF(T)                                                                                 \
    struct T##_list {                                                                              \
        struct T *first, *last;                                                                    \
        int count;                                                                                 \
    }
LIST_OF(node);
LIST_OF(param);
LIST_OF(typename);
LIST_OF(sig);
#define EMPTY(list)          ((list).first = (list).last = NULL, (list).count = 0)
#define START(list, element) ((list).first = (list).last = (element), (list).count = 1)
#define APPEND(list, element)                                                                      \
    ((list).last = *((list).first ? &(list).last->next : &(list).first) = (element), (list).count++)

struct range {
    struct node *begin, *end, *step; /* begin without end: an array */
};

struct clauses {
    struct node *list, *filter; /* N_CLAUSEs; a condition or NULL */
};

/* ast.c, ast_decl.c: constructors, called by the grammar's actions.  A token argument is a keyword,
 * operator or name that gives the node's place. */
struct span span_over(struct span a, struct span b);
const char *token_name(struct parser *p, const struct token *t);
struct node *expr_name(struct parser *p, const struct token *t);
struct node *expr_number(struct parser *p, const struct token *t);
struct node *expr_bool(struct parser *p, const struct token *t);
struct node *expr_unary(struct parser *p, const struct token *op, struct node *a);
struct node *expr_binary(struct parser *p, struct node *a, const struct token *op, struct node *b);
struct node *expr_cond(struct parser *p, struct node *a, const struct token *mark, struct node *c,
                       struct node *b);
struct node *expr_call(struct parser *p, const struct token *name, struct node_list args,
                       const struct token *close);
/* Several values in parentheses: first, and those of others. */
struct node *expr_several(struct parser *p, const struct token *open, struct node *first,
                          struct node_list others, const struct token *close);
/* The elements or rows of a table, in brackets. */
struct node *expr_table(struct parser *p, const struct token *open, struct node_list elements,
                        const struct token *close);
/* A call whose last argument is a comprehension. */
struct node *expr_comprehension(struct parser *p, const struct token *name, struct node_list args,
                                struct clauses clauses, const struct token *close);
/* A slice of an axis; its parts may be NULL. */
struct node *expr_slice(struct parser *p, const struct token *colon, struct node *begin,
                        struct node *end, struct node *step);
struct node *expr_index(struct parser *p, const struct token *name, struct node_list subscripts,
                        const struct token *close);
struct node *clause_new(struct parser *p, const struct token *name, struct range range);
struct node *expr_paren(const struct token *open, struct node *a, const struct token *close);

struct node *stmt_bind(struct parser *p, const struct token *keyword, struct node_list names,
                       struct typename *type, struct node_list values);
/* `let s[j] = value for j`; without clauses the list is empty. */
struct node *stmt_array(struct parser *p, const struct token *keyword, struct node *element,
                        struct typename *type, struct node *value, struct clauses clauses);
struct node *stmt_assign(struct parser *p, struct node_list targets, const struct token *op,
                         struct node_list values);
struct node *stmt_define(struct parser *p, struct node_list targets, const struct token *op,
                         struct node_list values, struct clauses clauses);
struct node *stmt_expression(struct parser *p, struct node_list values);
struct node *stmt_if(struct parser *p, const struct token *keyword, struct node *c,
                     struct node *then, struct node *other);
struct node *stmt_while(struct parser *p, const struct token *keyword, struct node *c,
                        struct node *then);
struct node *stmt_for(struct parser *p, const struct token *keyword, const struct token *name,
                      struct range range, struct node *then);
/* text: the token of a string. */
struct node *stmt_assert(struct parser *p, const struct token *keyword, struct node *c,
                         const struct token *text);
/* A keyword, with expressions behind it or none. */
/* `return v for i` */
struct node *stmt_return(struct parser *p, const struct token *keyword, struct node_list values,
                         struct clauses clauses);
struct node *stmt_plain(struct parser *p, enum node_kind kind, const struct token *keyword,
                        struct node_list values);
struct node *stmt_bad(struct parser *p, const struct token *t); /* for a syntax error */
struct node *stmt_block(struct parser *p, const struct token *open, struct node_list statements,
                        const struct token *close);
/* The body `= value`. */
struct node *stmt_body(struct parser *p, const struct token *assign, struct node *value);

/* dims: empty for a scalar; end: the parameter's last token. */
struct param *param_new(struct parser *p, const struct token *name, struct node_list dims,
                        const struct token *end);
struct node *dim_optional(struct parser *p, const struct token *name, const struct token *mark);
struct typename *type_named(struct parser *p, const struct token *name);
/* `dtype(operand)`; reports a word other than dtype. */
struct typename *type_of(struct parser *p, const struct token *word, const struct token *operand,
                         const struct token *close);
/* `float32[:, :]` of a signature; `float32[9]` of a local array. */
struct typename *type_of_rank(struct parser *p, const struct token *name, int rank,
                              const struct token *close);
struct typename *type_of_array(struct typename *t, struct node_list sizes,
                               const struct token *close);
/* `result(params)`, and `(results)(params)`. */
struct sig *sig_one(struct parser *p, const struct token *result, struct typename_list params,
                    const struct token *close);
struct sig *sig_several(struct parser *p, const struct token *open, struct typename_list results,
                        struct typename_list params, const struct token *close);
/* `(operands)`, which means `void(operands)`. */
struct sig *sig_void(struct parser *p, const struct token *open, struct typename_list operands,
                     const struct token *close);
struct sig *sig_for(struct parser *p, struct sig *s, const struct token *binder,
                    struct typename_list groups);
/* `, U in groups` behind the `for` of a signature; reports a signature without one. */
void sig_also(struct parser *p, struct sig *s, const struct token *binder,
              struct typename_list groups);
/* `with identity value`; reports a word other than identity. */
struct node *identity_value(struct parser *p, const struct token *word, struct node *value);

void decl_ufunc(struct parser *p, const struct token *keyword, const struct token *name,
                struct param_list params, struct sig_list sigs, struct node *identity,
                struct node *body);
void decl_gufunc(struct parser *p, const struct token *keyword, const struct token *name,
                 struct param_list params, struct param_list outputs, struct sig_list sigs,
                 struct node *body);
void decl_def(struct parser *p, const struct token *keyword, const struct token *name,
              struct param_list params, struct node *body);
void decl_const(struct parser *p, const struct token *keyword, const struct token *name,
                struct node *value);
/* path: the token of a string. */
void decl_import(struct parser *p, const struct token *path);

#endif
