// The page's section with the job graphs.
#include <fmt/format.h>

#include <map>
#include <utility>

#include "base/markup.h"
#include "base/text.h"
#include "generator/graph/page_markup.h"
#include "generator/graph/pages.h"
#include "generator/graph/svg.h"

namespace wheelwright {
namespace {

// With more boxes than that, the view falls back to chains.
constexpr std::size_t kMostBoxes = 600;
// The list folds this many files of one template, and more.
constexpr std::size_t kFoldedFiles = 4;

class GraphSectionMaker {
 public:
  explicit GraphSectionMaker(const PageInput& input) : input_(input) {}

  std::string Make(JsonWriter& facts) {
    const std::size_t overview = Keep(DrawOverview(input_.graphs));
    for (const WorkflowGraph* graph : input_.graphs) AddViews(*graph);
    html_ =
        "<section id=\"workflows\" aria-labelledby=\"workflows-title\">\n"
        "<h2 id=\"workflows-title\">Workflows</h2>\n<div class=\"workflows\">\n";
    AddList();
    html_ += fmt::format(
        "<figure>\n<figcaption><h3 id=\"graph-title\" tabindex=\"-1\">All workflows</h3>\n"
        "<p id=\"graph-about\">What starts each workflow, and which ones it calls</p>\n"
        "<p id=\"graph-jobs\" role=\"status\"></p>\n"
        "<fieldset class=\"views\" id=\"views\" hidden><legend>Draw</legend><div class=\"chips\">"
        "{}{}{}{}</div></fieldset>\n"
        "<div class=\"zoom\" id=\"zoom\" role=\"group\" aria-label=\"Size of the graph\">"
        "<button type=\"button\" value=\"out\" aria-label=\"Smaller\">\u2212</button>"
        "<output id=\"zoom-at\">100 %</output>"
        "<button type=\"button\" value=\"in\" aria-label=\"Larger\">+</button>"
        "<button type=\"button\" value=\"fit\">Fit</button>"
        "<button type=\"button\" value=\"full\">Full size</button></div></figcaption>\n"
        "<div id=\"graph\">{}</div>\n"
        "<p class=\"keys\">In the graph: arrow keys scroll, <kbd>+</kbd> and <kbd>-</kbd> zoom, "
        "<kbd>F</kbd> fits all of it, <kbd>0</kbd> is full size.</p>\n</figure>\n</div>\n",
        View("", "chains", true), View("jobs", "every job", false),
        View("open", "inside calls", false), View("time", "time line", false), drawn_[overview]);
    for (std::size_t i = 0; i < drawn_.size(); ++i) {
      html_ += fmt::format("<template id=\"g{}\">{}</template>\n", i, drawn_[i]);
    }
    html_ += "</section>\n";
    AddTriggers();
    AddFacts(facts);
    return std::move(html_);
  }

 private:
  static std::string View(std::string_view value, std::string_view label, bool checked) {
    return fmt::format(
        "<label class=\"chip\"><input type=\"radio\" name=\"view\" value=\"{}\"{}>"
        "<span>{}</span></label>",
        value, checked ? " checked" : "", label);
  }

  // The number of the drawing.
  std::size_t Keep(const Drawing& drawing) {
    return KeepPicture("Job graph",
                       DrawSvg(drawing, {.title = "Job graph", .alone = false, .link = "#graph="}),
                       Listing(drawing));
  }

  std::size_t KeepPicture(std::string_view title, const std::string& svg,
                          const std::string& listing) {
    // Whose graph it is stands above it, so that equal graphs are equal.
    std::string html = fmt::format(
        "<div class=\"canvas\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n{}</div>\n"
        "<details class=\"listing\"><summary>As a table</summary>{}</details>\n",
        title, svg, listing);
    const auto [at, added] = number_.emplace(html, drawn_.size());
    if (added) drawn_.push_back(std::move(html));
    return at->second;
  }

  void AddViews(const WorkflowGraph& graph) {
    Views views{.graph = &graph};
    views.chains = Keep(DrawWorkflow(input_.set, graph, {}));
    views.jobs = KeepUnlessHuge(graph, {.each_job = true}, views.chains);
    views.open = KeepUnlessHuge(graph, {.open_levels = 1}, views.chains);
    views.run = TimeRun(input_.set, graph, input_.minutes);
    views.time = views.run.steps.empty() ? views.chains : KeepTimeLine(views.run);
    views_.push_back(std::move(views));
  }

