// Guards: arithmetic on __half and __half2, alone and mixed with float.
// Since: the first canaries: every build of PyTorch has these in thousands of kernels.
#include <hip/hip_runtime.h>
// Not in alphabetical order: all canaries begin with one header, which is precompiled.
#include <hip/hip_fp16.h>

__global__ void axpy(const __half* x, __half* y, float a, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const __half scale = __float2half(a);
  const __half sum = __hadd(__hmul(scale, x[i]), y[i]);
  y[i] = __hgt(sum, __float2half(0.0f)) ? hsqrt(sum) : __hneg(sum);
}

__global__ void axpy_pairs(const __half2* x, __half2* y, float a, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const __half2 scale = __float2half2_rn(a);
  y[i] = __hfma2(scale, x[i], y[i]);
  const float2 both = __half22float2(y[i]);
  if (both.x != both.x || __hisnan(__low2half(y[i]))) y[i] = __floats2half2_rn(0.0f, both.y);
}

__global__ void sum(const __half* x, float* out, int count) {
  float total = 0;
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    total += static_cast<float>(x[i]) * static_cast<float>(x[i]);
  }
  out[threadIdx.x] = total;
}
