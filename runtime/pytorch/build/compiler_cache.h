// Chooses a build's compiler cache and shows its statistics.
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

// `wanted` is "ccache", "sccache", "none" or "auto": sccache if its bucket is set, else ccache, if
// installed. When the wanted cache is missing, logs an error and returns nothing.
std::optional<CacheChoice> ChooseCache(std::string_view wanted, Runner& runner);

void ZeroCacheStatistics(const CacheChoice& choice, Runner& runner);
// Call it after failed builds too: a cold cache explains a timeout.
void ShowCacheStatistics(const CacheChoice& choice, Runner& runner);

}  // namespace wheelwright
