// Drawings of workflows, and what is made of them.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/markup.h"
#include "base/text.h"
#include "generator/graph/jobs.h"
#include "generator/graph/layout.h"
#include "generator/graph/names.h"
#include "generator/graph/svg.h"
#include "generator/graph/text_formats.h"
#include "generator/graph/text_width.h"

namespace wheelwright {
namespace {

// The place in a template that jobs were unrolled from.
SourceRange Line(std::uint32_t line) { return {{0, line}, 1}; }

GraphJob Job(std::string id, std::string title, std::uint32_t line,
             std::vector<std::uint32_t> needs = {}, std::string calls = {}) {
  GraphJob job;
  job.id = std::move(id);
  job.title = std::move(title);
  job.calls = std::move(calls);
  job.needs = std::move(needs);
  job.where = Line(line);
  if (job.calls.empty()) job.runs_on = {"ubuntu-24.04"};
  return job;
}

// resolve, then for each Python build -> test, then a summary of all.
WorkflowGraph Release(std::vector<std::string> pythons) {
  WorkflowGraph graph{.file = "release_linux.yml",
                      .title = "Release | Linux",
                      .template_name = "templates/workflows/release.yml",
                      .triggers = {{"workflow_call", ""}, {"schedule", "0 2 * * *"}},
                      .jobs = {}};
  graph.jobs.push_back(Job("resolve", "Resolve", 1));
  std::vector<std::uint32_t> tests;
  for (const std::string& python : pythons) {
    const auto build = static_cast<std::uint32_t>(graph.jobs.size());
    graph.jobs.push_back(Job("build_" + python, "Build | py " + python, 2, {0}, "build_linux.yml"));
    graph.jobs.push_back(Job("test_" + python, "Test | py " + python, 3, {0, build}));
    tests.push_back(build + 1);
  }
  graph.jobs.push_back(Job("summary", "Summary", 4, tests));
  return graph;
}

WorkflowGraph Build() {
  WorkflowGraph graph{.file = "build_linux.yml",
                      .title = "Build | Linux",
                      .template_name = "templates/workflows/build.yml",
                      .triggers = {{"workflow_call", ""}},
                      .jobs = {}};
  graph.jobs.push_back(Job("build", "Build", 11));
  graph.jobs.push_back(Job("upload", "Upload \"it\" & <more>", 12, {0}));
  return graph;
}

GraphSet Set(std::vector<std::string> pythons = {"3.11", "3.12"}) {
  GraphSet set;
  set.Add(Release(std::move(pythons)));
  set.Add(Build());
  return set;
}

// One line a box: "id [count] title" below the box around it, and arrows behind.
std::string Outline(const Drawing& drawing, const std::string& indent = "") {
  std::string text;
  for (const Box& box : drawing.boxes) {
    text += fmt::format("{}{} {}", indent, box.id, TitleWithCount(box));
    for (const std::string& line : box.lines) text += " / " + line;
    text += "\n" + Outline(box.inside, indent + "  ");
  }
  for (const Arrow& arrow : drawing.arrows) {
    text += fmt::format("{}{} -> {}\n", indent, drawing.boxes[arrow.from].id,
                        drawing.boxes[arrow.to].id);
  }
  return text;
}

TEST_CASE("chains of one shape are drawn once", "[graph]") {
  const GraphSet set = Set();
  CHECK(Outline(DrawWorkflow(set, set.all()[0], {})) ==
        "on on / workflow_call / schedule: 0 2 * * *\n"
        "resolve Resolve / ubuntu-24.04\n"
        "chain_build_3.11 2 chains / py 3.11 3.12\n"
        "  build_3.11 Build / build_linux.yml\n"
        "  test_3.11 Test / ubuntu-24.04\n"
        "  build_3.11 -> test_3.11\n"
        "summary Summary / ubuntu-24.04\n"
        "on -> resolve\n"
        "resolve -> chain_build_3.11\n"
        "chain_build_3.11 -> summary\n");
}

TEST_CASE("each job is drawn when asked for, in a box for its chain", "[graph]") {
  const GraphSet set = Set();
  CHECK(Outline(DrawWorkflow(set, set.all()[0], {.each_job = true})) ==
        "on on / workflow_call / schedule: 0 2 * * *\n"
        "resolve Resolve / ubuntu-24.04\n"
        "chain_build_3.11 py 3.11\n"
        "  build_3.11 Build / build_linux.yml\n"
        "  test_3.11 Test / ubuntu-24.04\n"
        "  build_3.11 -> test_3.11\n"
        "chain_build_3.12 py 3.12\n"
        "  build_3.12 Build / build_linux.yml\n"
        "  test_3.12 Test / ubuntu-24.04\n"
        "  build_3.12 -> test_3.12\n"
        "summary Summary / ubuntu-24.04\n"
        "on -> resolve\n"
        "resolve -> chain_build_3.11\n"
        "resolve -> chain_build_3.12\n"
        "chain_build_3.11 -> summary\n"
        "chain_build_3.12 -> summary\n");
}

TEST_CASE("a chain of another shape stands for itself", "[graph]") {
  GraphSet set;
  WorkflowGraph graph = Release({"3.11", "3.12", "3.13"});
  graph.jobs[2].runs_on = {"elsewhere"};  // the test of 3.11
  set.Add(std::move(graph));
  const Drawing drawing = DrawWorkflow(set, set.all()[0], {});
  REQUIRE(drawing.boxes.size() == 5);
  CHECK(drawing.boxes[2].title == "py 3.11");
  CHECK(drawing.boxes[2].count == 1);
  CHECK(drawing.boxes[3].count == 2);
}

TEST_CASE("jobs that wait for parts of each other's chains stay single", "[graph]") {
  // a1 -> x -> b1 and b2 -> y -> a2: neither {a1, a2} nor {b1, b2} can be one box beside the other.
  GraphSet set;
  WorkflowGraph graph{
      .file = "w.yml", .title = "W", .template_name = "t", .triggers = {}, .jobs = {}};
  graph.jobs = {Job("a1", "A | 1", 1),     Job("x", "X", 2, {0}), Job("b1", "B | 1", 1, {1}),
                Job("b2", "B | 2", 3, {}), Job("y", "Y", 4, {3}), Job("a2", "A | 2", 3, {0, 4})};
  graph.jobs[2].needs.push_back(3);
  set.Add(std::move(graph));
  const Drawing drawing = DrawWorkflow(set, set.all()[0], {});
  CHECK(Measure(drawing).boxes >= 6);
  for (const Arrow& arrow : drawing.arrows) CHECK(arrow.from != arrow.to);
}

TEST_CASE("called workflows open as far as asked for", "[graph]") {
  const GraphSet set = Set();
  const Drawing drawing = DrawWorkflow(set, set.all()[0], {.open_levels = 1});
  const Drawing& chain = drawing.boxes[2].inside;
  CHECK(chain.boxes[0].file == "build_linux.yml");
  CHECK(Outline(chain.boxes[0].inside) ==
        "build Build / ubuntu-24.04\n"
        "upload Upload \"it\" & <more> / ubuntu-24.04\n"
        "build -> upload\n");
}

TEST_CASE("the overview stacks files of one template that call the same", "[graph]") {
  GraphSet set = Set();
  WorkflowGraph second = Release({"3.11"});
  second.file = "release_windows.yml";
  second.jobs.push_back(Job("more", "More", 9, {}, "octo/tools/.github/workflows/more.yml"));
  WorkflowGraph third = Release({"3.11"});
  third.file = "release_macos.yml";
  set.Add(std::move(third));
  set.Add(std::move(second));
  std::vector<const WorkflowGraph*> graphs;
  for (const WorkflowGraph& graph : set.all()) graphs.push_back(&graph);
  CHECK(Outline(DrawOverview(graphs)) ==
        "on_schedule schedule\n"
        "release_linux.yml 2 \u00d7 release_*.yml / 4 to 6 jobs each\n"
        "build_linux.yml build_linux.yml / 2 jobs\n"
        "release_windows.yml release_windows.yml / 5 jobs\n"
        "octo/tools/.github/workflows/more.yml octo/tools/.github/workflows/more.yml\n"
        "on_schedule -> release_linux.yml\n"
        "on_schedule -> release_windows.yml\n"
        "release_linux.yml -> build_linux.yml\n"
        "release_windows.yml -> build_linux.yml\n"
        "release_windows.yml -> octo/tools/.github/workflows/more.yml\n");
}

TEST_CASE("a drawing as Mermaid", "[graph]") {
  const GraphSet set = Set();
  CHECK(DrawMermaid(DrawWorkflow(set, set.all()[0], {.open_levels = 1}), "by a test") ==
        "flowchart LR\n"
        "  %% by a test\n"
        "  classDef trigger stroke-dasharray:4 3\n"
        "  classDef foreign stroke-dasharray:1 3\n"
        "  n_on([\"on<br>workflow_call<br>schedule: 0 2 * * *\"]):::trigger\n"
        "  n_resolve[\"Resolve<br>ubuntu-24.04\"]\n"
        "  subgraph n_chain_build_3_11[\"2 chains: py 3.11 3.12\"]\n"
        "    direction LR\n"
        "    subgraph n_chain_build_3_11__build_3_11[\"Build: build_linux.yml\"]\n"
        "      direction LR\n"
        "      n_chain_build_3_11__build_3_11__build[\"Build<br>ubuntu-24.04\"]\n"
        "      n_chain_build_3_11__build_3_11__upload[\"Upload #quot;it#quot; #amp; "
        "#lt;more#gt;<br>ubuntu-24.04\"]\n"
        "      n_chain_build_3_11__build_3_11__build --> "
        "n_chain_build_3_11__build_3_11__upload\n"
        "    end\n"
        "    n_chain_build_3_11__test_3_11[\"Test<br>ubuntu-24.04\"]\n"
        "    n_chain_build_3_11__build_3_11 --> n_chain_build_3_11__test_3_11\n"
        "  end\n"
        "  n_summary[\"Summary<br>ubuntu-24.04\"]\n"
        "  n_on --> n_resolve\n"
        "  n_resolve --> n_chain_build_3_11\n"
        "  n_chain_build_3_11 --> n_summary\n");
}

TEST_CASE("Mermaid's ids are words that differ", "[graph]") {
  Drawing drawing;
  for (const char* id : {"end", "a-b", "a_b", "a.b"})
    drawing.boxes.push_back({.id = id, .title = id});
  const std::string text = DrawMermaid(drawing, "");
  for (const char* id : {"n_end[", "n_a_b[", "n_a_b_2[", "n_a_b_3["}) {
    CHECK(text.find(id) != std::string::npos);
  }
}

TEST_CASE("Mermaid's limits are known", "[graph]") {
  std::vector<std::string> pythons;
  for (int i = 0; i < 600; ++i) pythons.push_back(fmt::format("3.{}", i));
  const GraphSet set = Set(pythons);
  const Drawing all = DrawWorkflow(set, set.all()[0], {.each_job = true});
  CHECK(!FitsMermaid(all, DrawMermaid(all, "")));
  const Drawing chains = DrawWorkflow(set, set.all()[0], {});
  CHECK(FitsMermaid(chains, DrawMermaid(chains, "")));
}

TEST_CASE("a drawing for Graphviz", "[graph]") {
  const GraphSet set = Set();
  CHECK(DrawDot(DrawWorkflow(set, set.all()[0], {}), "Release \"it\"") ==
        "digraph \"Release \\\"it\\\"\" {\n"
        "  graph [rankdir=LR, compound=true, fontname=\"Helvetica\", style=\"rounded\"]\n"
        "  node [shape=box, style=\"rounded\", fontname=\"Helvetica\", fontsize=11]\n"
        "  \"on\" [label=\"on\\nworkflow_call\\nschedule: 0 2 * * *\", style=\"rounded,dashed\"]\n"
        "  \"resolve\" [label=\"Resolve\\nubuntu-24.04\"]\n"
        "  subgraph \"cluster_chain_build_3.11\" {\n"
        "    label=\"2 chains\\npy 3.11 3.12\"\n"
        "    \"chain_build_3.11/build_3.11\" [label=\"Build\\nbuild_linux.yml\", "
        "style=\"rounded\", peripheries=2]\n"
        "    \"chain_build_3.11/test_3.11\" [label=\"Test\\nubuntu-24.04\"]\n"
        "    \"chain_build_3.11/build_3.11\" -> \"chain_build_3.11/test_3.11\"\n"
        "  }\n"
        "  \"summary\" [label=\"Summary\\nubuntu-24.04\"]\n"
        "  \"on\" -> \"resolve\"\n"
        "  \"resolve\" -> \"chain_build_3.11/build_3.11\" [lhead=\"cluster_chain_build_3.11\"]\n"
        "  \"chain_build_3.11/build_3.11\" -> \"summary\" [ltail=\"cluster_chain_build_3.11\"]\n"
        "}\n");
}

TEST_CASE("a drawing as SVG", "[graph]") {
  Drawing drawing;
  drawing.boxes.push_back({.id = "a", .title = "A & B", .lines = {"here"}});
  drawing.boxes.push_back({.id = "b", .kind = BoxKind::kCall, .title = "C", .file = "c.yml"});
  drawing.arrows = {{0, 1}};
  CHECK(DrawSvg(drawing, {.title = "<T>", .alone = false, .link = "#graph="}) ==
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"graph\" width=\"166.3\" height=\"65\" "
        "viewBox=\"0 0 166.3 65\" role=\"group\" aria-label=\"&lt;T&gt;\">\n"
        "<path class=\"arrow\" d=\"M72.7 32.5C95.7 32.5 95.7 32.5 118.7 32.5\"/>"
        "<path class=\"head\" d=\"M124.7 32.5l-6 -3.5v7z\"/>\n"
        "<g class=\"box job\" data-job=\"a\">\n"
        "<rect class=\"face\" x=\"8\" y=\"8\" width=\"64.7\" height=\"49\" rx=\"5\"/>\n"
        "<text class=\"title\" x=\"20\" y=\"29\">A &amp; B</text>\n"
        "<text class=\"line\" x=\"20\" y=\"45\">here</text>\n"
        "</g>\n"
        "<g class=\"box call\" data-job=\"b\">\n"
        "<a href=\"#graph=c.yml\" aria-label=\"C, c.yml\">\n"
        "<rect class=\"face\" x=\"124.7\" y=\"15.5\" width=\"33.6\" height=\"34\" rx=\"5\"/>\n"
        "<text class=\"title\" x=\"136.7\" y=\"36.5\">C</text>\n"
        "</a>\n"
        "</g>\n"
        "</svg>\n");
  const std::string alone = DrawSvg(drawing, {.title = "T", .link = {}});
  CHECK(alone.find("prefers-color-scheme: dark") != std::string::npos);
  CHECK(alone.find("<a ") == std::string::npos);
}

struct Area {
  double left, top, right, bottom;
  bool Meets(const Area& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

// Boxes of a level keep apart, text and what is inside stay within their box, and no arrow crosses
// a box that it does not join.
void CheckApart(const Drawing& drawing, const Layout& layout) {
  std::vector<Area> areas;
  for (std::size_t i = 0; i < layout.boxes.size(); ++i) {
    const PlacedBox& box = layout.boxes[i];
    areas.push_back({box.at.x, box.at.y, box.at.x + box.width, box.at.y + box.height});
    CHECK(box.at.x >= -0.01);
    CHECK(box.at.y >= -0.01);
    CHECK(areas.back().right <= layout.width + 0.01);
    CHECK(areas.back().bottom <= layout.height + 0.01);
    for (std::size_t j = 0; j < i; ++j) CHECK(!areas[i].Meets(areas[j]));
    const double sheets = drawing.boxes[i].count > 1 ? 2 * kStackStep : 0;
    const double room = box.width - sheets - 2 * kBoxPaddingX;
    CHECK(TextWidth(TitleWithCount(drawing.boxes[i]), Face::kSansBold, kTitleSize) <= room + 0.01);
    for (const std::string& line : drawing.boxes[i].lines) {
      CHECK(TextWidth(line, Face::kSans, kLineSize) <= room + 0.01);
    }
    const double lines = static_cast<double>(drawing.boxes[i].lines.size()) * kLineHeight;
    if (drawing.boxes[i].inside.boxes.empty()) {
      CHECK(lines + 2 * kBoxPaddingY <= box.height - sheets + 0.01);
      continue;
    }
    CHECK(box.inside_at.y >= lines);
    CHECK(box.inside_at.x + box.inside.width <= box.width - sheets);
    CHECK(box.inside_at.y + box.inside.height <= box.height - sheets);
    CheckApart(drawing.boxes[i].inside, box.inside);
  }
  for (const PlacedArrow& arrow : layout.arrows) {
    for (std::size_t i = 1; i < arrow.points.size(); ++i) {
      // A curve stays between its ends' heights.
      const Point& a = arrow.points[i - 1];
      const Point& b = arrow.points[i];
      const Area stretch{std::min(a.x, b.x), std::min(a.y, b.y) - 1, std::max(a.x, b.x),
                         std::max(a.y, b.y) + 1};
      for (std::size_t box = 0; box < areas.size(); ++box) {
        if (box == arrow.arrow.from || box == arrow.arrow.to) continue;
        CHECK(!stretch.Meets(areas[box]));
      }
    }
  }
}

TEST_CASE("nothing overlaps", "[graph]") {
  const GraphSet set = Set({"3.10", "3.11", "3.12", "3.13"});
  for (const DrawOptions options :
       {DrawOptions{}, DrawOptions{.each_job = true}, DrawOptions{.open_levels = 1},
        DrawOptions{.each_job = true, .open_levels = 2}}) {
    const Drawing drawing = DrawWorkflow(set, set.all()[0], options);
    CheckApart(drawing, LayOut(drawing));
  }
}

TEST_CASE("nothing overlaps in graphs without order", "[graph]") {
  // Arrows from a small linear congruential generator: the same on every machine.
  std::uint32_t state = 1;
  const auto next = [&](std::uint32_t below) {
    state = state * 1664525U + 1013904223U;
    return (state >> 16) % below;
  };
  for (std::uint32_t round = 0; round < 40; ++round) {
    Drawing drawing;
    const std::uint32_t count = 2 + next(25);
    for (std::uint32_t i = 0; i < count; ++i) {
      Box box{.id = fmt::format("b{}", i), .title = std::string(1 + next(30), 'w')};
      box.lines.resize(next(4), "a line");
      if (next(5) == 0) box.count = 2 + next(20);
      if (next(6) == 0) box.inside.boxes.push_back({.id = "inside", .title = "Inside"});
      drawing.boxes.push_back(std::move(box));
    }
    for (std::uint32_t i = 0; i < 2 * count; ++i) {
      const std::uint32_t a = next(count), b = next(count);
      if (a != b) drawing.arrows.push_back({std::min(a, b), std::max(a, b)});
    }
    REQUIRE(Tidy(drawing));
    CheckApart(drawing, LayOut(drawing));
  }
}

TEST_CASE("a drawing with a circle is laid out all the same", "[graph]") {
  Drawing drawing;
  for (const char* id : {"a", "b", "c"}) drawing.boxes.push_back({.id = id, .title = id});
  drawing.arrows = {{0, 1}, {1, 2}, {2, 0}};
  CHECK(!Tidy(drawing));
  CHECK(LayOut(drawing).boxes.size() == 3);
}

TEST_CASE("what names share, and what they do not", "[graph]") {
  const std::vector<std::string_view> names{"Build | py 3.11 | torch 2.9",
                                            "Build | py 3.12 | nightly"};
  const CommonName common = FindCommonName(names, "build");
  CHECK(common.common == "Build");
  CHECK(common.varying == std::vector<std::string>{"py 3.11 3.12", "torch 2.9 nightly"});
  CHECK(Varying(names[1], common) == "py 3.12 | nightly");
  const std::vector<std::string_view> ids{"build_py311", "build_py312"};
  CHECK(CommonPrefix(ids) == "build");
  const std::vector<std::string_view> files{"release_gfx94X-dcgpu.yml", "release_gfx950-dcgpu.yml"};
  CHECK(CommonGlob(files) == "release_*-dcgpu.yml");
  CHECK(Shorten("\u00e4\u00f6\u00fc", 3, "\u2026") == "\u00e4\u00f6\u00fc");
  CHECK(Shorten("\u00e4\u00f6\u00fcx", 3, "\u2026") == "\u00e4\u00f6\u2026");
}

TEST_CASE("markup is escaped", "[graph]") {
  CHECK(EscapeMarkup("<a href=\"x\">'&'") == "&lt;a href=&quot;x&quot;&gt;&#x27;&amp;&#x27;");
}

}  // namespace
}  // namespace wheelwright
