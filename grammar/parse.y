/* parse.y: tokens → AST.  Each action is one constructor call (ast.c); README shows the grammar
 * on a page.  The driver below resumes after an error at the statement's end, or at the next
 * declaration. */

%name UfcParse
%token_prefix TK_
%token_type {const struct token *}
%extra_context {struct parser *p}
%stack_size 4000
%stack_overflow { p->overflow = true; }

%include {
#include "syntax.h"
#include "parse.h"

#define NOTHING    ((struct node_list){0})
#define NO_CLAUSES ((struct clauses){0})

#define NDEBUG 1 /* no tracing */
#define YYNOERRORRECOVERY 1
#define UfcParse_ENGINEALWAYSONSTACK 1
void UfcParseInit(void *parser, struct parser *p);
void UfcParseFinalize(void *parser);
void UfcParse(void *parser, int code, const struct token *t);
int UfcParseFallback(int code);
}

/* The order is that in which messages list them.  BREAK to RETURN may be a whole statement, on
 * which layout.c relies.  END is a line end that counts, or `;`.  ERROR is what no rule accepts.
 * BAD stands for a statement or a declaration with an error, BAD_HEAD for one up to its block. */
%token NAME NUMBER STRING LP RP LSB RSB LB COMMA COLON ASSIGN
       UFUNC GUFUNC DEF CONST IMPORT WITH
       LET VAR ASSERT IF ELIF ELSE WHILE FOR IN BREAK CONTINUE RETURN TRUE FALSE
       AND OR NOT EQ NE LT LE GT GE RANGE BAR CARET AMP SHL SHR
       PLUS MINUS STAR SLASH FLOOR PERCENT POWER TILDE
       ADD_TO SUB_TO MUL_TO DIV_TO FLOOR_TO MOD_TO POW_TO AND_TO OR_TO XOR_TO SHL_TO SHR_TO
       END RB DOT ARROW QUESTION ERROR BAD BAD_HEAD.

%token_class compare_op EQ|NE|LT|LE|GT|GE.
%token_class shift_op SHL|SHR.
%token_class sum_op PLUS|MINUS.
%token_class product_op STAR|SLASH|FLOOR|PERCENT.
%token_class sign_op PLUS|MINUS|TILDE.
%token_class assign ASSIGN|ADD_TO|SUB_TO|MUL_TO|DIV_TO|FLOOR_TO|MOD_TO|POW_TO|AND_TO|OR_TO|XOR_TO
    |SHL_TO|SHR_TO.

%start_symbol program
program ::= decls.

/* ---- declarations */

decls ::= .
decls ::= decls decl.
decls ::= decls BAD.
decls ::= decls BAD_HEAD block.

decl ::= UFUNC(K) NAME(N) params(P) signature(S) identity(I) body(B).
                                               { decl_ufunc(p, K, N, P, S, I, B); }
decl ::= GUFUNC(K) NAME(N) params(P) ARROW outputs(O) signature(S) body(B).
                                               { decl_gufunc(p, K, N, P, O, S, B); }
decl ::= DEF(K) NAME(N) params(P) body(B).     { decl_def(p, K, N, P, B); }
decl ::= CONST(K) NAME(N) ASSIGN expr(E).      { decl_const(p, K, N, E); }
decl ::= CONST(K) NAME(N) ASSIGN table(T).     { decl_const(p, K, N, T); }
decl ::= IMPORT STRING(S).                     { decl_import(p, S); }

%type table {struct node *}
%type elements {struct node_list}
%type element {struct node *}
table(A) ::= LSB(O) elements(L) comma RSB(C).   { A = expr_table(p, O, L, C); }
elements(A) ::= element(E).                     { START(A, E); }
elements(A) ::= elements(A) COMMA element(E).   { APPEND(A, E); }
element(A) ::= expr(A).
element(A) ::= table(A).

%type params {struct param_list}
%type param_list {struct param_list}
params(A) ::= LP RP.                            { EMPTY(A); }
params(A) ::= LP param_list(L) comma RP.        { A = L; }
param_list(A) ::= param(P).                     { START(A, P); }
param_list(A) ::= param_list(A) COMMA param(P). { APPEND(A, P); }

