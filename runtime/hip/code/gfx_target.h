// The names of GPU architectures, as compilers and code objects have them:
// "gfx90a:sramecc+:xnack-". https://clang.llvm.org/docs/ClangOffloadBundler.html#target-id
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wheelwright {

// A feature that is not named fits both ways of running.
enum class TargetFeature : std::uint8_t { kAny, kOff, kOn };

struct GfxTarget {
  std::string processor;  // "gfx90a", "gfx11-generic", "amdgcnspirv"
  TargetFeature sramecc = TargetFeature::kAny;
  TargetFeature xnack = TargetFeature::kAny;

  // Features in the order that compilers write them in.
  std::string ToString() const;
  // By generation: gfx906, gfx90a, gfx942, gfx1030, gfx1100.
  friend std::strong_ordering operator<=>(const GfxTarget& a, const GfxTarget& b);
  friend bool operator==(const GfxTarget& a, const GfxTarget& b) = default;
};

// Nothing when it is none: a processor must begin with "gfx" (or be "amdgcnspirv"), and features
// are sramecc and xnack, once each.
std::optional<GfxTarget> ParseGfxTarget(std::string_view text);

// The target in the id of a bundle's entry: "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-". Nothing for
// the host's entries and for those of other makers.
std::optional<GfxTarget> TargetOfBundleId(std::string_view id);

// The target that an ELF code object is for, by its e_flags of version 4 and later. Nothing when
// this program does not know the number.
// https://llvm.org/docs/AMDGPUUsage.html#header
std::optional<GfxTarget> TargetOfElfFlags(std::uint32_t flags);

// Whether code for `code` runs on every GPU, in the way of running, that `wanted` names. Code for a
// generic target runs on all of its processors, and SPIR-V is compiled for any where it runs.
bool Serves(const GfxTarget& code, const GfxTarget& wanted);

}  // namespace wheelwright
