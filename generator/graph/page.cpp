// The matrix as one HTML page.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/markup.h"
#include "base/text.h"
#include "generator/expression/json_writer.h"
#include "generator/graph/matrix_grid.h"
#include "generator/graph/page_assets.h"
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
        grids_(MakeGrids(input.report)),
        repository_(FindText(input.matrix.settings, "repository")) {}

  std::string Write() {
    JsonWriter facts;
    facts.Open('{', JsonWriter::Layout::kBlock);
    AddKinds(facts);
    const ComboTables tables = MakeComboTables(input_, grids_, facts);
    const std::string graphs = MakeGraphSection(input_, facts);
    facts.Close();

    AddHead();
    AddMasthead();
    out_ +=
        "<main>\n<section id=\"matrix\" aria-labelledby=\"matrix-title\">\n"
        "<h2 id=\"matrix-title\">Combos</h2>\n";
    if (grids_.empty()) {
      out_ += "<p>These workflows are of no combo.</p>\n</section>\n";
    } else {
      AddFilters();
      AddLegend();
      out_ += tables.grids;
      out_ +=
          "<aside class=\"detail\" id=\"detail\" aria-label=\"Details\" aria-live=\"polite\" "
          "tabindex=\"-1\"><p class=\"hint\">Choose a cell to read why it is in or out.</p>"
          "</aside>\n</section>\n" +
          tables.reasons;
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
        "<title>Wheel matrix of {}</title>\n<style>{}{}</style>\n</head>\n<body>\n",
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
      for (const PlanDeadEnd& end : part.dead_ends) dead_ends += end.combos;
    }
    out_ += fmt::format(
        "<a class=\"skip\" href=\"#matrix\">Skip to the combos</a>\n<header>\n"
        "<div><p class=\"overline\">{}</p>\n<h1>Wheel matrix</h1></div>\n<dl class=\"figures\">\n",
        EscapeMarkup(repository_));
    AddFigure(input_.report.combos, "combos built");
    AddFigure(input_.report.out, "left out");
    if (dead_ends > 0) AddFigure(dead_ends, "never promoted", "alert");
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

  void AddFilters() {
    out_ += "<form class=\"filters\" role=\"search\" aria-label=\"Combos\">\n";
    if (grids_.size() > 1) {
      OpenChoices("Set");
      for (const Grid& grid : grids_) {
        AddChoice("radio", "set", grid.set->name, grid.set->name, &grid == &grids_.front());
      }
      CloseChoices();
    }
    std::vector<std::pair<std::string_view, std::string_view>> platforms;
    std::vector<std::string_view> pythons, torches;
    for (const Grid& grid : grids_) {
      for (const GridRow& row : grid.rows) {
        AddOnce(platforms, std::pair(row.platform->name, TitleOf(*row.platform)));
      }
      for (const GridColumn& column : grid.columns) {
        AddOnce(pythons, column.python);
        AddOnce(torches, column.torch);
      }
    }
    OpenChoices("Platform");
    for (const auto& [name, title] : platforms)
      AddChoice("checkbox", "platform", name, title, false);
    CloseChoices();
    OpenChoices("Tier");
    for (const Entry& tier : input_.matrix.tiers->entries) {
      AddChoice("checkbox", "tier", tier.key->text, tier.key->text, false);
    }
    CloseChoices();
    OpenChoices("Python");
    for (const std::string_view python : pythons)
      AddChoice("checkbox", "python", python, python, false);
    CloseChoices();
    OpenChoices("PyTorch");
    for (const std::string_view torch : torches)
      AddChoice("checkbox", "torch", torch, torch, false);
    CloseChoices();
    OpenChoices("Show");
    AddChoice("radio", "show", "", "all", true);
    AddChoice("radio", "show", "in", "built", false);
    AddChoice("radio", "show", "out", "left out", false);
    CloseChoices();
    out_ +=
        "<div class=\"find\"><label for=\"find\">Find</label>"
        "<input id=\"find\" type=\"search\" name=\"q\" autocomplete=\"off\" "
        "spellcheck=\"false\" placeholder=\"family, target, runner, reason\"></div>\n"
        "<button type=\"reset\">Reset</button>\n</form>\n";
  }

  // As the script tells them at first, so that nothing moves when it runs.
  void AddLegend() {
    std::array<std::size_t, kCellKinds> counts{}, first{};
    std::size_t in = 0, out = 0;
    for (const Grid& grid : grids_) {
      for (const GridRow& row : grid.rows) {
        for (const GridCell& cell : row.cells) {
          ++counts[static_cast<std::size_t>(cell.kind)];
          if (&grid != &grids_.front() || cell.combo == nullptr) continue;
          ++first[static_cast<std::size_t>(cell.kind)];
          ++(IsIn(cell.kind) ? in : out);
        }
      }
    }
    const std::size_t rows = grids_.front().rows.size();
    out_ += fmt::format(
        "<p class=\"status\" id=\"status\" role=\"status\">{0} built and {1} left out in {2} of "
        "{2} "
        "rows</p>\n<ul class=\"legend\">\n",
        WithThousands(in), WithThousands(out), WithThousands(rows));
    for (std::size_t kind = 0; kind + 1 < kCellKinds; ++kind) {  // all but kNoAxis
      if (counts[kind] == 0) continue;
      const CellStyle& style = StyleOf(static_cast<CellKind>(kind));
      out_ += fmt::format("<li data-kind=\"{0}\"{1}><i class=\"key {0}\"></i>{2} <b>{3}</b></li>\n",
                          style.letter, first[kind] == 0 ? " hidden" : "", style.title,
                          WithThousands(first[kind]));
    }
    out_ += "</ul>\n";
  }

  static void AddKinds(JsonWriter& facts) {
    facts.Key("kinds");
    facts.Open('{', JsonWriter::Layout::kInline);
    for (std::size_t kind = 0; kind < kCellKinds; ++kind) {
      const CellStyle& style = StyleOf(static_cast<CellKind>(kind));
      facts.StringAt(std::string_view(&style.letter, 1), style.title);
    }
    facts.Close();
  }

  const PageInput& input_;
  const std::vector<Grid> grids_;
  const std::string_view repository_;
  std::string out_;
};

}  // namespace

std::string MakePage(const PageInput& input) { return PageWriter(input).Write(); }

}  // namespace wheelwright