/* `n`, `3`, `n?`, `n + k - 1`; decl_gufunc checks which of them may stand where. */
%type param {struct param *}
%type outputs {struct param_list}
%type dims {struct node_list}
%type dim {struct node *}
param(A) ::= NAME(N).                           { A = param_new(p, N, NOTHING, N); }
param(A) ::= NAME(N) LSB dims(D) comma RSB(C).  { A = param_new(p, N, D, C); }
outputs(A) ::= param(P).                        { START(A, P); }
outputs(A) ::= LP param_list(L) comma RP.       { A = L; }
dims(A) ::= dim(D).                             { START(A, D); }
dims(A) ::= dims(A) COMMA dim(D).               { APPEND(A, D); }
dim(A) ::= expr(A).
dim(A) ::= NAME(N) QUESTION(Q).                 { A = dim_optional(p, N, Q); }

/* As in Python, the last element of a list in parentheses may have a comma. */
comma ::= .
comma ::= COMMA.

%type signature {struct sig_list}
%type sigs {struct sig_list}
%type sig {struct sig *}
%type call_sig {struct sig *}
%type types {struct typename_list}
%type type_list {struct typename_list}
%type groups {struct typename_list}
signature(A) ::= .                     { EMPTY(A); }
signature(A) ::= COLON sigs(L).        { A = L; }
sigs(A) ::= sig(S).                    { START(A, S); }
sigs(A) ::= sigs(A) COMMA sig(S).      { APPEND(A, S); }
sigs(A) ::= sigs(A) COMMA NAME(N) IN groups(G).  { sig_also(p, A.last, N, G); }
sig(A) ::= call_sig(A).
sig(A) ::= call_sig(S) FOR NAME(N) IN groups(G).              { A = sig_for(p, S, N, G); }
call_sig(A) ::= NAME(R) LP types(P) RP(C).                    { A = sig_one(p, R, P, C); }
call_sig(A) ::= LP(O) types(R) RP LP types(P) RP(C).          { A = sig_several(p, O, R, P, C); }
call_sig(A) ::= LP(O) types(P) RP(C).                         { A = sig_void(p, O, P, C); }
types(A) ::= .                         { EMPTY(A); }
types(A) ::= type_list(L) comma.       { A = L; }
type_list(A) ::= sig_type(T).          { START(A, T); }
type_list(A) ::= type_list(A) COMMA sig_type(T).              { APPEND(A, T); }
%type sig_type {struct typename *}
%type colons {int}
sig_type(A) ::= NAME(N).                     { A = type_named(p, N); }
sig_type(A) ::= NAME(N) LSB colons(R) RSB(C).          { A = type_of_rank(p, N, R, C); }
colons(A) ::= COLON.                   { A = 1; }
colons(A) ::= colons(B) COMMA COLON.   { A = B + 1; }
groups(A) ::= NAME(N).                 { START(A, type_named(p, N)); }
groups(A) ::= groups(A) BAR NAME(N).   { APPEND(A, type_named(p, N)); }

%type identity {struct node *}
identity(A) ::= .                      { A = NULL; }
identity(A) ::= WITH NAME(W) expr(E).  { A = identity_value(p, W, E); }

%type body {struct node *}
body(A) ::= block(A).
body(A) ::= ASSIGN(O) expr(E).         { A = stmt_body(p, O, E); }

/* ---- statements; no END is needed before or after a brace */

%type block {struct node *}
%type stmts {struct node_list}
%type simple {struct node *}
%type compound {struct node *}
%type else {struct node *}
block(A) ::= LB(O) stmts(L) RB(C).             { A = stmt_block(p, O, L, C); }
block(A) ::= LB(O) stmts(L) simple(S) RB(C).   { APPEND(L, S); A = stmt_block(p, O, L, C); }
stmts(A) ::= .                                 { EMPTY(A); }
stmts(A) ::= stmts(A) END.
stmts(A) ::= stmts(A) simple(S) END.           { APPEND(A, S); }
stmts(A) ::= stmts(A) compound(S).             { APPEND(A, S); }

simple(A) ::= LET(K) names(N) typed(T) value(V).       { A = stmt_bind(p, K, N, T, V); }
simple(A) ::= LET(K) NAME(N) LSB exprs(L) comma RSB(C) typed(T) ASSIGN expr(V).
                               { A = stmt_array(p, K, expr_index(p, N, L, C), T, V, NO_CLAUSES); }
simple(A) ::= LET(K) NAME(N) LSB exprs(L) comma RSB(C) typed(T) ASSIGN expr(V) clauses(F).
                               { A = stmt_array(p, K, expr_index(p, N, L, C), T, V, F); }
