// Kernels in C, for float and double: those for which NumPy needs many passes. Each does what the NumPy kernel of its name does.
//
// The file includes itself once for each dtype: T is the number, I the integer of its size, NAME(f) is f_float or f_double.
// Every loop obeys the rules of inf and nan, so it must not be compiled with -ffast-math. Sums go over lanes side by side, which a
// compiler may not reorder by itself.

#ifndef T

#include <math.h>
#include <stdint.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#define PASTE_(a, b) a##_##b
#define PASTE(a, b) PASTE_(a, b)
#define NAME(f) PASTE(f, T)
#if defined(__AVX512F__)
#define WIDE 64 // bytes of a vector
#elif defined(__AVX__)
#define WIDE 32
#else
#define WIDE 16
#endif
#define LANES (WIDE / (int)sizeof(T))
#ifdef __clang__
#define EACH_ROUNDED // a pragma does it
#else
#define EACH_ROUNDED __attribute__((optimize("fp-contract=off")))
#endif
#define SUM(v) (whole ? NAME(sum)(v) : 0) // of the whole vectors of a row, if there are any
#define HALVING(h) for (int h = LANES / 2; h > 0; h /= 2)
#define FOR(i, n) for (int64_t i = 0; i < (n); i++)

// A kernel takes its arguments from a row of a table: see threads.c. The row begins with the number of a part and how many parts there are.
// N(0) is the first argument, a number; L3(array, 1) are three arrays, from argument 1 on.
typedef union {
    int64_t number;
    double real;
    void *array;
} argument;
#define PART a[0].number
#define PARTS a[1].number
#define N(i) a[(i) + 2].number
#define L1(kind, i) a[(i) + 2].kind
#define L2(kind, i) L1(kind, i), L1(kind, i + 1)
#define L3(kind, i) L2(kind, i), L1(kind, i + 2)
#define L4(kind, i) L3(kind, i), L1(kind, i + 3)
#define L5(kind, i) L4(kind, i), L1(kind, i + 4)
#define L6(kind, i) L5(kind, i), L1(kind, i + 5)
#define L7(kind, i) L6(kind, i), L1(kind, i + 6)
#define L8(kind, i) L7(kind, i), L1(kind, i + 7)
#define L9(kind, i) L8(kind, i), L1(kind, i + 8)
#define L10(kind, i) L9(kind, i), L1(kind, i + 9)
#define L11(kind, i) L10(kind, i), L1(kind, i + 10)
#define L12(kind, i) L11(kind, i), L1(kind, i + 11)

