// The offload binary, the container of the new offloading driver.
// https://github.com/llvm/llvm-project, llvm/include/llvm/Object/OffloadBinary.h; version 2 came by
// its pull request 169425.
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/hip/code/offload_bundle.h"

namespace wheelwright {

// The offload binary that begins at `offset` and ends at `end` at the latest. Nothing when it
// cannot be read; `problem` says why.
std::optional<OffloadBundle> ReadOffloadBinary(const ByteSource& source, std::uint64_t offset,
                                               std::uint64_t end, BundleProblem& problem);

}  // namespace wheelwright
