#include "generator/plan/combo_blocks.h"

#include <algorithm>
#include <charconv>

namespace wheelwright {
namespace {

// "3.12t" as (3, 12, "t"); an odd version has minor -1 and joins no range.
struct Version {
  int major = 0;
  int minor = -1;
  std::string_view rest;
};

Version ReadVersion(std::string_view text) {
  Version version;
  const char* end = text.data() + text.size();
  const auto [dot, first] = std::from_chars(text.data(), end, version.major);
  if (first != std::errc() || dot == end || *dot != '.') return version;
  const auto [rest, second] = std::from_chars(dot + 1, end, version.minor);
  if (second != std::errc()) {
    version.minor = -1;
  } else {
    version.rest = text.substr(static_cast<std::size_t>(rest - text.data()));
  }
  return version;
}

std::string_view ShortTorch(std::string_view ref) {
  constexpr std::string_view kRelease = "release/";
  return ref.starts_with(kRelease) ? ref.substr(kRelease.size()) : ref;
}

}  // namespace

std::vector<ComboBlock> MakeBlocks(const ComboPlatform& platform, const GfxBuild& build,
                                   const std::function<int(const Combo&)>& kind_of) {
  std::vector<ComboBlock> columns;  // one ref each
  for (const Combo& combo : platform.CombosOf(build)) {
    const int kind = kind_of(combo);
    if (kind < 0) continue;
    const auto same = std::find_if(columns.begin(), columns.end(), [&](const ComboBlock& column) {
      return column.kind == kind && column.torches[0] == combo.torch;
    });
    if (same == columns.end()) {
      columns.push_back({kind, {combo.python}, {combo.torch}});
    } else {
      same->pythons.push_back(combo.python);
    }
  }
  std::vector<ComboBlock> blocks;
  for (ComboBlock& column : columns) {
    const auto same = std::find_if(blocks.begin(), blocks.end(), [&](const ComboBlock& block) {
      return block.kind == column.kind && block.pythons == column.pythons;
    });
    if (same == blocks.end()) {
      blocks.push_back(std::move(column));
    } else {
      same->torches.push_back(column.torches[0]);
    }
  }
  for (ComboBlock& block : blocks) {
    std::sort(block.pythons.begin(), block.pythons.end());
    std::sort(block.torches.begin(), block.torches.end());
  }
  return blocks;
}

std::string PythonsOf(const ComboBlock& block, const ComboPlatform& platform) {
  std::vector<std::string_view> versions;
  for (const std::uint32_t at : block.pythons) versions.push_back(platform.pythons[at].version);
  return CompressPythons(versions);
}

std::string TorchesOf(const ComboBlock& block, const ComboPlatform& platform) {
  std::string text;
  for (const std::uint32_t at : block.torches) {
    if (!text.empty()) text += ' ';
    text += ShortTorch(platform.torches[at].ref);
  }
  return text;
}

std::string CompressPythons(std::span<const std::string_view> versions) {
  std::string text;
  for (std::size_t i = 0; i < versions.size();) {
    const Version first = ReadVersion(versions[i]);
    std::size_t end = i + 1;
    for (; end < versions.size() && first.minor >= 0; ++end) {
      const Version next = ReadVersion(versions[end]);
      if (next.major != first.major || next.rest != first.rest ||
          next.minor != first.minor + static_cast<int>(end - i)) {
        break;
      }
    }
    if (end - i < 3) end = i + 1;  // two read better one by one
    if (!text.empty()) text += ' ';
    text += versions[i];
    if (end - i > 1) text.append("-").append(versions[end - 1]);
    i = end;
  }
  return text;
}

}  // namespace wheelwright
