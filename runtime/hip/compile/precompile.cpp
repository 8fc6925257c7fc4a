#include "runtime/hip/compile/precompile.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/parallel.h"
#include "base/platform/files.h"
#include "base/text.h"

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

PrecompiledHeaders::PrecompiledHeaders(const CompileSettings& settings,
                                       const CompileCommands& commands,
                                       const CompileProcess& process, Host& host)
    : settings_(settings), commands_(commands), process_(process), host_(host) {}

std::string PrecompiledHeaders::FirstHeaderOf(const HipSource& source) const {
  if (!source.canary) return {};
  return std::string(FirstHeader(host_.files.Read(source.path).value_or("")));
}

bool PrecompiledHeaders::Check(std::string_view target,
                               const std::vector<std::string>& words) const {
  std::vector<std::string> command = commands_.Options(target);
  command.emplace_back("-fsyntax-only");
  command.insert(command.end(), words.begin(), words.end());
  return process_.Run(command, "", false).end == CompileEnd::kPass;
}

void PrecompiledHeaders::Make(const std::vector<Pair>& pairs, const std::vector<char>& found) {
  // Launchers cannot cache a compile with a precompiled header.
  if (!settings_.launcher.empty()) return;
  std::vector<char> pending(settings_.sources.size(), 0);
  for (const HipSource& source : settings_.sources) headers_.push_back(FirstHeaderOf(source));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!pairs[i].is_host() && found[i] == 0) pending[pairs[i].source] = 1;
  }
  std::vector<Group> groups;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Pair& pair = pairs[i];
    const std::string& header = headers_[pair.source];
    if (found[i] != 0 || pending[pair.source] == 0 || header.empty()) continue;
    auto group = std::ranges::find_if(groups, [&](const Group& known) {
      return known.target == pair.target && known.header == header;
    });
    if (group == groups.end()) group = groups.insert(group, {pair.target, header, {}});
    group->paths.push_back(settings_.sources[pair.source].path);
  }
  std::erase_if(groups, [](const Group& group) { return group.paths.size() < kFewestSharers; });

  // Two independent compiles for each group: that of the header, and the check of the sources.
  std::vector<char> good(groups.size() * 2, 0);
  ParallelFor(good.size(), settings_.jobs, [&](std::size_t i) {
    const Group& group = groups[i / 2];
    const std::string stem = fmt::format("{}/shared-{}", settings_.work, i / 2);
    std::string text = fmt::format("#include <{}>\n", group.header);
    if (i % 2 == 0) {
      host_.files.Write(stem + ".h", text);
      good[i] = Check(group.target, {stem + ".h", "-Xclang", "-emit-pch", "-Xclang", "-o",
                                     "-Xclang", stem + ".pch"})
                    ? 1
                    : 0;
    } else {
      for (const std::string& path : group.paths) {
        text += fmt::format("#include \"{}\"\n", PathText(std::filesystem::absolute(path)));
      }
      host_.files.Write(stem + ".hip", text);
      good[i] = Check(group.target, {stem + ".hip"}) ? 1 : 0;
    }
  });
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (good[2 * i] == 0 || good[2 * i + 1] == 0) continue;
    made_[{groups[i].target, groups[i].header}] =
        fmt::format("{}/shared-{}.pch", settings_.work, i);
  }
}

std::string PrecompiledHeaders::PathFor(const Pair& pair) const {
  if (headers_.empty()) return {};
  const auto header = made_.find({pair.target, headers_[pair.source]});
  return header == made_.end() ? std::string() : header->second;
}

}  // namespace wheelwright
