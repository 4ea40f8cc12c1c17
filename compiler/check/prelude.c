/* prelude.c: the built-in functions that are written in the language itself.  A user's declaration
 * hides the function of its name; names that begin with an underscore are for the compiler alone.
 *
 * The largest errors below are of a million inputs each, special and random ones, against MPC and
 * MPFR, on all levels of the host and on a GPU.  Those of complex64 and complex128 are in epsilons
 * of the parts' type times |result|:
 *   exp 3.9 4.8   exp2 2.3 3.2 (as bounded)   expm1 3.5 4.5   log 2.2 2.2   log2 2.5 2.2
 *   log10 2.6 2.9   log1p 2.4 2.5   sqrt 1.3 1.4   sin, cos 3.4 4.3   tan 2.6 2.7
 *   sinh, cosh 3.5 4.5   tanh 3.3 2.8   asin 2.4 2.6   acos, acosh 2.3 1.7   atan 2.4 2.4
 *   asinh 2.3 2.9   atanh 2.4 2.5   reciprocal 1.1 1.0   sign 1.2 1.6
 *   pow 0.5, and 2.8 (1 + |w log z|); complex64's is computed in complex128; to the powers 1, 2
 *   and 3, which are products as NumPy's, 1.8
 * Those of float32 and float64 are in units in the last place:
 *   erfinv 2.8 2.8   sinc 3.3 4.5   logaddexp 1.4 1.2, logaddexp2 1.7 1.8 (of max(|result|, 1)) */
#include "check.h"

