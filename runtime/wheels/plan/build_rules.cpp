#include "runtime/wheels/plan/build_rules.h"

#include <algorithm>

namespace wheelwright {
namespace {

// null counts as an empty list.
Texts TextsOrNone(const JsonCursor& json) { return json.is_null() ? Texts() : json.Texts(); }

TorchFeature ReadFeature(const std::string& name, const JsonCursor& row) {
  TorchFeature feature{.name = name,
                       .variables = row.At("variables").Texts(),
                       .platforms = row.At("platforms").Texts(),
                       .torch = TextsOrNone(row.At("torch")),
                       .targets = TextsOrNone(row.At("targets")),
                       .needs = row.At("needs").TextOrNothing(),
                       .why = row.At("why").Text()};
  row.At("except").EachItem([&](const JsonCursor& except) {
    feature.except.push_back(
        {.targets = except.At("targets").Texts(), .before = except.At("before").TextOrNothing()});
  });
  return feature;
}

}  // namespace

const TestLevel* BuildRules::FindLevel(std::string_view name) const {
  const auto found = std::ranges::find(levels, name, &TestLevel::name);
  return found == levels.end() ? nullptr : &*found;
}

const Texts* BuildRules::FindPreloads(std::string_view platform) const {
  const auto found =
      std::ranges::find_if(preloads, [&](const auto& pair) { return pair.first == platform; });
  return found == preloads.end() ? nullptr : &found->second;
}

BuildRules ReadBuildRules(const JsonCursor& plan) {
  BuildRules rules;
  plan.At("torch_features").EachMember([&](const std::string& name, const JsonCursor& row) {
    rules.features.push_back(ReadFeature(name, row));
  });
  plan.At("rocm_preloads").EachMember([&](const std::string& platform, const JsonCursor& names) {
    rules.preloads.emplace_back(platform, names.Texts());
  });
  plan.At("test_levels").EachMember([&](const std::string& name, const JsonCursor& row) {
    rules.levels.push_back({.name = name,
                            .minutes = row.At("minutes").Number(),
                            .packages = row.At("packages").Texts(),
                            .files = row.At("files").Texts()});
  });
  plan.At("test_skips").EachItem([&](const JsonCursor& row) {
    rules.skips.push_back({.torch = TextsOrNone(row.At("torch")),
                           .targets = TextsOrNone(row.At("targets")),
                           .platforms = TextsOrNone(row.At("platforms")),
                           .files = TextsOrNone(row.At("files")),
                           .tests = row.At("tests").Texts(),
                           .why = row.At("why").Text(),
                           .issue = row.At("issue").TextOrNothing()});
  });
  plan.At("hip_known_failures").EachItem([&](const JsonCursor& row) {
    rules.hip_known_failures.push_back({.source = row.At("source").Text(),
                                        .targets = TextsOrNone(row.At("targets")),
                                        .platforms = TextsOrNone(row.At("platforms")),
                                        .with_header = row.At("with_header").TextOrNothing(),
                                        .why = row.At("why").Text(),
                                        .issue = row.At("issue").Text()});
  });
  return rules;
}

std::string MinorOf(const PackageVersion& torch) {
  return torch.release[0] + "." + (torch.release.size() > 1 ? torch.release[1] : "0");
}

bool IsMinorBefore(std::string_view minor, std::string_view other) {
  const auto a = ParsePackageVersion(minor);
  const auto b = ParsePackageVersion(other);
  return a && b && *a < *b;
}

bool BeginsLikeAny(std::string_view target, const Texts& beginnings) {
  return std::ranges::any_of(
      beginnings, [&](const std::string& beginning) { return target.starts_with(beginning); });
}

}  // namespace wheelwright
