// Code for GPUs that was moved out of libraries, into archives for a family of GPUs each, so that
// what is the same for all of them is shipped once. https://github.com/ROCm/rocm-systems,
// shared/kpack.
//
//   the library  has a section .rocm_kpack_ref (.kpackrf in programs of Windows): its name in the
//                archives, and where these are, seen from its folder
//   the archive  "KPAK", a version, the place of its table; the table says which libraries there
//                is code of, for which GPUs
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

// What such a section says; nothing when it cannot be read.
std::optional<KpackReference> ReadKpackReference(const ByteSource& source, std::uint64_t offset,
                                                 std::uint64_t size);

// Whether a file of that path may be the archive that a reference names: its folder, which an
// installation may move, is not looked at.
bool MayName(const KpackReference& reference, std::string_view path);

// An archive as one container. The id of an image is the library that it belongs to. Nothing when
// its table cannot be read; `problem` says why.
std::optional<OffloadBundle> ReadKpack(const ByteSource& source, BundleProblem& problem);

}  // namespace wheelwright
