/* header.c: names in C, and the header that declares an object's ufuncs. */
#include <string.h>

#include "uc.h"

/* Lists of words, with spaces around each. */
static const char keywords[] =
    " auto break case char const continue default do double else enum extern float for goto"
    " if inline int long register restrict return short signed sizeof static struct switch"
    " typedef union unsigned void volatile while ";
/* What else names no parameter: words of later C and of C++, macros, names that a wrapper uses. */
static const char taken[] =
    " alignas alignof and and_eq asm bitand bitor bool catch char16_t char32_t char8_t class"
    " co_await co_return co_yield compl concept const_cast consteval constexpr constinit"
    " decltype delete dynamic_cast explicit export false friend mutable namespace new"
    " noexcept not not_eq nullptr operator or or_eq private protected public reinterpret_cast"
    " requires static_assert static_cast template this thread_local throw true try typeid"
    " typename typeof typeof_unqual using virtual wchar_t xor xor_eq I NULL errno linux unix"
    " args ctx err outs stream ufc_arg ufc_call ufc_context ufc_error ufc_out ufc_status ";

static bool is_listed(const char *name, const char *words) {
    size_t n = strlen(name);
    for (const char *at = words; (at = strstr(at, name)) != NULL; at += n)
        if (at[-1] == ' ' && at[n] == ' ')
            return true;
    return false;
}

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
static const char digits[] = "0123456789";

static bool is_identifier(const char *name) {
    return *name != 0 && name[strspn(name, letters)] == 0 && strchr(digits, *name) == NULL &&
           !is_listed(name, keywords);
}

/* ---- the stem */

const char *stem(struct uc *uc) {
    if (uc->options->prefix != NULL)
        return uc->options->prefix;
    const char *slash = strrchr(uc->src.name, '/'), *base = slash ? slash + 1 : uc->src.name;
    size_t length = strlen(base);
    if (length > 3 && strcmp(base + length - 3, ".uf") == 0)
        length -= 3;
    char *name = arena_printf(uc, "_%.*s", (int)length, base);
    for (char *c = name; *(c += strspn(c, letters)) != 0;)
        *c = '_';
    return is_identifier(name + 1) ? name + 1 : name;
}

bool check_stem(struct uc *uc) {
    const char *prefix = uc->options->prefix;
    if (prefix == NULL || is_identifier(prefix))
        return true;
    error_nowhere(uc, "the prefix '%s' is not an identifier of C, and names begin with it", prefix);
    return false;
}

static bool is_exported(const struct decl *d) {
    return d->kind == DECL_UFUNC && !d->is_prelude;
}

/* ---- a ufunc */

/* Text in a comment, without what would end it or be warned of there. */
static void put_doc(struct buf *out, const char *doc) {
    char last = ' ';
    for (const char *c = doc; *c != 0; last = *c++) {
        if ((*c == '/' && (last == '*' || last == '?')) || (*c == '*' && last == '/'))
            buf_put(out, " ", 1);
        if (*c != '\n')
            buf_put(out, c, 1);
        else
            buf_printf(out, "\n *%s", c[1] != '\n' && c[1] != 0 ? " " : "");
    }
}

static void put_comment(struct buf *out, const struct decl *d) {
    buf_printf(out, "\n/* ");
    if (d->doc != NULL) {
        put_doc(out, d->doc);
        buf_printf(out, "\n *\n * ");
    }
    for (const struct overload *o = d->overloads; o != NULL; o = o->next)
        buf_printf(out, "%s%s", o->signature, o->next != NULL ? "\n * " : " */\n");
}

/* Whether p's wrapper has that name already: as a word, as an output or as another parameter. */
static bool is_taken(const struct decl *d, const struct param *p, const char *name) {
    for (const struct param *other = d->params; other != NULL; other = other->next)
        if (other != p && strcmp(other->name, name) == 0)
            return true;
    bool output = strncmp(name, "out", 3) == 0 && name[3 + strspn(name + 3, digits)] == 0;
    return output || is_listed(name, keywords) || is_listed(name, taken);
}

static const char *argument_name(struct uc *uc, const struct decl *d, const struct param *p) {
    const char *name = p->name;
    while (is_taken(d, p, name))
        name = arena_printf(uc, "%s_", name);
    return name;
}

static void put_wrapper(struct uc *uc, struct buf *out, const struct decl *d) {
    const char *args = "", *outs = "", *arguments = "";
    int nout = d->overloads->nout;
    for (const struct param *p = d->params; p != NULL; p = p->next) {
        const char *name = argument_name(uc, d, p);
        arguments = arena_printf(uc, "%sufc_arg %s, ", arguments, name);
        args = arena_printf(uc, "%s%s%s", args, p == d->params ? "" : ", ", name);
    }
    for (int i = 0; nout > 1 && i < nout; i++) {
        arguments = arena_printf(uc, "%sufc_out out%d, ", arguments, i);
        outs = arena_printf(uc, "%s%sout%d", outs, i == 0 ? "" : ", ", i);
    }
    buf_printf(out, "static inline ufc_status %s_%s(ufc_context *ctx, void *stream,\n", stem(uc),
               d->name);
    buf_printf(out, "    %s%sufc_error *err) {\n", arguments, nout == 1 ? "ufc_out out, " : "");
    buf_printf(out, "    const ufc_arg args[] = {%s};\n", args);
    if (nout > 1)
        buf_printf(out, "    const ufc_out outs[] = {%s};\n", outs);
    buf_printf(out, "    return ufc_call(ctx, stream, &%s_%s_ufunc, args, %s, err);\n}\n", stem(uc),
               d->name, nout > 1 ? "outs" : "&out");
}

/* ---- the file */

void make_header(struct uc *uc, struct buf *out) {
    buf_printf(out, "/* Made by ufc(1): ufuncs of %s.  ufc(3) has the calls. */\n", stem(uc));
    buf_printf(out, "#ifndef %s_UF_H\n#define %s_UF_H\n\n#include <ufc.h>\n\n", stem(uc), stem(uc));
    buf_printf(out, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for (const struct decl *d = uc->decls; d != NULL; d = d->next)
        if (is_exported(d)) {
            put_comment(out, d);
            buf_printf(out, "extern const ufc_ufunc %s_%s_ufunc;\n\n", stem(uc), d->name);
            put_wrapper(uc, out, d);
        }
    buf_printf(out, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}
