#include "generator/graph/page_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/markup.h"
#include "base/text.h"

namespace wheelwright {
namespace {

class TableWriter {
 public:
  TableWriter(const PageInput& input, const std::vector<Grid>& grids)
      : input_(input), grids_(grids) {}

  ComboTables Write(JsonWriter& facts) {
    ComboTables tables;
    AddGrids();
    tables.grids = std::exchange(out_, {});
    AddReasons();
    AddDeadEnds();
    AddTiers();
    tables.reasons = std::exchange(out_, {});
    AddFacts(facts);
    return tables;
  }

 private:
  void AddGrids() {
    for (const Grid& grid : grids_) {
      out_ += fmt::format(
          "<div class=\"scroll\" data-set=\"{0}\"{1}><table role=\"grid\" "
          "aria-label=\"Combos of the set {0}\" aria-describedby=\"keys\">\n",
          EscapeMarkup(grid.set->name), &grid == &grids_.front() ? "" : " hidden");
      AddGridHead(grid);
      out_ += "<tbody>\n";
      std::string_view last;
      for (const GridRow& row : grid.rows) {
        AddGridRow(grid, row, row.build->key == last);
        last = row.build->key;
      }
      out_ += "</tbody></table><p class=\"none\" hidden>No combo fits these filters.</p></div>\n";
    }
    out_ +=
        "<p class=\"keys\" id=\"keys\">In the table: arrow keys move, <kbd>Home</kbd> and "
        "<kbd>End</kbd> go along a row, <kbd>Enter</kbd> goes to the details and "
        "<kbd>Esc</kbd> back.</p>\n";
  }

  void AddGridHead(const Grid& grid) {
    out_ +=
        "<thead><tr><th scope=\"col\" rowspan=\"2\" class=\"family\">Family</th>"
        "<th scope=\"col\" rowspan=\"2\" class=\"tier\">Tier</th><th scope=\"col\" rowspan=\"2\" "
        "class=\"runner\">Test runner</th>";
    for (std::size_t at = 0; at < grid.columns.size();) {
      std::size_t end = at;
      while (end < grid.columns.size() && grid.columns[end].torch == grid.columns[at].torch) ++end;
      out_ +=
          fmt::format("<th scope=\"colgroup\" colspan=\"{}\" data-torch=\"{}\">{}</th>", end - at,
                      EscapeMarkup(grid.columns[at].torch), EscapeMarkup(grid.columns[at].torch));
      at = end;
    }
    out_ += "</tr>\n<tr>";
    for (std::size_t at = 0; at < grid.columns.size(); ++at) {
      const GridColumn& column = grid.columns[at];
      const bool first = at == 0 || grid.columns[at - 1].torch != column.torch;
      out_ += fmt::format("<th scope=\"col\" data-torch=\"{}\" data-python=\"{}\"{}>{}</th>",
                          EscapeMarkup(column.torch), EscapeMarkup(column.python),
                          first ? " class=\"first\"" : "", EscapeMarkup(column.python));
    }
    out_ += "</tr></thead>\n";
  }

  void AddGridRow(const Grid& grid, const GridRow& row, bool same_family) {
    const std::string runners = RunnersOf(*row.build);
    out_ += fmt::format(
        "<tr{} data-b=\"{}\" data-platform=\"{}\" data-tier=\"{}\"><th scope=\"row\"><b>{}</b> "
        "<span>{}</span></th><td class=\"tier\">{}</td><td class=\"runner\">{}</td>",
        same_family ? " class=\"same\"" : "", rows_.size(), EscapeMarkup(row.platform->name),
        EscapeMarkup(row.build->tier), EscapeMarkup(row.build->name),
        EscapeMarkup(TitleOf(*row.platform)), EscapeMarkup(row.build->tier),
        runners.empty() ? "none" : EscapeMarkup(runners));
    for (std::size_t at = 0; at < row.cells.size(); ++at) {
      const bool first = at == 0 || grid.columns[at - 1].torch != grid.columns[at].torch;
      AddCell(*grid.set, row, row.cells[at], first ? " first" : "");
    }
    out_ += "</tr>\n";
    rows_.push_back(&row);
  }

