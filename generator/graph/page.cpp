// The matrix as one HTML page.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/markup.h"
#include "base/text.h"
#include "generator/expression/json_writer.h"
#include "generator/graph/matrix_grid.h"
#include "generator/graph/page_assets.h"
#include "generator/graph/page_markup.h"
#include "generator/graph/page_tables.h"
#include "generator/graph/pages.h"

namespace wheelwright {
namespace {

// Base64 of a hash that is written in hexadecimal, as Content-Security-Policy wants it.
std::string Base64OfHex(std::string_view hex) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  unsigned bits = 0;
  int held = 0;
  for (const char c : hex) {
    const int value = c <= '9' ? c - '0' : c - 'a' + 10;
    bits = bits << 4 | static_cast<unsigned>(value);
    held += 4;
    if (held < 6) continue;
    held -= 6;
    text += kDigits[bits >> held & 63];
  }
  if (held > 0) text += kDigits[bits << (6 - held) & 63];
  while (text.size() % 4 != 0) text += '=';
  return text;
}

// JSON for a <script> element: no '<' in it, which stands in strings alone, so that nothing ends
// the element early.
std::string ForScript(std::string_view json) {
  std::string escaped;
  escaped.reserve(json.size());
  for (const char c : json) c == '<' ? escaped += "\\u003c" : escaped += c;
  return escaped;
}

class PageWriter {
 public:
  explicit PageWriter(const PageInput& input)
      : input_(input),
        grids_(MakeGrids(input.report, input.matrix.schema)),
        cells_(CellsWord(input.matrix.schema)),
        repository_(FindText(input.matrix.settings, "repository")) {
    if (repository_.empty()) repository_ = "this project";
  }

  std::string Write() {
    JsonWriter facts;
    facts.Open('{', JsonWriter::Layout::kBlock);
    AddKinds(facts);
    const CellTables tables = MakeCellTables(input_, grids_, facts);
    const std::string graphs = MakeGraphSection(input_, facts);
    facts.Close();

    AddHead();
    AddMasthead();
    out_ += fmt::format(
        "<main>\n<section id=\"matrix\" aria-labelledby=\"matrix-title\">\n"
        "<h2 id=\"matrix-title\">{}</h2>\n",
        EscapeMarkup(HeadingOf(cells_)));
    if (grids_.empty()) {
      out_ += fmt::format("<p>There are no {} in these workflows.</p>\n</section>\n",
                          EscapeMarkup(cells_));
    } else {
      AddFilters();
      AddLegend();
      out_ += tables.grids;
      out_ +=
          "<aside class=\"detail\" id=\"detail\" aria-label=\"Details\" aria-live=\"polite\" "
          "tabindex=\"-1\"><p class=\"hint\">Choose a cell to read why it is in or out.</p>"
          "</aside>\n</section>\n" +
          MakeChangeSection(input_, grids_) + tables.reasons;
    }
    out_ += graphs + "</main>\n";
    out_ += fmt::format(
        "<script type=\"application/json\" id=\"facts\">{}</script>\n<script>{}</script>\n</body>\n"
        "</html>\n",
        ForScript(facts.Take()) + '\n', kPageJs);
    return std::move(out_);
  }

 private:
  void AddHead() {
    out_ += fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'sha256-{}'; script-src 'sha256-{}'; img-src data:; base-uri 'none'; form-action "
        "'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n"
        "<link rel=\"icon\" href=\"data:,\">\n"
        "<title>Matrix of {}</title>\n<style>{}{}</style>\n</head>\n<body>\n",
        Base64OfHex(kPageStyleHash), Base64OfHex(kPageScriptHash), EscapeMarkup(repository_),
        kGraphCss, kPageCss);
  }

  void AddFigure(std::size_t number, std::string_view what, std::string_view style = {}) {
    out_ += fmt::format("<div{}><dt>{}</dt><dd>{}</dd></div>\n",
                        style.empty() ? "" : fmt::format(" class=\"{}\"", style), what,
                        WithThousands(number));
  }

  void AddMasthead() {
    std::size_t dead_ends = 0;
    for (const PlanPart& part : input_.report.parts) {
      for (const PlanDeadEnd& end : part.dead_ends) dead_ends += end.cells;
    }
    out_ += fmt::format(
        "<a class=\"skip\" href=\"#matrix\">Skip to the {}</a>\n<header>\n"
        "<div><p class=\"overline\">{}</p>\n<h1>Matrix</h1></div>\n<dl class=\"figures\">\n",
        EscapeMarkup(cells_), EscapeMarkup(repository_));
    AddFigure(input_.report.cells, fmt::format("{} built", EscapeMarkup(cells_)));
    AddFigure(input_.report.out, "left out");
    if (dead_ends > 0) AddFigure(dead_ends, "dead ends", "alert");
    AddFigure(input_.report.jobs, "jobs");
    AddFigure(input_.graphs.size(), "workflows");
    out_ += "</dl>\n</header>\n";
  }

  void AddChoice(std::string_view type, std::string_view name, std::string_view value,
                 std::string_view label, bool checked) {
    out_ += fmt::format(
        "<label class=\"chip\"><input type=\"{}\" name=\"{}\" value=\"{}\"{}><span>{}</span>"
        "</label>\n",
        type, name, EscapeMarkup(value), checked ? " checked" : "", EscapeMarkup(label));
  }

  void OpenChoices(std::string_view legend) {
    out_ += fmt::format("<fieldset><legend>{}</legend><div class=\"chips\">\n", legend);
  }
  void CloseChoices() { out_ += "</div></fieldset>\n"; }

  // Values by which rows and columns are chosen: of axes, and of columns of rows.
  struct Filter {
    std::string_view name;  // of the attribute
    std::string_view heading;
    std::vector<std::pair<std::string_view, std::string_view>> values;  // with their titles
  };

