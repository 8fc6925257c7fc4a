#include "runtime/hip/compile/compile_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "runtime/host/programs/runner.h"

namespace wheelwright {

void PrintCompileCommands(const CompileSettings& settings, const PairCompiler& compiler,
                          Host& host) {
  const auto print = [&](const std::vector<std::string>& command) {
    std::vector<std::string> words;
    for (const std::string& word : command) words.push_back(ShellWord(word));
    host.out << fmt::format("{}\n", fmt::join(words, " "));
  };
  const auto canaries = std::ranges::count(settings.sources, true, &HipSource::canary);
  if (settings.launcher.empty() && static_cast<std::size_t>(canaries) >= kSharedHeaderWorthIt) {
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
           compiler.CommandOf(source, name, fmt::format("{}-{}.o", source.name, name))) {
        words.push_back(std::move(word));
      }
      print(words);
    }
    if (!settings.bundle) continue;
    host.out << fmt::format("# {}.o.hipfb is the bundle of the objects of {}\n", source.name,
                            source.name);
    print(compiler.HostCommandOf(source, source.name + ".o"));
  }
}

}  // namespace wheelwright
