// Guards: kernels that are chosen by the name of the GPU, as flash attention's are: the compiler
// has to say which GPU, and which generation.
// Since: https://github.com/ROCm/TheRock/issues/1925, where names were not recognised.
#include <hip/hip_runtime.h>

#if defined(__HIP_DEVICE_COMPILE__)
#if !defined(__AMDGCN__)
#error "the target is not said to be a GPU of AMD"
#endif
#if defined(__GFX12__)
constexpr int kGeneration = 12;
#elif defined(__GFX11__)
constexpr int kGeneration = 11;
#elif defined(__GFX10__)
constexpr int kGeneration = 10;
#elif defined(__GFX9__)
constexpr int kGeneration = 9;
#elif defined(__GFX8__)
constexpr int kGeneration = 8;
#else
#error "this generation of GPUs has no name here"
#endif

constexpr bool begins_like(const char* text, const char* beginning) {
  return *beginning == '\0' || (*text == *beginning && begins_like(text + 1, beginning + 1));
}
#if defined(__amdgcn_processor__)
static_assert(begins_like(__amdgcn_processor__, "gfx"), "GPUs are called gfx");
#endif
#if defined(__amdgcn_target_id__)
static_assert(begins_like(__amdgcn_target_id__, "gfx"), "targets are called gfx");
#endif
#else
constexpr int kGeneration = 0;
#endif

__global__ void generation(int* out) { *out = kGeneration; }
