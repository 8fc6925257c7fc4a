// Guards: lanes of a wave that read each other and vote: shuffles, ballots, any and all.
// Since: the first canaries: reductions, softmax and sorting are made of these.
#include <hip/hip_runtime.h>

__global__ void prefix_sums(const int* in, int* out) {
  int value = in[threadIdx.x];
  for (int step = 1; step < warpSize; step *= 2) {
    const int other = __shfl_up(value, static_cast<unsigned>(step));
    if (static_cast<int>(threadIdx.x) % warpSize >= step) value += other;
  }
  out[threadIdx.x] = value;
}

__global__ void votes(const double* in, unsigned long long* ballots, double* out) {
  const bool positive = in[threadIdx.x] > 0;
  const unsigned long long ballot = __ballot(positive);
  const unsigned lane = __lane_id();
  const int before = __popcll(ballot & ((1ULL << lane) - 1));
  if (__any(positive) && !__all(positive)) out[before] = __shfl(in[threadIdx.x], 0);
  out[threadIdx.x] += __shfl_down(in[threadIdx.x], 1u) + __shfl_xor(in[threadIdx.x], 2, 16);
  ballots[threadIdx.x] = ballot;
}
