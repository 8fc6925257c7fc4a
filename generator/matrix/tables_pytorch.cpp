// Which PyTorch is built for which Python, and the rules that pick combos.
#include "generator/matrix/column_builders.h"
#include "generator/matrix/tables.h"

namespace wheelwright::tables {

using namespace types;
using namespace formats;

namespace {

// The keys by which include and exclude pick combos.
std::vector<Column> PickColumns(std::vector<Column> more) {
  std::vector<Column> columns{
      {"platform", OneOrMore(NameOf(kPlatforms)), "null", "Platforms", "windows"},
      {"gfx", OneOrMore(NameOf(kGfxBuilds)), "null",
       "Families, by key or artifact group, or groups of them", "gfx1153"},
      {"python", OneOrMore(Of(kPythonVersion)), "null", "Python versions", "\"3.13\""},
      {"torch", OneOrMore(NameOf(kTorchRefs)), "null", "PyTorch refs",
       "[release/2.8, release/2.9]"}};
  columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}

}  // namespace

Type ExcludeRow() {
  Type row = Row(
      "an exclude",
      PickColumns({{"why", Text(), kRequired, "The reason", "PyTorch knows gfx1153 from 2.10 on"},
                   {"issue", IssueLink(), "null", "Where it is discussed",
                    "https://github.com/ROCm/TheRock/issues/2723"}}));
  row.one_needed = {"platform", "gfx", "python", "torch"};
  return row;
}

FileSchema Pytorch() {
  std::vector<Column> torch{
      {"id", Of(kId), kRequired, "Its part in the keys of outputs", "torch_210"},
      {"version", Of(kTorchVersion), "null", "Its version, when that is known beforehand",
       "\"2.10\""},
      {"stable", Boolean(), "false", "It is a release branch", "true"},
      {"source", RowOf(kTorchSources), kRequired,
       "Where its code comes from; templates see the whole row", "rocm"},
  };
  std::vector<Column> project{
      {"folder", Of(kFolder), kRequired, "Its folder below the platform's checkout_root",
       "pytorch_audio"},
      {"hipify", Boolean(), "false", "Its CUDA sources are translated to HIP after the checkout",
       "true"},
  };
  std::vector<Column> part{
      {"repository", Of(kUrl), kRequired, "What is cloned", "https://github.com/ROCm/pytorch.git"},
      {"commit_from", Word("way", {"torch_ref", "branch", "related_commits", "triton_pin"}),
       kRequired, "Which commit: the ref itself, a branch, or what a file in torch says",
       "related_commits"},
      {"branch", Of(kGitRef), "null", "The branch, for commit_from: branch", "nightly"},
  };
  Type include =
      Row("an include",
          PickColumns({{"tests", Boolean(), kOmitted, "Whether the wheels are tested", "false"}}));
  include.parts = {Scalar()};
  std::vector<Column> axes{
      {"python", ListOf(Of(kPythonVersion)), kRequired, "Python versions", "[\"3.12\", \"3.13\"]"},
      {"torch", ListOf(NameOf(kTorchRefs)), kRequired, "PyTorch refs", "[release/2.10, nightly]"},
  };
  std::vector<Column> set{
      {"platforms", MapOf(NameOf(kPlatforms), Row("the axes on one platform", std::move(axes))),
       kRequired, "The axes on each platform; gfx is all families that can build PyTorch", ""},
      {"include", ListOf(std::move(include)), "[]",
       "Adds columns to the combos it fits, or a combo; other keys become columns of the combo",
       ""},
      {"exclude", ListOf(ExcludeRow()), "[]", "Takes combos out", ""},
      {"release_types", ListOf(NameOf(kReleaseTypes)), "null",
       "The release types that publish its combos; left out: all of them", "[dev, nightly]"},
  };
  std::vector<Column> group{
      {"platforms", ListOf(NameOf(kPlatforms)), kRequired, "Where it is built", "[linux]"},
      {"families", ListOf(NameOf(kFamilies)), kRequired, "The families that one build is for",
       "[gfx1150, gfx1151]"},
      {"why", Text(), kRequired, "The reason", "Their builds differ in the device code alone"},
  };
  return {
      .stem = "pytorch",
      .help = "Which PyTorch is built for which Python",
      .tables = Row(
          "the file",
          {{"torch", MapOf(Of(kGitRef), Row("a PyTorch ref", std::move(torch))), "{}",
            "The refs of PyTorch, by name", ""},
           {"projects", MapOf(Of(kName), Row("a project", std::move(project))), "{}",
            "What is checked out, by the name of its wheel", ""},
           {"torch_sources",
            MapOf(Of(kKey),
                  MapOf(NameOf(kProjects), Row("the source of a project", std::move(part)))),
            "{}", "Where the code of a ref comes from, for each project", ""},
           {"combos", MapOf(Of(kKey), Row("a set of combos", std::move(set))), "{}",
            "Sets of platform x gfx x python x torch, with include and exclude as in "
            "strategy.matrix",
            ""},
           {"gfx_groups", MapOf(Of(kName), Row("a group of families", std::move(group))), "{}",
            "Families that share one build of wheels; they leave the axis as single ones", ""}}),
      .unique = {"torch.*.id", "projects.*.folder"}};
}

}  // namespace wheelwright::tables
