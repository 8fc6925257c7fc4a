#include "runtime/pytorch/sources/wheel_version.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/wheels/version/package_version.h"

namespace wheelwright {
namespace {

constexpr std::string_view kTritonSuffixVariable = "TRITON_WHEEL_VERSION_SUFFIX";

void Report(std::string message, std::vector<std::string> notes, Diagnostics& diagnostics) {
  diagnostics.Report(
      {.code = "package-version", .message = std::move(message), .notes = std::move(notes)});
}

std::string_view WithoutPlus(std::string_view suffix) {
  return suffix.starts_with('+') ? suffix.substr(1) : suffix;
}

// The public version in the file, without its local label.
std::optional<std::string> ReadVersionFile(const ReadSource& read, std::string_view where,
                                           Diagnostics& diagnostics) {
  const std::optional<std::string> text = read("version.txt");
  if (!text) {
    Report(fmt::format("{} has no version.txt", where), {}, diagnostics);
    return std::nullopt;
  }
  const std::optional<PackageVersion> version = ParsePackageVersion(*text);
  if (!version) {
    Report(
        fmt::format("version.txt of {} holds {}, which is no version", where, Quoted(Trim(*text))),
        {}, diagnostics);
    return std::nullopt;
  }
  return version->Public();
}

std::optional<std::string> Normal(const std::string& text, Diagnostics& diagnostics) {
  const std::optional<PackageVersion> version = ParsePackageVersion(text);
  if (version) return version->ToString();
  Report(fmt::format("{} is no version", Quoted(text)), {}, diagnostics);
  return std::nullopt;
}

std::optional<std::string> ComputeTriton(const ReadSource& read, std::string_view commit,
                                         std::string_view suffix, std::string_view where,
                                         Diagnostics& diagnostics) {
  // The build runs python/setup.py if it exists.
  std::string path = "python/setup.py";
  std::optional<std::string> setup = read(path);
  if (!setup) {
    path = "setup.py";
    setup = read(path);
  }
  if (!setup) {
    Report(fmt::format("{} has no setup.py", where), {}, diagnostics);
    return std::nullopt;
  }
  const std::optional<TritonVersion> found = ReadTritonVersion(*setup);
  if (!found) {
    Report(fmt::format("{} of {} defines its version in an unknown way", path, where),
           {"known are TRITON_VERSION = \"...\" and version=\"...\", each with a suffix for the "
            "commit and a variable for another one"},
           diagnostics);
    return std::nullopt;
  }
  constexpr std::size_t kDigits = 8;
  // A version has only one `+`.
  const std::string added =
      fmt::format("{}{}", found->adds_commit ? "." : "+", WithoutPlus(suffix));
  const std::string label = WithoutPlus(suffix).empty() ? std::string() : added;
  const std::string own =
      found->adds_commit ? fmt::format("+git{}", commit.substr(0, kDigits)) : std::string();
  return Normal(found->base + own + label, diagnostics);
}

// The quoted text at the front, and the rest.
std::optional<std::pair<std::string, std::string_view>> TakeLiteral(std::string_view text) {
  text = Trim(text);
  if (text.empty() || (text[0] != '"' && text[0] != '\'')) return std::nullopt;
  const std::size_t end = text.find(text[0], 1);
  if (end == std::string_view::npos) return std::nullopt;
  return std::pair(std::string(text.substr(1, end - 1)), text.substr(end + 1));
}

// The first line that begins with `name` and assigns it a literal.
std::optional<std::pair<std::string, std::string_view>> FindLiteral(std::string_view source,
                                                                    std::string_view name) {
  for (std::string_view line : Split(source, '\n')) {
    line = Trim(line);
    if (!line.starts_with(name)) continue;
    line = Trim(line.substr(name.size()));
    if (!line.starts_with('=') || line.starts_with("==")) continue;
    if (auto found = TakeLiteral(line.substr(1))) return found;
  }
  return std::nullopt;
}

}  // namespace

std::optional<TritonVersion> ReadTritonVersion(std::string_view setup_py) {
  auto found = FindLiteral(setup_py, "TRITON_VERSION");
  if (!found) found = FindLiteral(setup_py, "version");
  if (!found || !ParsePackageVersion(found->first)) return std::nullopt;
  TritonVersion version{.base = found->first};
  std::string_view rest = Trim(found->second);
  if (rest.ends_with(',')) rest.remove_suffix(1);
  bool takes_suffix = false;
  for (std::string_view term : Split(rest, '+')) {
    term = Trim(term);
    if (term == "get_triton_version_suffix()") {
      version.adds_commit = takes_suffix = true;
    } else if (term == "get_git_version_suffix()" || term == "get_git_commit_hash()") {
      version.adds_commit = true;
    } else if (term.find(kTritonSuffixVariable) != std::string_view::npos) {
      takes_suffix = true;
    } else if (!term.empty()) {
      return std::nullopt;
    }
  }
  return takes_suffix ? std::optional(version) : std::nullopt;
}

std::vector<std::string> TellVersionsApart(ByRow& versions) {
  std::map<std::pair<std::string, std::string>, int> counts;
  for (const auto& [id, projects] : versions) {
    for (const auto& pair : projects) ++counts[pair];
  }
  std::vector<std::string> names;
  for (auto& [id, projects] : versions) {
    std::string label = id;
    std::erase_if(label, [](char c) { return c == '_' || c == '-' || c == '.'; });
    for (auto& [project, version] : projects) {
      if (counts[{project, version}] < 2) continue;
      version += (version.find('+') == std::string::npos ? '+' : '.') + ToLower(label);
      if (!HasText(names, project)) names.push_back(project);
    }
  }
  return names;
}

std::optional<std::string> ComputeWheelVersion(std::string_view project, const ReadSource& read,
                                               std::string_view commit, std::string_view suffix,
                                               std::string_view where, Diagnostics& diagnostics) {
  if (project == "triton") return ComputeTriton(read, commit, suffix, where, diagnostics);
  const std::optional<std::string> base = ReadVersionFile(read, where, diagnostics);
  return base ? Normal(fmt::format("{}{}", *base, suffix), diagnostics) : std::nullopt;
}

}  // namespace wheelwright
