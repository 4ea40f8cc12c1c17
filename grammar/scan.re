/* scan.re: text → tokens, as they are in the source.
 *
 * Sources are UTF-8, with characters outside ASCII only in comments.  Spellings of C or Python that
 * can mean nothing else are recognised here, so that the message says what to write and the parser
 * goes on with what was meant. */
#include <stdarg.h>
#include <string.h>

#include "syntax.h"
#include "parse.h"

struct problem *problem_new(struct uc *uc, struct span at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct problem *problem = NEW(uc, struct problem);
    problem->at = at;
    problem->message = arena_vprintf(uc, format, args);
    va_end(args);
    return problem;
}

void scan_begin(struct scanner *s, struct uc *uc)
{
    const char *text = uc->src.text + (uc->file ? uc->file->begin : 0);
    size_t size = uc->file ? uc->file->end - uc->file->begin : uc->src.size;
    *s = (struct scanner){.uc = uc, .cursor = text, .limit = text + size, .first = true};
    s->tail = &s->problems;
    if (size >= 3 && text[0] == '\xef' && text[1] == '\xbb' && text[2] == '\xbf')
        s->cursor += 3; /* a byte order mark */
}

static struct span span_from(const struct scanner *s, const char *begin)
{
    const char *text = s->uc->src.text;
    return (struct span){(uint32_t)(begin - text), (uint32_t)(s->cursor - text)};
}

/* Many more than are reported, for the parser may skip most of them. */
enum { MAX_PROBLEMS = 10000 };

static void append_problem(struct scanner *s, struct problem *problem)
{
    *s->tail = problem;
    s->tail = &problem->next;
    s->nproblems++;
}

/* Adds a problem about the text from begin to the cursor. */
#define PROBLEM(...)                                                                               \
    do {                                                                                           \
        if (s->nproblems < MAX_PROBLEMS)                                                           \
            append_problem(s, problem_new(s->uc, span_from(s, begin), __VA_ARGS__));               \
        else                                                                                       \
            s->wrong = true;                                                                       \
    } while (0)

/* Reports a byte that begins no token. */
static void bad_byte(struct scanner *s, const char *begin)
{
    unsigned char c = (unsigned char)*begin;
    if (c == 0)
        PROBLEM("unexpected NUL byte");
    else if (c < 0x80)
        PROBLEM("unexpected control character 0x%02x", c);
    else {
        while (s->cursor < s->limit && ((unsigned char)*s->cursor & 0xc0) == 0x80)
            s->cursor++;
        PROBLEM("invalid UTF-8 at byte 0x%02x", c);
    }
}

/*!re2c
    re2c:define:YYCTYPE  = "unsigned char";
    re2c:define:YYCURSOR = "s->cursor";
    re2c:define:YYMARKER = "s->marker";
    re2c:define:YYLIMIT  = "s->limit";
    re2c:yyfill:enable   = 0;
    re2c:eof             = 0;

    cont  = [\x80-\xbf];
    wide  = [\xc3-\xdf] cont | "\xc2" [\xa0-\xbf]
          | "\xe0" [\xa0-\xbf] cont | [\xe1-\xec\xee\xef] cont{2} | "\xed" [\x80-\x9f] cont
          | "\xf0" [\x90-\xbf] cont{2} | [\xf1-\xf3] cont{3} | "\xf4" [\x80-\x8f] cont{2};
    c1    = "\xc2" [\x80-\x9f];

    word  = [A-Za-z0-9_];
    name  = [A-Za-z_] word*;

    digits  = [0-9] ("_"? [0-9])*;
    decimal = [1-9] ("_"? [0-9])* | "0" ("_"? "0")*;
    exp     = 'e' [+-]? digits;
    float   = digits "." digits? exp? | "." digits exp? | digits exp;
    based   = '0x' ("_"? [0-9a-fA-F])+ | '0b' ("_"? [01])+ | '0o' ("_"? [0-7])+;
*/

