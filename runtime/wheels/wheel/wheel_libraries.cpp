// The rules for shared objects and programs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/wheels/wheel/wheel_rules.h"

namespace wheelwright {
namespace {

// The newest GLIBCXX_3.4.N of each manylinux policy, from auditwheel.
// https://github.com/pypa/auditwheel/blob/main/src/auditwheel/policy/manylinux-policy.json
struct Libstdcxx {
  unsigned glibc_minor;  // of the policy, 2.N
  unsigned newest;
};
constexpr std::array kLibstdcxx = {
    Libstdcxx{5, 8},   Libstdcxx{12, 13}, Libstdcxx{17, 19}, Libstdcxx{24, 22}, Libstdcxx{27, 24},
    Libstdcxx{31, 28}, Libstdcxx{34, 29}, Libstdcxx{35, 30}, Libstdcxx{39, 33},
};

std::string MachineName(const NativeFacts& facts) {
  if (facts.format == ObjectFormat::kMachO) return "macOS";
  if (facts.format == ObjectFormat::kPe) {
    switch (facts.machine) {
      case kPeAmd64:
        return "Windows on x86-64";
      case 0x014C:
        return "Windows on 32-bit x86";
      case 0xAA64:
        return "Windows on AArch64";
      default:
        return fmt::format("Windows on machine {:#06x}", facts.machine);
    }
  }
  const std::string_view bits = facts.bits == 32 ? "32-bit " : "";
  switch (facts.machine) {
    case 3:
      return "Linux on 32-bit x86";
    case kElfAmd64:
      return fmt::format("Linux on {}x86-64", bits);
    case kElfAArch64:
      return fmt::format("Linux on {}AArch64", bits);
    case kElfAmdGpu:
      return "an AMD GPU";
    default:
      return fmt::format("Linux on {}machine {}", bits, facts.machine);
  }
}

bool IsFor(const NativeFacts& facts, WheelPlatform platform) {
  if (facts.bits != 64 || !facts.little_endian) return false;
  if (platform == WheelPlatform::kLinux) {
    return facts.format == ObjectFormat::kElf && facts.machine == kElfAmd64;
  }
  return facts.format == ObjectFormat::kPe && facts.machine == kPeAmd64;
}

// Ignores native files that are not loaded, such as GPU code and programs for other systems.
void CheckMachine(const ZipEntry& entry, const NativeFacts& facts, WheelPlatform platform,
                  WheelFindings& findings) {
  if (!IsLibraryName(entry.name)) return;
  const std::string_view wanted = platform == WheelPlatform::kLinux ? "Linux" : "Windows";
  if (facts.format == ObjectFormat::kNone || facts.bits == 0) {
    findings.Report({.code = "wheel-library",
                     .message = fmt::format("{} is no shared object{}", Quoted(entry.name),
                                            entry.size == 0 ? ": it is empty" : ""),
                     .hint = fmt::format("expected one for {} on x86-64", wanted)});
  } else if (!facts.problem.empty()) {
    findings.Report({.code = "wheel-library",
                     .message = fmt::format("{} is a broken shared object: {}", Quoted(entry.name),
                                            facts.problem)});
  } else if (!IsFor(facts, platform)) {
    findings.Report({.code = "wheel-library",
                     .message = fmt::format("{} is for {}", Quoted(entry.name), MachineName(facts)),
                     .hint = fmt::format("expected one for {} on x86-64", wanted)});
  }
}

// The number behind the prefix: "GLIBC_2." of "GLIBC_2.34" gives 34.
std::optional<unsigned> Behind(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  unsigned number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end != name.data() ? std::optional(number) : std::nullopt;
}

void CheckPromise(const ZipEntry& entry, const NativeFacts& facts, const GlibcPromise& promise,
                  std::string_view tag, bool brings_libstdcxx, WheelFindings& findings) {
  if (promise.major != 2) return;
  std::optional<unsigned> libstdcxx;
  for (const Libstdcxx& known : kLibstdcxx) {
    if (known.glibc_minor <= promise.minor) libstdcxx = known.newest;
  }
  // Ascending, so the last one that is too new is the newest.
  std::string_view glibc, cxx;
  for (const std::string& needed : facts.needed_versions) {
    if (const auto minor = Behind(needed, "GLIBC_2."); minor && *minor > promise.minor) {
      glibc = needed;
    }
    const auto patch = Behind(needed, "GLIBCXX_3.4.");
    if (patch && libstdcxx && *patch > *libstdcxx && !brings_libstdcxx) cxx = needed;
  }
  if (!glibc.empty()) {
    findings.Report(
        {.code = "wheel-glibc",
         .message = fmt::format("{} needs {}", Quoted(entry.name), glibc),
         .hint = fmt::format("{} promises to run with glibc 2.{}", tag, promise.minor)});
  }
  if (!cxx.empty()) {
    findings.Report(
        {.code = "wheel-glibc",
         .message = fmt::format("{} needs {}", Quoted(entry.name), cxx),
         .hint = fmt::format("{} promises to run with GLIBCXX_3.4.{}", tag, *libstdcxx)});
  }
}

}  // namespace

void CheckWheelLibraries(const WheelContents& wheel, const WheelExpectations& expected,
                         WheelFindings& findings) {
  if (!wheel.reading.name) return;
  const std::vector<WheelTag>& tags = wheel.reading.name->tags;
  std::optional<GlibcPromise> promise;
  std::string promising;  // the strictest tag
  for (const WheelTag& tag : tags) {
    const auto other = GlibcPromiseOf(tag.platform);
    if (!other || (promise && other->minor >= promise->minor)) continue;
    promise = other;
    promising = tag.platform;
  }
  const bool brings_libstdcxx = std::ranges::any_of(wheel.archive.entries, [](const auto& entry) {
    return entry.name.find("libstdc++.so") != std::string::npos;
  });
  const bool any = std::ranges::any_of(tags, [](const auto& tag) { return tag.platform == "any"; });
  bool any_told = false;
  for (std::size_t i = 0; i < wheel.facts.size(); ++i) {
    const ZipEntry& entry = wheel.archive.entries[i];
    if (entry.folder || !entry.readable || !wheel.facts[i].problem.empty()) continue;
    const NativeFacts& facts = wheel.facts[i].native;
    if (any && !any_told && IsLibraryName(entry.name)) {
      any_told = true;
      findings.Report({.code = "wheel-tag",
                       .message = fmt::format("its tag is for any platform, but it holds {}",
                                              Quoted(entry.name)),
                       .hint = "expected a tag that names the platform"});
    }
    if (expected.platform) CheckMachine(entry, facts, *expected.platform, findings);
    if (promise && facts.format == ObjectFormat::kElf && facts.machine == kElfAmd64) {
      CheckPromise(entry, facts, *promise, promising, brings_libstdcxx, findings);
    }
  }
}

}  // namespace wheelwright
