// The bundle of the code objects of one source, which the compile of its host object embeds.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/file_system.h"
#include "runtime/hip/compile/compile_pair.h"

namespace wheelwright {

// A plain bundle (offload_bundle.h) of code objects: target and bytes of each.
std::string MakeBundle(const std::vector<std::pair<std::string, std::string>>& objects);

// The bundle of all objects of a source that its pairs produced.
std::string BundleOf(std::span<const Pair> pairs, std::size_t source, FileSystem& files);

}  // namespace wheelwright
