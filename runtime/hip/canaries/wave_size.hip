// Guards: kernels that are laid out by the width of a wave: 64 lanes on gfx9 and before, 32 after.
// Since: the first canaries. Newer compilers no longer give the width as a constant.
#include <hip/hip_runtime.h>

#if defined(__GFX8__) || defined(__GFX9__)
constexpr unsigned kLanes = 64;
#else
constexpr unsigned kLanes = 32;
#endif

template <unsigned kWidth>
__device__ float reduce(float value) {
#pragma unroll
  for (unsigned step = kWidth / 2; step > 0; step /= 2) {
    value += __shfl_xor(value, static_cast<int>(step));
  }
  return value;
}

template <unsigned kThreads>
__global__ void block_sums(const float* in, float* out) {
  static_assert(kThreads % 64 == 0, "whole waves of both widths");
  __shared__ float waves[kThreads / kLanes];
  const float sum = reduce<kLanes>(in[blockIdx.x * kThreads + threadIdx.x]);
  if (threadIdx.x % kLanes == 0) waves[threadIdx.x / kLanes] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0;
    for (unsigned i = 0; i < kThreads / kLanes; ++i) total += waves[i];
    out[blockIdx.x] = total;
  }
}

template __global__ void block_sums<64>(const float*, float*);
template __global__ void block_sums<512>(const float*, float*);