simple(A) ::= VAR(K) names(N) typed(T) value(V).       { A = stmt_bind(p, K, N, T, V); }
simple(A) ::= exprs(T) assign(O) exprs(V).             { A = stmt_assign(p, T, O, V); }
simple(A) ::= exprs(T) assign(O) exprs(V) clauses(F).  { A = stmt_define(p, T, O, V, F); }
simple(A) ::= exprs(V).                                { A = stmt_expression(p, V); }
simple(A) ::= ASSERT(K) expr(C) COMMA STRING(T).       { A = stmt_assert(p, K, C, T); }
simple(A) ::= RETURN(K).                       { A = stmt_plain(p, N_RETURN, K, NOTHING); }
simple(A) ::= RETURN(K) exprs(V).              { A = stmt_plain(p, N_RETURN, K, V); }
simple(A) ::= RETURN(K) exprs(V) clauses(F).   { A = stmt_return(p, K, V, F); }
simple(A) ::= BREAK(K).                        { A = stmt_plain(p, N_BREAK, K, NOTHING); }
simple(A) ::= CONTINUE(K).                     { A = stmt_plain(p, N_CONTINUE, K, NOTHING); }
simple(A) ::= BAD(T).                                  { A = stmt_bad(p, T); }

compound(A) ::= IF(K) expr(C) block(B) else(E).        { A = stmt_if(p, K, C, B, E); }
compound(A) ::= WHILE(K) expr(C) block(B).             { A = stmt_while(p, K, C, B); }
compound(A) ::= FOR(K) NAME(N) IN range(R) block(B).   { A = stmt_for(p, K, N, R, B); }
compound(A) ::= BAD_HEAD(T) block else.                    { A = stmt_bad(p, T); }
else(A) ::= .                                          { A = NULL; }
else(A) ::= ELSE block(B).                             { A = B; }
else(A) ::= ELIF(K) expr(C) block(B) else(E).          { A = stmt_if(p, K, C, B, E); }

%type names {struct node_list}
%type typed {struct typename *}
%type local_type {struct typename *}
%type value {struct node_list}
%type range {struct range}
names(A) ::= NAME(N).                          { START(A, expr_name(p, N)); }
names(A) ::= names(A) COMMA NAME(N).           { APPEND(A, expr_name(p, N)); }
typed(A) ::= .                                 { A = NULL; }
typed(A) ::= COLON local_type(T).              { A = T; }
typed(A) ::= COLON local_type(T) LSB exprs(L) comma RSB(C).    { A = type_of_array(T, L, C); }
local_type(A) ::= NAME(N).                     { A = type_named(p, N); }
local_type(A) ::= NAME(W) LP NAME(N) RP(C).    { A = type_of(p, W, N, C); }
value(A) ::= .                                 { EMPTY(A); }
value(A) ::= ASSIGN exprs(V).                  { A = V; }
range(A) ::= bitor(F) RANGE bitor(T).          { A = (struct range){F, T, NULL}; }
range(A) ::= bitor(F) RANGE bitor(T) RANGE bitor(S).   { A = (struct range){F, T, S}; }
range(A) ::= bitor(V).                         { A = (struct range){V, NULL, NULL}; }

/* What follows a comprehension's value or a definition, and makes it an unordered iteration. */
%type clauses {struct clauses}
%type clause_list {struct node_list}
%type clause {struct node *}
%type filter {struct node *}
clauses(A) ::= FOR clause_list(L) filter(I).   { A = (struct clauses){L.first, I}; }
clause_list(A) ::= clause(C).                  { START(A, C); }
clause_list(A) ::= clause_list(A) COMMA clause(C).     { APPEND(A, C); }
clause(A) ::= NAME(N).                         { A = clause_new(p, N, (struct range){0}); }
clause(A) ::= NAME(N) IN range(R).             { A = clause_new(p, N, R); }
filter(A) ::= .                                { A = NULL; }
filter(A) ::= IF expr(E).                      { A = E; }

/* ---- expressions, loosest first; expr_binary reports chained comparisons */

%type exprs {struct node_list}
exprs(A) ::= expr(E).                  { START(A, E); }
exprs(A) ::= exprs(A) COMMA expr(E).   { APPEND(A, E); }

/* Arguments; several values in parentheses are one, which `reduce` takes. */
%type args {struct node_list}
%type arg {struct node *}
args(A) ::= arg(E).                    { START(A, E); }
args(A) ::= args(A) COMMA arg(E).      { APPEND(A, E); }
arg(A) ::= expr(A).
arg(A) ::= LP(O) expr(E) COMMA exprs(L) comma RP(C).   { A = expr_several(p, O, E, L, C); }

