// Guards: batched matrix products: their loads go through a buffer resource, of which the last of
// four words is another one for each generation of GPUs.
// Since: https://github.com/ROCm/TheRock/issues/1926, where composable_kernel had no such word for
// gfx101X.
#include <hip/hip_runtime.h>

#if __has_include(<ck/ck.hpp>)
#include <ck/ck.hpp>
#define BUFFER_RESOURCE_WORD_3 CK_BUFFER_RESOURCE_3RD_DWORD
#elif !defined(__HIP_DEVICE_COMPILE__)
#define BUFFER_RESOURCE_WORD_3 -1
#elif defined(__GFX8__) || defined(__GFX9__)
#define BUFFER_RESOURCE_WORD_3 0x00020000
#elif defined(__GFX10__)
#define BUFFER_RESOURCE_WORD_3 0x31014000
#else
#define BUFFER_RESOURCE_WORD_3 0x31004000
#endif

typedef int int4_vector __attribute__((ext_vector_type(4)));

__device__ float load_from_buffer(int4_vector resource, int offset, int scalar_offset, int flags)
    __asm("llvm.amdgcn.raw.buffer.load.f32");

__global__ void load(const float* from, float* to, int count) {
  union {
    const float* address;
    int words[2];
  } base{from};
  const int4_vector resource{base.words[0], base.words[1] & 0xffff,
                             count * static_cast<int>(sizeof(float)), BUFFER_RESOURCE_WORD_3};
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = load_from_buffer(resource, i * static_cast<int>(sizeof(float)), 0, 0);
}
