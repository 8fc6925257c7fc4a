#include "runtime/wheels/wheel/wheel_name.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/characters.h"
#include "base/text.h"

namespace wheelwright {
namespace {

std::string Joined(std::string_view name, char separator) {
  std::string out;
  bool gap = false;
  for (const char c : name) {
    if (c == '-' || c == '_' || c == '.') {
      gap = true;
      continue;
    }
    if (gap) out += separator;
    gap = false;
    out += c;
  }
  if (gap) out += separator;
  return ToLower(out);
}

// Letters, digits, `_` and `.`, with a letter or digit at both ends.
bool IsProject(std::string_view text) {
  const auto edge = [](char c) { return IsWordCharacter(c) && c != '_'; };
  return !text.empty() && edge(text.front()) && edge(text.back()) &&
         std::ranges::all_of(text, [](char c) { return IsWordCharacter(c) || c == '.'; });
}

std::optional<unsigned> ReadNumber(std::string_view text) {
  if (text.size() > 4 || (text.size() > 1 && text.front() == '0')) return std::nullopt;
  return ReadWholeNumber<unsigned>(text);
}

// "cp312" for "cp" gives 12.
std::optional<unsigned> MinorBehind(std::string_view text, std::string_view implementation) {
  if (!text.starts_with(implementation)) return std::nullopt;
  text.remove_prefix(implementation.size());
  if (!text.starts_with('3')) return std::nullopt;
  return ReadNumber(text.substr(1));
}

bool TakesInterpreter(const WheelTag& tag, const PythonVersion& python) {
  const std::string both = python.Tag();
  const std::size_t dash = both.find('-');
  const std::string_view interpreter = std::string_view(both).substr(0, dash);
  const std::string_view abi = std::string_view(both).substr(dash + 1);
  if (tag.interpreter == interpreter) {
    return tag.abi == abi || tag.abi == "none" || (tag.abi == "abi3" && !python.free_threaded);
  }
  const auto own_minor = MinorBehind(interpreter, "cp");
  if (!own_minor) return false;
  if (tag.abi == "abi3") {
    const auto minor = MinorBehind(tag.interpreter, "cp");
    return minor && *minor >= 2 && *minor <= *own_minor && !python.free_threaded;
  }
  if (tag.abi != "none") return false;
  if (tag.interpreter == "py3") return true;
  const auto minor = MinorBehind(tag.interpreter, "py");
  return minor && *minor <= *own_minor;
}

bool TakesPlatform(std::string_view tag, WheelPlatform platform) {
  if (tag == "any") return true;
  if (platform == WheelPlatform::kWindows) return tag == "win_amd64";
  return tag == "linux_x86_64" || (tag.ends_with("_x86_64") && GlibcPromiseOf(tag));
}

}  // namespace

bool IsProjectName(std::string_view text) {
  return !text.empty() && IsLetterOrDigit(text.front()) && IsLetterOrDigit(text.back()) &&
         std::ranges::all_of(
             text, [](char c) { return IsLetterOrDigit(c) || c == '-' || c == '_' || c == '.'; });
}

std::string NormalizeProject(std::string_view name) { return Joined(name, '-'); }
std::string EscapeProject(std::string_view name) { return Joined(name, '_'); }

std::size_t CountTags(std::string_view compressed) {
  std::size_t count = 1;
  for (const std::string_view field : Split(compressed, '-')) count *= Split(field, '.').size();
  return count;
}

std::vector<WheelTag> ExpandTags(std::string_view compressed) {
  const std::vector<std::string_view> fields = Split(compressed, '-');
  if (fields.size() != 3) return {};
  for (const std::string_view field : fields) {
    for (const std::string_view part : Split(field, '.')) {
      if (part.empty() || !std::ranges::all_of(part, IsWordCharacter)) return {};
    }
  }
  if (CountTags(compressed) > kMostTags) return {};
  std::vector<WheelTag> tags;
  for (const std::string_view interpreter : Split(fields[0], '.')) {
    for (const std::string_view abi : Split(fields[1], '.')) {
      for (const std::string_view platform : Split(fields[2], '.')) {
        tags.push_back({ToLower(interpreter), ToLower(abi), ToLower(platform)});
      }
    }
  }
  std::ranges::sort(tags);
  tags.erase(std::ranges::unique(tags).begin(), tags.end());
  return tags;
}

WheelNameReading ReadWheelName(std::string_view file) {
  constexpr std::string_view kShape = "expected PROJECT-VERSION-PYTHON-ABI-PLATFORM.whl";
  const auto refuse = [](std::string problem, std::string_view hint) {
    return WheelNameReading{std::nullopt, std::move(problem), std::string(hint)};
  };
  if (!file.ends_with(".whl")) return refuse("it does not end in .whl", kShape);
  // Limits the number of combinations, which must not fill the memory.
  if (file.size() > 255) return refuse("it is longer than 255 bytes", kShape);
  const std::string_view stem = file.substr(0, file.size() - 4);
  const std::vector<std::string_view> fields = Split(stem, '-');
  if (fields.size() != 5 && fields.size() != 6) {
    return refuse(fmt::format("it has {} instead of 5 or 6", Count(fields.size(), "field")),
                  kShape);
  }
  if (!IsProject(fields[0])) {
    return refuse(fmt::format("'{}' is no name of a project", fields[0]),
                  "expected letters and digits, parted by _ or .");
  }
  WheelName name{.file = std::string(file), .project = std::string(fields[0])};
  name.version_text = fields[1];
  const auto version = ParsePackageVersion(fields[1]);
  if (!version) {
    return refuse(fmt::format("'{}' is no version", fields[1]),
                  "expected one such as 2.10.0 or 2.10.0a20260811+rocm7.10.0");
  }
  name.version = *version;
  if (fields.size() == 6) {
    if (fields[2].empty() || !IsDigit(fields[2].front()) ||
        !std::ranges::all_of(fields[2], [](char c) { return IsWordCharacter(c) || c == '.'; })) {
      return refuse(fmt::format("'{}' is no build number", fields[2]),
                    "expected one that starts with a digit; in a version, write _ for -");
    }
    name.build = fields[2];
  }
  const std::size_t tag = static_cast<std::size_t>(fields[fields.size() - 3].data() - stem.data());
  name.tag = stem.substr(tag);
  name.tags = ExpandTags(name.tag);
  if (name.tags.empty() && CountTags(name.tag) > kMostTags) {
    return refuse(
        fmt::format("its tag stands for {} combinations", WithThousands(CountTags(name.tag))),
        fmt::format("expected {} of them at most", WithThousands(kMostTags)));
  }
  if (name.tags.empty()) {
    return refuse(fmt::format("'{}' is no tag", name.tag),
                  "expected one such as cp312-cp312-linux_x86_64");
  }
  return {std::move(name), {}, {}};
}

bool Installable(const WheelTag& tag, const PythonVersion& python, WheelPlatform platform) {
  return TakesInterpreter(tag, python) && TakesPlatform(tag.platform, platform);
}

std::optional<GlibcPromise> GlibcPromiseOf(std::string_view platform) {
  // Names from before PEP 600.
  if (platform.starts_with("manylinux1_")) return GlibcPromise{2, 5};
  if (platform.starts_with("manylinux2010_")) return GlibcPromise{2, 12};
  if (platform.starts_with("manylinux2014_")) return GlibcPromise{2, 17};
  constexpr std::string_view kPrefix = "manylinux_";
  if (!platform.starts_with(kPrefix)) return std::nullopt;
  const std::vector<std::string_view> fields = Split(platform.substr(kPrefix.size()), '_');
  if (fields.size() < 3) return std::nullopt;
  const auto major = ReadNumber(fields[0]), minor = ReadNumber(fields[1]);
  if (!major || !minor) return std::nullopt;
  return GlibcPromise{*major, *minor};
}

}  // namespace wheelwright
