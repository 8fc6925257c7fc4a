// kpack archives: GPU code that was moved out of libraries, one archive for each family of GPUs, so
// that the code for the host is shipped once. https://github.com/ROCm/rocm-systems, shared/kpack.
//
//   the library  has a section .rocm_kpack_ref (.kpackrf in programs of Windows): its name in the
//                archives, and their paths relative to its folder
//   the archive  "KPAK", a version, the offset of its table, which lists the libraries and the GPUs
//                that it has code for
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/hip/code/offload_bundle.h"

namespace wheelwright {

struct KpackReference {
  std::string name;                // of the library, in the tables
  std::vector<std::string> paths;  // "../.kpack/torch_@GFXARCH@.kpack", for any GPU
};

// Reads such a section. Nothing when it is broken.
std::optional<KpackReference> ReadKpackReference(const ByteSource& source, std::uint64_t offset,
                                                 std::uint64_t size);

// Whether a file may be the archive that a reference names. Compares names only: an installation
// may move folders.
bool MayName(const KpackReference& reference, std::string_view path);

// Reads an archive as one container, in which the id of an image is the name of its library.
// Nothing when its table cannot be read; `problem` says why.
std::optional<OffloadBundle> ReadKpack(const ByteSource& source, BundleProblem& problem);

}  // namespace wheelwright
