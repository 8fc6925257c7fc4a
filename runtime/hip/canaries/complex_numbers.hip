// Guards: complex numbers, HIP's own and those of C++, of which the compiler makes calls into its
// libraries.
// Since: the first canaries: PyTorch's complex kernels are written with both.
#include <hip/hip_runtime.h>
// Not in alphabetical order: all canaries begin with one header, which is precompiled.
#include <hip/hip_complex.h>

#include <complex>

__global__ void with_hip(const hipFloatComplex* x, hipFloatComplex* y, hipDoubleComplex* z) {
  const int i = threadIdx.x;
  y[i] = hipCaddf(hipCmulf(x[i], y[i]), hipConjf(x[i]));
  z[i] = hipCdiv(hipComplexFloatToDouble(y[i]), make_hipDoubleComplex(hipCabs(z[i]), 1.0));
}

// The functions of std::complex are constexpr or marked by the compiler's own headers.
template <typename T>
__global__ void with_std(const std::complex<T>* x, std::complex<T>* y) {
  const int i = threadIdx.x;
  const T real = x[i].real() * y[i].real() - x[i].imag() * y[i].imag();
  const T imaginary = x[i].real() * y[i].imag() + x[i].imag() * y[i].real();
  y[i] = std::complex<T>(real, imaginary);
}
template __global__ void with_std<float>(const std::complex<float>*, std::complex<float>*);
template __global__ void with_std<double>(const std::complex<double>*, std::complex<double>*);