  std::vector<Filter> FindFilters() const {
    std::vector<Filter> filters;
    const auto add = [&](std::string_view name, std::string_view heading, std::string_view value,
                         std::string_view title) {
      auto filter = std::ranges::find(filters, name, &Filter::name);
      if (filter == filters.end()) {
        filters.push_back({name, heading, {}});
        filter = std::prev(filters.end());
      }
      AddOnce(filter->values, std::pair(value, title));
    };
    for (const Grid& grid : grids_) {
      const ViewSchema& view = grid.set->schema->view;
      for (const GridRow& row : grid.rows) {
        for (const AxisValue* value : row.part->values) {
          const AxisSchema& axis = input_.matrix.schema.axes[value->axis];
          add(axis.name, axis.noun, value->key, TitleOf(*value));
        }
      }
      for (const GridRow& row : grid.rows) {
        for (std::size_t i = 0; i < row.branch->shown.size(); ++i) {
          const std::string_view name = view.rows[i].name;
          if (std::ranges::find(view.filters, name) == view.filters.end()) continue;
          add(name, name, row.branch->shown[i], row.branch->shown[i]);
        }
      }
      for (std::size_t i = grid.axes.size(); i-- > 0;) {
        const AxisSchema& axis = input_.matrix.schema.axes[grid.axes[i]];
        for (const GridColumn& column : grid.columns) {
          add(axis.name, axis.noun, column.values[i], column.values[i]);
        }
      }
    }
    return filters;
  }

  void AddFilters() {
    out_ += fmt::format("<form class=\"filters\" role=\"search\" aria-label=\"{}\">\n",
                        EscapeMarkup(HeadingOf(cells_)));
    if (grids_.size() > 1) {
      OpenChoices("Set");
      for (const Grid& grid : grids_) {
        AddChoice("radio", "set", grid.name, grid.name, &grid == &grids_.front());
      }
      CloseChoices();
    }
    for (const Filter& filter : FindFilters()) {
      OpenChoices(HeadingOf(filter.heading));
      for (const auto& [name, title] : filter.values) {
        AddChoice("checkbox", filter.name, name, title, false);
      }
      CloseChoices();
    }
    OpenChoices("Show");
    AddChoice("radio", "show", "", "all", true);
    AddChoice("radio", "show", "in", "built", false);
    AddChoice("radio", "show", "out", "left out", false);
    CloseChoices();
    out_ +=
        "<div class=\"find\"><label for=\"find\">Find</label>"
        "<input id=\"find\" type=\"search\" name=\"q\" autocomplete=\"off\" "
        "spellcheck=\"false\" placeholder=\"any word of a row, reason\"></div>\n"
        "<button type=\"reset\">Reset</button>\n</form>\n";
  }

  // As the script tells them at first, so that nothing moves when it runs.
  void AddLegend() {
    std::vector<CellStyle> styles;
    for (const SetSchema& kind : input_.matrix.schema.sets) {
      for (const CellStyle& style : StylesOf(kind)) AddOnce(styles, style);
    }
    std::vector<std::size_t> counts(styles.size()), first(styles.size());
    std::size_t in = 0, out = 0;
    for (const Grid& grid : grids_) {
      for (const GridRow& row : grid.rows) {
        for (const GridCell& cell : row.cells) {
          if (cell.cell == nullptr) continue;
          const auto at = static_cast<std::size_t>(
              std::ranges::find(styles, grid.styles[cell.style]) - styles.begin());
          ++counts[at];
          if (&grid != &grids_.front()) continue;
          ++first[at];
          ++(grid.IsIn(cell) ? in : out);
        }
      }
    }
    const std::size_t rows = grids_.front().rows.size();
    out_ += fmt::format(
        "<p class=\"status\" id=\"status\" role=\"status\">{0} built and {1} left out in {2} of "
        "{2} "
        "rows</p>\n<ul class=\"legend\">\n",
        WithThousands(in), WithThousands(out), WithThousands(rows));
    for (std::size_t i = 0; i < styles.size(); ++i) {
      if (counts[i] == 0) continue;
      out_ += fmt::format("<li data-kind=\"{0}\"{1}><i class=\"key {0}\"></i>{2} <b>{3}</b></li>\n",
                          styles[i].letter, first[i] == 0 ? " hidden" : "",
                          EscapeMarkup(styles[i].title), WithThousands(first[i]));
    }
    if (input_.before != nullptr) {
      for (const ChangeKind kind :
           {ChangeKind::kAdded, ChangeKind::kRemoved, ChangeKind::kChanged}) {
        out_ += fmt::format("<li><i class=\"key\" data-change=\"{0}\"></i>{0} since {1}</li>\n",
                            NameOf(kind), EscapeMarkup(input_.against));
      }
    }
    out_ += "</ul>\n";
  }

  // Titles by letter, of each grid.
  void AddKinds(JsonWriter& facts) const {
    facts.Key("kinds");
    facts.Open('{', JsonWriter::Layout::kInline);
    for (const Grid& grid : grids_) {
      facts.Key(grid.name);
      facts.Open('{', JsonWriter::Layout::kInline);
      std::string known;
      for (const CellStyle& style : grid.styles) {
        if (known.find(style.letter) != std::string::npos) continue;
        known += style.letter;
        facts.StringAt(std::string_view(&style.letter, 1), style.title);
      }
      facts.Close();
    }
    facts.Close();
  }

  const PageInput& input_;
  const std::vector<Grid> grids_;
  const std::string_view cells_;
  std::string_view repository_;
  std::string out_;
};

}  // namespace

std::string MakePage(const PageInput& input) { return PageWriter(input).Write(); }

}  // namespace wheelwright
