// Target ids: the names of GPU architectures, such as "gfx90a:sramecc+:xnack-".
// https://clang.llvm.org/docs/ClangOffloadBundler.html#target-id
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wheelwright {

// kAny: the id does not name the feature, and code runs with it on or off.
enum class TargetFeature : std::uint8_t { kAny, kOff, kOn };

struct GfxTarget {
  std::string processor;  // "gfx90a", "gfx11-generic", "amdgcnspirv"
  TargetFeature sramecc = TargetFeature::kAny;
  TargetFeature xnack = TargetFeature::kAny;

  // With features in the order of the compiler.
  std::string ToString() const;
  // By generation: gfx906, gfx90a, gfx942, gfx1030, gfx1100.
  friend std::strong_ordering operator<=>(const GfxTarget& a, const GfxTarget& b);
  friend bool operator==(const GfxTarget& a, const GfxTarget& b) = default;
};

// Nothing when it is no target id: a processor begins with "gfx" or is "amdgcnspirv"; features are
// sramecc and xnack, once each.
std::optional<GfxTarget> ParseGfxTarget(std::string_view text);

// The target in the id of a bundle's entry: "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-". Nothing for
// entries of the host and of GPUs of other makers.
std::optional<GfxTarget> TargetOfBundleId(std::string_view id);

// The target of an ELF code object of version 4 or later, by its e_flags. Nothing when they are
// unknown.
// https://llvm.org/docs/AMDGPUUsage.html#header
std::optional<GfxTarget> TargetOfElfFlags(std::uint32_t flags);

// Whether code for `code` runs on every GPU and with the features that `wanted` names. Code for a
// generic target runs on all of its processors; SPIR-V is compiled at run time for any.
bool Serves(const GfxTarget& code, const GfxTarget& wanted);

}  // namespace wheelwright
