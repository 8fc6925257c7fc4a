// Guards: atomic operations: integers, floats, doubles, and those on half that are loops around
// compare and swap.
// Since: the first canaries: scatter, embedding and histogram kernels are made of these.
#include <hip/hip_runtime.h>

#include <cstdint>

__global__ void scatter(const int* index, const float* in, float* sums, double* totals,
                        unsigned long long* counts, int* extremes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&sums[index[i]], in[i]);
  atomicAdd(&totals[index[i]], static_cast<double>(in[i]));
  atomicAdd(&counts[index[i]], 1ULL);
  atomicMin(&extremes[0], index[i]);
  atomicMax(&extremes[1], index[i]);
  atomicOr(&extremes[2], 1 << (index[i] & 31));
  atomicExch(&extremes[3], index[i]);
  atomicCAS(&extremes[4], 0, index[i]);
  __threadfence();
}

// Two bytes at a time there is no such instruction: the word around them is exchanged.
__device__ void add_to_half_word(std::uint16_t* address, std::uint16_t value) {
  auto* const word = reinterpret_cast<unsigned*>(reinterpret_cast<std::uintptr_t>(address) &
                                                 ~static_cast<std::uintptr_t>(3));
  const bool upper = (reinterpret_cast<std::uintptr_t>(address) & 2) != 0;
  unsigned seen = *word;
  for (;;) {
    const unsigned assumed = seen;
    const unsigned sum = (upper ? assumed >> 16 : assumed & 0xffffu) + value;
    const unsigned wanted =
        upper ? (assumed & 0xffffu) | sum << 16 : (assumed & 0xffff0000u) | (sum & 0xffffu);
    seen = atomicCAS(word, assumed, wanted);
    if (seen == assumed) return;
  }
}

__global__ void histogram(const unsigned char* in, std::uint16_t* bins) {
  add_to_half_word(&bins[in[threadIdx.x]], 1);
}
