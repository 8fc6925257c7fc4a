// Combos of one gfx build as few lines: which Pythons with which PyTorch refs.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generator/matrix/combos.h"

namespace wheelwright {

// Every one of the Pythons with every one of the refs, as positions in the lists of the platform.
struct ComboBlock {
  int kind = 0;
  std::vector<std::uint32_t> pythons, torches;
};

// The build's combos as blocks. `kind_of` tells combos apart that must not share a block; what it
// gives a negative number is left out.
std::vector<ComboBlock> MakeBlocks(const ComboPlatform& platform, const GfxBuild& build,
                                   const std::function<int(const Combo&)>& kind_of);

std::string PythonsOf(const ComboBlock& block, const ComboPlatform& platform);  // "3.10-3.13"
std::string TorchesOf(const ComboBlock& block, const ComboPlatform& platform);  // "2.7 2.8 nightly"

// "3.10-3.13": Python versions, runs of three and more as a range.
std::string CompressPythons(std::span<const std::string_view> versions);

}  // namespace wheelwright
