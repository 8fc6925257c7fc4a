// The pieces of MatrixFiles: one function for each file of the matrix, and what they share. Read
// them as docs/matrix-reference.md, which is the same in prose.
#pragma once

#include "generator/matrix/schema.h"

namespace wheelwright::tables {

FileSchema Settings();
FileSchema Platforms();
FileSchema Families();
FileSchema Triggers();
FileSchema Pytorch();
FileSchema Build();
FileSchema Hip();
FileSchema Release();
FileSchema Dependencies();
FileSchema Pins();
FileSchema LimitsFile();
FileSchema External();
FileSchema Docker();

// An event of GitHub that may start something.
Type EventWord();
// The link of an issue or a pull request.
Type IssueLink();
// A row that takes combos out of a set.
Type ExcludeRow();

// clang-format off
inline const Names kPlatforms{.code = "unknown-platform", .noun = "platform", .plural = "platforms",
    .file = "platforms", .paths = {"platforms"}};
inline const Names kLinuxVariants{.code = "unknown-variant", .noun = "variant", .plural = "variants of linux",
    .file = "platforms", .paths = {"platforms.linux.variants"}};
inline const Names kWindowsVariants{.code = "unknown-variant", .noun = "variant", .plural = "variants of windows",
    .file = "platforms", .paths = {"platforms.windows.variants"}};
inline const Names kVariants{.code = "unknown-variant", .noun = "variant", .plural = "variants",
    .file = "platforms", .paths = {"platforms.linux.variants", "platforms.windows.variants"}};
inline const Names kTiers{.code = "unknown-tier", .noun = "tier", .plural = "tiers",
    .file = "families", .paths = {"tiers"}};
inline const Names kFamilies{.code = "unknown-family", .noun = "family", .plural = "families",
    .file = "families", .paths = {"families"}};
inline const Names kGfxBuilds{.code = "unknown-family", .noun = "family", .plural = "families",
    .file = "families",
    .paths = {"families", "families.*.linux.family", "families.*.windows.family", "gfx_groups"}};
inline const Names kTargetGroups{.code = "unknown-target-group", .noun = "target group", .plural = "target groups",
    .file = "families", .paths = {"target_groups"}};
inline const Names kTorchRefs{.code = "unknown-torch-ref", .noun = "torch ref", .plural = "torch refs",
    .file = "pytorch", .paths = {"torch"}};
inline const Names kTorchSources{.code = "unknown-torch-source", .noun = "torch source", .plural = "torch sources",
    .file = "pytorch", .paths = {"torch_sources"}};
inline const Names kProjects{.code = "unknown-project", .noun = "project", .plural = "projects",
    .file = "pytorch", .paths = {"projects"}};
inline const Names kReleaseTypes{.code = "unknown-release-type", .noun = "release type", .plural = "release types",
    .file = "release", .paths = {"release_types"}};
inline const Names kDomains{.code = "unknown-domain", .noun = "domain", .plural = "domains",
    .file = "release", .paths = {"domains"}};
// clang-format on

}  // namespace wheelwright::tables
