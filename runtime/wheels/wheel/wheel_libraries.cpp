#include "runtime/wheels/wheel/wheel_libraries.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/quote.h"
#include "runtime/wheels/wheel/platform_policy.h"
#include "runtime/wheels/wheel/wheel_rules.h"

namespace wheelwright {
namespace {

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

// Reports the newest version of each family that the tag does not promise.
void CheckPromise(const ZipEntry& entry, const NativeFacts& facts, const LinuxPromise& promise,
                  const OwnLibraries& own, WheelFindings& findings) {
  std::map<std::string_view, std::string_view> newest;  // by family
  for (const NeededVersion& needed : facts.versions) {
    if (own.Has(needed.library)) continue;
    const std::string_view family = VersionFamily(needed.version);
    const auto least = LeastPolicyWith(needed.version);
    if (promise.musl ? family != "GLIBC" : least && *least <= promise.glibc_minor) continue;
    const auto [other, is_new] = newest.emplace(family, needed.version);
    if (!is_new && IsNewerVersion(needed.version, other->second)) other->second = needed.version;
  }
  for (const auto& [family, version] : newest) {
    std::string promised = "musl, and without glibc";
    if (!promise.musl) {
      const std::string limit = NewestOfPolicy(version, promise.glibc_minor);
      promised = family == "GLIBC" ? fmt::format("glibc 2.{}", promise.glibc_minor)
                 : limit.empty()   ? fmt::format("no version of {}", family)
                                   : limit;
    }
    findings.Report({.code = "wheel-glibc",
                     .message = fmt::format("{} needs {}", Quoted(entry.name), version),
                     .hint = fmt::format("{} promises to run with {}", promise.tag, promised)});
  }
}

}  // namespace

LinuxPromise PromiseOf(const WheelContents& wheel) {
  LinuxPromise promise;
  if (!wheel.reading.name) return promise;
  for (const WheelTag& tag : wheel.reading.name->tags) {
    if (tag.platform.starts_with("musllinux_")) return {.musl = true, .tag = tag.platform};
    const auto glibc = GlibcPromiseOf(tag.platform);
    if (!glibc || glibc->major != 2) continue;
    if (!promise.tag.empty() && glibc->minor >= promise.glibc_minor) continue;
    promise = {.glibc_minor = glibc->minor, .tag = tag.platform};
  }
  return promise;
}

bool IsLinuxProgram(const NativeFacts& facts) {
  return facts.format == ObjectFormat::kElf && facts.bits == 64 &&
         (facts.machine == kElfAmd64 || facts.machine == kElfAArch64);
}

OwnLibraries::OwnLibraries(const WheelContents& wheel) {
  for (std::size_t i = 0; i < wheel.facts.size(); ++i) {
    if (!IsLinuxProgram(wheel.facts[i].native)) continue;
    const std::string_view path = wheel.archive.entries[i].name;
    names_.insert(path.substr(path.rfind('/') + 1));
    if (!wheel.facts[i].native.name.empty()) names_.insert(wheel.facts[i].native.name);
  }
}

bool OwnLibraries::Has(std::string_view name) const { return names_.contains(name); }

std::string NeededPlatform(const WheelContents& wheel) {
  const OwnLibraries own(wheel);
  std::optional<unsigned> glibc;
  for (const EntryFacts& facts : wheel.facts) {
    if (!IsLinuxProgram(facts.native)) continue;
    if (!glibc) glibc = 0;
    for (const std::string& library : facts.native.libraries) {
      if (library.starts_with("libc.musl-")) return "musllinux";
    }
    for (const NeededVersion& needed : facts.native.versions) {
      if (own.Has(needed.library)) continue;
      const auto least = LeastPolicyWith(needed.version);
      if (!least) return "linux";
      glibc = std::max(*glibc, *least);
    }
  }
  if (!glibc) return {};
  return *glibc == 0 ? "linux" : fmt::format("manylinux_2_{}", *glibc);
}

void CheckWheelLibraries(const WheelContents& wheel, const WheelExpectations& expected,
                         WheelFindings& findings) {
  if (!wheel.reading.name) return;
  const std::vector<WheelTag>& tags = wheel.reading.name->tags;
  const LinuxPromise promise = PromiseOf(wheel);
  const OwnLibraries own(wheel);
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
    if (!promise.tag.empty() && IsLinuxProgram(facts)) {
      CheckPromise(entry, facts, promise, own, findings);
    }
  }
  if (wheel.too_many_names) {
    findings.Report({.code = "wheel-library",
                     .message = "its shared objects need more libraries and versions than any "
                                "wheel has: not all were checked"});
  }
}

}  // namespace wheelwright
