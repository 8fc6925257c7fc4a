// Guards: kernels that take packed numbers apart by std::memcpy, as int4 matrix products do.
// Since: https://github.com/ROCm/TheRock/issues/1927, where the object of int4mm was not generated.
#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstring>

struct alignas(16) eight_halves {
  std::uint16_t value[8];
};

__device__ inline float bits_to_float(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

__global__ void unpack_int4(const std::uint32_t* packed, eight_halves* out, float* scales) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  eight_halves row;
  std::memset(&row, 0, sizeof row);
  for (int k = 0; k < 8; ++k) {
    row.value[k] = static_cast<std::uint16_t>(packed[i] >> (4 * k) & 0xf);
  }
  std::memcpy(&out[i], &row, sizeof row);
  scales[i] = bits_to_float(packed[i]);
}