const char *const prelude[] = {
    "def where(c, x, y) = x if c else y\n",
    "def divmod(x, y) { return x // y, x % y }\n",
    "def remainder(x, y) = x % y\n",
    "def mod(x, y) = x % y\n",
    /* comparisons of a signed integer with a uint64, exact */
    "def _eq(s, u) = s >= 0 and uint64(s) == u\n",
    "def _ne(s, u) = s < 0 or uint64(s) != u\n",
    "def _lt(s, u) = s < 0 or uint64(s) < u\n",
    "def _le(s, u) = s < 0 or uint64(s) <= u\n",
    "def _gt(s, u) = s >= 0 and uint64(s) > u\n",
    "def _ge(s, u) = s >= 0 and uint64(s) >= u\n",
    /* comparisons of complex numbers in NumPy's order */
    "def _clt(a, b) = real(a) < real(b) and imag(a) == imag(a) and imag(b) == imag(b)"
    " or real(a) == real(b) and imag(a) < imag(b)\n",
    "def _cle(a, b) = real(a) < real(b) and imag(a) == imag(a) and imag(b) == imag(b)"
    " or real(a) == real(b) and imag(a) <= imag(b)\n",
    "def _cmin(a, b) = a if isnan(a) or a <= b else b\n",
    "def _cmax(a, b) = a if isnan(a) or a >= b else b\n",
    "def _cfmin(a, b) = a if isnan(b) or a <= b else b\n",
    "def _cfmax(a, b) = a if isnan(b) or a >= b else b\n",
    /* Smith's division (1962), as NumPy has it */
    "def _cdiv(x, y)\n"
    "{\n"
    "    let a, b, c, d = real(x), imag(x), real(y), imag(y)\n"
    "    if abs(c) >= abs(d) {\n"
    "        if c == 0 and d == 0 { return complex(a / abs(c), b / abs(c)) }\n"
    "        let ratio = d / c\n"
    "        let scale = 1 / (c + d * ratio)\n"
    "        return complex((a + b * ratio) * scale, (b - a * ratio) * scale)\n"
    "    }\n"
    "    let ratio = c / d\n"
    "    let scale = 1 / (c * ratio + d)\n"
    "    return complex((a * ratio + b) * scale, (b * ratio - a) * scale)\n"
    "}\n",
    /* real functions: x**1.5 and x**-1.5; logaddexp as NumPy's npy_logaddexp; sinc as NumPy's
       sin(pi x) / (pi x) */
    "def _sqrt3(x) = x * sqrt(x) if x != -inf else inf\n",
    "def _rsqrt3(x) = 1 / _sqrt3(x)\n",
    "def sinc(x) = sinpi(x) / (pi * x) if x != 0 else 1.0 + x\n",
    /* nextafter rounds a half type's x, which may be a value that is not rounded yet */
    "def _eps(x)\n"
    "{\n"
    "    let r = nextafter(x, x)\n"
    "    return nextafter(r, copysign(inf, r) if r != 0 else inf) - r\n"
    "}\n",
    "def _logaddexp(x, y)\n"
    "    = x + log(2) if x == y else max(x, y) + log1p(exp(copysign(x - y, -1)))\n",
    "def _logaddexp2(x, y)\n"
    "    = x + 1.0 if x == y else max(x, y) + log1p(exp2(copysign(x - y, -1))) * (1 / log(2))\n",
    /* as Giles (2012): polynomials of w or of its root, whose error is less than 4e-16 */
    "def _erfinv_of(a)\n"
    "{\n"
    "    let w = -log((1 - a) * (1 + a))\n"
    "    if w < 6.25 {\n"
    "        let u = w - 3.125\n"
    "        return a * ((((((((((((((((((((((((-3.5932028927020693e-22 * u + "
    "3.194015548136271e-21)\n"
    "            * u + 1.999259988861535e-20) * u - 3.4734793888538036e-19)\n"
    "            * u + 6.075050702072414e-19) * u + 1.5510787009902526e-17)\n"
    "            * u - 1.2215637192404172e-16) * u - 3.94018812230432e-17)\n"
    "            * u + 6.521333511502239e-15) * u - 4.0020031087558496e-14)\n"
    "            * u - 8.07192593899004e-14) * u + 2.6305268312595183e-12)\n"
    "            * u - 1.2978805369932565e-11) * u - 5.414303283919504e-11)\n"
    "            * u + 1.051223377050429e-09) * u - 4.1126604371632185e-09)\n"
    "            * u - 2.907039127564132e-08) * u + 4.23478816822246e-07)\n"
    "            * u - 1.3654691758785656e-06) * u - 1.3882523393957483e-05)\n"
    "            * u + 0.00018673420801981186) * u - 0.0007407025341546431)\n"
    "            * u - 0.006033670871426851) * u + 0.24015818242558834)\n"
    "            * u + 1.6536545626831027)\n"
    "    }\n"
    "    if w < 16 {\n"
    "        let u = sqrt(w) - 3.25\n"
    "        return a * (((((((((((((((((((-1.5102695423335065e-08 * u + 6.969241977629694e-10)\n"
    "            * u + 1.3104351499972014e-07) * u - 2.713451105439456e-07)\n"
    "            * u - 2.7004219280868947e-08) * u + 1.4987130784186127e-06)\n"
    "            * u - 3.986084395214756e-06) * u + 2.9257291901789823e-06)\n"
    "            * u + 1.2465167157087251e-05) * u - 4.731898412011245e-05)\n"
    "            * u + 6.828708654753377e-05) * u + 2.4031257015092525e-05)\n"
    "            * u - 0.00035503780975963814) * u + 0.0009532893637435638)\n"
    "            * u - 0.0016882755357337071) * u + 0.0024914420969817607)\n"
    "            * u - 0.003751208508215561) * u + 0.00537091455357168)\n"
    "            * u + 1.0052589676941652) * u + 3.0838856104922208)\n"
    "    }\n"
    "    let u = sqrt(w) - 5.0625\n"
    "    return a * (((((((((((((((((3.218280021434244e-11 * u + 1.0514686656053605e-11)\n"
    "        * u - 3.989218995281704e-10) * u + 1.1204631538194583e-09)\n"
    "        * u - 2.4057184141925306e-09) * u + 5.240349163587863e-09)\n"
    "        * u - 1.0411413637697192e-08) * u + 2.0434301660661227e-08)\n"
    "        * u - 5.2275907361675814e-08) * u + 1.9555418521742223e-07)\n"
    "        * u - 8.872344585101047e-07) * u + 4.115364136239403e-06)\n"
    "        * u - 1.806295063957749e-05) * u + 7.010167384108812e-05)\n"
    "        * u - 0.00019677853813501535) * u - 0.00017730336126560241)\n"
    "        * u + 1.0102806778035625) * u + 4.913049587233785)\n"
    "}\n",
    "def _erfinv(x)\n"
    "{\n"
    "    let a = abs(x)\n"
    "    if not a < 1 { return x * inf if a == 1 else nan * x }\n"
    "    return copysign(_erfinv_of(a), x)\n"
    "}\n",
    /* the next number of a half type: x and a little more than half a step, rounded to the type */
    "def _next(x, y, step, least, most)\n"
    "{\n"
    "    if isnan(x) or isnan(y) { return x + y }\n"
    "    if x == y { return y }\n"
    "    if isinf(x) { return copysign(most, x) }\n"
    "    let d = max(abs(x) * step, least)\n"
    "    let r = x + d if y > x else x - d\n"
    "    return r if r != 0 else copysign(r, x)\n"
    "}\n",
    /* of equal numbers the first is the result, as in NumPy: zeros may differ in sign */
    "def _next_float16(x, y)\n"
    "    = x if x == y else _next(x, y, 0.625 / 1024, 1.0 / 16777216, 65504.0)\n",
    "def _next_bfloat16(x, y) = _next(x, y, 0.625 / 128, 9.183549615799121e-41, "
    "3.3895313892515355e38)\n",
    /* exact.c: what grows with x's magnitude, 0 of zeros: the bits of a float32, and the
     * upper ones of a float64 */
    "def _magnitude(x) = int32(bits(x)) & 2147483647\n",
    "def _double_magnitude(x)\n"
    "{\n"
    "    let u = bits(x)\n"
    "    return int32(u >> 32) & 2147483647 | int32(uint32(u) != 0)\n"
    "}\n",
    /* the power of two above such a magnitude, beside those of subnormal numbers; 128 and 1024 of
     * infinities and NaNs */
    "def _exponent(top) = max(top >> 23, int32(1)) - 126\n",
    "def _double_exponent(top) = max(top >> 20, int32(1)) - 1022\n",
    "def _power(n) = frombits(uint64(n + 1023) << 52)\n",
    /* the whole number nearest to x, of less than 51 bits */
    "def _whole(x) = int64(bits(x + 6755399441055744.0)) - 4843621399236968448\n",
    /* and what is left of x, in units of 2**-30 */
    "def _split(x)\n"
    "{\n"
    "    let sum = x + 6755399441055744.0\n"
    "    let rest = x - (sum - 6755399441055744.0)\n"
    "    return int64(bits(sum)) - 4843621399236968448, _whole(rest * 1073741824.0)\n"
    "}\n",
    /* of infinities how many there are of each sign, in the halves of a number without sign */
    "def _infinities(x) = int64(1) if x == inf else int64(1) << 32 if x == -inf else int64(0)\n",
    /* x in units of 2**-30 of the power of two above the largest number, unless that is infinite;
     * of float64 what is left of it, in units of 2**-60 */
    "def _quanta(x, top)\n"
    "{\n"
    "    let e = _exponent(top)\n"
    "    return _whole(float64(x) * _power(30 - e)) if e <= 128 else _infinities(x)\n"
    "}\n",
    "def _double_quanta(x, top)\n"
    "{\n"
    "    let e = _double_exponent(top)\n"
    "    if e > 1024 { return _infinities(x), int64(0) }\n"
    "    let n, rest = _split(x * _power(30 - e) if e > -990 else ldexp(x, 30 - e))\n"
    "    return n, rest\n"
    "}\n",
    /* y and the sum of such numbers */
    "def _infinite(nans, n)\n"
    "{\n"
    "    let below = uint64(n) >> 32\n"
    "    return nan if nans or (below != 0 and n & 4294967295 != 0) else -inf if below != 0 else "
    "inf\n"
    "}\n",
    "def _with_quanta(y, top, n)\n"
    "{\n"
    "    let e = _exponent(top)\n"
    "    if top == 0 { return float64(y) }\n"
    "    if e > 128 { return float64(y) + _infinite(top > 2139095040, n) }\n"
    "    return float64(y) + ldexp(float64(n), e - 30)\n"
    "}\n",
    "def _with_double_quanta(y, top, n, fine)\n"
    "{\n"
    "    let e = _double_exponent(top)\n"
    "    if top == 0 { return y }\n"
    "    if e > 1024 { return y + _infinite(top > 2146435072, n) }\n"
    "    return y + (ldexp(float64(n), e - 30) + ldexp(float64(fine), e - 60))\n"
    "}\n",
    /* the bits of a float as a whole number that grows with it, -0 below 0; and back */
    "def _order(x)\n"
    "{\n"
    "    let u = bits(x)\n"
    "    let most = ~(u ^ u)\n"
    "    return ~u if signbit(x) else u ^ most ^ most >> 1\n"
    "}\n",
    "def _ordered(u)\n"
    "{\n"
    "    let most = ~(u ^ u)\n"
    "    let zero = most ^ most >> 1\n"
    "    return frombits(u ^ zero if u >= zero else ~u)\n"
    "}\n",
    /* what of NaNs is the greatest number, or the least one, which no other float has */
    "def _max_key(x) = _order(x) if x == x else ~(bits(x) ^ bits(x))\n",
    "def _min_key(x) = ~_order(x) if x == x else ~(bits(x) ^ bits(x))\n",
    "def _fmax_key(x) = _order(x) if x == x else bits(x) ^ bits(x)\n",
    "def _fmin_key(x) = ~_order(x) if x == x else bits(x) ^ bits(x)\n",
    "def _with_max(y, key) = max(y, _ordered(key)) if key != 0 else y\n",
    "def _with_min(y, key) = min(y, _ordered(~key)) if key != 0 else y\n",
    "def _with_fmax(y, key) = fmax(y, _ordered(key)) if key != 0 else y\n",
    "def _with_fmin(y, key) = fmin(y, _ordered(~key)) if key != 0 else y\n",
    /* exact.c: the share of a number, e or 2 to its power, of that of the greatest one, by
     * whose key that is known: in units of 2**-30; of float64 what is left of it, in units of
     * 2**-60 */
    "def _share(x, top) = exp(x - top) if x != top else 1.0\n",
    "def _share2(x, top) = exp2(x - top) if x != top else 1.0\n",
    "def _shares(x, key) = _whole(float64(_share(x, _ordered(key))) * 1073741824.0)\n",
    "def _shares2(x, key) = _whole(float64(_share2(x, _ordered(key))) * 1073741824.0)\n",
    "def _double_shares(x, key)\n"
    "{\n"
    "    let n, rest = _split(_share(x, _ordered(key)) * 1073741824.0)\n"
    "    return n, rest\n"
    "}\n",
    "def _double_shares2(x, key)\n"
    "{\n"
    "    let n, rest = _split(_share2(x, _ordered(key)) * 1073741824.0)\n"
    "    return n, rest\n"
    "}\n",
    /* the number whose power is the sum of these */
    "def _of_shares(key, n) = float64(_ordered(key)) + log(float64(n) / 1073741824.0)\n",
    "def _of_shares2(key, n) = float64(_ordered(key)) + log2(float64(n) / 1073741824.0)\n",
    "def _of_double_shares(key, n, fine)\n"
    "    = _ordered(key) + log((float64(n) + float64(fine) / 1073741824.0) / 1073741824.0)\n",
    "def _of_double_shares2(key, n, fine)\n"
    "    = _ordered(key) + log2((float64(n) + float64(fine) / 1073741824.0) / 1073741824.0)\n",
    "def _with_shares(y, key, total) = logaddexp(y, total) if key != 0 else y\n",
    "def _with_shares2(y, key, total) = logaddexp2(y, total) if key != 0 else y\n",
    /* complex functions; the special values are those of C99's Annex G */
    "def _cconj(z) = complex(real(z), -imag(z))\n",
    "def _cabs(z) = hypot(real(z), imag(z))\n",
    "def arg(z) = atan2(imag(z), real(z))\n",
    "def angle(z) = atan2(imag(z), real(z))\n",
    "def _csquare(z) = z * z\n",
    /* 1 / z as in NumPy, after Smith, whose denominator may overflow, or be too small for its
     * inverse */
    "def _creciprocal(z)\n"
    "{\n"
    "    let high = max(abs(real(z)), abs(imag(z)))\n"
    "    let small = 324518553658426726783156020576256.0 if high < 1e-37 else 1.0\n"
    "    let factor = 0.25 if high > 1e37 else small\n"
    "    let x, y = real(z) * factor, imag(z) * factor\n"
    "    if abs(y) <= abs(x) {\n"
    "        let ratio = y / x\n"
    "        let d = x + y * ratio\n"
    "        return complex(1 / d * factor, -ratio / d * factor)\n"
    "    }\n"
    "    let ratio = x / y\n"
    "    let d = x * ratio + y\n"
    "    return complex(ratio / d * factor, -1 / d * factor)\n"
    "}\n",
    "def _crint(z) = complex(rint(real(z)), rint(imag(z)))\n",
    "def _cround(z) = _crint(z)\n",
    "def _cisnan(z) = isnan(real(z)) or isnan(imag(z))\n",
    "def _cisinf(z) = isinf(real(z)) or isinf(imag(z))\n",
    "def _cisfinite(z) = isfinite(real(z)) and isfinite(imag(z))\n",
    "def _csign(z)\n"
    "{\n"
    "    let x, y = real(z), imag(z)\n"
    "    if isinf(x) != isinf(y) {\n"
    "        return complex(sign(x) if isinf(x) else 0, sign(y) if isinf(y) else 0)\n"
    "    }\n"
    "    let most = max(abs(x), abs(y))\n"
    "    if most == 0 { return complex(most, most) }\n"
    "    let u, v = x / most, y / most\n"
    "    let length = hypot(u, v)\n"
    "    return complex(u / length, v / length)\n"
    "}\n",
    /* two factors of exp(x); exp(x) may overflow although its products with small numbers do not */
    "def _factors(x)\n"
    "{\n"
    "    let far = abs(x) > 80\n"
    "    let e = exp(x / 2 if far else x)\n"
    "    return e, e if far else 1\n"
    "}\n",
    "def _turned(e, y, other) = complex(e * cos(y) * other, e * sin(y) * other)\n",
    "def _cexp(z)\n"
    "{\n"
    "    let x, y = real(z), imag(z)\n"
    "    if y == 0 { return complex(exp(x), y) }\n"
    "    let e, other = _factors(x)\n"
    "    if isinf(x) and not isfinite(y) { return complex(e, e if x < 0 else y - y) }\n"
    "    return _turned(e, y, other)\n"
    "}\n",
    "def _cexp2(z)\n"
    "{\n"
    "    let x, y = real(z), imag(z)\n"
    "    if y == 0 { return complex(exp2(x), y) }\n"
    "    let far = abs(x) > 115\n"
    "    let e = exp2(x / 2 if far else x)\n"
    "    if isinf(x) and not isfinite(y) { return complex(e, e if x < 0 else y - y) }\n"
    "    return _turned(e, y * log(2), e if far else 1)\n"
    "}\n",
    "def _cexpm1(z)\n"
    "{\n"
    "    let x, y = real(z), imag(z)\n"
    "    if x > 20 or x < -1 { return exp(z) - 1 }\n"
    "    let s = sin(y / 2)\n"
    "    return complex(expm1(x) * cos(y) - 2 * s * s, exp(x) * sin(y))\n"
    "}\n",
    "def _clog(z)\n"
    "{\n"
    "    let x, y = abs(real(z)), abs(imag(z))\n"
    "    let high, low = max(x, y), min(x, y)\n"
    "    var length = log(hypot(x, y))\n"
    "    if high > 0.5 and high < 2 { length = 0.5 * log1p((high - 1) * (high + 1) + low * low) }\n"
    "    if high > 1e37 { length = log(hypot(x / 4, y / 4)) + log(4) }\n"
    "    if high < 1e-37 { length = log(hypot(x * 1152921504606846976.0, y * "
    "1152921504606846976.0)) - 60 * log(2) }\n"
    "    return complex(length, atan2(imag(z), real(z)))\n"
    "}\n",
    "def _clog2(z)\n"
    "{\n"
    "    let w = log(z)\n"
    "    return complex(real(w) * (1 / log(2)), imag(w) * (1 / log(2)))\n"
    "}\n",
    "def _clog10(z)\n"
    "{\n"
    "    let w = log(z)\n"
    "    return complex(real(w) * (1 / log(10)), imag(w) * (1 / log(10)))\n"
    "}\n",
    "def _clog1p(z)\n"
    "{\n"
    "    let x, y = real(z), imag(z)\n"
    "    if abs(x) < 0.5 and abs(y) < 0.5 {\n"
    "        return complex(0.5 * log1p(x * (2 + x) + y * y), atan2(y, 1 + x))\n"
    "    }\n"
    "    return log(complex(1 + x, y))\n"
    "}\n",
    "def _csqrt(z)\n"
    "{\n"
    "    let x, y = real(z), imag(z)\n"
    "    if x == 0 and y == 0 { return complex(abs(x), y) }\n"
    "    if isinf(y) { return complex(abs(y), y) }\n"
    "    if isinf(x) {\n"
    "        let finite = copysign(0, y) if y == y else y\n"
    "        return complex(x, finite) if x > 0 else complex(abs(finite), copysign(x, y))\n"
    "    }\n"
    /* where half the sum overflows although the root does not, or is too small to be exact */
    "    let high = max(abs(x), abs(y))\n"
    "    let large, small = high > 1e37, high < 1e-20\n"
    "    let factor = 0.0625 if large else 324518553658426726783156020576256.0 if small else 1.0\n"
    "    let u, v = abs(x) * factor, abs(y) * factor\n"
    "    let back = 4.0 if large else 1.0 / 18014398509481984.0 if small else 1.0\n"
    "    let t = sqrt((u + hypot(u, v)) * 0.5) * back\n"
    "    if x >= 0 { return complex(t, y / (2 * t)) }\n"
    "    return complex(abs(y) / (2 * t), copysign(t, y))\n"
    "}\n",
    "def _cpow(a, b)\n"
    "{\n"
    "    if real(b) == 0 and imag(b) == 0 { return complex(real(b) + 1, imag(b)) }\n"
    "    if real(a) == 0 and imag(a) == 0 {\n"
    "        if real(b) > 0 { return complex(real(a), imag(a)) * 0 }\n"
    "        return complex(real(a) / real(a), real(a) / real(a))\n"
    "    }\n"
    "    if imag(b) == 0 {\n"
    "        if real(b) == 1 { return a }\n"
    "        if real(b) == 2 { return a * a }\n"
    "        if real(b) == 3 { return a * a * a }\n"
    "    }\n"
    "    return exp(b * log(a))\n"
    "}\n",
    /* beyond 20, sinh and cosh are half of exp */
    "def _csinh(z)\n"
    "{\n"
    "    let x, y = real(z), imag(z)\n"
    "    if y == 0 { return complex(sinh(x), y) }\n"
    "    if x == 0 { return complex(x * cos(y) if isfinite(y) else x, sin(y)) }\n"
    "    if abs(x) > 20 {\n"
    "        if isinf(x) and not isfinite(y) { return complex(x, y - y) }\n"
    "        let e, other = _factors(abs(x))\n"
    "        let w = _turned(e * 0.5, y, other)\n"
    "        return complex(copysign(1, x) * real(w), imag(w))\n"
    "    }\n"
    "    return complex(sinh(x) * cos(y), cosh(x) * sin(y))\n"
    "}\n",
    "def _ccosh(z)\n"
    "{\n"
    "    let x, y = real(z), imag(z)\n"
    "    if y == 0 { return complex(cosh(x), copysign(1, x) * y) }\n"
    "    if x == 0 { return complex(cos(y), x * sin(y) if isfinite(y) else x) }\n"
    "    if abs(x) > 20 {\n"
    "        if isinf(x) and not isfinite(y) { return complex(abs(x), y - y) }\n"
    "        let e, other = _factors(abs(x))\n"
    "        let w = _turned(e * 0.5, y, other)\n"
    "        return complex(real(w), copysign(1, x) * imag(w))\n"
    "    }\n"
    "    return complex(cosh(x) * cos(y), sinh(x) * sin(y))\n"
    "}\n",
    /* Kahan (1987) */
    "def _ctanh(z)\n"
    "{\n"
    "    let x, y = real(z), imag(z)\n"
    "    if y == 0 { return complex(tanh(x), y) }\n"
    "    if not isfinite(y) and not isinf(x) {\n"
    "        return complex(x if x == 0 else y - y, y - y)\n"
    "    }\n"
    "    if abs(x) > 20 {\n"
    "        let small = exp(-abs(x))\n"
    "        let turn = sin(y) * cos(y) if isfinite(y) else 1 + small\n"
    "        return complex(copysign(1, x), 4 * turn * small * small)\n"
    "    }\n"
    "    let t, s = tan(y), sinh(x)\n"
    "    let beta, rho = 1 + t * t, sqrt(1 + s * s)\n"
    "    let under = 1 + beta * s * s\n"
    "    return complex(beta * rho * s / under, t / under)\n"
    "}\n",
    /* i z and -i z */
    "def _i(z) = complex(-imag(z), real(z))\n",
    "def _minus_i(z) = complex(imag(z), -real(z))\n",
    "def _csin(z) = _minus_i(sinh(_i(z)))\n",
    "def _ccos(z) = cosh(_i(z))\n",
    "def _ctan(z) = _minus_i(tanh(_i(z)))\n",
    /* Hull, Fairgrieve and Tang (1997): for x, y >= 0 the real parts of asin and acos, and the
     * imaginary part of both */
    "def _hull(x, y)\n"
    "{\n"
    "    if x == 0 and isnan(y) { return x, pi / 2 + x, y }\n"
    "    if x > 1e10 or y > 1e10 {\n"
    "        return atan2(x, y), atan2(y, x), log(hypot(x / 2, y / 2)) + 2 * log(2)\n"
    "    }\n"
    "    if y <= 1e-8 * abs(x - 1) {\n"
    "        let root = sqrt(abs(x - 1) * (x + 1))\n"
    "        if x < 1 { return asin(x), acos(x), y / root }\n"
    "        let small = y / root if y > 0 else 0 * y\n"
    "        return pi / 2 - small, small, log1p((x - 1) + root)\n"
    "    }\n"
    "    let r, s = hypot(x + 1, y), hypot(x - 1, y)\n"
    "    let a, e = (r + s) / 2, y / (r + (x + 1)) * y\n"
    "    let d = s + (1 - x) if x <= 1 else y / (s + (x - 1)) * y\n"
    "    let over = e + (y / (s + (1 - x)) * y if x < 1 else s + (x - 1))\n"
    "    let root = sqrt(0.5 * (a + x) * (e + d))\n"
    "    return atan2(x, root), atan2(root, x), log1p(over / 2 + sqrt(over * ((a + 1) / 2)))\n"
    "}\n",
    "def _casin(z)\n"
    "{\n"
    "    let angle, other, size = _hull(abs(real(z)), abs(imag(z)))\n"
    "    return complex(copysign(angle, real(z)), copysign(size, imag(z)))\n"
    "}\n",
    "def _cacos(z)\n"
    "{\n"
    "    let other, angle, size = _hull(abs(real(z)), abs(imag(z)))\n"
    "    return complex(pi - angle if signbit(real(z)) else angle, -copysign(size, imag(z)))\n"
    "}\n",
    "def _casinh(z) = _minus_i(asin(_i(z)))\n",
    "def _cacosh(z)\n"
    "{\n"
    "    let w = acos(z)\n"
    "    return complex(abs(imag(w)), copysign(real(w), imag(z)))\n"
    "}\n",
    "def _catanh(z)\n"
    "{\n"
    "    let x, y = abs(real(z)), abs(imag(z))\n"
    "    if isnan(x) or isnan(y) {\n"
    "        let known = x == 0 or isinf(x) or isinf(y)\n"
    "        let zero = copysign(0, real(z)) if x == x else abs(copysign(0, x))\n"
    "        return complex(zero if known else x + y,\n"
    "                        copysign(pi / 2, imag(z)) if isinf(y) else x + y)\n"
    "    }\n"
    "    if isinf(x) or isinf(y) {\n"
    "        return complex(copysign(0, real(z)), copysign(pi / 2, imag(z)))\n"
    "    }\n"
    "    if x > 1e18 or y > 1e18 {\n"
    "        let half = hypot(x / 2, y / 2)\n"
    "        return complex(copysign(x / half / half / 4, real(z)), copysign(pi / 2, imag(z)))\n"
    "    }\n"
    "    let far = (1 - x) * (1 - x) + y * y\n"
    "    var size = 0.25 * log1p(4 * x / far)\n"
    "    if x == 1 and y < 1e-10 { size = 0.5 * (log(2) - log(y)) }\n"
    "    return complex(copysign(size, real(z)),\n"
    "                    copysign(0.5 * atan2(2 * y, (1 - x) * (1 + x) - y * y), imag(z)))\n"
    "}\n",
    "def _catan(z) = _minus_i(atanh(_i(z)))\n",
    NULL,
};