  void AddCell(const ComboSet& set, const GridRow& row, const GridCell& cell,
               std::string_view more) {
    const char letter = StyleOf(cell.kind).letter;
    if (cell.combo == nullptr) {
      out_ += fmt::format("<td class=\"{}{}\"></td>", letter, more);
    } else if (cell.combo->out != nullptr) {
      const auto [at, added] = reason_at_.emplace(cell.combo->out, reasons_.size());
      if (added) reasons_.push_back({cell.combo->out, 0, {}});
      Reason& reason = reasons_[at->second];
      ++reason.combos;
      std::string where = fmt::format("{}, {}", row.build->name, TitleOf(*row.platform));
      if (reason.where.empty() || reason.where.back() != where) reason.where.push_back(where);
      out_ += fmt::format("<td class=\"{}{}\" data-r=\"{}\">out</td>", letter, more, at->second);
    } else {
      const std::string note = NoteOn(set, *cell.combo);
      if (note.empty()) {
        out_ += fmt::format("<td class=\"{}{}\">in</td>", letter, more);
        return;
      }
      const auto [at, added] = note_at_.emplace(note, notes_.size());
      if (added) notes_.push_back(note);
      out_ += fmt::format("<td class=\"{}{}\" data-n=\"{}\">in</td>", letter, more, at->second);
    }
  }

  // What is special about a combo that is in.
  std::string NoteOn(const ComboSet& set, const Combo& combo) const {
    std::vector<std::string> notes;
    if (set.release_types != 0 && combo.release_types != set.release_types) {
      std::string types;
      for (std::size_t i = 0; i < input_.combos.release_types.size(); ++i) {
        if ((combo.release_types >> i & 1) == 0) continue;
        types.append(types.empty() ? "" : ", ").append(input_.combos.release_types[i]);
      }
      notes.push_back(fmt::format("released as {}", types.empty() ? "nothing" : types));
    }
    if (!combo.tests) notes.emplace_back("not tested");
    if (combo.include != nullptr) {
      notes.push_back(
          fmt::format("added by {}", input_.sources.DescribeLine(combo.include->where.begin)));
    }
    if (combo.extras != nullptr) {
      for (const Entry& column : combo.extras->columns) {
        notes.push_back(fmt::format("{}: {}", column.key->text, column.value->text));
      }
    }
    return fmt::format("{}", fmt::join(notes, "; "));
  }

  std::string Place(SourceRange where) const { return input_.sources.DescribeLine(where.begin); }

  std::string LinkTo(std::string_view issue) const {
    if (issue.empty()) return "";
    return fmt::format("<a href=\"{}\" rel=\"noreferrer\">{}</a>", EscapeMarkup(issue),
                       EscapeMarkup(ShortIssue(issue)));
  }

  static std::string Listing(const std::vector<std::string>& items) {
    constexpr std::size_t kMost = 6;
    std::string text;
    for (std::size_t i = 0; i < items.size() && i < kMost; ++i) {
      text += (i > 0 ? "<br>" : "") + EscapeMarkup(items[i]);
    }
    if (items.size() > kMost) text += fmt::format("<br>and {} more", items.size() - kMost);
    return text;
  }

  // Equal texts are stored once, across sets and rows.
  struct Cause {
    std::string_view text, issue;
    std::size_t combos = 0;
    std::vector<std::string> where, places;
  };
  std::vector<Cause> MergeReasons() const {
    std::vector<Cause> causes;
    for (const Reason& reason : reasons_) {
      auto found = std::find_if(causes.begin(), causes.end(), [&](const Cause& cause) {
        return cause.text == reason.out->text && cause.issue == reason.out->issue;
      });
      if (found == causes.end()) {
        found = causes.insert(found, {reason.out->text, reason.out->issue, 0, {}, {}});
      }
      found->combos += reason.combos;
      for (const std::string& where : reason.where) AddOnce(found->where, where);
      AddOnce(found->places, Place(reason.out->where));
    }
    return causes;
  }

  void AddReasons() {
    out_ +=
        "<section aria-labelledby=\"why-title\">\n<h2 id=\"why-title\">Why combos are left "
        "out</h2>\n";
    if (reasons_.empty()) {
      out_ += "<p>None is.</p>\n";
    } else {
      out_ +=
          "<div class=\"wide\"><table class=\"plain\"><thead><tr><th scope=\"col\">Why</th>"
          "<th scope=\"col\">Where</th><th scope=\"col\" class=\"number\">Combos</th>"
          "<th scope=\"col\">Issue</th><th scope=\"col\">Row</th></tr></thead><tbody>\n";
      for (const Cause& cause : MergeReasons()) {
        out_ += fmt::format(
            "<tr><td>{}</td><td>{}</td><td class=\"number\">{}</td><td>{}</td><td>{}</td></tr>\n",
            EscapeMarkup(cause.text), Listing(cause.where), cause.combos, LinkTo(cause.issue),
            Listing(cause.places));
      }
      out_ += "</tbody></table></div>\n";
    }
    out_ += "</section>\n";
  }

