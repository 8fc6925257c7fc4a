// Guards: the functions of mathematics in float and double, which come from ROCm's device
// libraries: a library that does not fit the compiler shows here.
// Since: the first canaries.
#include <hip/hip_runtime.h>

#include <cmath>

template <typename T>
__device__ T all_of_them(T x, T y) {
  T sum = exp(x) + log(y) + sin(x) + cos(x) + tan(x) + tanh(x) + atan2(x, y);
  sum += sqrt(y) + rsqrt(y) + cbrt(y) + pow(x, y) + fmod(x, y) + fma(x, y, sum);
  sum += erf(x) + erfc(x) + erfinv(x) + lgamma(y) + tgamma(y) + log1p(y) + expm1(x);
  sum += floor(x) + ceil(x) + round(x) + rint(x) + trunc(x) + fabs(x) + copysign(x, y);
  int exponent;
  sum += frexp(y, &exponent) + ldexp(x, exponent) + fmin(x, y) + fmax(x, y) + hypot(x, y);
  return isnan(sum) || isinf(sum) || !isfinite(sum) ? T(0) : sum;
}

__global__ void in_float(const float* x, const float* y, float* out) {
  out[threadIdx.x] = all_of_them(x[threadIdx.x], y[threadIdx.x]) + __expf(x[threadIdx.x]) +
                     __logf(y[threadIdx.x]) + __fdividef(x[threadIdx.x], y[threadIdx.x]);
}

__global__ void in_double(const double* x, const double* y, double* out) {
  out[threadIdx.x] = all_of_them(x[threadIdx.x], y[threadIdx.x]) + j0(x[threadIdx.x]) +
                     normcdf(y[threadIdx.x]);
}

__global__ void of_integers(const unsigned* in, int* out) {
  out[threadIdx.x] = __popc(in[threadIdx.x]) + __clz(static_cast<int>(in[threadIdx.x])) +
                     __ffs(static_cast<int>(in[threadIdx.x])) +
                     static_cast<int>(__brev(in[threadIdx.x]) + __umulhi(in[threadIdx.x], 3u));
}