%type expr {struct node *}
%type or {struct node *}
%type and {struct node *}
%type not {struct node *}
%type compare {struct node *}
%type bitor {struct node *}
%type bitxor {struct node *}
%type bitand {struct node *}
%type shift {struct node *}
%type sum {struct node *}
%type product {struct node *}
%type sign {struct node *}
%type power {struct node *}
%type primary {struct node *}

expr(A) ::= or(A).
expr(A) ::= or(L) IF(O) or(C) ELSE expr(R).    { A = expr_cond(p, L, O, C, R); }
or(A) ::= and(A).
or(A) ::= or(L) OR(O) and(R).                  { A = expr_binary(p, L, O, R); }
and(A) ::= not(A).
and(A) ::= and(L) AND(O) not(R).               { A = expr_binary(p, L, O, R); }
not(A) ::= compare(A).
not(A) ::= NOT(O) not(R).                      { A = expr_unary(p, O, R); }
compare(A) ::= bitor(A).
compare(A) ::= compare(L) compare_op(O) bitor(R).      { A = expr_binary(p, L, O, R); }
bitor(A) ::= bitxor(A).
bitor(A) ::= bitor(L) BAR(O) bitxor(R).        { A = expr_binary(p, L, O, R); }
bitxor(A) ::= bitand(A).
bitxor(A) ::= bitxor(L) CARET(O) bitand(R).    { A = expr_binary(p, L, O, R); }
bitand(A) ::= shift(A).
bitand(A) ::= bitand(L) AMP(O) shift(R).       { A = expr_binary(p, L, O, R); }
shift(A) ::= sum(A).
shift(A) ::= shift(L) shift_op(O) sum(R).      { A = expr_binary(p, L, O, R); }
sum(A) ::= product(A).
sum(A) ::= sum(L) sum_op(O) product(R).        { A = expr_binary(p, L, O, R); }
product(A) ::= sign(A).
product(A) ::= product(L) product_op(O) sign(R).       { A = expr_binary(p, L, O, R); }
sign(A) ::= power(A).
sign(A) ::= sign_op(O) sign(R).                { A = expr_unary(p, O, R); }
power(A) ::= primary(A).
power(A) ::= primary(L) POWER(O) sign(R).      { A = expr_binary(p, L, O, R); }

primary(A) ::= NAME(N).                        { A = expr_name(p, N); }
primary(A) ::= NUMBER(N).                      { A = expr_number(p, N); }
primary(A) ::= TRUE(N).                        { A = expr_bool(p, N); }
primary(A) ::= FALSE(N).                       { A = expr_bool(p, N); }
primary(A) ::= LP(O) expr(E) RP(C).            { A = expr_paren(O, E, C); }
primary(A) ::= NAME(N) LP RP(C).               { A = expr_call(p, N, NOTHING, C); }
primary(A) ::= NAME(N) LP args(L) comma RP(C).         { A = expr_call(p, N, L, C); }
primary(A) ::= NAME(N) LP args(L) clauses(F) RP(C).
                                               { A = expr_comprehension(p, N, L, F, C); }
primary(A) ::= NAME(N) LSB subscripts(L) comma RSB(C). { A = expr_index(p, N, L, C); }

%type subscripts {struct node_list}
%type subscript {struct node *}
%type bound {struct node *}
subscripts(A) ::= subscript(S).                        { START(A, S); }
subscripts(A) ::= subscripts(A) COMMA subscript(S).    { APPEND(A, S); }
subscript(A) ::= expr(A).
subscript(A) ::= bound(F) COLON(O) bound(T).           { A = expr_slice(p, O, F, T, NULL); }
subscript(A) ::= bound(F) COLON(O) bound(T) COLON bound(S).
                                                       { A = expr_slice(p, O, F, T, S); }
bound(A) ::= .                                         { A = NULL; }
bound(A) ::= expr(A).