  void AddDeadEnds() {
    std::string rows;
    for (const PlanPart& part : input_.report.parts) {
      for (const PlanDeadEnd& end : part.dead_ends) {
        rows += fmt::format(
            "<tr><td><code>{}</code></td><td>{}</td><td class=\"number\">{}</td><td>{}</td>"
            "<td>{}</td></tr>\n",
            EscapeMarkup(end.gfx), EscapeMarkup(TitleOf(*part.platform)), end.combos,
            EscapeMarkup(end.cause), EscapeMarkup(end.mend));
      }
    }
    if (rows.empty()) return;
    out_ += fmt::format(
        "<section aria-labelledby=\"ends-title\">\n<h2 id=\"ends-title\">Built and never promoted"
        "</h2>\n<div class=\"wide\"><table class=\"plain\"><thead><tr><th scope=\"col\">Family</th>"
        "<th scope=\"col\">Platform</th><th scope=\"col\" class=\"number\">Combos</th>"
        "<th scope=\"col\">Why</th><th scope=\"col\">What would mend it</th></tr></thead><tbody>\n"
        "{}</tbody></table></div>\n</section>\n",
        rows);
  }

  void AddTiers() {
    out_ +=
        "<section aria-labelledby=\"tiers-title\">\n<h2 id=\"tiers-title\">Tiers</h2>\n"
        "<dl class=\"tiers\">\n";
    for (const Entry& tier : input_.matrix.tiers->entries) {
      out_ += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", EscapeMarkup(tier.key->text),
                          EscapeMarkup(tier.value->text));
    }
    out_ += "</dl>\n</section>\n";
  }

  void AddBuild(const GridRow& row, JsonWriter& facts) const {
    std::vector<std::string_view> families, targets;
    for (const GfxMember& member : row.build->members) {
      families.push_back(member.key);
      if (const Node* list = Find(member.columns, "targets")) {
        for (const Node* target : list->items) targets.push_back(target->text);
      }
    }
    facts.Open('{', JsonWriter::Layout::kInline);
    facts.StringAt("gfx", row.build->name);
    facts.StringAt("platform", TitleOf(*row.platform));
    facts.StringAt("tier", row.build->tier);
    facts.StringAt("runner", RunnersOf(*row.build));
    facts.ListAt("families", families);
    facts.ListAt("targets", targets);
    facts.StringAt("place", Place(row.build->where));
    facts.StringAt("mend", row.mend);
    facts.Close();
  }

  void AddFacts(JsonWriter& facts) const {
    using enum JsonWriter::Layout;
    facts.Key("builds");
    facts.Open('[', kBlock);
    for (const GridRow* row : rows_) AddBuild(*row, facts);
    facts.Close();
    facts.Key("reasons");
    facts.Open('[', kBlock);
    for (const Reason& reason : reasons_) {
      facts.Open('{', kInline);
      facts.StringAt("text", reason.out->text);
      facts.StringAt("issue", reason.out->issue);
      facts.StringAt("short", ShortIssue(reason.out->issue));
      facts.StringAt("place", Place(reason.out->where));
      facts.Close();
    }
    facts.Close();
    facts.Key("notes");
    facts.Open('[', kBlock);
    for (const std::string& note : notes_) facts.String(note);
    facts.Close();
  }

  struct Reason {
    const OutReason* out;
    std::size_t combos;
    std::vector<std::string> where;
  };

  const PageInput& input_;
  const std::vector<Grid>& grids_;
  std::string out_;
  std::vector<const GridRow*> rows_;
  std::vector<Reason> reasons_;
  std::map<const OutReason*, std::size_t> reason_at_;
  std::vector<std::string> notes_;
  std::map<std::string, std::size_t> note_at_;
};

}  // namespace

ComboTables MakeComboTables(const PageInput& input, const std::vector<Grid>& grids,
                            JsonWriter& facts) {
  return TableWriter(input, grids).Write(facts);
}

}  // namespace wheelwright
