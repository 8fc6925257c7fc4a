// A matrix with several families, Pythons and refs, for tests of combos and of their output.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

#include "generator/matrix/cells.h"
#include "generator/matrix/context.h"
#include "tests/unit/matrix_files.h"

namespace wheelwright {

inline Cells CellsOf(const Matrix& matrix, const SourceManager& sources, Arena& arena,
                     Diagnostics& diagnostics) {
  return ComputeCells(matrix, BindTables(matrix, arena), {sources, arena, diagnostics});
}

// Linux has the builds alpha and beta-all (key beta) and the known failure gamma; Windows has
// beta-all. alpha is tested, beta may go untested on Linux and is a dead end on Windows.
class ComboMatrix : public SmallMatrix {
 public:
  ComboMatrix() {
    Set("platforms",
        "platforms:\n"
        "  linux:   { title: Linux, build_runs_on: bl, fallback_runs_on: fl,"
        " wheel_platform: linux_x86_64, packages: [torch], variants: { release: { label: release } "
        "} }\n"
        "  windows: { title: Windows, build_runs_on: bw, fallback_runs_on: fw,"
        " wheel_platform: win_amd64, packages: [torch], variants: { release: { label: release } } "
        "}\n");
    Set("families",
        "tiers: { presubmit: On every pull request, nightly: Once a day }\n"
        "families:\n"
        "  gfx1:\n"
        "    tier: presubmit\n"
        "    linux: { family: gfx1-alpha, targets: [gfx1a], test_runs_on: gpu-1, "
        "fetch_targets: [gfx1a] }\n"
        "  gfx2:\n"
        "    tier: nightly\n"
        "    linux: { family: gfx2-all, targets: [gfx2a, gfx2b], bypass_tests_for_releases: true "
        "}\n"
        "    windows: { family: gfx2-all, targets: [gfx2a, gfx2b] }\n"
        "  gfx3:\n"
        "    tier: nightly\n"
        "    linux:\n"
        "      family: gfx3\n"
        "      targets: [gfx3a]\n"
        "      known_failures: { pytorch: https://github.com/ROCm/TheRock/issues/1926 }\n");
    Set("release",
        "release_types:\n"
        "  dev: { domain: dev, python_bucket: dev-python, tarball_bucket: dev-tarball,"
        " artifact_bucket: dev-artifacts, subdir: v2, staging_subdir: v2-staging,"
        " index_url: https://dev.example.com/v2, staging_index_url: "
        "https://dev.example.com/v2-staging,"
        " role: \"arn:aws:iam::123456789012:role/dev\", region: us-east-2 }\n"
        "  stable:\n"
        "    domain: dev\n"
        "    python_bucket: stable-python\n"
        "    tarball_bucket: stable-tarball\n"
        "    artifact_bucket: stable-artifacts\n"
        "    subdir: v3\n"
        "    staging_subdir: v3-staging\n"
        "    index_url: https://stable.example.com/v3\n"
        "    staging_index_url: https://stable.example.com/v3-staging\n"
        "    role: arn:aws:iam::123456789012:role/stable\n"
        "    region: us-east-2\n"
        "    exclude:\n"
        "      - { torch: nightly, why: Branches alone }\n"
        "domains:\n"
        "  dev: { doc: By hand, roles: [\"arn:aws:iam::123456789012:role/dev\","
        " \"arn:aws:iam::123456789012:role/stable\"], buckets: [dev-python, dev-tarball, "
        "dev-artifacts,"
        " stable-python, stable-tarball, stable-artifacts], triggers: [workflow_dispatch] }\n"
        "promotion:\n"
        "  - { when: { branch: release/* }, verdict: promote, why: People decide }\n"
        "  - { when: { build: [failure, cancelled, skipped] }, verdict: hold, why: No build }\n"
        "  - { when: { runner: true, tests: [failure, cancelled, skipped] }, verdict: hold, why: "
        "Failed }\n"
        "  - { when: { runner: false, bypass: false }, verdict: hold, why: Untested }\n"
        "  - { when: {}, verdict: promote, why: Fine }\n");
    Rules("");
  }

  // Replaces matrix/pytorch.yml; `rules` are lines below the set 'release', indented by four.
  void Rules(const std::string& rules, const std::string& groups = "{}") {
    Set("pytorch",
        "torch:\n"
        "  release/2.9: { id: torch_29, version: \"2.9\", stable: true, source: rocm }\n"
        "  nightly: { id: torch_nightly, source: rocm }\n"
        "projects: { torch: { folder: pytorch } }\n"
        "torch_sources: { rocm: { torch: { repository: https://github.com/ROCm/pytorch.git,"
        " commit_from: torch_ref } } }\n"
        "combos:\n"
        "  release:\n"
        "    platforms:\n"
        "      linux: { python: [\"3.11\", \"3.12\"], torch: [release/2.9, nightly] }\n"
        "      windows: { python: [\"3.12\"], torch: [release/2.9, nightly] }\n" +
            rules + "gfx_groups: " + groups + "\n");
  }

  const Cells& Compute() {
    matrix = Load();
    if (!matrix) throw FileError(Render(diagnostics, sources, ReportFormat::kText, false));
    combos = CellsOf(*matrix, sources, arena, diagnostics);
    return combos;
  }

  // The diagnostics of the computation.
  std::string Problems() {
    Compute();
    if (diagnostics.errors() == 0) Check(*matrix, combos, Severity::kError);
    return Render(diagnostics, sources, ReportFormat::kText, false);
  }

  // The included combos, one per line: "linux gfx1-alpha py312_nightly color=green".
  std::string List() {
    std::string lines;
    for (const CellSet& set : Compute().sets) {
      for (const CellBranch& branch : set.branches) {
        for (const Cell& combo : branch.cells) {
          if (combo.out == nullptr) lines += Describe(set, combo) + "\n";
        }
      }
    }
    return lines;
  }

  // The excluded combos: "linux gfx3 py312_nightly: known failure".
  std::string ListOut() {
    std::string lines;
    for (const CellSet& set : Compute().sets) {
      for (const CellBranch& branch : set.branches) {
        for (const Cell& combo : branch.cells) {
          if (combo.out == nullptr) continue;
          lines += fmt::format("{}: {}\n", Describe(set, combo), combo.out->text);
        }
      }
    }
    return lines;
  }

  std::optional<Matrix> matrix;
  Cells combos;

 private:
  static std::string Describe(const CellSet& set, const Cell& combo) {
    std::string line =
        fmt::format("{} {} {}", set.Value(combo, 0).key, set.Value(combo, 1).name, combo.id);
    if (combo.extras == nullptr) return line;
    for (const Entry& column : combo.extras->columns) {
      line += fmt::format(" {}={}", column.key->text, column.value->text);
    }
    return line;
  }
};

}  // namespace wheelwright
