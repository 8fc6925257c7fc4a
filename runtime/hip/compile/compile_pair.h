// What is compiled: pairs of a HIP source and a GPU target, with the settings of a run.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/hip/code/gfx_target.h"
#include "runtime/host/programs/tool_error.h"

namespace wheelwright {

struct HipSource {
  std::string name;  // for messages: "half_traits.hip"
  std::string path;
  std::string guards;  // what breaks when it does not compile; "" when unknown
  // Whether it is a canary of this program: several of them may be compiled as one source.
  bool canary = false;
};

// A failure that is known, and the issue that tracks it.
struct KnownFailure {
  std::string source;                // name of the source
  std::vector<std::string> targets;  // prefixes of targets; empty: all
  std::string with_header;           // only if the compiler read a header of this path; "": always
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

// The target name of host objects, which embed the code for all targets.
inline constexpr std::string_view kHostTarget = "host";

struct Pair {
  std::size_t source = 0;  // an index
  std::string target;      // "gfx942", or kHostTarget
  PairStatus status = PairStatus::kNotRun;
  bool cached = false;
  std::chrono::milliseconds duration{0};  // of the compile that produced the result
  std::uint64_t memory = 0;               // peak, bytes
  std::vector<ToolError> errors;
  std::string object;  // path
  std::string issue;   // of an expected failure

  bool is_host() const { return target == kHostTarget; }
  bool good() const {
    return status == PairStatus::kPass || status == PairStatus::kExpectedFail ||
           status == PairStatus::kUnexpectedPass;
  }
};

struct CompileSettings {
  std::vector<HipSource> sources;
  std::vector<GfxTarget> targets;
  std::vector<std::string> flags;  // appended to the compiler's own
  std::vector<KnownFailure> known_failures;
  bool bundle = false;  // also compile a host object of each source
  bool keep_going = true;
  std::size_t jobs = 1;
  std::uint64_t memory = 0;                 // bytes for all running compiles; 0: no limit
  std::chrono::milliseconds time_limit{0};  // of one compile
  std::uint64_t memory_limit = 0;           // bytes, of one compile
  std::vector<std::string> launcher;        // command in front of the compiler: {"ccache"}
  std::string work;                         // temporary folder
};

}  // namespace wheelwright
