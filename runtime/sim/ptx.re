/* ptx.re: the scanner of PTX: text to tokens. */
#include "ptx_read.h"

static uint64_t digits(const char *begin, const char *end, unsigned base)
{
    uint64_t value = 0;
    for (; begin < end && *begin != 'U'; begin++) {
        unsigned c = (unsigned char)*begin;
        value = value * base + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return value;
}

/*!re2c
    re2c:define:YYCTYPE  = "unsigned char";
    re2c:define:YYCURSOR = "s->at";
    re2c:define:YYMARKER = "s->marker";
    re2c:yyfill:enable   = 0;

    word = [A-Za-z_$%] [A-Za-z0-9_$]*;
    part = "." [A-Za-z0-9_$]+ ("::" [A-Za-z0-9_]+)*;
    hex  = [0-9a-fA-F];
*/

struct ptx_token ptx_scan(struct ptx_scanner *s)
{
    for (;;) {
        const char *begin = s->at;
#define TOKEN(code, number) \
    return (struct ptx_token){code, begin, (size_t)(s->at - begin), number}
        /*!re2c
            [ \t\r]+                  { continue; }
            "\n"                      { s->line++; continue; }
            "//" [^\n\x00]*           { continue; }
            "/*" ([^*\x00] | "*"+ [^*/\x00])* "*"+ "/" {
                for (; begin < s->at; begin++)
                    s->line += *begin == '\n';
                continue;
            }
            "\x00"                    { s->at = begin; TOKEN(PTX_END, 0); }

            word part*                { TOKEN(PTX_WORD, 0); }
            part                      { TOKEN(PTX_DIRECTIVE, 0); }
            '0f' hex{8}               { TOKEN(PTX_FLOAT, digits(begin + 2, s->at, 16)); }
            '0d' hex{16}              { TOKEN(PTX_FLOAT, digits(begin + 2, s->at, 16)); }
            '0x' hex+ "U"?            { TOKEN(PTX_INT, digits(begin + 2, s->at, 16)); }
            '0b' [01]+ "U"?           { TOKEN(PTX_INT, digits(begin + 2, s->at, 2)); }
            "0" [0-7]* "U"?           { TOKEN(PTX_INT, digits(begin, s->at, 8)); }
            [1-9][0-9]* "U"?          { TOKEN(PTX_INT, digits(begin, s->at, 10)); }
            "\"" [^"\n\x00]* "\""     { TOKEN(PTX_STRING, 0); }
            "[" | "]" | [{}()<>,;:=+@!|\-]      { TOKEN(*begin, 0); }
            *                         { s->at = begin; TOKEN(PTX_BAD, 0); }
        */
    }
}
