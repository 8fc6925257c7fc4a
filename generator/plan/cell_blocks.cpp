#include "generator/plan/cell_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

namespace wheelwright {
namespace {

// "3.12t" as (3, 12, "t"); an odd version has minor -1 and joins no range.
struct DottedVersion {
  int major = 0;
  int minor = -1;
  std::string_view rest;
};

DottedVersion ReadVersion(std::string_view text) {
  DottedVersion version;
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

}  // namespace

std::size_t CellBlock::cells() const {
  std::size_t product = 1;
  for (const auto& list : values) product *= list.size();
  return product;
}

std::vector<CellBlock> MakeBlocks(const CellSet& set, const CellBranch& branch,
                                  const std::function<int(const Cell&)>& kind_of) {
  const std::size_t nested = set.schema->nested;
  std::vector<CellBlock> blocks;
  for (const Cell& cell : branch.cells) {
    const int kind = kind_of(cell);
    if (kind < 0) continue;
    CellBlock& block = blocks.emplace_back(CellBlock{.kind = kind, .values = {}});
    for (const std::uint32_t value : cell.at.subspan(nested)) block.values.push_back({value});
  }
  // Blocks that differ in one axis alone become one, axis by axis.
  for (std::size_t axis = 0; axis + nested < set.schema->axes.size(); ++axis) {
    std::vector<CellBlock> merged;
    std::map<std::pair<int, std::vector<std::vector<std::uint32_t>>>, std::size_t> known;
    for (CellBlock& block : blocks) {
      auto others = block.values;
      others[axis].clear();
      const auto [at, is_new] = known.try_emplace({block.kind, std::move(others)}, merged.size());
      if (is_new) {
        merged.push_back(std::move(block));
        continue;
      }
      auto& values = merged[at->second].values[axis];
      values.insert(values.end(), block.values[axis].begin(), block.values[axis].end());
    }
    for (CellBlock& block : merged) std::ranges::sort(block.values[axis]);
    blocks = std::move(merged);
  }
  return blocks;
}

std::vector<std::string> ValuesOf(const CellBlock& block, const CellSet& set,
                                  const Schema& schema) {
  std::vector<std::string> texts;
  for (std::size_t axis = 0; axis < block.values.size(); ++axis) {
    std::vector<std::string_view> briefs;
    for (const std::uint32_t value : block.values[axis]) {
      briefs.push_back(set.values[value].brief);
    }
    texts.push_back(JoinBriefs(schema.axes[set.schema->axes[set.schema->nested + axis]], briefs));
  }
  return texts;
}

std::string JoinBriefs(const AxisSchema& axis, std::span<const std::string_view> briefs) {
  return axis.ranges ? CompressVersions(briefs) : fmt::format("{}", fmt::join(briefs, " "));
}

std::vector<std::string_view> NounsOf(const SetSchema& set, const Schema& schema, std::size_t first,
                                      std::size_t end) {
  std::vector<std::string_view> nouns;
  for (std::size_t axis = first; axis < end; ++axis) {
    nouns.push_back(schema.axes[set.axes[axis]].noun);
  }
  return nouns;
}

std::string CompressVersions(std::span<const std::string_view> versions) {
  std::string text;
  for (std::size_t i = 0; i < versions.size();) {
    const DottedVersion first = ReadVersion(versions[i]);
    std::size_t end = i + 1;
    for (; end < versions.size() && first.minor >= 0; ++end) {
      const DottedVersion next = ReadVersion(versions[end]);
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
