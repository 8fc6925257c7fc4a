// The header that sources begin with, parsed once for each target: PairCompiler's part for it.
//
// Parsing <hip/hip_runtime.h> is nine tenths of the work of a small source. A precompiled header
// gives the same code, but clang forgets something over it: errors in functions of the header that
// count only once the device calls them (a `throw` in a __host__ __device__ function). The linker
// finds most of these, as functions that are not there; not all. So the sources are checked once
// more, all of a target in one go from the plain headers, which finds them; when that fails for
// whatever reason, each is compiled plainly. So is each source that fails: its errors are those of
// a plain compile.
//
// Sources that are checked together must not change each other's meaning. Canaries do not.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/parallel.h"
#include "base/text.h"
#include "runtime/hip/compile/compile_pairs.h"

namespace wheelwright {
namespace {

// "hip/hip_runtime.h" where the first line that is no comment includes it; else "".
std::string_view FirstHeader(std::string_view text) {
  constexpr std::string_view kInclude = "#include <";
  for (const std::string_view raw : Split(text, '\n')) {
    const std::string_view line = Trim(raw);
    if (line.empty() || line.starts_with("//")) continue;
    if (!line.starts_with(kInclude)) return {};
    const std::size_t end = line.find('>');
    return end == std::string_view::npos ? std::string_view()
                                         : line.substr(kInclude.size(), end - kInclude.size());
  }
  return {};
}

// Sources of a target that begin with the same header.
struct Group {
  std::string target;
  std::string header;
  std::vector<std::string> paths;
};

}  // namespace

std::string PairCompiler::SharedHeaderOf(const HipSource& source) const {
  if (!source.canary) return {};
  return std::string(FirstHeader(host_.files.Read(source.path).value_or("")));
}

bool PairCompiler::TryCompile(std::string_view target, std::vector<std::string> words) const {
  std::vector<std::string> command = BeginningOf(target);
  command.emplace_back("-fsyntax-only");
  for (std::string& word : words) command.push_back(std::move(word));
  return Compile(std::move(command), "", false).end == CompileEnd::kPass;
}

void PairCompiler::Precompile(const std::vector<Pair>& pairs, const std::vector<char>& found) {
  // Caches of others take such a compile for one that they do not know.
  if (!settings_.launcher.empty()) return;
  std::vector<std::string> headers;
  std::vector<char> pending(settings_.sources.size(), 0);
  for (const HipSource& source : settings_.sources) headers.push_back(SharedHeaderOf(source));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].target != kHostTarget && found[i] == 0) pending[pairs[i].source] = 1;
  }
  std::vector<Group> groups;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Pair& pair = pairs[i];
    const std::string& header = headers[pair.source];
    if (found[i] != 0 || pending[pair.source] == 0 || header.empty()) continue;
    auto group = std::ranges::find_if(groups, [&](const Group& known) {
      return known.target == pair.target && known.header == header;
    });
    if (group == groups.end()) group = groups.insert(group, {pair.target, header, {}});
    group->paths.push_back(settings_.sources[pair.source].path);
  }
  std::erase_if(groups,
                [](const Group& group) { return group.paths.size() < kSharedHeaderWorthIt; });

  // Making the header and checking the sources do not wait for each other.
  std::vector<char> good(groups.size() * 2, 0);
  ParallelFor(good.size(), settings_.jobs, [&](std::size_t i) {
    const Group& group = groups[i / 2];
    const std::string stem = fmt::format("{}/shared-{}", settings_.work, i / 2);
    std::string text = fmt::format("#include <{}>\n", group.header);
    if (i % 2 == 0) {
      host_.files.Write(stem + ".h", text);
      good[i] = TryCompile(group.target, {stem + ".h", "-Xclang", "-emit-pch", "-Xclang", "-o",
                                          "-Xclang", stem + ".pch"})
                    ? 1
                    : 0;
    } else {
      for (const std::string& path : group.paths) {
        text += fmt::format("#include \"{}\"\n", std::filesystem::absolute(path).generic_string());
      }
      host_.files.Write(stem + ".hip", text);
      good[i] = TryCompile(group.target, {stem + ".hip"}) ? 1 : 0;
    }
  });
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (good[2 * i] == 0 || good[2 * i + 1] == 0) continue;
    precompiled_[{groups[i].target, groups[i].header}] =
        fmt::format("{}/shared-{}.pch", settings_.work, i);
  }
  headers_ = std::move(headers);
}

CompileOutcome PairCompiler::CompileShared(const Pair& pair,
                                           const std::vector<std::string>& command,
                                           const std::string& object) const {
  if (headers_.empty()) return {.end = CompileEnd::kError};
  const auto shared = precompiled_.find({pair.target, headers_[pair.source]});
  if (shared == precompiled_.end()) return {.end = CompileEnd::kError};
  std::vector<std::string> words = command;
  for (const char* word : {"-Xclang", "-include-pch", "-Xclang"}) words.emplace_back(word);
  words.push_back(shared->second);
  CompileOutcome outcome = Compile(std::move(words), object, false);
  // What lies there goes with this run.
  std::erase_if(outcome.inputs,
                [&](const std::string& path) { return path.starts_with(settings_.work + "/"); });
  return outcome;
}

}  // namespace wheelwright
