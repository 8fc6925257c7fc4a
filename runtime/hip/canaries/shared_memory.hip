// Guards: memory that a block shares: of a fixed size up to the limit of 64 KB, and of one that the
// launch decides.
// Since: the first canaries: every tiled kernel uses it.
#include <hip/hip_runtime.h>

constexpr int kTile = 32;

__global__ void transpose(const float* in, float* out, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];  // one more, so that columns lie in different banks
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  const int column = blockIdx.y * kTile + threadIdx.x, row = blockIdx.x * kTile + threadIdx.y;
  if (column < height && row < width) out[row * height + column] = tile[threadIdx.x][threadIdx.y];
}

__global__ void whole(const double* in, double* out) {
  __shared__ double all[64 * 1024 / sizeof(double)];
  for (unsigned i = threadIdx.x; i < sizeof all / sizeof all[0]; i += blockDim.x) all[i] = in[i];
  __syncthreads();
  out[threadIdx.x] = all[(threadIdx.x * 7919u) % (sizeof all / sizeof all[0])];
}

template <typename T>
__global__ void reverse(T* values, int count) {
  extern __shared__ unsigned char raw[];
  T* const held = reinterpret_cast<T*>(raw);
  for (int i = threadIdx.x; i < count; i += blockDim.x) held[i] = values[i];
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x) values[i] = held[count - 1 - i];
}
template __global__ void reverse<float>(float*, int);
template __global__ void reverse<double>(double*, int);