%code {

/* Whether the automaton can take a token.  Its moves are tried on the states alone. */
static bool acceptable(const yyParser *y, int code)
{
    YYACTIONTYPE pushed[16]; /* the states above base */
    const yyStackEntry *base = y->yytos;
    int n = 0;
    while (n < (int)(sizeof pushed / sizeof pushed[0])) {
        YYACTIONTYPE act =
            yy_find_shift_action((YYCODETYPE)code, n > 0 ? pushed[n - 1] : base->stateno);
        if (act < YY_MIN_REDUCE)
            return act <= YY_MAX_SHIFTREDUCE || act == YY_ACCEPT_ACTION;
        unsigned rule = act - YY_MIN_REDUCE;
        for (int i = 0; i < -yyRuleInfoNRhs[rule]; i++) {
            if (n > 0)
                n--;
            else
                base--;
        }
        YYACTIONTYPE state = n > 0 ? pushed[n - 1] : base->stateno;
        pushed[n++] = yy_find_reduce_action(state, yyRuleInfoLhs[rule]);
    }
    return false;
}

/* The `{` of the innermost block being parsed, or NULL. */
static const struct token *open_block(const yyParser *y)
{
    int closed = 0; /* `}` tokens whose block is not reduced before the next token */
    for (const yyStackEntry *e = y->yytos; e > y->yystack; e--) {
        if (e->major == TK_RB)
            closed++;
        else if (e->major == TK_LB && closed-- == 0)
            return e->minor.yy0;
    }
    return NULL;
}

static bool ends_statement(const struct token *t, int depth)
{
    return t->code == 0 || (t->depth == depth && (t->code == TK_END || t->code == TK_LB)) ||
           (t->depth == depth - 1 && t->code == TK_RB);
}

static bool begins_declaration(const struct token *t)
{
    return t->depth == 0 && (t->code == TK_UFUNC || t->code == TK_GUFUNC || t->code == TK_DEF ||
                             t->code == TK_CONST || t->code == TK_IMPORT);
}

/* Whether parsing may go on with t after a bad declaration, even if t is to be reported too. */
static bool resumes(const struct token *t, bool skip_block)
{
    return t->code == 0 || begins_declaration(t) ||
           (t->depth == 0 && t->code == TK_LB && !skip_block);
}

/* Replaces what the stack holds of a statement or a declaration, and the tokens from t on, by BAD
 * or BAD_HEAD.  Returns the first token that is not replaced, where parsing goes on. */
static const struct token *recover(yyParser *y, const struct token *t, enum recovery recovery)
{
    const struct token *begin = t, *block = open_block(y);
    if (recovery == RECOVER_STATEMENT && block) {
        while (!ends_statement(t, block->depth + 1))
            t++;
    } else {
        /* A block is parsed behind the bad head of a declaration, but not behind what is no
         * declaration. */
        bool skip_block = recovery == RECOVER_DECLARATION || acceptable(y, TK_DEF);
        while (block && y->yytos - y->yystack > 1)
            yy_pop_parser_stack(y);
        if (!begins_declaration(t) && (skip_block || t->code != TK_LB) && t->code != 0)
            t++;
        while (!resumes(t, skip_block))
            t++;
    }
    while (!acceptable(y, TK_BAD))
        yy_pop_parser_stack(y);
    UfcParse(y, t->code == TK_LB ? TK_BAD_HEAD : TK_BAD, begin);
    return t;
}

/* Reports t, which is not acceptable, or for which the stack was too small. */
static const struct token *failed(yyParser *y, struct parser *p, const struct token *t)
{
    if (p->overflow) { /* lemon has emptied the stack */
        p->overflow = false;
        too_deep(p->uc, t->at, in_elif(t) ? TK_ELIF : 0);
        return recover(y, t, RECOVER_DECLARATION);
    }
    bool expected[YYNTOKEN];
    for (int code = 0; code < YYNTOKEN; code++)
        expected[code] = acceptable(y, code);
    return recover(y, t, syntax_error(p->uc, t, expected));
}

static void report_problems(struct uc *uc, const struct token *t)
{
    for (const struct problem *b = t->problems; b; b = b->next) {
        error(uc, b->at, "%s", b->message);
        if (b->note)
            note(uc, b->note_at, "%s", b->note);
    }
    if (t->wrong)
        error(uc, t->at, "unexpected %s", token_description(uc, t));
}

bool parse(struct uc *uc)
{
    struct parser p = {.uc = uc, .tail = &uc->decls};
    while (*p.tail)
        p.tail = &(*p.tail)->next;
    yyParser *y = NEW(uc, yyParser);
    UfcParseInit(y, &p);
    const struct token *t = layout(uc);
    for (bool more = true; more && uc->nerrors <= MAX_ERRORS;) {
        report_problems(uc, t);
        bool ok = acceptable(y, t->code);
        if (ok)
            UfcParse(y, t->code, t);
        if (ok && !p.overflow)
            more = t++->code != 0;
        else
            t = failed(y, &p, t);
    }
    return uc->nerrors == 0;
}

}
