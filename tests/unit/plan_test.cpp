#include "generator/plan/plan.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <iostream>

#include "base/file_system.h"
#include "generator/plan/report.h"
#include "tests/unit/combo_matrix.h"

namespace wheelwright {
namespace {


const std::string kRules =
    "    exclude:\n"
    "      - { gfx: gfx2, python: \"3.11\", torch: nightly, why: Too new, issue: "
    "https://github.com/ROCm/TheRock/issues/2723 }\n"
    "    include:\n"
    "      - { gfx: gfx1, python: \"3.12\", torch: nightly, tests: false }\n";

std::vector<WorkflowUsage> Files(const Combos& combos) {
  WorkflowUsage ci;
  ci.file = "ci.yml";
  ci.jobs = 12;
  ci.bytes = 900;
  ci.needs_edges = 20;
  ci.reusable_files = 45;
  ci.reusable_levels = 3;
  ci.dispatch_inputs = 2;
  ci.expression_bytes = 321;
  WorkflowUsage gfx1;
  gfx1.file = "release_linux_gfx1-alpha.yml";
  gfx1.jobs = 1200;
  gfx1.bytes = 62464;
  gfx1.needs_edges = 1420;
  gfx1.builds = {&combos.sets[0].platforms[0].builds[0]};
  return {ci, gfx1};
}

TEST_CASE("dump", "[.dump]") {
  ComboMatrix m;
  m.Rules(kRules);
  m.Compute();
  const auto files = Files(m.combos);
  for (const PlanFormat format : {PlanFormat::kTable, PlanFormat::kMarkdown, PlanFormat::kJson}) {
    PlanOptions options;
    options.format = format;
    std::cout << "--------- " << Summarize(m.diagnostics) << "\n";
    std::cout << RenderReport(MakeReport(*m.matrix, m.combos, files, options, m.sources), m.combos, options, m.sources);
    std::cout << "---------\n";
    options.workflow = "release_*";
    options.each_combo = true;
    options.all_files = true;
    std::cout << RenderReport(MakeReport(*m.matrix, m.combos, files, options, m.sources), m.combos, options, m.sources);
  }
  std::cout << "=======\n" << MakePlan(*m.matrix, m.combos);
}

}  // namespace
}  // namespace wheelwright
