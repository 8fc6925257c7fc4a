#include "runtime/pytorch/build/compiler_cache.h"

#include <fmt/format.h>

namespace wheelwright {
namespace {

constexpr std::chrono::seconds kCacheLimit{60};

}  // namespace

std::optional<CacheChoice> ChooseCache(std::string_view wanted, Runner& runner) {
  const Host& host = runner.host();
  const auto find = [&](std::string_view name) {
    const std::string path = FindProgram(name, host.variables);
    return path.empty() && host.machine.windows
               ? FindProgram(fmt::format("{}.exe", name), host.variables)
               : path;
  };
  if (wanted == "none") return CacheChoice{};
  if (wanted == "auto") {
    if (std::string path = find("sccache");
        !path.empty() && !host.Variable("SCCACHE_BUCKET").empty()) {
      return CacheChoice{CompilerCache::kSccache, path};
    }
    if (std::string path = find("ccache"); !path.empty()) {
      return CacheChoice{CompilerCache::kCcache, path};
    }
    return CacheChoice{};
  }
  const std::string path = find(wanted);
  if (path.empty()) {
    runner.log().Error("install it, or build with '--cache auto'",
                       fmt::format("there is no {} on the PATH", wanted));
    return std::nullopt;
  }
  return CacheChoice{wanted == "ccache" ? CompilerCache::kCcache : CompilerCache::kSccache, path};
}

void ZeroCacheStatistics(const CacheChoice& choice, Runner& runner) {
  if (choice.cache == CompilerCache::kNone) return;
  if (runner.dry_run()) {
    runner.Run(
        {.title = "reset the cache's statistics", .arguments = {choice.path, "--zero-stats"}});
  } else {
    runner.Try({.title = {}, .arguments = {choice.path, "--zero-stats"}, .limit = kCacheLimit});
  }
}

void ShowCacheStatistics(const CacheChoice& choice, Runner& runner) {
  if (choice.cache == CompilerCache::kNone) return;
  Step step{
      .title = "the compiler cache's statistics", .arguments = {choice.path}, .limit = kCacheLimit};
  step.arguments.emplace_back(choice.cache == CompilerCache::kCcache ? "-s" : "--show-stats");
  if (runner.dry_run()) {
    runner.Run(step);
  } else if (const auto output = runner.Try(step)) {
    const LogGroup group(runner.host(), step.title);
    runner.log().Say(*output);
  }
}

}  // namespace wheelwright
