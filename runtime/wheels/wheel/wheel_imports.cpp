// Where DLLs, extensions and programs for Windows find the DLLs that they need.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/wheels/wheel/dist_info.h"
#include "runtime/wheels/wheel/wheel_rules.h"
#include "runtime/wheels/wheel/windows_policy.h"

namespace wheelwright {
namespace {

constexpr std::string_view kCode = "wheel-external";

// The DLLs of a wheel in lower case: Windows compares names so.
std::set<std::string> DllsOf(const WheelContents& wheel) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < wheel.facts.size(); ++i) {
    if (wheel.facts[i].native.format != ObjectFormat::kPe) continue;
    const std::string_view path = wheel.archive.entries[i].name;
    names.insert(ToLower(path.substr(path.rfind('/') + 1)));
  }
  return names;
}

bool IsForWindows(const WheelContents& wheel) {
  return wheel.reading.name && std::ranges::any_of(wheel.reading.name->tags, [](const auto& tag) {
           return tag.platform.starts_with("win");
         });
}

class ImportsCheck {
 public:
  ImportsCheck(const WheelContents& wheel, const WheelExpectations& expected,
               std::span<const WheelContents> all)
      : wheel_(wheel), packages_known_(!expected.packages.empty()), there_(DllsOf(wheel)) {
    const std::set<std::string> projects = RequiredProjects(wheel.metadata.text);
    for (const PackageLibraries& package : expected.packages) {
      if (!projects.contains(package.project)) continue;
      for (const std::string& pattern : package.libraries) patterns_.push_back(ToLower(pattern));
    }
    for (const WheelContents& other : all) {
      if (other.reading.name && projects.contains(other.reading.name->Project())) {
        there_.merge(DllsOf(other));
      }
    }
  }

  void Run(WheelFindings& findings) {
    for (std::size_t i = 0; i < wheel_.facts.size(); ++i) {
      const NativeFacts& facts = wheel_.facts[i].native;
      if (facts.format != ObjectFormat::kPe || !wheel_.facts[i].problem.empty()) continue;
      const std::string& entry = wheel_.archive.entries[i].name;
      for (const std::string& library : facts.libraries) Check(entry, library, false);
      for (const std::string& library : facts.delayed) Check(entry, library, true);
    }
    shared_.ReportTo(findings);
  }

 private:
  void Check(const std::string& entry, const std::string& library, bool delayed) {
    const std::string name = ToLower(library);
    if (there_.contains(name) || std::ranges::any_of(patterns_, [&](const std::string& pattern) {
          return MatchesStars(pattern, name);
        })) {
      return;
    }
    const std::string needs = fmt::format("needs {}", Quoted(library));
    switch (KindOfLibrary(name)) {
      case WindowsLibrary::kSystem:
        return;
      case WindowsLibrary::kPython:
        CheckPython(entry, needs, VersionOfPythonLibrary(name));
        return;
      case WindowsLibrary::kDebug:
        shared_.Add(kCode, needs + ", which only developers have", entry, "",
                    "it was built for debugging: build it without /MDd", Severity::kError);
        return;
      case WindowsLibrary::kVisualCpp:
        shared_.Add(kCode, needs + ", which is of Visual C++ and not of Windows", entry, "",
                    "not every machine has it: put it into the wheel, as `delvewheel repair` does, "
                    "or link it statically (/MT)");
        return;
      case WindowsLibrary::kOther:
        break;
    }
    const bool sure = packages_known_ && !delayed;
    shared_.Add(kCode,
                fmt::format("{}, which neither the wheel nor what it requires has{}", needs,
                            delayed ? "; it is loaded when it is first called" : ""),
                entry, "",
                "Windows and Python do not have it either: put it into the wheel, as `delvewheel "
                "repair` does, or require the package that has it",
                sure ? Severity::kError : Severity::kWarning);
  }

  // `version`: "312", or "3" of the stable ABI, which every Python has.
  void CheckPython(const std::string& entry, const std::string& needs, std::string_view version) {
    const std::vector<WheelTag>& tags = wheel_.reading.name->tags;
    const bool threads = version.ends_with('t');
    const std::string_view number = version.substr(0, version.size() - (threads ? 1 : 0));
    for (const WheelTag& tag : tags) {
      if (!tag.platform.starts_with("win")) continue;
      const bool same = number == "3" ? threads == tag.abi.ends_with('t') || tag.abi == "none"
                                      : tag.abi == fmt::format("cp{}", version);
      if (same) continue;
      shared_.Add(kCode, needs + ", which is another Python's", entry, "",
                  fmt::format("the wheel is for {}: {}", tag.ToString(),
                              tag.abi == "abi3" ? "link with python3.dll (Py_LIMITED_API)"
                                                : "build it with the headers of that Python"),
                  Severity::kError);
      return;
    }
  }

  const WheelContents& wheel_;
  bool packages_known_;
  std::set<std::string> there_;        // DLLs of the wheel and of those beside it
  std::vector<std::string> patterns_;  // of required packages
  SharedFindings shared_;
};

}  // namespace

void CheckWheelImports(const WheelContents& wheel, const WheelExpectations& expected,
                       std::span<const WheelContents> all, WheelFindings& findings) {
  if (IsForWindows(wheel)) ImportsCheck(wheel, expected, all).Run(findings);
}

}  // namespace wheelwright