// `f` calls a kernel with the row's arguments. CUT calls it for a part of n rows: of an array FROM them, one row has so many numbers; OWN is
// what each part has for itself.
#define CALLED(f, ...) \
    void NAME(call_##f)(const argument *a) { NAME(f)(__VA_ARGS__); }
#define CUT(f, ...) \
    void NAME(call_##f)(const argument *a) { \
        int64_t start = N(0) * PART / PARTS, end = N(0) * (PART + 1) / PARTS; \
        NAME(f)(end - start, __VA_ARGS__); \
    }
#define FROM(i, apart) (L1(array, i) ? (T *)L1(array, i) + start * (apart) : 0)
#define OWN(i, size) (L1(array, i) ? (T *)L1(array, i) + PART * (size) : 0)

#if WIDE == 64 && (defined(__clang__) || __GNUC__ >= 12)
#define WITH_PRODUCTS
static _Thread_local uint8_t PANELS[1 << 19] __attribute__((aligned(WIDE))); // room for the panels of a product, in each thread
#endif

#define T float
#define I int32_t
#define MANTISSA 23
#define BIAS 127
#define MAGIC 12582912.0f // 1.5 · 2²³: a number plus MAGIC is rounded to an integer, in the lowest bits
#define LOWEST -104.0f
#define HIGHEST 89.0f
#define LN2_HIGH 0.693359375f
#define LN2_LOW -2.12194440e-4f
#define TERMS 7
#define FIRST_HALVES 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23 // of two vectors of 64 bytes, in turn
#define LAST_HALVES 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#include "kernels.c"
#undef T
#undef I
#undef MANTISSA
#undef BIAS
#undef MAGIC
#undef LOWEST
#undef HIGHEST
#undef LN2_HIGH
#undef LN2_LOW
#undef TERMS
#undef FIRST_HALVES
#undef LAST_HALVES

#define T double
#define I int64_t
#define MANTISSA 52
#define BIAS 1023
#define MAGIC 6755399441055744.0
#define LOWEST -746.0
#define HIGHEST 710.0
#define LN2_HIGH 6.93147180369123816490e-1
#define LN2_LOW 1.90821492927058770002e-10
#define TERMS 13
#define FIRST_HALVES 0, 8, 1, 9, 2, 10, 3, 11
#define LAST_HALVES 4, 12, 5, 13, 6, 14, 7, 15
#define DOUBLE
#include "kernels.c"

// The instructions that this processor has: 4 and 3 are the levels of x86-64 with AVX-512 and with AVX2, 0 is any other.
int level(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    int three = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    if (three && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd"))
        return 4;
    return three ? 3 : 0;
#else
    return 0;
#endif
}

// The checksum of this file when it was compiled
uint32_t source(void) { return SOURCE; }

// The bytes of a vector, here
int wide(void) { return WIDE; }

// Let the process keep freed memory for its next arrays: up to 1 GiB, of arrays below 32 MiB. Else each step of training gets pages that
// the system fills with zeros first.
void keep_memory(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 25);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

#else

typedef T NAME(vec) __attribute__((vector_size(WIDE), aligned(sizeof(T)), may_alias));
typedef I NAME(ivec) __attribute__((vector_size(WIDE), aligned(sizeof(T)), may_alias));
typedef uint8_t NAME(bvec) __attribute__((vector_size(WIDE / sizeof(T)), aligned(1), may_alias));
#define V NAME(vec)
#define IV NAME(ivec)
#define BV NAME(bvec)

static inline T NAME(of_bits)(I bits) {
    T x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline I NAME(bits_of)(T x) {
    I bits;
    memcpy(&bits, &x, sizeof x);
    return bits;
}

static const T NAME(factorials)[] = {1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880, 3628800, 39916800, 479001600, 6227020800};

// exp(x) = 2ⁿ exp(r), |r| <= log(2)/2, by Taylor's polynomial; 2ⁿ in two factors, since it may leave the range of numbers
static inline T NAME(exponential)(T x) {
    x = x < (T)LOWEST ? (T)LOWEST : x;
    x = x > (T)HIGHEST ? (T)HIGHEST : x;
    T k = x * (T)1.4426950408889634 + (T)MAGIC;
    I n = NAME(bits_of)(k) - NAME(bits_of)((T)MAGIC);
    k -= (T)MAGIC;
    T r = (x - k * (T)LN2_HIGH) - k * (T)LN2_LOW, y = (T)1 / NAME(factorials)[TERMS];
    for (int i = TERMS - 1; i >= 0; i--) y = y * r + (T)1 / NAME(factorials)[i];
    I half = n >> 1;
    return y * NAME(of_bits)((half + BIAS) << MANTISSA) * NAME(of_bits)((n - half + BIAS) << MANTISSA);
}

static inline T NAME(above)(T x) { return x == -(T)INFINITY ? 0 : x; }
static inline T NAME(finite)(T x) { return x - x == 0 ? x : 0; }

static inline T NAME(sum)(V v) {
    T lanes[LANES];
    memcpy(lanes, &v, sizeof v);
    HALVING(h) for (int j = 0; j < h; j++) lanes[j] += lanes[j + h]; // half of the lanes at once, not one after the other
    return lanes[0];
}

// gelu: x Φ(x), where Φ(x) = (1 + erf(x/√2)) / 2. The coefficients are those of kernels/erf.py.

#ifdef DOUBLE
static const double NEAR_P[] = {3.20937758913846947e03, 3.77485237685302021e02, 1.13864154151050156e02, 3.16112374387056560e00,
                                1.85777706184603153e-1};
static const double NEAR_Q[] = {2.84423683343917062e03, 1.28261652607737228e03, 2.44024637934444173e02, 2.36012909523441209e01, 1.0};
static const double FAR_P[] = {1.23033935479799725e03, 2.05107837782607147e03, 1.71204761263407058e03, 8.81952221241769090e02,
                               2.98635138197400131e02, 6.61191906371416295e01, 8.88314979438837594e00, 5.64188496988670089e-1,
                               2.15311535474403846e-8};
static const double FAR_Q[] = {1.23033935480374942e03, 3.43936767414372164e03, 4.36261909014324716e03, 3.29079923573345963e03,
                               1.62138957456669019e03, 5.37181101862009858e02, 1.17693950891312499e02, 1.57449261107098347e01, 1.0};

static inline double polynomial(const double *c, int n, double t) {
    double y = c[n - 1];
    for (int i = n - 2; i >= 0; i--) y = y * t + c[i];
    return y;
}

static inline double below_double(double x) {
    double u = x * 0.70710678118654752440, size = fabs(u), t = u * u;
    double near = u * polynomial(NEAR_P, 5, t) / polynomial(NEAR_Q, 5, t);
    double s = size > 6 ? 6 : size;
    double far = 1 - exponential_double(-s * s) * (polynomial(FAR_P, 9, s) / polynomial(FAR_Q, 9, s));
    return 0.5 + 0.5 * (size > 0.5 ? copysign(far, u) : size <= 0.5 ? near : u);
}
#else
static inline float below_float(float x) { // (1 + tanh(a)) / 2 = 1 / (1 + exp(-2a))
    float u = x * 0.70710678f, t = u * u, p = 1.41893504e-07f;
    p = p * t - 5.66902477e-06f;
    p = p * t + 8.76398524e-05f;
    p = p * t - 0.000619789544f;
    p = p * t - 0.00019182694f;
    p = p * t + 0.102769055f;
    p = p * t + 1.12837927f;
    return 1 / (1 + exponential_float(-2 * u * p));
}
#endif

void NAME(gelu)(int64_t n, T *restrict out, const T *restrict x) {
    FOR(i, n) out[i] = NAME(below)(x[i]) * NAME(above)(x[i]);
}

void NAME(gelu_vjp)(int64_t n, T *restrict out, const T *restrict g, const T *restrict x) {
    FOR(i, n) {
        T density = NAME(exponential)((T)-0.5 * x[i] * x[i]) * (T)0.39894228040143267794;
        out[i] = g[i] * (NAME(below)(x[i]) + NAME(finite)(x[i]) * density);
    }
}

void NAME(sum_of_two)(int64_t n, T *restrict out, const T *restrict a, const T *restrict b) {
    FOR(i, n) out[i] = a[i] + b[i];
}

#define BEND (T)1.5957691216057307117
#define CUBE (T)0.044715

static inline T NAME(share)(T x) { return 1 / (1 + NAME(exponential)(x * (-BEND - BEND * CUBE * (x * x)))); }

void NAME(gelu_tanh)(int64_t n, T *restrict out, const T *restrict x) {
    FOR(i, n) out[i] = NAME(above)(x[i]) * NAME(share)(x[i]);
}

void NAME(gelu_tanh_vjp)(int64_t n, T *restrict out, const T *restrict g, const T *restrict x, const T *restrict y) {
    FOR(i, n) {
        T s = NAME(share)(x[i]), slope = NAME(finite)(BEND + 3 * BEND * CUBE * (x[i] * x[i]));
        out[i] = g[i] * (s + slope * NAME(finite)(y[i]) * (1 - s));
    }
}

#undef BEND
#undef CUBE

// softmax of rows. A nan is not the largest entry, and gives nan through its exponential.

// Fill y with exp(x - largest); return the largest entry, 0 if all are -inf, and the sum, which is at least 1 unless all are -inf.
static inline T NAME(exponentials)(int64_t d, T *restrict y, const T *restrict x, T *restrict sum) {
    T lanes[LANES], top, total = 0;
    int64_t whole = d - d % LANES;
    V most = (V){0} - (T)INFINITY;
    for (int64_t i = 0; i < whole; i += LANES) {
        V a = *(const V *)(x + i);
        IV m = a > most; // a compiler does not choose between vectors by itself
        most = (V)(((IV)a & m) | ((IV)most & ~m));
    }
    memcpy(lanes, &most, sizeof most);
    if (whole) HALVING(h) for (int j = 0; j < h; j++) lanes[j] = lanes[j + h] > lanes[j] ? lanes[j + h] : lanes[j];
    top = lanes[0];
    for (int64_t i = whole; i < d; i++) top = x[i] > top ? x[i] : top;
    top = top == -(T)INFINITY ? 0 : top;
    FOR(i, d) y[i] = NAME(exponential)(x[i] - top);
    V sums = {0};
    for (int64_t i = 0; i < whole; i += LANES) sums += *(const V *)(y + i);
    for (int64_t i = whole; i < d; i++) total += y[i];
    total += SUM(sums);
    *sum = total < 1 ? 1 : total;
    return top;
}

// `largest` and `totals` are NULL if nothing needs them.
void NAME(softmax)(int64_t rows, int64_t d, T *restrict out, const T *restrict in, T *restrict largest, T *restrict totals) {
    FOR(r, rows) {
        T total, top = NAME(exponentials)(d, out + r * d, in + r * d, &total), share = 1 / total;
        FOR(i, d) out[r * d + i] *= share;
        if (largest) largest[r] = top, totals[r] = total;
    }
}

void NAME(log_softmax)(int64_t rows, int64_t d, T *restrict out, const T *restrict in) {
    FOR(r, rows) {
        T total, top = NAME(exponentials)(d, out + r * d, in + r * d, &total), level = (T)log(total);
        FOR(i, d) out[r * d + i] = (in[r * d + i] - top) - level;
    }
}

// g - exp(y) Σ g
void NAME(log_softmax_vjp)(int64_t rows, int64_t d, T *restrict out, const T *restrict g, const T *restrict y) {
    FOR(r, rows) {
        const T *a = g + r * d;
        int64_t whole = d - d % LANES;
        V sums = {0};
        T total = 0;
        for (int64_t i = 0; i < whole; i += LANES) sums += *(const V *)(a + i);
        for (int64_t i = whole; i < d; i++) total += a[i];
        total += SUM(sums);
        FOR(i, d) out[r * d + i] = a[i] - NAME(exponential)(y[r * d + i]) * total;
    }
}

// y (g - Σ y g · share)
static inline void NAME(softmax_vjp_row)(int64_t d, T *out, const T *a, const T *restrict b, T share) {
    int64_t whole = d - d % LANES;
    V sums = {0};
    T total = 0;
    for (int64_t i = 0; i < whole; i += LANES) sums += *(const V *)(a + i) * *(const V *)(b + i);
    for (int64_t i = whole; i < d; i++) total += a[i] * b[i];
    total = (total + SUM(sums)) * share;
    for (int64_t i = 0; i < whole; i += LANES) *(V *)(out + i) = *(const V *)(b + i) * (*(const V *)(a + i) - total);
    for (int64_t i = whole; i < d; i++) out[i] = b[i] * (a[i] - total);
}

void NAME(softmax_vjp)(int64_t rows, int64_t d, T *out, const T *g, const T *restrict y) {
    FOR(r, rows) NAME(softmax_vjp_row)(d, out + r * d, g + r * d, y + r * d, 1);
}

// Layer norm of rows: see kernels/norms/layer_norm.py. weight and bias may be NULL.

static inline void NAME(moments)(int64_t d, const T *restrict x, T *restrict near, T *restrict rest, T *restrict scale, double eps) {
    int64_t whole = d - d % LANES;
    T first = 0, second = 0, mean = 0;
    V a = {0}, b = {0};
    for (int64_t i = 0; i < whole; i += LANES) a += *(const V *)(x + i);
    for (int64_t i = whole; i < d; i++) mean += x[i];
    mean = (mean + SUM(a)) / d;
    a = b;
    for (int64_t i = 0; i < whole; i += LANES) {
        V e = *(const V *)(x + i) - mean;
        a += e;
        b += e * e;
    }
    for (int64_t i = whole; i < d; i++) {
        T e = x[i] - mean;
        first += e;
        second += e * e;
    }
    first = (first + SUM(a)) / d;
    second = (second + SUM(b)) / d - first * first;
    *near = mean, *rest = first, *scale = 1 / (T)sqrt((second < 0 ? 0 : second) + (T)eps);
}

void NAME(layer_norm)(int64_t rows, int64_t d, T *restrict out, const T *restrict in, T *restrict near, T *restrict rest, T *restrict scale,
                      const T *restrict weight, const T *restrict bias, double eps) {
    FOR(r, rows) {
        const T *x = in + r * d;
        T *y = out + r * d;
        NAME(moments)(d, x, near + r, rest + r, scale + r, eps);
        T mean = near[r], first = rest[r], s = scale[r];
        if (weight && bias)
            FOR(i, d) y[i] = ((x[i] - mean) - first) * s * weight[i] + bias[i];
        else
            FOR(i, d) y[i] = ((x[i] - mean) - first) * s * (weight ? weight[i] : 1) + (bias ? bias[i] : 0);
    }
}

// Group norm: a row has `channels`, each with a weight and a bias, and `size` numbers for each. See kernels/norms/group_norm.py.

void NAME(group_norm)(int64_t rows, int64_t channels, int64_t size, T *restrict out, const T *restrict in, T *restrict near, T *restrict rest,
                      T *restrict scale, const T *restrict weight, const T *restrict bias, double eps) {
    FOR(r, rows) {
        NAME(moments)(channels * size, in + r * channels * size, near + r, rest + r, scale + r, eps);
        FOR(c, channels) {
            int64_t at = r * channels + c;
            T mean = near[r], first = rest[r], slope = scale[r] * weight[at], level = bias[at];
            FOR(i, size) out[at * size + i] = ((in[at * size + i] - mean) - first) * slope + level;
        }
    }
}

void NAME(group_norm_vjp)(int64_t rows, int64_t channels, int64_t size, T *restrict dx, T *restrict dw, T *restrict db, const T *restrict g,
                          const T *restrict in, const T *restrict near, const T *restrict rest, const T *restrict scale,
                          const T *restrict weight) {
    int64_t whole = size - size % LANES;
    FOR(r, rows) {
        T s = scale[r], mean = 0, along = 0;
        FOR(c, channels) {
            int64_t at = r * channels + c;
            const T *a = g + at * size, *x = in + at * size;
            V p = {0}, q = {0};
            T first = 0, second = 0;
            for (int64_t i = 0; i < whole; i += LANES) {
                V h = *(const V *)(a + i);
                p += h;
                q += h * ((*(const V *)(x + i) - near[r]) - rest[r]);
            }
            for (int64_t i = whole; i < size; i++) {
                first += a[i];
                second += a[i] * ((x[i] - near[r]) - rest[r]);
            }
            db[at] = first + SUM(p);
            dw[at] = (second + SUM(q)) * s;
            mean += weight[at] * db[at];
            along += weight[at] * dw[at];
        }
        mean /= channels * size, along /= channels * size;
        FOR(c, channels) {
            int64_t at = r * channels + c;
            FOR(i, size) {
                T e = ((in[at * size + i] - near[r]) - rest[r]) * s;
                dx[at * size + i] = (g[at * size + i] * weight[at] - mean - e * along) * s;
            }
        }
    }
}

// dw and db get the sums of these rows; they are NULL if nothing needs them.
void NAME(layer_norm_vjp)(int64_t rows, int64_t d, T *restrict dx, const T *restrict dy, const T *restrict in, const T *restrict near,
                          const T *restrict rest, const T *restrict scale, const T *restrict weight, T *restrict dw, T *restrict db) {
    int64_t whole = d - d % LANES;
    FOR(r, rows) {
        const T *x = in + r * d, *g = dy + r * d;
        T *to = dx + r * d, mean = near[r], off = rest[r], s = scale[r], first = 0, second = 0;
        V a = {0}, b = {0};
        for (int64_t i = 0; i < whole; i += LANES) {
            V h = *(const V *)(g + i), e = ((*(const V *)(x + i) - mean) - off) * s;
            if (weight) h *= *(const V *)(weight + i);
            a += h;
            b += h * e;
        }
        for (int64_t i = whole; i < d; i++) {
            T h = weight ? g[i] * weight[i] : g[i];
            first += h;
            second += h * (((x[i] - mean) - off) * s);
        }
        first = (first + SUM(a)) / d;
        second = (second + SUM(b)) / d;
        if (weight)
            FOR(i, d) to[i] = (g[i] * weight[i] - first - ((x[i] - mean) - off) * s * second) * s;
        else
            FOR(i, d) to[i] = (g[i] - first - ((x[i] - mean) - off) * s * second) * s;
        if (dw)
            FOR(i, d) {
                dw[i] += g[i] * (((x[i] - mean) - off) * s);
                db[i] += g[i];
            }
    }
}

// Batch norm: blocks of rows whose columns have numbers of their own. See kernels/norms/batch_norm.py.

// The sums of e = x - near and of e · e, or of g and of e · g if g is given. `run` adjacent columns belong to one sum (channels first);
// with run = 1 each column has a sum of its own, and `rows` add to it (channels last).
void NAME(batch_norm_sums)(int64_t rows, int64_t width, int64_t run, T *restrict first, T *restrict second, const T *restrict x,
                           const T *restrict g, const T *restrict near) {
    if (run == 1) {
        FOR(r, rows) {
            const T *a = x + r * width;
            if (g) {
                const T *b = g + r * width;
                FOR(j, width) {
                    first[j] += b[j];
                    second[j] += (near ? a[j] - near[j] : a[j]) * b[j];
                }
            } else
                FOR(j, width) {
                    T e = near ? a[j] - near[j] : a[j];
                    first[j] += e;
                    second[j] += e * e;
                }
        }
        return;
    }
    int64_t whole = run - run % LANES;
    FOR(r, rows) for (int64_t j = 0; j < width; j += run) {
        const T *a = x + r * width + j, *b = g ? g + r * width + j : 0;
        T shift = near ? near[j] : 0, one = 0, two = 0;
        V p = {0}, q = {0};
        for (int64_t i = 0; i < whole; i += LANES) {
            V e = *(const V *)(a + i) - shift, h = g ? *(const V *)(b + i) : e;
            p += h;
            q += e * h;
        }
        for (int64_t i = whole; i < run; i++) {
            T e = a[i] - shift, h = g ? b[i] : e;
            one += h;
            two += e * h;
        }
        first[j / run] += one + SUM(p);
        second[j / run] += two + SUM(q);
    }
}

// g = G · (y > 0), and the sums of g and of (x - near) · g as above
void NAME(batch_norm_relu_sums)(int64_t rows, int64_t width, int64_t run, T *restrict first, T *restrict second, const T *restrict x,
                                const T *restrict given, const T *restrict near, const T *restrict y, T *restrict g) {
    FOR(r, rows) {
        int64_t at = r * width;
        FOR(j, width) g[at + j] = given[at + j] * (T)(y[at + j] > 0);
        NAME(batch_norm_sums)(1, width, run, first, second, x + at, g + at, near);
    }
}

// (x - near) · scale + shift, plus the residual, then 0 where relu and negative
void NAME(batch_norm)(int64_t rows, int64_t width, T *restrict out, const T *restrict x, const T *restrict near, const T *restrict scale,
                      const T *restrict shift, const T *restrict residual, int relu) {
    FOR(r, rows) {
        const T *a = x + r * width, *more = residual ? residual + r * width : 0;
        T *y = out + r * width;
        if (near)
            FOR(j, width) y[j] = (a[j] - near[j]) * scale[j] + shift[j];
        else
            FOR(j, width) y[j] = a[j] * scale[j] + shift[j];
        if (more)
            FOR(j, width) y[j] += more[j];
        if (relu)
            FOR(j, width) y[j] = y[j] < 0 ? 0 : y[j];
    }
}

// g · scale + (x - near) · slope + level
void NAME(batch_norm_vjp)(int64_t rows, int64_t width, T *dx, const T *g, const T *restrict x, const T *restrict near,
                          const T *restrict scale, const T *restrict slope, const T *restrict level) {
    FOR(r, rows) {
        const T *a = x + r * width, *b = g + r * width;
        T *to = dx + r * width;
        if (near)
            FOR(j, width) to[j] = b[j] * scale[j] + ((a[j] - near[j]) * slope[j] + level[j]);
        else
            FOR(j, width) to[j] = b[j] * scale[j] + (a[j] * slope[j] + level[j]);
    }
}

// One step of Adam: see optim/adam.py. `largest` is NULL without amsgrad.
void NAME(adam)(int64_t n, T *restrict p, const T *restrict g, T *restrict m, T *restrict v, T *restrict largest, double shrink_,
                double beta1_, double rest1_, double beta2_, double rest2_, double rate_, double eps_) {
    T shrink = shrink_, beta1 = beta1_, rest1 = rest1_, beta2 = beta2_, rest2 = rest2_, rate = rate_, eps = eps_;
    FOR(i, n) {
        m[i] = m[i] * beta1 + g[i] * rest1;
        T second = v[i] = v[i] * beta2 + g[i] * g[i] * rest2;
        if (largest) second = largest[i] = largest[i] >= second || largest[i] != largest[i] ? largest[i] : second;
        T root = sizeof(T) == 4 ? sqrtf(second) : sqrt(second);
        p[i] = p[i] * shrink - m[i] / (root + eps) * rate;
    }
}

// One step of SGD: see optim/sgd.py. v is NULL without momentum. Each product is rounded before it is added, as NumPy's are.
EACH_ROUNDED void NAME(sgd)(int64_t n, T *restrict p, const T *restrict g, T *restrict v, double decay_, double momentum_, double share_,
                            double rate_, int nesterov) {
#pragma STDC FP_CONTRACT OFF
    T decay = decay_, momentum = momentum_, share = share_, rate = rate_;
    if (!v)
        FOR(i, n) p[i] -= (decay ? g[i] + p[i] * decay : g[i]) * rate;
    else
        FOR(i, n) {
            T d = decay ? g[i] + p[i] * decay : g[i];
            T speed = v[i] = v[i] * momentum + d * share;
            p[i] -= (nesterov ? speed * momentum + d : speed) * rate;
        }
}

#define AT(E, p) (*(E *)(p))

// Winograd's transforms of tiles: see kernels/convolutions/winograd.py. A tile's 16 places stand `apart` numbers apart in v.

// u = G w Gᵀ, (16, rows, columns), where the 3 × 3 numbers of w are adjacent, and its rows and columns `down` and `across` numbers apart

#define KERNEL(E, w0, w1, w2, to, step) \
    { \
    E half = ((w0) + (w2)) * (T)0.5, middle = (w1) * (T)0.5; \
    AT(E, to) = w0, AT(E, (to) + (step)) = half + middle, AT(E, (to) + 2 * (step)) = half - middle, AT(E, (to) + 3 * (step)) = w2; \
    }

#define KERNELS(E, step) \
    { \
    E t[4][3]; \
    for (int b = 0; b < 3; b++) KERNEL(E, AT(E, near[b]), AT(E, near[3 + b]), AT(E, near[6 + b]), (T *)&t[0][b], 3 * (step)) \
    for (int a = 0; a < 4; a++) KERNEL(E, t[a][0], t[a][1], t[a][2], to + 4 * a * apart, apart) \
    }

void NAME(winograd_kernel)(int64_t rows, int64_t columns, int64_t down, int64_t across, T *restrict u, const T *restrict w) {
    int64_t apart = rows * columns;
    I step = across;
    FOR(r, rows) {
        const T *from = w + r * down;
        T *to = u + r * columns, near[9][LANES];
        int64_t c = 0;
        for (; c + LANES <= columns; c += LANES, from += LANES * across, to += LANES) {
            for (int k = 0; k < 9; k++)
                for (I j = 0; j < LANES; j++) near[k][j] = from[j * step + k];
            KERNELS(V, LANES)
        }
        for (; c < columns; c++, from += across, to++) {
            for (int k = 0; k < 9; k++) near[k][0] = from[k];
            KERNELS(T, 1)
        }
    }
}

// w = Gᵀ u G, the vjp of the above; the 16 places of u are `apart` numbers apart

#define KERNEL_VJP(E, u0, u1, u2, u3, to, step) \
    { \
    E half = ((u1) + (u2)) * (T)0.5; \
    AT(E, to) = (u0) + half, AT(E, (to) + (step)) = ((u1) - (u2)) * (T)0.5, AT(E, (to) + 2 * (step)) = half + (u3); \
    }

#define KERNELS_VJP(E, step) \
    { \
    E t[3][4]; \
    for (int b = 0; b < 4; b++) { \
        const T *place = from + b * apart; \
        KERNEL_VJP(E, AT(E, place), AT(E, place + 4 * apart), AT(E, place + 8 * apart), AT(E, place + 12 * apart), (T *)&t[0][b], 4 * (step)) \
    } \
    for (int a = 0; a < 3; a++) KERNEL_VJP(E, t[a][0], t[a][1], t[a][2], t[a][3], near[3 * a], LANES) \
    }

void NAME(winograd_kernel_vjp)(int64_t rows, int64_t columns, int64_t down, int64_t apart, T *restrict w, const T *restrict u) {
    FOR(r, rows) {
        const T *from = u + r * columns;
        T *to = w + r * down, near[9][LANES];
        int64_t c = 0;
        for (; c + LANES <= columns; c += LANES, from += LANES, to += 9 * LANES) {
            KERNELS_VJP(V, LANES)
            for (int j = 0; j < LANES; j++)
                for (int k = 0; k < 9; k++) to[9 * j + k] = near[k][j];
        }
        for (; c < columns; c++, from++, to += 9) {
            KERNELS_VJP(T, 1)
            for (int k = 0; k < 9; k++) to[k] = near[k][0];
        }
    }
}

// What the 4 × 4 entries of tile i of n samples are: entries of x (n, high, wide, channels) that has `top` rows and `left` columns of
// padding in front, or `none`, which stands for all entries of the padding. A column has `stride` numbers.
static inline void NAME(tile)(int64_t i, int64_t rows, int64_t columns, int64_t high, int64_t wide, int64_t top, int64_t left,
                              int64_t stride, const T *x, const T *none, const T *entries[4][4]) {
    int64_t column = i % columns, row = i / columns % rows, sample = i / (columns * rows);
    FOR(a, 4) FOR(b, 4) {
        int64_t r = 2 * row + a - top, c = 2 * column + b - left;
        int in = r >= 0 && r < high && c >= 0 && c < wide;
        entries[a][b] = in ? x + ((sample * high + r) * wide + c) * stride : none;
    }
}

#define INPUT(E) \
    {\
    E t[4][4]; \
    for (int b = 0; b < 4; b++) { \
        E x0 = AT(E, at[0][b] + c), x1 = AT(E, at[1][b] + c), x2 = AT(E, at[2][b] + c), x3 = AT(E, at[3][b] + c); \
        t[0][b] = x0 - x2, t[1][b] = x1 + x2, t[2][b] = x2 - x1, t[3][b] = x1 - x3; \
    } \
    for (int a = 0; a < 4; a++) { \
        T *place = to + 4 * a * apart + c; \
        AT(E, place) = t[a][0] - t[a][2]; \
        AT(E, place + apart) = t[a][1] + t[a][2]; \
        AT(E, place + 2 * apart) = t[a][2] - t[a][1]; \
        AT(E, place + 3 * apart) = t[a][1] - t[a][3]; \
    } \
    }

// v = Bᵀ x B for `rows` × `columns` tiles; `none` are zeros
void NAME(winograd_input)(int64_t n, int64_t rows, int64_t columns, int64_t channels, int64_t high, int64_t wide, int64_t top, int64_t left,
                          int64_t stride, int64_t apart, T *restrict v, const T *restrict x, const T *restrict none) {
    FOR(i, n * rows * columns) {
        const T *at[4][4];
        NAME(tile)(i, rows, columns, high, wide, top, left, stride, x, none, at);
        T *to = v + i * channels;
        int64_t c = 0;
        for (; c + LANES <= channels; c += LANES) INPUT(V)
        for (; c < channels; c++) INPUT(T)
    }
}

#define INPUT_VJP(E) \
    {\
    E t[4][4]; \
    for (int a = 0; a < 4; a++) { \
        const T *place = from + 4 * a * apart + c; \
        E v0 = AT(E, place), v1 = AT(E, place + apart), v2 = AT(E, place + 2 * apart), v3 = AT(E, place + 3 * apart); \
        t[a][0] = v0, t[a][1] = v1 - v2 + v3, t[a][2] = v1 + v2 - v0, t[a][3] = -v3; \
    } \
    for (int b = 0; b < 4; b++) { \
        AT(E, to[0][b] + c) += t[0][b]; \
        AT(E, to[1][b] + c) += t[1][b] - t[2][b] + t[3][b]; \
        AT(E, to[2][b] + c) += t[1][b] + t[2][b] - t[0][b]; \
        AT(E, to[3][b] + c) -= t[3][b]; \
    } \
    }

// x = B v Bᵀ, the vjp of the above, where neighbouring tiles overlap; `none` is scratch
void NAME(winograd_input_vjp)(int64_t n, int64_t rows, int64_t columns, int64_t channels, int64_t high, int64_t wide, int64_t top,
                              int64_t left, int64_t stride, int64_t apart, T *x, const T *restrict v, T *none) {
    FOR(i, n * rows * columns) {
        if (i % (rows * columns) == 0)
            FOR(k, high * wide) memset(x + (i / (rows * columns) * high * wide + k) * stride, 0, channels * sizeof(T));
        T *to[4][4];
        NAME(tile)(i, rows, columns, high, wide, top, left, stride, x, none, (const T *(*)[4])to);
        const T *from = v + i * channels;
        int64_t c = 0;
        for (; c + LANES <= channels; c += LANES) INPUT_VJP(V)
        for (; c < channels; c++) INPUT_VJP(T)
    }
}

#define OUTPUT(E) \
    {\
    E t[2][4]; \
    for (int b = 0; b < 4; b++) { \
        const T *place = at + b * apart + c; \
        E m0 = AT(E, place), m1 = AT(E, place + 4 * apart), m2 = AT(E, place + 8 * apart), m3 = AT(E, place + 12 * apart); \
        t[0][b] = m0 + m1 + m2, t[1][b] = m1 - m2 - m3; \
    } \
    for (int a = 0; a < 2; a++) { \
        AT(E, to + a * wide + c) = t[a][0] + t[a][1] + t[a][2]; \
        AT(E, to + a * wide + stride + c) = t[a][1] - t[a][2] - t[a][3]; \
    } \
    }

// y = Aᵀ m A, where y (n, 2 rows, 2 columns) has `stride` numbers from one column to the next
void NAME(winograd_output)(int64_t n, int64_t rows, int64_t columns, int64_t channels, int64_t stride, int64_t apart, T *restrict y,
                           const T *restrict m) {
    int64_t wide = 2 * columns * stride;
    FOR(i, n * rows * columns) {
        int64_t column = i % columns, row = i / columns % rows, sample = i / (columns * rows);
        T *to = y + (sample * 2 * rows + 2 * row) * wide + 2 * column * stride;
        const T *at = m + i * channels;
        int64_t c = 0;
        for (; c + LANES <= channels; c += LANES) OUTPUT(V)
        for (; c < channels; c++) OUTPUT(T)
    }
}

#define OUTPUT_VJP(E) \
    {\
    E t[4][2]; \
    for (int b = 0; b < 2; b++) { \
        E g0 = AT(E, at + b * channels + c), g1 = AT(E, at + wide + b * channels + c); \
        t[0][b] = g0, t[1][b] = g0 + g1, t[2][b] = g0 - g1, t[3][b] = -g1; \
    } \
    for (int a = 0; a < 4; a++) { \
        T *place = to + 4 * a * apart + c; \
        AT(E, place) = t[a][0]; \
        AT(E, place + apart) = t[a][0] + t[a][1]; \
        AT(E, place + 2 * apart) = t[a][0] - t[a][1]; \
        AT(E, place + 3 * apart) = -t[a][1]; \
    } \
    }

// m = A g Aᵀ, the vjp of the above
void NAME(winograd_output_vjp)(int64_t n, int64_t rows, int64_t columns, int64_t channels, int64_t apart, T *restrict m,
                               const T *restrict g) {
    int64_t wide = 2 * columns * channels;
    FOR(i, n * rows * columns) {
        int64_t column = i % columns, row = i / columns % rows, sample = i / (columns * rows);
        const T *at = g + (sample * 2 * rows + 2 * row) * wide + 2 * column * channels;
        T *to = m + i * channels;
        int64_t c = 0;
        for (; c + LANES <= channels; c += LANES) OUTPUT_VJP(V)
        for (; c < channels; c++) OUTPUT_VJP(T)
    }
}

// The largest entry of each window of x, where windows of tall × broad entries stand side by side: x (lines, tall, columns, broad,
// channels), y and the mask of each place (lines, columns, channels). A nan is the largest.

#define AT_PLACE(k) (((line * tall + (k) / broad) * columns + column) * broad + (k) % broad) * channels

static inline V NAME(larger)(V a, V b) { // a compiler does not choose between vectors by itself
    IV m = (a > b) | (a != a);
    return (V)(((IV)a & m) | ((IV)b & ~m));
}

void NAME(max_pool)(int64_t lines, int64_t columns, int64_t channels, int64_t tall, int64_t broad, const T *restrict x, T *restrict y,
                    uint8_t *restrict *masks) {
    FOR(line, lines) FOR(column, columns) {
        int64_t at = (line * columns + column) * channels, c = 0;
        for (; c + LANES <= channels; c += LANES) {
            V top = *(const V *)(x + AT_PLACE(0) + c);
            for (int64_t k = 1; k < tall * broad; k++) top = NAME(larger)(*(const V *)(x + AT_PLACE(k) + c), top);
            *(V *)(y + at + c) = top;
            FOR(k, tall * broad) *(BV *)(masks[k] + at + c) = __builtin_convertvector(-(*(const V *)(x + AT_PLACE(k) + c) == top), BV);
        }
        for (; c < channels; c++) {
            T top = x[AT_PLACE(0) + c];
            for (int64_t k = 1; k < tall * broad; k++) {
                T a = x[AT_PLACE(k) + c];
                top = a > top || a != a ? a : top;
            }
            y[at + c] = top;
            FOR(k, tall * broad) masks[k][at + c] = x[AT_PLACE(k) + c] == top;
        }
    }
}

void NAME(max_pool_vjp)(int64_t lines, int64_t columns, int64_t channels, int64_t tall, int64_t broad, T *restrict dx, const T *restrict g,
                        uint8_t *restrict *masks) {
    FOR(line, lines) FOR(column, columns) {
        int64_t at = (line * columns + column) * channels;
        FOR(k, tall * broad) {
            T *to = dx + AT_PLACE(k);
            const uint8_t *mask = masks[k] + at;
            int64_t c = 0;
            for (; c + LANES <= channels; c += LANES)
                *(V *)(to + c) = *(const V *)(g + at + c) * __builtin_convertvector(*(const BV *)(mask + c), V);
            for (; c < channels; c++) to[c] = g[at + c] * mask[c];
        }
    }
}

#undef AT_PLACE

// Depthwise convolution over two axes. x (n, high, wide, channels) is padded; w is (places, channels); sizes: n, high, wide, channels,
// rows and columns of windows, of the kernel, of the stride and of the dilation.

void NAME(depthwise)(int64_t n, int64_t high, int64_t wide, int64_t channels, int64_t rows, int64_t columns, int64_t tall, int64_t broad,
                     int64_t down, int64_t across, int64_t far_down, int64_t far_across, T *restrict y, const T *restrict x,
                     const T *restrict w) {
    FOR(sample, n) FOR(row, rows) FOR(column, columns) {
        T *to = y + ((sample * rows + row) * columns + column) * channels;
        const T *from = x + ((sample * high + row * down) * wide + column * across) * channels;
        FOR(i, tall) FOR(j, broad) {
            const T *a = from + (i * far_down * wide + j * far_across) * channels, *b = w + (i * broad + j) * channels;
            if (i + j)
                FOR(c, channels) to[c] += a[c] * b[c];
            else
                FOR(c, channels) to[c] = a[c] * b[c];
        }
    }
}

// Add to the padded dx, unless w is NULL, and to dw (n, places, channels), unless that is NULL.
void NAME(depthwise_vjps)(int64_t n, int64_t high, int64_t wide, int64_t channels, int64_t rows, int64_t columns, int64_t tall, int64_t broad,
                          int64_t down, int64_t across, int64_t far_down, int64_t far_across, T *restrict dx, T *restrict dw,
                          const T *restrict g, const T *restrict x, const T *restrict w) {
    FOR(sample, n) FOR(row, rows) FOR(column, columns) {
        const T *from = g + ((sample * rows + row) * columns + column) * channels;
        int64_t start = ((sample * high + row * down) * wide + column * across) * channels;
        FOR(i, tall) FOR(j, broad) {
            int64_t at = start + (i * far_down * wide + j * far_across) * channels, place = (i * broad + j) * channels;
            int64_t sum = sample * tall * broad * channels + place;
            if (w)
                FOR(c, channels) dx[at + c] += from[c] * w[place + c];
            if (dw)
                FOR(c, channels) dw[sum + c] += from[c] * x[at + c];
        }
    }
}

// Convolution by rows of the kernel. A tile of HIGH rows by some vectors stays in registers; its sums run over adjacent numbers of a
// padded array (n, high, wide, channels), which the window under a kernel row covers.

#if WIDE == 64
#define HIGH 8
#else
#define HIGH 4 // so that the tile fits 16 registers
#endif
#define UNROLLED(i, n) _Pragma("GCC unroll 16") for (int i = 0; i < (n); i++)
#define CLEARED(p_, q_) \
    V tile[p_][q_]; \
    UNROLLED(p, p_) UNROLLED(q, q_) tile[p][q] = (V){0}
#define ADDED(p_, q_, count, a, a_row, a_next, b, b_next) \
    FOR(k, count) { \
        V part[q_]; \
        UNROLLED(q, q_) part[q] = *(const V *)((b) + k * (b_next) + q * LANES); \
        UNROLLED(p, p_) { \
            T number = (a)[p * (a_row) + k * (a_next)]; \
            UNROLLED(q, q_) tile[p][q] += number * part[q]; \
        } \
    }

// Fill a row of y, for some vectors of channels out: tiles of `high_` columns while there are so many.
#define COLUMNS(high_, vectors) \
    for (; column + high_ <= columns; column += high_) { \
        CLEARED(high_, vectors); \
        FOR(i, tall) { \
            const T *from = x + ((row * down + i) * wide + column * across) * channels; \
            ADDED(high_, vectors, length, from, across *channels, 1, w + (panel * tall + i * vectors) * length * LANES, vectors *LANES) \
        } \
        T *to = y + (row * columns + column) * out + panel * LANES; \
        UNROLLED(p, high_) UNROLLED(q, vectors) *(V *)(to + p * out + q * LANES) = tile[p][q]; \
    }

// The last tile begins earlier, over columns that are filled already, so that it is a whole one.
#define ROW(vectors) \
    int64_t column = 0; \
    COLUMNS(HIGH, vectors) \
    if (column && column < columns) column = columns - HIGH; \
    COLUMNS(HIGH, vectors) \
    COLUMNS(HIGH / 2, vectors) \
    COLUMNS(1, vectors)

// The kernel (kernel row, column, channel, out), whose entries along these axes lie so many numbers apart, in panels of two vectors of
// channels out, the last perhaps of one: (panel, kernel row, column and channel, lane).
void NAME(kernel_panels)(int64_t tall, int64_t broad, int64_t channels, int64_t out, int64_t by_row, int64_t by_column, int64_t by_channel,
                         int64_t by_out, T *restrict panels, const T *restrict w) {
    int64_t length = broad * channels;
    FOR(o, out) {
        int64_t panel = o / LANES / 2 * 2, lanes = (panel + 2 <= out / LANES ? 2 : 1) * LANES;
        T *to = panels + panel * tall * length * LANES + o - panel * LANES;
        const T *from = w + o * by_out;
        if (by_channel < by_column)
            FOR(i, tall) FOR(j, broad) FOR(c, channels) to[((i * broad + j) * channels + c) * lanes] = from[i * by_row + j * by_column + c * by_channel];
        else
            FOR(c, channels) FOR(i, tall) FOR(j, broad) to[((i * broad + j) * channels + c) * lanes] = from[i * by_row + j * by_column + c * by_channel];
    }
}

// y (row, column, out) of a sample from the panels of a kernel.
static void NAME(sums_of_rows)(int64_t wide, int64_t channels, int64_t rows, int64_t columns, int64_t tall, int64_t broad, int64_t down,
                               int64_t across, int64_t out, T *restrict y, const T *restrict x, const T *restrict w) {
    int64_t length = broad * channels, panel = 0;
    for (; panel + 2 <= out / LANES; panel += 2) FOR(row, rows) {
        ROW(2)
    }
    if (panel < out / LANES) FOR(row, rows) {
        ROW(1)
    }
}

#define PRODUCTS(vectors, while_) \
    for (; while_; at += vectors * LANES) { \
        CLEARED(HIGH, vectors); \
        FOR(row, rows) { \
            const T *a = g + row * columns * out + o, *b = x + (row * down + i) * wide * channels + at; \
            ADDED(HIGH, vectors, columns, a, 1, out, b, across *channels) \
        } \
        T *to = sums + (i * out + o) * length + at; \
        if (at + vectors * LANES <= length) { \
            UNROLLED(p, HIGH) UNROLLED(q, vectors) *(V *)(to + p * length + q * LANES) += tile[p][q]; \
        } else \
            FOR(p, HIGH) FOR(c, length - at) to[p * length + c] += ((T *)&tile[p][0])[c]; \
    }

// The same where vectors of channels of g serve better, since few numbers lie under a row of the kernel.
#define PLACES(vectors) \
    for (; o + vectors * LANES <= out; o += vectors * LANES) for (int64_t at = 0; at < length; at += HIGH) { \
        CLEARED(HIGH, vectors); \
        FOR(row, rows) { \
            const T *a = x + (row * down + i) * wide * channels + at, *b = g + row * columns * out + o; \
            ADDED(HIGH, vectors, columns, a, 1, across *channels, b, out) \
        } \
        FOR(p, length - at < HIGH ? length - at : HIGH) FOR(c, vectors * LANES) \
        sums[(i * out + o + c) * length + at + p] += ((T *)&tile[p][0])[c]; \
    }

// Add to the sums (kernel row, channel of g, column and channel of x) the products of g (row, column, channel) and windows of a sample.
static void NAME(sums_over_windows)(int64_t wide, int64_t channels, int64_t rows, int64_t columns, int64_t tall, int64_t broad, int64_t down,
                                    int64_t across, int64_t out, T *restrict sums, const T *restrict x, const T *restrict g) {
    int64_t length = broad * channels;
    if (length % LANES && out % LANES == 0) {
        FOR(i, tall) {
            int64_t o = 0;
            PLACES(2)
            PLACES(1)
        }
        return;
    }
    FOR(i, tall) for (int64_t o = 0; o < out; o += HIGH) {
        int64_t at = 0;
        PRODUCTS(3, at + 3 * LANES <= length)
        PRODUCTS(1, at < length)
    }
}

// Both for samples x (n, row, column, channel), each copied into a room (high, wide, channels) with zeros around, where `top` rows and
// `left` columns stand before it. Behind the room are 16 numbers, which may be read and are not used. Without a kernel w, or without sums,
// one of both is left out; g has `others` channels.
void NAME(kernel_rows)(int64_t n, int64_t high, int64_t wide, int64_t channels, int64_t rows, int64_t columns, int64_t tall, int64_t broad,
                       int64_t down, int64_t across, int64_t out, int64_t others, int64_t top, int64_t left, int64_t x_high, int64_t x_wide,
                       T *restrict y, const T *restrict x, const T *restrict w, const T *restrict g, T *restrict sums, T *restrict room) {
    int64_t skipped = left < 0 ? -left : 0, before = left > 0 ? left : 0, count = x_wide - skipped;
    if (count > wide - before) count = wide - before;
    memset(room, 0, high * wide * channels * sizeof(T));
    FOR(sample, n) {
        FOR(row, x_high)
        if (row + top >= 0 && row + top < high && count > 0)
            memcpy(room + ((row + top) * wide + before) * channels, x + ((sample * x_high + row) * x_wide + skipped) * channels,
                   count * channels * sizeof(T));
        if (w)
            NAME(sums_of_rows)(wide, channels, rows, columns, tall, broad, down, across, out, y + sample * rows * columns * out, room, w);
        if (sums)
            NAME(sums_over_windows)(wide, channels, rows, columns, tall, broad, down, across, others, sums, room,
                                    g + sample * rows * columns * others);
    }
}

// The product of two matrices y = a b + bias, for the vectors of AVX-512, by the scheme of K. Goto and R. van de Geijn, "Anatomy of
// high-performance matrix multiplication", 2008 (BLIS has it too). The sums of a tile, STEEP rows by two vectors, stay in registers, over
// DEPTH numbers at a time. For that many, b is copied into panels of two vectors of columns, BROAD columns at a time, which stay in the
// second cache (512 KiB), and a into strips of STEEP rows, one at a time, in the first. Each sum runs in the order of k whatever the tile,
// so neither the number of rows nor that of columns changes a bit. A last strip begins earlier; what it has twice is not stored twice.

#ifdef WITH_PRODUCTS
#define STEEP 13
#define DEPTH 256
#define BROAD (32 * LANES)
#define APART (DEPTH + 16) // numbers from one row of a strip to the next, so that they do not share a set of the cache

// LANES columns of `count` that stand `apart` numbers apart, as LANES rows; columns that are not there are 0. Each round puts halves in turn.
static inline void NAME(transposed)(T *to, int64_t to_row, const T *from, int64_t apart, int64_t count) {
    V t[LANES], u[LANES];
    UNROLLED(i, LANES) t[i] = i < count ? *(const V *)(from + i * apart) : (V){0};
    _Pragma("GCC unroll 4") for (int round = 1; round < LANES; round *= 2) {
        UNROLLED(i, LANES / 2) {
            u[2 * i] = __builtin_shufflevector(t[i], t[i + LANES / 2], FIRST_HALVES);
            u[2 * i + 1] = __builtin_shufflevector(t[i], t[i + LANES / 2], LAST_HALVES);
        }
        UNROLLED(i, LANES) t[i] = u[i];
    }
    UNROLLED(i, LANES) *(V *)(to + i * to_row) = t[i];
}

// Panels (panel, k, lane) of b, of which either the columns or the rows stand side by side; a last panel may have one vector.
static void NAME(panels)(int64_t depth, int64_t columns, T *restrict to, const T *restrict b, int64_t b_row, int64_t b_column) {
    for (int64_t j = 0; j < columns; j += 2 * LANES, to += depth * 2 * LANES) {
        const T *from = b + j * b_column;
        int64_t count = columns - j, lanes = count > LANES ? 2 * LANES : LANES, k = 0;
        if (b_column == 1 && count >= 2 * LANES)
            for (; k < depth; k++) UNROLLED(q, 2) *(V *)(to + (2 * k + q) * LANES) = *(const V *)(from + k * b_row + q * LANES);
        if (b_row == 1)
            for (; k + LANES <= depth; k += LANES)
                for (int64_t c = 0; c < lanes; c += LANES)
                    NAME(transposed)(to + k * lanes + c, lanes, from + c * b_column + k, b_column, count - c);
        for (; k < depth; k++) FOR(c, lanes) to[k * lanes + c] = c < count ? from[k * b_row + c * b_column] : 0;
    }
}

#define TILE(vectors, strip_row, strip_next) \
    { \
    CLEARED(STEEP, vectors); \
    ADDED(STEEP, vectors, depth, strip, strip_row, strip_next, panel, vectors *LANES) \
    if (again || count < vectors * LANES) { \
        T sums[STEEP][vectors * LANES]; \
        memcpy(sums, tile, sizeof sums); \
        for (int64_t p = again; p < STEEP; p++) FOR(c, count) { \
            T *at = to + p * y_row + c; \
            *at = (start || more ? *at : bias ? bias[j + c] : 0) + sums[p][c]; \
        } \
    } else \
        UNROLLED(p, STEEP) UNROLLED(q, vectors) { \
            V *at = (V *)(to + p * y_row + q * LANES), before = {0}; \
            if (start || more) \
                before = *at; \
            else if (bias) \
                before = *(const V *)(bias + j + q * LANES); \
            *at = before + tile[p][q]; \
        } \
    }

#define TILES(strip_row, strip_next) \
    for (int64_t j = left; j < left + broad; j += 2 * LANES, panel += depth * 2 * LANES) { \
        T *to = y + top * y_row + j; \
        int64_t count = left + broad - j; \
        if (count > 2 * LANES) count = 2 * LANES; \
        if (count > LANES) TILE(2, strip_row, strip_next) else TILE(1, strip_row, strip_next) \
    }

// One product, or with `more` y += a b; a has at least STEEP rows. Its rows or its columns stand side by side, and so do those of b.
static void NAME(one_product)(int64_t rows, int64_t inner, int64_t columns, int64_t a_row, int64_t a_next, int64_t b_row, int64_t b_column,
                              int64_t y_row, T *restrict y, const T *restrict a, const T *restrict b, const T *restrict bias, int more) {
    T *restrict room = (T *)PANELS;
    T strip[STEEP * APART > 16 * DEPTH ? STEEP * APART : 16 * DEPTH] __attribute__((aligned(WIDE)));
    int64_t blocks = (inner + DEPTH - 1) / DEPTH, size = (inner + blocks - 1) / blocks;
    for (int64_t left = 0; left < columns; left += BROAD) for (int64_t start = 0; start < inner; start += size) {
        int64_t broad = columns - left < BROAD ? columns - left : BROAD, depth = inner - start < size ? inner - start : size;
        NAME(panels)(depth, broad, room, b + start * b_row + left * b_column, b_row, b_column);
        for (int64_t row = 0; row < rows; row += STEEP) {
            int64_t again = row + STEEP > rows ? row + STEEP - rows : 0, top = row - again;
            const T *from = a + top * a_row + start * a_next, *panel = room;
            if (a_next == 1) {
                FOR(p, STEEP) memcpy(strip + p * APART, from + p * a_row, depth * sizeof(T));
                TILES(APART, 1)
            } else {
                FOR(k, depth) {
                    if (top + 16 <= rows)
                        memcpy(strip + k * 16, from + k * a_next, 16 * sizeof(T));
                    else
                        memcpy(strip + k * 16, from + k * a_next, STEEP * sizeof(T));
                }
                TILES(1, 16)
            }
        }
    }
}

#define ACROSS(vectors) \
    for (; c + vectors * LANES <= columns; c += vectors * LANES) { \
        CLEARED(1, vectors); \
        ADDED(1, vectors, inner, a, 0, a_next, b + c, b_row) \
        UNROLLED(q, vectors) { \
            V *at = (V *)(y + c + q * LANES); \
            *at = tile[0][q]; \
            if (bias) *at += *(const V *)(bias + c + q * LANES); \
        } \
    }

// The product of one row with a matrix whose rows stand side by side
static void NAME(row_product)(int64_t inner, int64_t columns, int64_t a_next, int64_t b_row, T *restrict y, const T *restrict a,
                              const T *restrict b, const T *restrict bias) {
    int64_t c = 0;
    ACROSS(8)
    ACROSS(1)
    for (; c < columns; c++) {
        T sum = 0;
        FOR(k, inner) sum += a[k * a_next] * b[k * b_row + c];
        y[c] = bias ? sum + bias[c] : sum;
    }
}

#undef ACROSS

// n products, of matrices that stand so many numbers apart. Of one product, a part of its rows, or of its columns if these are more
void NAME(product)(int64_t part, int64_t parts, int64_t n, int64_t rows, int64_t inner, int64_t columns, int64_t a_next_matrix, int64_t a_row,
                   int64_t a_next, int64_t b_next_matrix, int64_t b_row, int64_t b_column, int64_t y_next_matrix, int64_t y_row,
                   T *restrict y, const T *restrict a, const T *restrict b, const T *restrict bias) {
    int64_t *size = rows >= columns ? &rows : &columns, least = rows >= columns ? STEEP : 2 * LANES, many = *size / least;
    int64_t start = many * part / parts * least, end = part + 1 < parts ? many * (part + 1) / parts * least : *size;
    if (rows >= columns)
        a += start * a_row, y += start * y_row;
    else
        b += start * b_column, y += start, bias = bias ? bias + start : 0;
    *size = end - start;
    FOR(i, n) {
        if (rows == 1)
            NAME(row_product)(inner, columns, a_next, b_row, y, a, b, bias);
        else
            NAME(one_product)(rows, inner, columns, a_row, a_next, b_row, b_column, y_row, y, a, b, bias, 0);
        y += y_next_matrix, a += a_next_matrix, b += b_next_matrix;
    }
}

// Attention: see kernels/attention.py. For each of n × heads matrices, with l queries, s keys, `width` numbers of each and `out` of a value.
// `by` has how many numbers apart the matrices, the heads and the rows of each array are; those of e and r have no gaps. `room` is for
// a row of scores and a head's scaled q; in the second function for its scores, its r dz/dy and its scaled q.

#define OF(x, number) ((x) + i * by[number][0] + j * by[number][1])
#define ROW_OF(number) by[number][2]

// Fill `to` (rows, width) with the rows of `from` times one number, or times one number for each row.
static inline void NAME(scaled)(int64_t rows, int64_t width, T *restrict to, const T *restrict from, int64_t apart, T scale, const T *by_row) {
    FOR(a, rows) FOR(c, width) to[a * width + c] = from[a * apart + c] * (by_row ? by_row[a] : scale);
}

// e = exp(scale · q kᵀ - the largest of a row), r = 1 / Σ e, y = r e v. `hidden` may be NULL.
void NAME(attention)(int64_t n, int64_t heads, int64_t l, int64_t s, int64_t width, int64_t out, const int64_t (*by)[3], T *y, const T *q,
                     const T *k, const T *v, const uint8_t *hidden, T *e, T *r, T *room, double scale) {
    T *line = room, *queries = room + s;
    FOR(i, n) FOR(j, heads) {
        T *scores = e + (i * heads + j) * l * s, *shares = r + (i * heads + j) * l, *to = OF(y, 0);
        NAME(scaled)(l, width, queries, OF(q, 1), ROW_OF(1), scale, 0);
        NAME(one_product)(l, width, s, width, 1, 1, ROW_OF(2), s, scores, queries, OF(k, 2), 0, 0);
        FOR(a, l) {
            T total, *row = scores + a * s;
            memcpy(line, row, s * sizeof(T));
            if (hidden) {
                const uint8_t *mask = OF(hidden, 4) + a * ROW_OF(4);
                FOR(c, s) line[c] = mask[c] ? -(T)INFINITY : line[c];
            }
            NAME(exponentials)(s, row, line, &total);
            shares[a] = 1 / total;
        }
        NAME(one_product)(l, s, out, s, 1, ROW_OF(3), 1, ROW_OF(0), to, scores, OF(v, 3), 0, 0);
        FOR(a, l) FOR(c, out) to[a * ROW_OF(0) + c] *= shares[a];
    }
}

// With h = r dz/dy and S = (h vᵀ - Σ h vᵀ e · r) e: dq = S k · scale; dk = Sᵀ q · scale, dv = eᵀ h, or with `more` these are added.
void NAME(attention_vjp)(int64_t n, int64_t heads, int64_t l, int64_t s, int64_t width, int64_t out, const int64_t (*by)[3], T *dq, T *dk,
                         T *dv, const T *g, const T *q, const T *k, const T *v, const T *e, const T *r, T *room, double scale_,
                         int more) {
    T scale = scale_, *scores = room, *h = room + l * s, *queries = h + l * out;
    FOR(i, n) FOR(j, heads) {
        const T *weights = e + (i * heads + j) * l * s, *shares = r + (i * heads + j) * l;
        T *to = OF(dq, 0);
        NAME(scaled)(l, out, h, OF(g, 3), ROW_OF(3), 0, shares);
        NAME(scaled)(l, width, queries, OF(q, 4), ROW_OF(4), scale, 0);
        NAME(one_product)(l, out, s, out, 1, 1, ROW_OF(6), s, scores, h, OF(v, 6), 0, 0);
        FOR(a, l) NAME(softmax_vjp_row)(s, scores + a * s, scores + a * s, weights + a * s, shares[a]);
        NAME(one_product)(l, s, width, s, 1, ROW_OF(5), 1, ROW_OF(0), to, scores, OF(k, 5), 0, 0);
        FOR(a, l) FOR(c, width) to[a * ROW_OF(0) + c] *= scale;
        NAME(one_product)(s, l, width, 1, s, width, 1, ROW_OF(1), OF(dk, 1), scores, queries, 0, more);
        NAME(one_product)(s, l, out, 1, s, out, 1, ROW_OF(2), OF(dv, 2), weights, h, 0, more);
    }
}

#undef OF
#undef ROW_OF
#undef STEEP
#undef DEPTH
#undef BROAD
#undef APART
#undef TILE
#undef TILES
#endif

// The kernels, as threads call them: sizes, then arrays, then real numbers and flags
CUT(sum_of_two, FROM(1, 1), FROM(2, 1), FROM(3, 1))
CUT(gelu, FROM(1, 1), FROM(2, 1))
CUT(gelu_vjp, FROM(1, 1), FROM(2, 1), FROM(3, 1))
CUT(gelu_tanh, FROM(1, 1), FROM(2, 1))
CUT(gelu_tanh_vjp, FROM(1, 1), FROM(2, 1), FROM(3, 1), FROM(4, 1))
CUT(softmax, N(1), FROM(2, N(1)), FROM(3, N(1)), FROM(4, 1), FROM(5, 1))
CUT(softmax_vjp, N(1), FROM(2, N(1)), FROM(3, N(1)), FROM(4, N(1)))
CUT(log_softmax, N(1), FROM(2, N(1)), FROM(3, N(1)))
CUT(log_softmax_vjp, N(1), FROM(2, N(1)), FROM(3, N(1)), FROM(4, N(1)))
#define MOMENTS(i) FROM(i, 1), FROM(i + 1, 1), FROM(i + 2, 1)
CUT(layer_norm, N(1), FROM(2, N(1)), FROM(3, N(1)), MOMENTS(4), L2(array, 7), L1(real, 9))
CUT(layer_norm_vjp, N(1), FROM(2, N(1)), FROM(3, N(1)), FROM(4, N(1)), MOMENTS(5), L1(array, 8), OWN(9, 2 * N(1)), OWN(10, 2 * N(1)))
#define GROUP N(1) * N(2)
CUT(group_norm, N(1), N(2), FROM(3, GROUP), FROM(4, GROUP), MOMENTS(5), FROM(8, N(1)), FROM(9, N(1)), L1(real, 10))
CUT(group_norm_vjp, N(1), N(2), FROM(3, GROUP), FROM(4, N(1)), FROM(5, N(1)), FROM(6, GROUP), FROM(7, GROUP), MOMENTS(8), FROM(11, N(1)))
#undef MOMENTS
#undef GROUP
CALLED(batch_norm_sums, L3(number, 0), L5(array, 3))
CALLED(batch_norm_relu_sums, L3(number, 0), L7(array, 3))
CALLED(batch_norm, L2(number, 0), L6(array, 2), L1(number, 8))
CALLED(batch_norm_vjp, L2(number, 0), L7(array, 2))
CALLED(winograd_kernel, L4(number, 0), L2(array, 4))
CALLED(winograd_kernel_vjp, L4(number, 0), L2(array, 4))
CALLED(winograd_input, L10(number, 0), L3(array, 10))
CALLED(winograd_input_vjp, L10(number, 0), L3(array, 10))
CALLED(winograd_output, L6(number, 0), L2(array, 6))
CALLED(winograd_output_vjp, L5(number, 0), L2(array, 5))
CALLED(depthwise, L12(number, 0), L3(array, 12))
CALLED(depthwise_vjps, L12(number, 0), L5(array, 12))
#define WINDOWS N(4) * N(5)
CUT(kernel_rows, N(1), N(2), L12(number, 3), N(15), FROM(16, WINDOWS * N(10)), FROM(17, N(14) * N(15) * N(3)), L1(array, 18),
    FROM(19, WINDOWS * N(11)), OWN(20, N(6) * N(11) * N(7) * N(3)), OWN(21, N(1) * N(2) * N(3) + 16))
#undef WINDOWS
CALLED(kernel_panels, L8(number, 0), L2(array, 8))
CALLED(max_pool, L5(number, 0), L3(array, 5))
CALLED(max_pool_vjp, L5(number, 0), L3(array, 5))
CALLED(sgd, L1(number, 0), L3(array, 1), L4(real, 4), L1(number, 8))
CALLED(adam, L1(number, 0), L5(array, 1), L7(real, 6))
#ifdef WITH_PRODUCTS
CALLED(attention, L6(number, 0), L9(array, 6), L1(real, 15))
CALLED(attention_vjp, L6(number, 0), L11(array, 6), L1(real, 17), L1(number, 18))
CALLED(product, PART, PARTS, L12(number, 0), L4(array, 12))
#endif

#undef HIGH
#undef UNROLLED
#undef CLEARED
#undef ADDED
#undef COLUMNS
#undef ROW
#undef PRODUCTS
#undef PLACES
#undef AT
#undef KERNEL
#undef KERNEL_VJP
#undef KERNELS
#undef KERNELS_VJP
#undef INPUT
#undef INPUT_VJP
#undef OUTPUT
#undef OUTPUT_VJP
#undef V
#undef IV
#undef BV
#endif
