#include "runtime/hip/code/gfx_target.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>
#include <vector>

#include "base/characters.h"
#include "base/text.h"

namespace wheelwright {
namespace {

constexpr std::string_view kSpirv = "amdgcnspirv";

bool IsProcessor(std::string_view text) {
  if (text == kSpirv) return true;
  if (!text.starts_with("gfx") || text.size() < 4 || text.size() > 32) return false;
  return std::ranges::all_of(text.substr(3),
                             [](char c) { return IsDigit(c) || IsLowerLetter(c) || c == '-'; });
}

std::string_view Sign(TargetFeature feature) { return feature == TargetFeature::kOn ? "+" : "-"; }

bool Fits(TargetFeature code, TargetFeature wanted) {
  return code == TargetFeature::kAny || wanted == TargetFeature::kAny || code == wanted;
}

// The processors of a generic target.
// https://llvm.org/docs/AMDGPUUsage.html#amdgpu-generic-processor-table
struct Generic {
  std::string_view name;
  std::vector<std::string_view> processors;
};
const std::vector<Generic>& Generics() {
  static const std::vector<Generic> kGenerics = {
      {"gfx9-generic", {"gfx900", "gfx902", "gfx904", "gfx906", "gfx909", "gfx90c"}},
      {"gfx9-4-generic", {"gfx940", "gfx941", "gfx942", "gfx950"}},
      {"gfx10-1-generic", {"gfx1010", "gfx1011", "gfx1012", "gfx1013"}},
      {"gfx10-3-generic",
       {"gfx1030", "gfx1031", "gfx1032", "gfx1033", "gfx1034", "gfx1035", "gfx1036"}},
      {"gfx11-generic",
       {"gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1153"}},
      {"gfx12-generic", {"gfx1200", "gfx1201"}},
  };
  return kGenerics;
}

// EF_AMDGPU_MACH.
struct GfxMachine {
  std::uint32_t number;
  std::string_view processor;
};
constexpr auto kMachines = std::to_array<GfxMachine>({
    {0x20, "gfx600"},          {0x21, "gfx601"},        {0x22, "gfx700"},
    {0x23, "gfx701"},          {0x24, "gfx702"},        {0x25, "gfx703"},
    {0x26, "gfx704"},          {0x28, "gfx801"},        {0x29, "gfx802"},
    {0x2a, "gfx803"},          {0x2b, "gfx810"},        {0x2c, "gfx900"},
    {0x2d, "gfx902"},          {0x2e, "gfx904"},        {0x2f, "gfx906"},
    {0x30, "gfx908"},          {0x31, "gfx909"},        {0x32, "gfx90c"},
    {0x33, "gfx1010"},         {0x34, "gfx1011"},       {0x35, "gfx1012"},
    {0x36, "gfx1030"},         {0x37, "gfx1031"},       {0x38, "gfx1032"},
    {0x39, "gfx1033"},         {0x3a, "gfx602"},        {0x3b, "gfx705"},
    {0x3c, "gfx805"},          {0x3d, "gfx1035"},       {0x3e, "gfx1034"},
    {0x3f, "gfx90a"},          {0x40, "gfx940"},        {0x41, "gfx1100"},
    {0x42, "gfx1013"},         {0x43, "gfx1150"},       {0x44, "gfx1103"},
    {0x45, "gfx1036"},         {0x46, "gfx1101"},       {0x47, "gfx1102"},
    {0x48, "gfx1200"},         {0x49, "gfx1250"},       {0x4a, "gfx1151"},
    {0x4b, "gfx941"},          {0x4c, "gfx942"},        {0x4e, "gfx1201"},
    {0x4f, "gfx950"},          {0x51, "gfx9-generic"},  {0x52, "gfx10-1-generic"},
    {0x53, "gfx10-3-generic"}, {0x54, "gfx11-generic"}, {0x55, "gfx1152"},
    {0x58, "gfx1153"},         {0x59, "gfx12-generic"}, {0x5f, "gfx9-4-generic"},
});

TargetFeature FeatureOfFlags(std::uint32_t bits, std::uint32_t off, std::uint32_t on) {
  return bits == on ? TargetFeature::kOn : bits == off ? TargetFeature::kOff : TargetFeature::kAny;
}

}  // namespace

std::string GfxTarget::ToString() const {
  std::string text = processor;
  if (sramecc != TargetFeature::kAny) text.append(":sramecc").append(Sign(sramecc));
  if (xnack != TargetFeature::kAny) text.append(":xnack").append(Sign(xnack));
  return text;
}

std::strong_ordering operator<=>(const GfxTarget& a, const GfxTarget& b) {
  // Names of generations with two digits are longer.
  if (const auto order = a.processor.size() <=> b.processor.size(); order != 0) return order;
  if (const auto order = a.processor <=> b.processor; order != 0) return order;
  if (const auto order = a.sramecc <=> b.sramecc; order != 0) return order;
  return a.xnack <=> b.xnack;
}

std::optional<GfxTarget> ParseGfxTarget(std::string_view text) {
  const std::vector<std::string_view> parts = Split(text, ':');
  if (parts.empty() || !IsProcessor(parts[0])) return std::nullopt;
  GfxTarget target{.processor = std::string(parts[0])};
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::string_view part = parts[i];
    if (!part.ends_with('+') && !part.ends_with('-')) return std::nullopt;
    const std::string_view name = part.substr(0, part.size() - 1);
    TargetFeature* feature = name == "sramecc" ? &target.sramecc
                             : name == "xnack" ? &target.xnack
                                               : nullptr;
    if (feature == nullptr || *feature != TargetFeature::kAny) return std::nullopt;
    *feature = part.ends_with('+') ? TargetFeature::kOn : TargetFeature::kOff;
  }
  return target;
}

std::optional<GfxTarget> TargetOfBundleId(std::string_view id) {
  if (id.starts_with("host-")) return std::nullopt;
  // The triple has three or four parts; processors and features may contain '-' too.
  std::size_t at = id.rfind("-gfx");
  if (at == std::string_view::npos && id.ends_with(kSpirv)) at = id.size() - kSpirv.size() - 1;
  if (at == std::string_view::npos || at >= id.size()) return std::nullopt;
  return ParseGfxTarget(id.substr(at + 1));
}

std::optional<GfxTarget> TargetOfElfFlags(std::uint32_t flags) {
  constexpr std::uint32_t kMachine = 0xff, kXnack = 0x300, kSramecc = 0xc00;
  const auto* const machine = std::ranges::find(kMachines, flags & kMachine, &GfxMachine::number);
  if (machine == kMachines.end()) return std::nullopt;
  return GfxTarget{.processor = std::string(machine->processor),
                   .sramecc = FeatureOfFlags(flags & kSramecc, 0x800, 0xc00),
                   .xnack = FeatureOfFlags(flags & kXnack, 0x200, 0x300)};
}

bool Serves(const GfxTarget& code, const GfxTarget& wanted) {
  if (code.processor == kSpirv) return true;
  if (!Fits(code.sramecc, wanted.sramecc) || !Fits(code.xnack, wanted.xnack)) return false;
  if (code.processor == wanted.processor) return true;
  const auto generic = std::ranges::find(Generics(), code.processor, &Generic::name);
  return generic != Generics().end() &&
         std::ranges::find(generic->processors, wanted.processor) != generic->processors.end();
}

}  // namespace wheelwright
