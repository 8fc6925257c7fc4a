// Debian's headers of HIP are for systems on which a long has eight bytes.
struct dim3 {
  unsigned x, y, z;
};
extern "C" int hipLaunchKernel(const void*, dim3, dim3, void**, unsigned long long, void*);
extern "C" int __hipPopCallConfiguration(dim3*, dim3*, unsigned long long*, void*);

__attribute__((global)) void Twice(float* values) { values[0] *= 2; }
