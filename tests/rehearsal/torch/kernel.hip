// With hip_runtime.h, which the sources of `wheelrun hip compile` include in the same job, a compiler takes ten times as
// long.
#include <hip/hip_version.h>

struct dim3 {
  unsigned x, y, z;
};
extern "C" int hipLaunchKernel(const void*, dim3, dim3, void**, unsigned long, void*);
extern "C" int __hipPopCallConfiguration(dim3*, dim3*, unsigned long*, void**);

__attribute__((global)) void Twice(float* values) { values[__builtin_amdgcn_workitem_id_x()] *= 2; }