  std::size_t KeepUnlessHuge(const WorkflowGraph& graph, const DrawOptions& options,
                             std::size_t otherwise) {
    const Drawing drawing = DrawWorkflow(input_.set, graph, options);
    return Measure(drawing).boxes > kMostBoxes ? otherwise : Keep(drawing);
  }

  std::size_t KeepTimeLine(const RunTime& run) {
    std::string rows;
    for (const RunStep& step : run.steps) {
      const std::string after =
          step.waits_for < 0 ? "" : StepName(run.steps[static_cast<std::size_t>(step.waits_for)]);
      rows += fmt::format(
          "<tr>{}{}{}{}</tr>\n", TableCell("What", EscapeMarkup(StepName(step))),
          TableCell("Waits for", EscapeMarkup(after)),
          TableCell("Begins after", Duration(step.begins)),
          TableCell("Takes", Duration(step.minutes) + (step.measured ? ", measured" : "")));
    }
    return KeepPicture(
        "Time line", DrawTimeLine(run),
        fmt::format(
            "<div class=\"wide\"><table class=\"plain\"><thead><tr><th scope=\"col\">What</th>"
            "<th scope=\"col\">Waits for</th><th scope=\"col\">Begins after</th>"
            "<th scope=\"col\">Takes</th></tr></thead><tbody>\n{}</tbody></table></div>",
            rows));
  }

  // What each event that people or GitHub send costs. Calls are a part of what calls.
  void AddTriggers() {
    std::string rows;
    for (const Views& views : views_) {
      for (const GraphTrigger& trigger : views.graph->triggers) {
        if (trigger.event == "workflow_call") continue;
        std::string event = "<code>" + EscapeMarkup(trigger.event) + "</code>";
        if (!trigger.detail.empty()) event += " " + EscapeMarkup(trigger.detail);
        std::string jobs = WithThousands(views.run.jobs);
        if (views.run.foreign > 0) {
          jobs += fmt::format(" + {}", Count(views.run.foreign, "call"));
        }
        rows += fmt::format(
            "<tr>{}{}{}{}{}</tr>\n", TableCell("Event", event),
            TableCell("Workflow", fmt::format("<a href=\"#graph={0}\" data-view=\"time\">{0}</a>",
                                              EscapeMarkup(views.graph->file))),
            TableCell("Jobs", jobs, " class=\"number\""),
            TableCell("Runner time", Duration(views.run.minutes), " class=\"number\""),
            TableCell("Until the end", Duration(views.run.longest), " class=\"number\""));
      }
    }
    if (rows.empty()) return;
    html_ += fmt::format(
        "<section aria-labelledby=\"cost-title\">\n<h2 id=\"cost-title\">What a trigger "
        "costs</h2>\n<p class=\"about\">At most: all conditions hold, each job takes its "
        "<code>timeout-minutes</code>{}, and none waits for a runner. A job without a limit counts "
        "with GitHub\u2019s {}; a job with a matrix of its own counts once. Calls "
        "of workflows that are not generated follow a plus; their jobs are not counted.</p>\n"
        "<div class=\"wide\"><table class=\"plain\"><thead><tr><th scope=\"col\">Event</th>"
        "<th scope=\"col\">Workflow</th><th scope=\"col\" class=\"number\">Jobs</th>"
        "<th scope=\"col\" class=\"number\">Runner time</th>"
        "<th scope=\"col\" class=\"number\">Until the end</th></tr></thead><tbody>\n{}"
        "</tbody></table></div>\n</section>\n",
        input_.minutes.empty() ? "" : ", or what was measured", Duration(kDefaultTimeout), rows);
  }

  // The boxes in reading order, for screen readers and for copying.
  static std::string Listing(const Drawing& drawing) {
    std::string rows;
    AddRows(drawing, "", rows);
    return fmt::format(
        "<div class=\"wide\"><table class=\"plain\"><thead><tr><th scope=\"col\">What</th>"
        "<th scope=\"col\">After</th><th scope=\"col\">Details</th></tr></thead><tbody>\n{}"
        "</tbody></table></div>",
        rows);
  }

