// Guards: sort, scan and reduction kernels on half: they are chosen by what traits say of __half.
// Since: https://github.com/ROCm/TheRock/issues/3042, where rocPRIM no longer took __half for a
// floating-point type, and builds of PyTorch broke three hours in.
#include <hip/hip_runtime.h>
// Not in alphabetical order: all canaries begin with one header, which is precompiled.
#include <hip/hip_fp16.h>

#include <type_traits>

#if __has_include(<rocprim/type_traits.hpp>)
#include <rocprim/type_traits.hpp>
static_assert(rocprim::is_floating_point<__half>::value, "rocPRIM: __half is a floating-point type");
static_assert(rocprim::is_arithmetic<__half>::value, "rocPRIM: __half is an arithmetic type");
static_assert(!rocprim::is_integral<__half>::value, "rocPRIM: __half is no integer");
#endif

static_assert(sizeof(__half) == 2 && alignof(__half) == 2, "__half is stored in two bytes");
static_assert(std::is_trivially_copyable<__half>::value, "__half can be copied as bytes");
static_assert(std::is_constructible<__half, float>::value, "a __half can be made of a float");

// How a library tells types apart, with its own word for half.
template <typename T>
struct is_floating : std::is_floating_point<T> {};
template <>
struct is_floating<__half> : std::true_type {};

template <typename T, bool = is_floating<T>::value>
struct radix_key;
template <>
struct radix_key<__half, true> {
  // Sorting compares bits: those of negative numbers are turned around.
  __device__ static unsigned short encode(__half value) {
    const unsigned short bits = __half_as_ushort(value);
    return bits & 0x8000u ? static_cast<unsigned short>(~bits)
                          : static_cast<unsigned short>(bits | 0x8000u);
  }
};

__global__ void sort_keys(const __half* values, unsigned short* keys, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) keys[i] = radix_key<__half>::encode(values[i]);
}
