// A bcryptprimitives.dll for uv.exe: Wine 8 has none, and programs in Rust need its one function.
#include <windows.h>

extern "C" {

// What advapi32.dll calls RtlGenRandom().
__declspec(dllimport) BOOLEAN NTAPI SystemFunction036(PVOID bytes, ULONG count);

__declspec(dllexport) int ProcessPrng(unsigned char* bytes, size_t count) {
  return SystemFunction036(bytes, static_cast<ULONG>(count));
}
}
