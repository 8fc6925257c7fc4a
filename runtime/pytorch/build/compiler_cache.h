// Which compiler cache a build uses, and what came of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/pytorch/build/build_environment.h"
#include "runtime/host/programs/runner.h"

namespace wheelwright {

struct CacheChoice {
  CompilerCache cache = CompilerCache::kNone;
  std::string path;  // of its program
};

// `wanted` is "ccache", "sccache", "none" or "auto": sccache where a bucket is named for it, else
// ccache, each if it is there. Nothing: what was asked for is not there, which was said.
std::optional<CacheChoice> ChooseCache(std::string_view wanted, Runner& runner);

void ZeroCacheStatistics(const CacheChoice& choice, Runner& runner);
// Also of a build that failed: a cold cache explains one that ran into its limit.
void ShowCacheStatistics(const CacheChoice& choice, Runner& runner);

}  // namespace wheelwright
