#include "runtime/hip/compile/compile_process.h"

#include <system_error>
#include <utility>

#include "base/platform/file_handle.h"
#include "base/platform/folders.h"
#include "base/text.h"
#include "runtime/hip/compile/compiler.h"
#include "runtime/host/programs/runner.h"

namespace wheelwright {

CompileOutcome CompileProcess::Run(const std::vector<std::string>& command,
                                   const std::string& object, bool use_launcher) const {
  CompileOutcome outcome;
  ProcessRequest request{.variables = host_.variables,
                         .limit = settings_.time_limit,
                         .memory_limit = settings_.memory_limit};
  if (use_launcher && !settings_.launcher.empty()) {
    request.arguments = settings_.launcher;
    // ccache then reads the compiler's list of headers instead of preprocessing every source.
    request.variables["CCACHE_DEPEND"] = "1";
  }
  request.variables["TMPDIR"] = settings_.work;
  request.arguments.insert(request.arguments.end(), command.begin(), command.end());
  // A compiler that repeats a message without end must not fill the memory.
  constexpr std::size_t kMostOutput = 4 << 20;
  request.on_output = [&](std::string_view piece) {
    AppendUpTo(kMostOutput, piece, outcome.output);
  };
  std::error_code ignored;
  RemoveFile(object, ignored);  // of a previous attempt
  const ProcessEnd end = host_.processes->Run(request);
  outcome.end = ClassifyEnd(end, outcome.output);
  outcome.duration = end.duration;
  outcome.memory = end.peak_memory;
  if (end.how == ProcessEnd::How::kNotStarted) outcome.output = "error: " + end.reason;
  if (object.empty()) return outcome;
  if (const auto text = host_.files.Read(object + ".d")) outcome.inputs = ReadDependencies(*text);
  if (outcome.end != CompileEnd::kPass) return outcome;
  const std::optional<FileFacts> facts = LookAtFile(object);
  if (facts && facts->size > 0) {
    outcome.object = object;
  } else {
    outcome.end = CompileEnd::kError;
    outcome.output += facts ? "error: the compiler succeeded but wrote an empty object\n"
                            : "error: the compiler succeeded but wrote no object\n";
  }
  return outcome;
}

const std::vector<std::string>& CompileProcess::DeviceLibraries(const std::string& target,
                                                                std::vector<std::string> command) {
  {
    const std::lock_guard lock(mutex_);
    const auto known = libraries_.find(target);
    if (known != libraries_.end()) return known->second;
  }
  command.emplace_back("-###");
  std::string output;
  ProcessRequest request{.arguments = std::move(command),
                         .variables = host_.variables,
                         .limit = std::chrono::seconds(60)};
  request.on_output = [&](std::string_view piece) { AppendUpTo(kMostAnswer, piece, output); };
  request.enough = [&] { return output.size() >= kMostAnswer; };
  host_.processes->Run(request);
  std::vector<std::string> found;
  const std::vector<std::string> words = SplitCommand(output);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "-mlink-builtin-bitcode") found.push_back(words[i + 1]);
  }
  const std::lock_guard lock(mutex_);
  return libraries_.emplace(target, std::move(found)).first->second;
}

}  // namespace wheelwright