/* The rest of a comment, up to its line's end. */
static void comment(struct scanner *s)
{
    for (;;) {
        const char *begin = s->cursor;
        /*!re2c
            [\t\x20-\x7e]+ | wide+ { continue; }
            "\r"? "\n"             { s->cursor = begin; return; }
            $                      { return; }
            c1                     { PROBLEM("unexpected control character U+%04X",
                                             (unsigned char)begin[1]); continue; }
            *                      { bad_byte(s, begin); continue; }
        */
    }
}

/* Skips a C comment, whose opening was read, to its end, or to the line's if it has none. */
static void c_comment(struct scanner *s)
{
    const char *begin = s->cursor - 2, *end = NULL;
    if (!s->unclosed)
        end = memmem(s->cursor, (size_t)(s->limit - s->cursor), "*/", 2);
    s->unclosed = end == NULL;
    if (end)
        s->cursor = end + 2;
    PROBLEM("unexpected '/*'; a comment begins with '#'");
    while (!end && s->cursor < s->limit && *s->cursor != '\n')
        s->cursor++;
}

/* Reports `@vectorize`, `@numba.njit`, or an '@' alone. */
static void decorator(struct scanner *s, const char *begin)
{
    const char *last = s->cursor;
    while (last[-1] != '.' && last[-1] != '@')
        last--;
    const char *here = foreign_name(intern(s->uc, last, (size_t)(s->cursor - last)));
    if (here) {
        PROBLEM("unexpected %s; there are no decorators, write %s",
                quoted(s->uc, span_from(s, begin)), here);
        return;
    }
    s->cursor = begin + 1;
    PROBLEM("unexpected '@'; there are no decorators, and of matrices write "
            "'c[i, j] = sum(a[i, k] * b[k, j] for k) for i, j'");
}

static struct token token(struct scanner *s, int code, const char *begin)
{
    struct token t = {.at = span_from(s, begin), .code = (uint16_t)code, .first = s->first,
                      .problems = s->problems, .wrong = s->wrong};
    s->problems = NULL;
    s->tail = &s->problems;
    s->wrong = false;
    s->first = false;
    return t;
}

