// Compiles each source for each target, several at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/hip/code/gfx_target.h"
#include "runtime/hip/compile/compile_cache.h"
#include "runtime/hip/compile/compiler.h"
#include "runtime/host/environment/host.h"

namespace wheelwright {

struct HipSource {
  std::string name;  // "half_traits.hip": how it is told of
  std::string path;
  std::string guards;  // what breaks when it does not compile; "" where nobody said
  // One of this program's: such sources bear being read one behind the other, as one.
  bool canary = false;
};

// What is known to fail, and where that is discussed.
struct KnownFailure {
  std::string source;                // a name
  std::vector<std::string> targets;  // how they begin; empty: all
  std::string with_header;           // only when a header of that path was read; "": always
  std::string issue;
};

enum class PairStatus : std::uint8_t {
  kPass,
  kFail,
  kCrash,
  kHang,
  kOutOfMemory,
  kExpectedFail,
  kUnexpectedPass,
  kNotRun,
};

// The target of the object of all targets.
inline constexpr std::string_view kHostTarget = "host";

struct Pair {
  std::size_t source = 0;  // an index
  std::string target;      // "gfx942"; "host" for the object of all targets
  PairStatus status = PairStatus::kNotRun;
  bool cached = false;
  std::chrono::milliseconds duration{0};  // of the compile, when it was done
  std::uint64_t memory = 0;               // bytes at most
  std::vector<CompilerError> errors;
  std::string object;  // path
  std::string issue;   // of an expected failure

  bool good() const {
    return status == PairStatus::kPass || status == PairStatus::kExpectedFail ||
           status == PairStatus::kUnexpectedPass;
  }
};

struct CompileSettings {
  std::vector<HipSource> sources;
  std::vector<GfxTarget> targets;
  std::vector<std::string> flags;  // behind the compiler's own
  std::vector<KnownFailure> known_failures;
  bool bundle = false;  // make an object of all targets of a source too, as a build does
  bool keep_going = true;
  std::size_t jobs = 1;
  std::uint64_t memory = 0;  // bytes that all compiles may use together, as far as that is known
  std::chrono::milliseconds time_limit{0};  // of one compile
  std::uint64_t memory_limit = 0;           // of one compile
  std::vector<std::string> launcher;        // in front of the compiler: {"ccache"}
  std::string work;                         // a folder for files that are thrown away
};

// A header is compiled once for sources that share it; of fewer it costs more than it saves.
inline constexpr std::size_t kSharedHeaderWorthIt = 4;

class PairCompiler {
 public:
  PairCompiler(const CompileSettings& settings, const HipCompiler& compiler, Host& host,
               CompileCache& cache, SourceSums& sums);

  // All pairs, by source and in it by target. `done` is told of each as it ends, one at a time;
  // it is also told how many have ended.
  std::vector<Pair> Run(const std::function<void(const Pair&, std::size_t)>& done);

  // The arguments of one compile. `object` is where its result goes.
  std::vector<std::string> CommandOf(const HipSource& source, std::string_view target,
                                     const std::string& object) const;
  // Those of the host's part, which takes the bundle of its code for GPUs from {object}.hipfb.
  std::vector<std::string> HostCommandOf(const HipSource& source, const std::string& object) const;

 private:
  struct Shared;

  // The compiler and all flags that do not name a file.
  std::vector<std::string> BeginningOf(std::string_view target) const;
  std::string KeyOf(const HipSource& source, std::string_view target, std::string_view more) const;
  // `object` is what the command writes, without which it has not passed; "": it writes none.
  CompileOutcome Compile(std::vector<std::string> command, const std::string& object,
                         bool through_launcher) const;
  // precompile.cpp: makes the headers that pairs share, once all that is known was found.
  void Precompile(const std::vector<Pair>& pairs, const std::vector<char>& found);
  std::string SharedHeaderOf(const HipSource& source) const;
  bool TryCompile(std::string_view target, std::vector<std::string> words) const;
  // An error where there is no such header for the pair.
  CompileOutcome CompileShared(const Pair& pair, const std::vector<std::string>& command,
                               const std::string& object) const;
  const std::vector<std::string>& LibrariesOf(const std::string& target);
  void CompileDevice(Pair& pair, std::size_t index);
  void CompileHost(Pair& pair, std::size_t index, const std::vector<Pair>& pairs);
  void Judge(Pair& pair, const CompileOutcome& outcome) const;
  bool FindInCache(Pair& pair);
  void Work(Shared& shared);

  const CompileSettings& settings_;
  const HipCompiler& compiler_;
  Host& host_;
  CompileCache& cache_;
  SourceSums& sums_;
  // Headers that were parsed before, by target and name, and which each source begins with. They do
  // not change while pairs are compiled.
  std::map<std::pair<std::string, std::string>, std::string> precompiled_;
  std::vector<std::string> headers_;
  std::mutex mutex_;  // of what follows
  std::map<std::string, std::vector<std::string>> libraries_;
};

}  // namespace wheelwright
