// Guards: printf and assert in kernels, which go through services that the host answers.
// Since: the first canaries: an assertion stands in every kernel that takes an index.
#include <hip/hip_runtime.h>

#include <cassert>
#include <cstdio>

__global__ void gather(const float* in, const long* index, float* out, long count) {
  const long i = index[threadIdx.x];
  assert(i >= 0 && i < count && "index out of bounds");
  const unsigned block = blockIdx.x;
  if (i == 0) printf("block %u, index %ld: %f, %s\n", block, i, in[0], "zero");
  out[threadIdx.x] = in[i];
}
