// Results of compiles, so that what did not change is not compiled again. A result is found by the
// compiler, its flags, the target and the source's bytes, and counts as long as every header that
// was read has the bytes that it had then.
//
// What ccache cannot see either is not seen here: a header that was missing from an earlier folder
// of the search path and now is there.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "runtime/hip/compile/compiler_messages.h"
#include "runtime/hip/compile/source_sums.h"

namespace wheelwright {

struct CompileOutcome {
  CompileEnd end = CompileEnd::kPass;
  std::chrono::milliseconds duration{0};
  std::uint64_t memory = 0;         // bytes at most
  std::string output;               // what the compiler wrote
  std::string object;               // path of what it made; "" when it made nothing
  std::vector<std::string> inputs;  // all files that it read
};

class CompileCache {
 public:
  // `folder`: "" keeps nothing.
  CompileCache(std::string folder, FileSystem& files, SourceSums& sums)
      : folder_(std::move(folder)), files_(files), sums_(sums) {}

  std::optional<CompileOutcome> Find(const std::string& key);
  // Keeps a result and its object, whose path is changed to the copy. Crashes, hangs and the like
  // are not kept: the next run may fare better.
  void Keep(const std::string& key, CompileOutcome& outcome);

  // How long a pair took when it was last compiled, and how much memory.
  struct Effort {
    std::chrono::milliseconds duration{0};
    std::uint64_t memory = 0;
  };
  std::optional<Effort> EffortOf(std::string_view source, std::string_view target) const;
  void LearnEffort(std::string_view source, std::string_view target, Effort effort);
  void LoadEfforts();
  void SaveEfforts();

 private:
  std::string EntryPath(const std::string& key) const;
  std::string ObjectPath(const std::string& sum) const;

  std::string folder_;
  FileSystem& files_;
  SourceSums& sums_;
  // What was changed later may have been compiled before it was.
  std::filesystem::file_time_type opened_ = std::filesystem::file_time_type::clock::now();
  std::map<std::string, Effort, std::less<>> efforts_;
};

// The files in a list of dependencies, as -MF writes it.
std::vector<std::string> ReadDependencies(std::string_view text);

}  // namespace wheelwright