  static std::string NameOf(const Box& box) {
    std::string name = TitleWithCount(box);
    if (name.empty()) name = box.id;
    return EscapeMarkup(name);
  }

  static void AddRows(const Drawing& drawing, const std::string& above, std::string& rows) {
    for (std::uint32_t i = 0; i < drawing.boxes.size(); ++i) {
      const Box& box = drawing.boxes[i];
      std::string after, lines;
      for (const Arrow& arrow : drawing.arrows) {
        if (arrow.to != i) continue;
        after.append(after.empty() ? "" : ", ").append(NameOf(drawing.boxes[arrow.from]));
      }
      for (const std::string& line : box.lines) {
        lines.append(lines.empty() ? "" : "<br>").append(EscapeMarkup(line));
      }
      const std::string name = above + NameOf(box);
      rows += fmt::format("<tr>{}{}{}</tr>\n", TableCell("What", name), TableCell("After", after),
                          TableCell("Details", lines));
      AddRows(box.inside, name + " \u203a ", rows);
    }
  }

  void AddList() {
    // By template, in the order of the first file of each.
    std::vector<std::pair<std::string_view, std::vector<const WorkflowGraph*>>> templates;
    std::map<std::string_view, std::size_t> at;
    for (const WorkflowGraph* graph : input_.graphs) {
      const auto [found, added] = at.emplace(graph->template_name, templates.size());
      if (added) templates.push_back({graph->template_name, {}});
      templates[found->second].second.push_back(graph);
    }
    html_ +=
        "<nav aria-label=\"Workflows\"><ul>\n<li><a href=\"#graph=\" "
        "aria-current=\"true\">All workflows</a></li>\n";
    for (const auto& [name, graphs] : templates) {
      const bool folded = graphs.size() >= kFoldedFiles;
      if (folded) {
        std::string_view stem = name.substr(name.rfind('/') + 1);
        stem = stem.substr(0, stem.rfind('.'));
        html_ += fmt::format("<li><details><summary>{} <span>{}</span></summary><ul>\n",
                             EscapeMarkup(stem), graphs.size());
      }
      for (const WorkflowGraph* graph : graphs) {
        std::string_view file = graph->file;
        if (file.ends_with(".yml")) file.remove_suffix(4);
        html_ += fmt::format("<li><a href=\"#graph={}\">{}</a></li>\n", EscapeMarkup(graph->file),
                             EscapeMarkup(file));
      }
      if (folded) html_ += "</ul></details></li>\n";
    }
    html_ += "</ul></nav>\n";
  }

  void AddFacts(JsonWriter& facts) const {
    facts.Key("graphs");
    facts.Open('[', JsonWriter::Layout::kBlock);
    for (const Views& views : views_) {
      facts.Open('{', JsonWriter::Layout::kInline);
      facts.StringAt("file", views.graph->file);
      facts.StringAt("title", views.graph->title);
      facts.StringAt("template", views.graph->template_name);
      facts.NumberAt("count", views.graph->jobs.size());
      facts.NumberAt("chains", views.chains);
      facts.NumberAt("jobs", views.jobs);
      facts.NumberAt("open", views.open);
      facts.NumberAt("time", views.time);
      facts.Close();
    }
    facts.Close();
  }

  const PageInput& input_;
  // Which templates show a workflow: all views are there, and may be the same.
  struct Views {
    const WorkflowGraph* graph = nullptr;
    std::size_t chains = 0;  // chains of one shape as one
    std::size_t jobs = 0;    // each job
    std::size_t open = 0;    // with the jobs of called workflows
    std::size_t time = 0;    // as bars along the time
    RunTime run;
  };

  std::string html_;
  std::vector<Views> views_;
  std::vector<std::string> drawn_;
  std::map<std::string, std::size_t> number_;
};

}  // namespace

std::string MakeGraphSection(const PageInput& input, JsonWriter& facts) {
  return GraphSectionMaker(input).Make(facts);
}

}  // namespace wheelwright
