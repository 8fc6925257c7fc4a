#include <catch2/catch.hpp>
#include <cstddef>
#include <ctime>
#include <vector>

#include "base/file_system.h"
#include "generator/matrix/context.h"
#include "generator/matrix/schema.h"
#include "tests/unit/combo_matrix.h"

namespace wheelwright {
namespace {

// "a.b.2.c" below a binding of the context; null when there is none.
const Node* At(const MatrixContext& context, std::string_view path) {
  const std::size_t dot = path.find('.');
  const Scope* scope = Lookup(context.scope(), path.substr(0, dot));
  const Node* node = scope == nullptr ? nullptr : scope->value;
  std::string_view rest = dot == std::string_view::npos ? "" : path.substr(dot + 1);
  while (node != nullptr && !rest.empty()) {
    // A key may hold dots when it is the last part: release/2.9.
    const std::size_t end = rest.find('.');
    const std::string_view part = rest.substr(0, end);
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
    if (node->is_sequence()) {
      const std::size_t index = std::stoul(std::string(part));
      node = index < node->items.size() ? node->items[index] : nullptr;
    } else {
      node = Find(node, part);
    }
  }
  return node;
}

std::string Show(const Node* node) {
  if (node == nullptr) return "<absent>";
  if (node->is_null()) return "null";
  if (node->is_scalar()) return std::string(node->text);
  std::string text;
  for (const Node* item : node->items) text += (text.empty() ? "" : " ") + Show(item);
  for (const Entry& entry : node->entries) {
    text += (text.empty() ? "" : " ") + std::string(entry.key->text) + "=" + Show(entry.value);
  }
  return node->is_sequence() ? "[" + text + "]" : "{" + text + "}";
}

struct Loaded : ComboMatrix {
  MatrixContext Context() {
    Compute();
    REQUIRE(Render(diagnostics, sources, ReportFormat::kText, false) == "");
    return MakeContext(*matrix, combos, arena);
  }
};

TEST_CASE("templates see a combo with all that jobs are named and made by", "[context]") {
  Loaded m;
  m.Rules(
      "    include:\n      - { gfx: gfx1, torch: nightly, python: \"3.12\", tests: false, note: x "
      "}\n");
  const MatrixContext context = m.Context();
  const std::string first = "combo_sets.release.platforms.0.families.0.combos.0";
  CHECK(Show(At(context, first + ".id")) == "py311_torch29");
  CHECK(Show(At(context, first + ".label")) == "py 3.11 | torch release/2.9");
  CHECK(Show(At(context, first + ".python")) == "3.11");
  CHECK(At(context, first + ".python")->is_string());
  CHECK(Show(At(context, first + ".python_id")) == "py311");
  CHECK(Show(At(context, first + ".torch")) == "release/2.9");
  CHECK(Show(At(context, first + ".torch_id")) == "torch_29");
  CHECK(Show(At(context, first + ".source.version")) == "2.9");
  CHECK(Show(At(context, first + ".source.source.torch.commit_from")) == "torch_ref");
  CHECK(Show(At(context, first + ".release_types")) == "[dev stable]");
  CHECK(Show(At(context, first + ".tests")) == "true");
  CHECK(Show(At(context, first + ".promotes")) == "tests");
  CHECK(Show(At(context, first + ".note")) == "<absent>");
  const std::string last = "combo_sets.release.platforms.0.families.0.combos.3";
  CHECK(Show(At(context, last + ".id")) == "py312_nightly");
  CHECK(Show(At(context, last + ".source.version")) == "null");
  CHECK(Show(At(context, last + ".release_types")) == "[dev]");
  CHECK(Show(At(context, last + ".tests")) == "false");
  CHECK(Show(At(context, last + ".promotes")) == "never");
  CHECK(Show(At(context, last + ".note")) == "x");
  // Its values are the cells of the matrix.
  CHECK(m.sources.DescribeLine(At(context, last + ".torch")->where.begin) ==
        "matrix/pytorch.yml:9");
  CHECK(m.sources.DescribeLine(At(context, last + ".note")->where.begin) ==
        "matrix/pytorch.yml:12");
}

TEST_CASE("builds that are alike share their combos", "[context]") {
  Loaded m;
  m.Replace("families", "bypass_tests_for_releases: true", "test_runs_on: gpu-2");
  const MatrixContext context = m.Context();
  CHECK(At(context, "combo_sets.release.platforms.0.families.0.combos.1") ==
        At(context, "combo_sets.release.platforms.0.families.1.combos.1"));
}

TEST_CASE("templates see a gfx build with its family's columns", "[context]") {
  Loaded m;
  const MatrixContext context = m.Context();
  CHECK(At(context, "combo_sets.release.platforms")->items.size() == 2);
  CHECK(At(context, "combo_sets.release.platforms.0.families")->items.size() == 2);
  const std::string alpha = "combo_sets.release.platforms.0.families.0";
  CHECK(Show(At(context, alpha + ".key")) == "gfx1");
  CHECK(Show(At(context, alpha + ".name")) == "gfx1-alpha");
  CHECK(Show(At(context, alpha + ".title")) == "gfx1-alpha");
  CHECK(Show(At(context, alpha + ".tier")) == "presubmit");
  CHECK(Show(At(context, alpha + ".targets")) == "[gfx1a]");
  CHECK(Show(At(context, alpha + ".test_runs_on")) == "gpu-1");
  CHECK(Show(At(context, alpha + ".benchmark_runs_on")) == "null");
  CHECK(Show(At(context, alpha + ".promotes")) == "tests");
  CHECK(Show(At(context, alpha + ".tests")) ==
        "[{name=gfx1-alpha key=gfx1 runs_on=gpu-1 suffix=}]");
  CHECK(Show(At(context, "combo_sets.release.platforms.0.families.1.tests")) == "[]");
  CHECK(m.sources.Describe(At(context, alpha + ".name")->where.begin) ==
        "matrix/families.yml:5:22");
  CHECK(Show(At(context, "combo_sets.release.platforms.1.title")) == "Windows");
}

TEST_CASE("templates see a group as one build with a test for each member", "[context]") {
  Loaded m;
  m.Rules("", "{ fat: { platforms: [linux], families: [gfx1, gfx2], why: One build } }");
  m.Replace("families", "bypass_tests_for_releases: true",
            "test_runs_on: gpu-2, sanity_check_only: true");
  const MatrixContext context = m.Context();
  const std::string fat = "combo_sets.release.platforms.0.families.0";
  CHECK(At(context, "combo_sets.release.platforms.0.families")->items.size() == 1);
  CHECK(Show(At(context, fat + ".name")) == "fat");
  CHECK(Show(At(context, fat + ".targets")) == "[gfx1a gfx2a gfx2b]");
  CHECK(Show(At(context, fat + ".families.1.name")) == "gfx2-all");
  CHECK(Show(At(context, fat + ".tests")) ==
        "[{name=gfx1-alpha key=gfx1 runs_on=gpu-1 suffix=_gfx1_alpha} "
        "{name=gfx2-all key=gfx2 runs_on=gpu-2 suffix=_gfx2_all}]");
  CHECK(Show(At(context, fat + ".promotes")) == "tests");
  CHECK(Show(At(context, fat + ".test_runs_on")) == "null");        // they differ
  CHECK(Show(At(context, fat + ".sanity_check_only")) == "false");  // not true for all
  CHECK(Show(At(context, fat + ".variants")) == "[release]");
}

TEST_CASE("templates see the tables", "[context]") {
  Loaded m;
  m.Set("pins",
        "actions:\n"
        "  checkout: { uses: actions/checkout, sha: 3d3c42e5aac5ba805825da76410c181273ba90b1, "
        "version: v7.0.1 }\n"
        "images:\n"
        "  ubi: { image: ghcr.io/rocm/ubi, digest: "
        "\"sha256:a10f34d6006a20d02cf688982de9dea147710927ed405a3b0d5c73b58a6030c0\" }\n");
  const MatrixContext context = m.Context();
  const Node* checkout = At(context, "actions.checkout");
  CHECK(Show(checkout) == "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1");
  REQUIRE(checkout->comments != nullptr);
  CHECK(checkout->comments->trailing == "# v7.0.1");
  CHECK(m.sources.Describe(checkout->where.begin) == "matrix/pins.yml:2:44");
  CHECK(Show(At(context, "images.ubi")) ==
        "ghcr.io/rocm/ubi@sha256:a10f34d6006a20d02cf688982de9dea147710927ed405a3b0d5c73b58a6030c0");
  CHECK(At(context, "images.ubi")->comments == nullptr);
  CHECK(NumberValue(*At(context, "limits.workflow_bytes")) == 512000);
  CHECK(Show(At(context, "settings.plan_file")) == "plan.json");
  CHECK(Show(At(context, "release_types.1.name")) == "stable");
  CHECK(Show(At(context, "release_types.1.subdir")) == "v3");
  CHECK(Show(At(context, "torch.1.ref")) == "nightly");
  CHECK(Show(At(context, "families.1.key")) == "gfx2");
  CHECK(Show(At(context, "families.1.platforms")) == "[linux windows]");
  CHECK(Show(At(context, "families.0.windows")) == "null");
  CHECK(Show(At(context, "platforms.0.name")) == "linux");
  CHECK(Show(At(context, "platforms.0.families.2.name")) ==
        "gfx3");  // known to fail, and still a family
  CHECK(Show(At(context, "platforms.1.families.0.key")) == "gfx2");
  CHECK(Show(At(context, "domains.dev.triggers")) == "[workflow_dispatch]");
  CHECK(Lookup(context.scope(), "settings")->kind == BindingKind::kMatrix);
  CHECK(Lookup(context.scope(), "combos") != nullptr);  // as written; combo_sets has the cells
}

TEST_CASE("the names that templates see are those of the reference", "[context]") {
  Loaded m;
  const MatrixContext context = m.Context();
  std::vector<std::string_view> bound;
  for (const Scope* scope = context.scope(); scope != nullptr; scope = scope->parent) {
    bound.insert(bound.begin(), scope->name);
  }
  std::vector<std::string_view> known;
  for (const FileSchema& file : m.matrix->schema.files) {
    for (const Column& table : file.tables.columns) known.push_back(table.name);
  }
  known.push_back("combo_sets");
  CHECK(bound == known);
  for (const ContextName& name : ContextNames()) {
    INFO(name.name);
    const bool more = name.name == "TABLE" || name.name == "SETS";
    CHECK((more || std::ranges::find(bound, name.name) != bound.end()));
  }
}

TEST_CASE("rows have computed columns in front of their own", "[context]") {
  Loaded m;
  const MatrixContext context = m.Context();
  const auto keys = [&](std::string_view path) {
    std::string text;
    for (const Entry& entry : At(context, path)->entries) {
      text.append(text.empty() ? "" : " ").append(entry.key->text);
    }
    return text;
  };
  CHECK(keys("families.0") == "key platforms tier linux windows");
  CHECK(keys("platforms.0.families.0").starts_with("key name tier family targets test_runs_on "));
  CHECK(keys("platforms.0").ends_with(" variants families"));
  CHECK(keys("combo_sets.release") == "name platforms out release_types");
  CHECK(keys("combo_sets.release.platforms.0").ends_with(" variants families"));
  CHECK(keys("combo_sets.release.platforms.0.families.0")
            .starts_with("key name title families tests promotes promotes_untested held "
                         "held_untested tier family targets "));
  CHECK(keys("combo_sets.release.platforms.0.families.0")
            .ends_with(" known_failures pytorch_fails combos"));
  CHECK(keys("combo_sets.release.platforms.0.families.0.combos.0") ==
        "id label python python_id torch torch_id source release_types tests added promotes");
}

TEST_CASE("a binding leads back to the gfx build it stands for", "[context]") {
  Loaded m;
  const MatrixContext context = m.Context();
  const Node* build = At(context, "combo_sets.release.platforms.0.families.1");
  Scope family;
  family.parent = context.scope();
  family.name = "family";
  family.value = build;
  Scope combo;
  combo.parent = &family;
  combo.name = "combo";
  combo.value = At(context, "combo_sets.release.platforms.0.families.1.combos.0");
  const auto place = context.FindBranch(&combo);
  REQUIRE(place);
  CHECK(place->branch == &m.combos.sets[0].branches[1]);
  CHECK(place->set->name == "release");
  CHECK_FALSE(context.FindBranch(context.scope()));
}

// Processor seconds for the cells of a set of that many families, 11 Pythons and 50 refs.
double SecondsOfCells(int count) {
  Loaded m;
  std::string families = "tiers: { presubmit: x }\nfamilies:\n";
  for (int i = 0; i < count; ++i) {
    families += fmt::format(
        "  gfx{0}: {{ tier: presubmit, linux: {{ family: f{0}, targets: [gfx{0}a] }} }}\n",
        100 + i);
  }
  m.Set("families", families);
  std::string pytorch, refs, pythons;
  for (int i = 0; i < 50; ++i) {
    pytorch += fmt::format("  r/2.{0}: {{ id: torch_2{0}, source: rocm }}\n", i);
    refs += fmt::format("r/2.{}, ", i);
  }
  for (int i = 0; i < 11; ++i) pythons += fmt::format("\"3.{}\", ", i);
  m.Set("pytorch",
        "torch:\n" + pytorch +
            "projects: { torch: { folder: pytorch } }\n"
            "torch_sources: { rocm: { torch: { repository: https://github.com/ROCm/pytorch.git,"
            " commit_from: torch_ref } } }\n"
            "combos: { release: { platforms: { linux: { python: [" +
            pythons + "], torch: [" + refs +
            "] } }, exclude: [{ gfx: gfx100, python: \"3.1\", why: a }] } }\n");
  m.Replace("release", "torch: nightly", "torch: r/2.3");
  m.matrix = m.Load();
  REQUIRE(m.matrix);
  const std::clock_t start = std::clock();
  m.combos = CellsOf(*m.matrix, m.sources, m.arena, m.diagnostics);
  const MatrixContext context = MakeContext(*m.matrix, m.combos, m.arena);
  const std::clock_t end = std::clock();
  CHECK(Render(m.diagnostics, m.sources, ReportFormat::kText, false) == "");
  CHECK(m.combos.sets[0].in == static_cast<std::size_t>(count) * 11 * 50 - 50);
  CHECK(At(context, fmt::format("combo_sets.release.platforms.0.families.{}.combos.549",
                                count - 1)) != nullptr);
  return static_cast<double>(end - start) / CLOCKS_PER_SEC;
}

TEST_CASE("the work for cells grows with their number, not with its square", "[context]") {
  // Eight times the families: 8 where the work is linear, 64 where a step is quadratic.
  CHECK(SecondsOfCells(48) < 32 * SecondsOfCells(6));
}

}  // namespace
}  // namespace wheelwright
