#include "runtime/commands/input/archive_filter.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"
#include "base/text.h"

namespace wheelwright {
namespace {

// The part behind the last `_`: "gfx942", "gfx94X-dcgpu", "generic".
std::string_view GpusOf(std::string_view stem) {
  const std::size_t at = stem.rfind('_');
  return at == std::string_view::npos ? std::string_view() : stem.substr(at + 1);
}

// "gfx94X-dcgpu" for "gfx94X-dcgpu-asan".
std::string FamilyOf(std::string_view group, const Plan& plan, std::string_view platform) {
  for (const PlatformRow& row : plan.selection.platforms) {
    if (row.name != platform) continue;
    for (const VariantRow& variant : row.variants) {
      const std::string suffix = variant.suffix.empty() ? "" : "-" + variant.suffix;
      if (!suffix.empty() && group.ends_with(suffix)) {
        return std::string(group.substr(0, group.size() - suffix.size()));
      }
    }
  }
  return std::string(group);
}

bool HasProcessor(const std::vector<GfxTarget>& targets, std::string_view processor) {
  return std::ranges::find(targets, processor, &GfxTarget::processor) != targets.end();
}

bool MatchesAny(const Texts& patterns, std::string_view stem) {
  return std::ranges::any_of(
      patterns, [&](const std::string& pattern) { return MatchesStars(pattern, stem); });
}

}  // namespace

std::vector<OptionSpec> ArchiveFilterOptions() {
  return {{.name = "target",
           .argument = "GFX,...",
           .help = "Of archives for a single GPU, only those for these GPUs (default: all GPUs of "
                   "the family); may be given several times"},
          {.name = "include",
           .argument = "PATTERN",
           .help = "Only archives whose names, up to .tar, match one of these: 'blas_*'"},
          {.name = "exclude",
           .argument = "PATTERN",
           .help = "No archives whose names match one of these: '*_dbg_*'"}};
}

ArchiveFilter::ArchiveFilter(const Arguments& arguments, const Plan& plan, std::string_view group,
                             std::string_view platform, Diagnostics& diagnostics)
    : include_(arguments.All("include")), exclude_(arguments.All("exclude")) {
  const std::string family = FamilyOf(group, plan, platform);
  groups_ = {std::string(group), family};
  std::vector<GfxTarget> known;
  const Texts names = plan.TargetsOf(family, platform);
  for (const std::string& name : names) {
    if (auto target = ParseGfxTarget(name)) known.push_back(*std::move(target));
  }
  for (const std::string& list : arguments.All("target")) {
    for (const std::string_view word : Split(list, ',')) {
      const std::string_view text = Trim(word);
      if (text.empty()) continue;
      auto target = ParseGfxTarget(text);
      if (!target) {
        diagnostics.Report({.code = "option-value",
                            .message = fmt::format("'--target' does not take {}", Quoted(text)),
                            .hint = "it takes targets such as gfx942"});
      } else if (!known.empty() && !HasProcessor(known, target->processor)) {
        diagnostics.Report({.code = "option-value",
                            .message = fmt::format("{} is no GPU of {}", Quoted(text), family),
                            .hint = fmt::format("it has {}", JoinWords(names))});
      } else {
        targets_.push_back(*std::move(target));
      }
    }
  }
  if (targets_.empty()) targets_ = std::move(known);
}

bool ArchiveFilter::IsOfBuild(std::string_view stem, bool own_folder) const {
  const std::string_view gpus = GpusOf(stem);
  if (gpus == "generic" || HasText(groups_, gpus)) return true;
  const std::optional<GfxTarget> target = ParseGfxTarget(gpus);
  // An unknown family has no targets: then its own folder is not filtered.
  if (!target || targets_.empty()) return own_folder;
  return HasProcessor(targets_, target->processor);
}

bool ArchiveFilter::Matches(std::string_view stem) const {
  return (include_.empty() || MatchesAny(include_, stem)) && !MatchesAny(exclude_, stem);
}

std::string ArchiveFilter::ProblemWith(const Texts& stems) const {
  for (const std::string& pattern : include_) {
    if (std::ranges::none_of(
            stems, [&](const std::string& stem) { return MatchesStars(pattern, stem); })) {
      return fmt::format("no archive matches {}; there are {}", Quoted(pattern), JoinWords(stems));
    }
  }
  if (std::ranges::any_of(stems, [&](const std::string& stem) { return Matches(stem); })) return {};
  return fmt::format("'--exclude' leaves nothing of {}", JoinWords(stems));
}

}  // namespace wheelwright
