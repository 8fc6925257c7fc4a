#include "runtime/wheels/mirror/file_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/wheels/version/version_specifier.h"
#include "runtime/wheels/wheel/wheel_name.h"

namespace wheelwright {
namespace {

constexpr std::size_t kVersionsNamed = 5;

// Whether the newest release of that Python satisfies the file's requires-python.
bool FitsPython(const RemoteFile& file, const PythonVersion& python) {
  const auto asked = ParseVersionSpecifier(file.requires_python);
  const auto newest = ParsePackageVersion(python.number + ".999");
  return !asked || !newest || asked->Allows(*newest);
}

bool FitsPlatform(const RemoteFile& file, const PythonVersion& python, std::string_view platform) {
  const WheelPlatform wanted =
      platform == "windows" ? WheelPlatform::kWindows : WheelPlatform::kLinux;
  const WheelNameReading name = ReadWheelName(file.file);
  return name.name && std::ranges::any_of(name.name->tags, [&](const WheelTag& tag) {
           return Installable(tag, python, wanted);
         });
}

class Chooser {
 public:
  Chooser(const DependencyRow& row, const std::vector<RemoteFile>& page)
      : row_(row), page_(page), taken_(page.size()) {}

  FileChoice Choose() {
    for (const std::string& version : row_.versions) {
      const auto bounds = ParseVersionSpecifier(version);
      if (!bounds) {
        choice_.problems.push_back(
            fmt::format("{}: {} is neither a version nor bounds", row_.name, Quoted(version)));
        continue;
      }
      for (const std::string& text : row_.pythons) {
        const auto python = ParsePythonVersion(text);
        for (const std::string& platform : row_.platforms) {
          if (python) Take(*bounds, *python, platform);
        }
      }
    }
    for (std::size_t i = 0; i < page_.size(); ++i) {
      if (!taken_[i]) continue;
      const RemoteFile& file = page_[i];
      if (file.sha256.empty()) {
        choice_.problems.push_back(
            fmt::format("{} has no SHA-256 on its page, so it cannot be verified", file.file));
      } else if (file.yanked) {
        choice_.warnings.push_back(fmt::format("{} was yanked: {}", file.file,
                                               file.yanked->empty() ? "no reason" : *file.yanked));
      }
      choice_.files.push_back(file);
    }
    return std::move(choice_);
  }

 private:
  void Take(const VersionSpecifier& bounds, const PythonVersion& python,
            const std::string& platform) {
    std::vector<std::size_t> fitting;
    for (std::size_t i = 0; i < page_.size(); ++i) {
      const RemoteFile& file = page_[i];
      const bool early = (file.version.pre || file.version.dev) && !bounds.names_pre();
      if (file.wheel && !early && (!file.yanked || bounds.exact) && bounds.Allows(file.version) &&
          FitsInterpreter(file, python, platform)) {
        fitting.push_back(i);
      }
    }
    if (fitting.empty()) {
      Miss(bounds, python, platform);
      return;
    }
    const auto newest = std::ranges::max_element(
        fitting, [&](std::size_t a, std::size_t b) { return page_[a].version < page_[b].version; });
    for (const std::size_t i : fitting) {
      if (page_[i].version == page_[*newest].version) taken_[i] = 1;
    }
  }

  void Miss(const VersionSpecifier& bounds, const PythonVersion& python,
            const std::string& platform) {
    std::set<PackageVersion, std::greater<>> there;
    for (const RemoteFile& file : page_) {
      if (FitsInterpreter(file, python, platform)) {
        there.insert(file.version);
      }
    }
    std::vector<std::string> newest;
    for (const PackageVersion& version : there) {
      if (newest.size() < kVersionsNamed) newest.push_back(version.ToString());
    }
    choice_.problems.push_back(fmt::format(
        "{}{} has no wheel for Python {} on {}; there {}", row_.name, bounds.text, python.Text(),
        platform, newest.empty() ? "is none of any version" : "is " + JoinWords(newest)));
  }

  const DependencyRow& row_;
  const std::vector<RemoteFile>& page_;
  std::vector<char> taken_;
  FileChoice choice_;
};

}  // namespace

bool FitsInterpreter(const RemoteFile& file, const PythonVersion& python,
                     std::string_view platform) {
  return FitsPython(file, python) && FitsPlatform(file, python, platform);
}

FileChoice ChooseFiles(const DependencyRow& row, const std::vector<RemoteFile>& page) {
  return Chooser(row, page).Choose();
}

}  // namespace wheelwright
