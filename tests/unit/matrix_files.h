// A matrix in memory, for tests.
#pragma once

#include <optional>
#include <string>

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/source.h"
#include "generator/matrix/cells.h"
#include "generator/matrix/checks.h"
#include "generator/matrix/context.h"
#include "generator/matrix/load.h"
#include "tests/unit/memory_file_system.h"
#include "tests/unit/source_path.h"

namespace wheelwright {

// One small valid matrix, described by this project's own schema; a test changes one of its files
// and loads it.
class SmallMatrix {
 public:
  SmallMatrix() {
    memory_.files["matrix/schema.yml"] =
        RealFileSystem().Read(SourcePath("matrix/schema.yml")).value();
    memory_.files["matrix/platforms.yml"] =
        "platforms:\n"
        "  linux:\n"
        "    title: Linux\n"
        "    build_runs_on: build-linux\n"
        "    fallback_runs_on: ubuntu-24.04\n"
        "    wheel_platform: linux_x86_64\n"
        "    packages: [torch]\n"
        "    variants:\n"
        "      release: { label: release }\n"
        "      asan: { label: asan, suffix: asan, cmake_preset: linux-release-asan }\n";
    memory_.files["matrix/families.yml"] =
        "tiers: { presubmit: On every pull request, nightly: Once a day }\n"
        "target_groups: { gfx120X-all: [gfx1200, gfx1201] }\n"
        "families:\n"
        "  gfx94x:\n"
        "    tier: presubmit\n"
        "    linux:\n"
        "      family: gfx94X-dcgpu\n"
        "      targets: [gfx942]\n"
        "      test_runs_on: linux-mi325\n"
        "  gfx120x:\n"
        "    tier: nightly\n"
        "    linux: { family: gfx120X-all, targets: gfx120X-all }\n";
    memory_.files["matrix/pytorch.yml"] =
        "torch:\n"
        "  release/2.10: { id: torch_210, version: \"2.10\", stable: true, source: rocm }\n"
        "projects: { torch: { folder: pytorch, hipify: true } }\n"
        "torch_sources:\n"
        "  rocm:\n"
        "    torch: { repository: https://github.com/ROCm/pytorch.git, commit_from: torch_ref }\n"
        "combos:\n"
        "  ci: { platforms: { linux: { python: [\"3.12\"], torch: [release/2.10] } } }\n";
  }

  void Set(const std::string& stem, const std::string& text) {
    memory_.files["matrix/" + stem + ".yml"] = text;
  }
  void Remove(const std::string& stem) { memory_.files.erase("matrix/" + stem + ".yml"); }
  // Replaces the first occurrence, which must be there.
  void Replace(const std::string& stem, const std::string& from, const std::string& to) {
    std::string& text = memory_.files.at("matrix/" + stem + ".yml");
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw FileError("'" + from + "' is not in " + stem);
    text.replace(at, from.size(), to);
  }

  std::optional<Matrix> Load() {
    return LoadMatrix(memory_, "matrix", sources, arena, diagnostics);
  }
  // The diagnostics of loading, rendered.
  std::string Errors() {
    Load();
    return Render(diagnostics, sources, ReportFormat::kText, false);
  }

  // Reports the findings of the schema's checks.
  void Check(const Matrix& matrix, const Cells& combos, Severity severity) {
    TypePool types;
    const std::vector<RowCheck>& checks = *matrix.schema.checks;
    CheckTypesOf(checks, TypesOfContext(matrix, combos, types, {sources, arena, diagnostics}),
                 sources, diagnostics);
    if (diagnostics.errors() > 0) return;
    const MatrixContext context = MakeContext(matrix, combos, arena);
    RunChecks(checks, severity, context.scope(), sources, diagnostics);
  }

  MemoryFileSystem& files() { return memory_; }

  SourceManager sources;
  Arena arena;
  Diagnostics diagnostics;

 private:
  MemoryFileSystem memory_;
};

}  // namespace wheelwright
