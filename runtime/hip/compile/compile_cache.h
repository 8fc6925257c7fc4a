// The cache of compile results. The key of a result covers the compiler, its flags, the target and
// the source. It is a hit as long as every header that the compile read is unchanged.
//
// As with ccache, a new header in an earlier folder of the search path is not noticed.
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
  std::uint64_t memory = 0;         // peak, bytes
  std::string output;               // of the compiler
  std::string object;               // path; "" when there is none
  std::vector<std::string> inputs;  // all files that the compiler read
};

class CompileCache {
 public:
  // `folder`: "" disables the cache.
  CompileCache(std::string folder, FileSystem& files, SourceSums& sums)
      : folder_(std::move(folder)), files_(files), sums_(sums) {}

  std::optional<CompileOutcome> Find(const std::string& key);
  // The file that a run locks while it compiles the results of these keys. Another run that would
  // compile the same, such as another job on the machine, waits and finds them. "" without a cache.
  std::string TurnPath(const std::vector<std::string>& keys) const;
  // Stores a result and its object, whose path becomes that of the copy. Crashes, hangs and
  // exceeded limits are not stored: they may not occur again.
  void Keep(const std::string& key, CompileOutcome& outcome);

  // What the last compile of a pair took.
  struct Effort {
    std::chrono::milliseconds duration{0};
    std::uint64_t memory = 0;  // bytes
  };
  // Of a pair that was never compiled: the average.
  static constexpr Effort kUnknownEffort{std::chrono::milliseconds(2000), std::uint64_t{768} << 20};
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
  // An input with a later modification time may have changed after it was compiled.
  std::filesystem::file_time_type opened_ = std::filesystem::file_time_type::clock::now();
  std::map<std::string, Effort, std::less<>> efforts_;
};

// The files in a list of dependencies that -MF wrote.
std::vector<std::string> ReadDependencies(std::string_view text);

}  // namespace wheelwright
