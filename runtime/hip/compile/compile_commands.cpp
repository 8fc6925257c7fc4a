#include "runtime/hip/compile/compile_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>

#include "runtime/hip/compile/precompile.h"
#include "runtime/host/programs/runner.h"
#include "runtime/store/digest/digest.h"

namespace wheelwright {

std::vector<std::string> CompileCommands::Options(std::string_view target) const {
  std::vector<std::string> command = compiler_.command;
  const auto add = [&](std::string word) { command.push_back(std::move(word)); };
  add("-x");
  add("hip");
  if (target == kHostTarget) {
    add("--cuda-host-only");
  } else {
    add(fmt::format("--offload-arch={}", target));
    add("--cuda-device-only");
    add("--no-gpu-bundle-output");
  }
  // Writing a reproducer of a crash takes longer than the compile.
  add("-fno-crash-diagnostics");
  add("-fno-color-diagnostics");
  command.insert(command.end(), flags_.begin(), flags_.end());
  return command;
}

std::vector<std::string> CompileCommands::Compile(const HipSource& source, std::string_view target,
                                                  const std::string& object) const {
  std::vector<std::string> command = Options(target);
  command.insert(command.end(), {"-c", source.path, "-o", object, "-MD", "-MF", object + ".d"});
  return command;
}

std::vector<std::string> CompileCommands::CompileHost(const HipSource& source,
                                                      const std::string& object) const {
  std::vector<std::string> command = Compile(source, kHostTarget, object);
  command.insert(command.end(),
                 {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", object + ".hipfb"});
  return command;
}

std::string CompileCommands::Key(const HipSource& source, std::string_view target,
                                 std::string_view source_digest, std::string_view inputs,
                                 const Host& host) const {
  std::string text = fmt::format("1\n{}\n{}\n{}\n{}\n{}\n", compiler_.version, compiler_.identity,
                                 target, source_digest, inputs);
  for (const std::string& word : Compile(source, target, "")) text += word + "\n";
  for (const char* name : {"CPATH", "CPLUS_INCLUDE_PATH", "C_INCLUDE_PATH"}) {
    text += fmt::format("{}={}\n", name, host.Variable(name));
  }
  return Hexadecimal(DigestOf(DigestKind::kSha256, text));
}

void PrintCompileCommands(const CompileSettings& settings, const CompileCommands& commands,
                          Host& host) {
  const auto print = [&](const std::vector<std::string>& command) {
    std::vector<std::string> words;
    for (const std::string& word : command) words.push_back(ShellWord(word));
    host.out << fmt::format("{}\n", fmt::join(words, " "));
  };
  const auto canaries = std::ranges::count(settings.sources, true, &HipSource::canary);
  if (settings.launcher.empty() && static_cast<std::size_t>(canaries) >= kFewestSharers) {
    host.out
        << "# a header that canaries begin with is compiled before them, once for each GPU, and "
           "they are checked together\n";
  }
  for (const HipSource& source : settings.sources) {
    for (const GfxTarget& target : settings.targets) {
      const std::string name = target.ToString();
      std::vector<std::string> words = settings.launcher;
      if (!words.empty()) words.insert(words.begin(), {"env", "CCACHE_DEPEND=1"});
      for (std::string& word :
           commands.Compile(source, name, fmt::format("{}-{}.o", source.name, name))) {
        words.push_back(std::move(word));
      }
      print(words);
    }
    if (!settings.bundle) continue;
    host.out << fmt::format("# {}.o.hipfb is the bundle of the objects of {}\n", source.name,
                            source.name);
    print(commands.CompileHost(source, source.name + ".o"));
  }
}

}  // namespace wheelwright
