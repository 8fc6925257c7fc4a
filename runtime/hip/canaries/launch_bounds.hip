// Guards: limits on registers by the size of blocks, and kernels that are told what they may be
// launched with.
// Since: the first canaries: PyTorch's elementwise and reduction kernels all have bounds.
#include <hip/hip_runtime.h>

constexpr int kThreads = 256;

template <int kItems, typename Function>
__device__ void each(int count, const Function& function) {
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    const int i = (blockIdx.x * kItems + k) * kThreads + threadIdx.x;
    if (i < count) function(i);
  }
}

__global__ void __launch_bounds__(kThreads) scale(float* values, float by, int count) {
  each<4>(count, [=](int i) { values[i] *= by; });
}

__global__ void __launch_bounds__(kThreads, 4) many(const double* in, double* out, int count) {
  each<8>(count, [=](int i) {
    double kept[16];
    for (int k = 0; k < 16; ++k) kept[k] = in[(i * 17 + k) % count];
    double sum = 0;
    for (int k = 0; k < 16; ++k) sum += kept[k] * kept[15 - k];
    out[i] = sum;
  });
}

__global__ void __launch_bounds__(1024) largest(int* out) { out[threadIdx.x] = blockDim.x; }