struct token scan(struct scanner *s)
{
    for (;;) {
        const char *begin = s->cursor;
#define TOKEN(code) return token(s, TK_##code, begin)
#define INSTEAD(code, ...) do { PROBLEM(__VA_ARGS__); TOKEN(code); } while (0)
        /*!re2c
            [ \t]+     { continue; }
            "\r"? "\n" { s->first = true; continue; }
            $          { return token(s, 0, begin); }
            "#"        { comment(s); continue; }
            "/*"       { c_comment(s); continue; }

            "ufunc"    { TOKEN(UFUNC); }
            "gufunc"   { TOKEN(GUFUNC); }
            "def"      { TOKEN(DEF); }
            "const"    { TOKEN(CONST); }
            "import"   { TOKEN(IMPORT); }
            "with"     { TOKEN(WITH); }
            "let"      { TOKEN(LET); }
            "var"      { TOKEN(VAR); }
            "assert"   { TOKEN(ASSERT); }
            "if"       { TOKEN(IF); }
            "elif"     { TOKEN(ELIF); }
            "else"     { TOKEN(ELSE); }
            "while"    { TOKEN(WHILE); }
            "for"      { TOKEN(FOR); }
            "in"       { TOKEN(IN); }
            "break"    { TOKEN(BREAK); }
            "continue" { TOKEN(CONTINUE); }
            "return"   { TOKEN(RETURN); }
            "and"      { TOKEN(AND); }
            "or"       { TOKEN(OR); }
            "not"      { TOKEN(NOT); }
            "True"     { TOKEN(TRUE); }
            "False"    { TOKEN(FALSE); }
            name       { TOKEN(NAME); }

            decimal | float | based { TOKEN(NUMBER); }
            digits ".." { s->cursor -= 2; TOKEN(NUMBER); }
            (float | digits) [jJ]   { TOKEN(NUMBER); }
            digits      { INSTEAD(NUMBER, "a whole number has no leading zeros"); }
            (float | digits) [fF]
                  { INSTEAD(NUMBER, "unexpected '%c' after a number; it takes the type of its use",
                            s->cursor[-1]); }
            (float | digits) [iI]
                  { INSTEAD(NUMBER, "an imaginary number ends in 'j', as '1j' does, not in '%c'",
                            s->cursor[-1]); }
            (float | digits) word+
                  { INSTEAD(NUMBER, "%s is not a number", quoted(s->uc, span_from(s, begin))); }

            "+"   { TOKEN(PLUS); }
            "-"   { TOKEN(MINUS); }
            "*"   { TOKEN(STAR); }
            "/"   { TOKEN(SLASH); }
            "//"  { TOKEN(FLOOR); }
            "%"   { TOKEN(PERCENT); }
            "**"  { TOKEN(POWER); }
            "&"   { TOKEN(AMP); }
            "|"   { TOKEN(BAR); }
            "^"   { TOKEN(CARET); }
            "~"   { TOKEN(TILDE); }
            "<<"  { TOKEN(SHL); }
            ">>"  { TOKEN(SHR); }
            "=="  { TOKEN(EQ); }
            "!="  { TOKEN(NE); }
            "<"   { TOKEN(LT); }
            "<="  { TOKEN(LE); }
            ">"   { TOKEN(GT); }
            ">="  { TOKEN(GE); }
            "="   { TOKEN(ASSIGN); }
            "+="  { TOKEN(ADD_TO); }
            "-="  { TOKEN(SUB_TO); }
            "*="  { TOKEN(MUL_TO); }
            "/="  { TOKEN(DIV_TO); }
            "//=" { TOKEN(FLOOR_TO); }
            "%="  { TOKEN(MOD_TO); }
            "**=" { TOKEN(POW_TO); }
            "&="  { TOKEN(AND_TO); }
            "|="  { TOKEN(OR_TO); }
            "^="  { TOKEN(XOR_TO); }
            "<<=" { TOKEN(SHL_TO); }
            ">>=" { TOKEN(SHR_TO); }
            "("   { TOKEN(LP); }
            ")"   { TOKEN(RP); }
            "["   { TOKEN(LSB); }
            "]"   { TOKEN(RSB); }
            "{"   { TOKEN(LB); }
            "}"   { TOKEN(RB); }
            ","   { TOKEN(COMMA); }
            ":"   { TOKEN(COLON); }
            ";"   { TOKEN(END); }
            "."   { TOKEN(DOT); }
            ".."  { TOKEN(RANGE); }
            "->"  { TOKEN(ARROW); }

            "&&"  { INSTEAD(AND, "unexpected '&&'; write 'and'"); }
            "||"  { INSTEAD(OR, "unexpected '||'; write 'or'"); }
            "!"   { INSTEAD(NOT, "unexpected '!'; write 'not'"); }
            "<>"  { INSTEAD(NE, "unexpected '<>'; write '!='"); }
            "===" { INSTEAD(EQ, "unexpected '==='; write '=='"); }
            ":="  { INSTEAD(ASSIGN, "unexpected ':='; write 'let x = ...' for a new name, "
                            "'x = ...' to assign"); }
            "?"   { TOKEN(QUESTION); }
            "@" (name ".")* name?   { decorator(s, begin); TOKEN(ERROR); }
            ['] ([\x20-\x26\x28-\x5b\x5d-\x7e] | "\\" [ntr0'"\\]) ['] { TOKEN(NUMBER); }
            ["] [^"\n\x00]* ["] | ['] [^'\n\x00]* ['] { TOKEN(STRING); }
            "\\" [ \t]* "\r"? "\n"
                  { s->cursor = begin + 1;
                    PROBLEM("unexpected '\\'; a line goes on after an operator, or before one");
                    continue; }
            [!-~] { INSTEAD(ERROR, "unexpected '%c'", *begin); }

            wide (word | wide)*
                  { INSTEAD(NAME, "unexpected %s; only comments hold characters outside ASCII",
                            quoted(s->uc, span_from(s, begin))); }
            c1    { INSTEAD(ERROR, "unexpected control character U+%04X",
                            (unsigned char)begin[1]); }
            *     { bad_byte(s, begin); TOKEN(ERROR); }
        */
    }
}
