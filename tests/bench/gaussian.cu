/* gaussian.cu: the kernels that ufc makes of gaussian.uf, as CUDA C; see runtime/image_abi.h. */
typedef long long i64;
typedef unsigned long long u64;

enum { OPERANDS = 4, AXES = 6 };

struct operand {
    u64 ptr, value[2];
};
struct vector_params {
    i64 n;
    unsigned scalars, naxes;
    operand op[OPERANDS];
};
struct strided_params {
    i64 n;
    unsigned scalars, naxes;
    operand op[OPERANDS];
    unsigned size[AXES], magic[AXES], shift[AXES];
    struct {
        i64 stride[AXES], dtype;
    } layout[OPERANDS];
};

__device__ float gaussian_pdf(float x, float mean, float sigma) {
    float z = (x - mean) / sigma;
    return expf(-0.5f * (z * z)) / (sigma * 2.5066282746310002f);
}

__device__ float number(const operand &op) { return __int_as_float((int)op.value[0]); }

__device__ void load4(const vector_params &p, int k, i64 i, float *to) {
    if (p.op[k].ptr == 0 || (p.scalars >> k & 1)) {
        float v = p.op[k].ptr == 0 ? number(p.op[k]) : *(const float *)p.op[k].ptr;
        to[0] = to[1] = to[2] = to[3] = v;
    } else if (i + 4 <= p.n) {
        float4 v = *(const float4 *)(p.op[k].ptr + i * sizeof(float));
        to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
    } else {
        for (int j = 0; j < 4; j++)
            to[j] = i + j < p.n ? ((const float *)p.op[k].ptr)[i + j] : 0;
    }
}

extern "C" __global__ void __launch_bounds__(256) vector(const __grid_constant__ vector_params p) {
    i64 i = ((i64)blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (i >= p.n)
        return;
    float in[3][4], out[4];
    for (int k = 0; k < 3; k++)
        load4(p, k, i, in[k]);
    for (int j = 0; j < 4; j++)
        out[j] = gaussian_pdf(in[0][j], in[1][j], in[2][j]);
    if (i + 4 <= p.n)
        *(float4 *)(p.op[3].ptr + i * sizeof(float)) = make_float4(out[0], out[1], out[2], out[3]);
    else
        for (int j = 0; i + j < p.n; j++)
            ((float *)p.op[3].ptr)[i + j] = out[j];
}

#ifndef VECTOR_ALONE
/* The byte offset of element i in each operand. */
__device__ void offsets(const strided_params &p, unsigned i, i64 *to) {
    for (int k = 0; k < OPERANDS; k++)
        to[k] = 0;
#pragma unroll
    for (int a = 0; a < AXES; a++) {
        if (a >= p.naxes)
            break;
        unsigned q = p.magic[a] ? (unsigned)((u64)i * p.magic[a] >> 32 >> p.shift[a])
                                : i >> p.shift[a];
        for (int k = 0; k < OPERANDS; k++)
            to[k] += (i64)(i - q * p.size[a]) * p.layout[k].stride[a];
        i = q;
    }
}

extern "C" __global__ void __launch_bounds__(256) strided(const __grid_constant__ strided_params p) {
    i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x, at[OPERANDS];
    if (i >= p.n)
        return;
    offsets(p, (unsigned)i, at);
    float in[3];
    for (int k = 0; k < 3; k++)
        in[k] = p.op[k].ptr ? *(const float *)(p.op[k].ptr + at[k]) : number(p.op[k]);
    *(float *)(p.op[3].ptr + at[3]) = gaussian_pdf(in[0], in[1], in[2]);
}

__device__ float load_any(u64 from, i64 dtype) {
    switch (dtype) {
    case 0: return *(const unsigned char *)from != 0;
    case 1: return *(const signed char *)from;
    case 2: return *(const unsigned char *)from;
    case 3: return *(const short *)from;
    case 4: return *(const unsigned short *)from;
    case 5: return *(const int *)from;
    case 6: return *(const unsigned *)from;
    case 7: return *(const i64 *)from;
    case 8: return *(const u64 *)from;
    case 9: return *(const float *)from;
    default: return *(const double *)from;
    }
}

__device__ void store_any(u64 to, i64 dtype, float v) {
    switch (dtype) {
    case 0: *(unsigned char *)to = v != 0; break;
    case 1: *(signed char *)to = (signed char)(int)v; break;
    case 2: *(unsigned char *)to = (unsigned char)(unsigned)v; break;
    case 3: *(short *)to = (short)(int)v; break;
    case 4: *(unsigned short *)to = (unsigned short)(unsigned)v; break;
    case 5: *(int *)to = (int)v; break;
    case 6: *(unsigned *)to = (unsigned)v; break;
    case 7: *(i64 *)to = (i64)v; break;
    case 8: *(u64 *)to = (u64)v; break;
    case 9: *(float *)to = v; break;
    default: *(double *)to = v; break;
    }
}

extern "C" __global__ void __launch_bounds__(256) cast(const __grid_constant__ strided_params p) {
    i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x, at[OPERANDS];
    if (i >= p.n)
        return;
    offsets(p, (unsigned)i, at);
    float in[3];
    for (int k = 0; k < 3; k++)
        in[k] = p.op[k].ptr ? load_any(p.op[k].ptr + at[k], p.layout[k].dtype) : number(p.op[k]);
    store_any(p.op[3].ptr + at[3], p.layout[3].dtype, gaussian_pdf(in[0], in[1], in[2]));
}

#endif
