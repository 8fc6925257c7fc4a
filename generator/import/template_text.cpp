#include "generator/import/template_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/text.h"
#include "generator/emit/quoting.h"
#include "generator/import/text_edits.h"
#include "generator/yaml/scan.h"
#include "generator/yaml/text_places.h"

namespace wheelwright {
namespace {

constexpr std::size_t kShift = 2;  // of what is below a loop

// All comments of a value, in their order.
void AddComments(const Node& node, std::vector<std::string_view>& found) {
  const auto add = [&](const Comments* comments) {
    if (comments == nullptr) return;
    found.insert(found.end(), comments->above.begin(), comments->above.end());
    if (!comments->trailing.empty()) found.push_back(comments->trailing);
  };
  for (const Entry& entry : node.entries) {
    add(entry.key->comments);
    AddComments(*entry.value, found);
  }
  for (const Node* item : node.items) {
    add(item->comments);
    AddComments(*item, found);
  }
}

// Offset behind a scalar. Of a plain one on several lines, its place covers the first line alone.
std::size_t EndOf(const Node& scalar, std::string_view text) {
  const std::size_t begin = scalar.where.begin.offset;
  if (scalar.style != NodeStyle::kPlain) return begin + scalar.where.length;
  std::size_t end = begin;
  for (const char c : scalar.text) {
    if (c == ' ' || c == '\n') continue;
    end = text.find(c, end) + 1;
  }
  return end;
}

class TemplateWriter {
 public:
  TemplateWriter(ImportedWorkflow& workflow, const SourceManager& sources)
      : one_(workflow), sources_(sources), text_(sources.Text(workflow.file)) {}

  std::string Write() {
    for (std::size_t i = 0; i < one_.jobs.size(); ++i) {
      const bool unrolled = one_.jobs[i].unrolled;
      if (unrolled) {
        Unroll(i);
      } else if (one_.jobs[i].taken) {
        NameLists(i);
      }
      WriteNeeds(i, unrolled ? kShift : 0);
    }
    for (auto& [scalar, pieces] : pieces_) WritePieces(*scalar, pieces);
    if (text_.starts_with("---\n")) edits_.Replace(0, 4, "");
    return fmt::format("$[[ template ]]:\n  file: {}.yml\n\n{}", one_.name, edits_.Apply(text_));
  }

 private:
  struct Piece {
    std::size_t begin, end;  // in the scalar's text
    std::string text;
  };

  const Job& JobAt(std::size_t i) const { return one_.workflow.jobs[i]; }

  // Takes the text of a matrix into its table, or the comments of one that is there already.
  void TakeText(const Job& job, MatrixTable& table) {
    const Entry& entry = *FindEntry(job.strategy.value, "matrix");
    std::vector<std::string_view> comments;
    if (table.text.empty()) {
      const EntryLines lines = LinesOf(text_, *entry.key);
      const std::size_t first = job.matrix->entries.front().key->where.begin.offset;
      const std::size_t column = first - LineStart(text_, first);
      if (entry.key->comments != nullptr && !entry.key->comments->trailing.empty()) {
        table.text = fmt::format("{}\n", entry.key->comments->trailing);
      }
      std::size_t at = text_.find('\n', lines.begin) + 1;
      for (const Entry& axis : job.matrix->entries) {
        if (table.unrolled || !IsDynamic(*axis.value)) continue;
        const EntryLines dynamic = LinesOf(text_, *axis.key);
        table.text += Reindented(text_.substr(at, dynamic.begin - at), column, 0);
        at = dynamic.end;
      }
      table.text += Reindented(text_.substr(at, lines.end - at), column, 0);
      if (!table.text.ends_with('\n')) table.text += '\n';
    } else {
      AddComments(*job.matrix, comments);
    }
    if (table.unrolled) AddComments(*job.strategy.value, comments);
    for (const std::string_view comment : comments) {
      if (table.text.find(comment) == std::string::npos &&
          std::ranges::find(table.notes, comment) == table.notes.end()) {
        table.notes.emplace_back(comment);
      }
    }
  }

  // In place of its lists, a matrix names those of its table.
  void NameLists(std::size_t i) {
    const Job& job = JobAt(i);
    MatrixTable& table = *one_.jobs[i].table;
    TakeText(job, table);
    const EntryLines lines = LinesOf(text_, *FindEntry(job.strategy.value, "matrix")->key);
    const std::size_t first = job.matrix->entries.front().key->where.begin.offset;
    const std::string indent(first - LineStart(text_, first), ' ');
    std::string made = std::string(lines.column, ' ') + "matrix:\n";
    for (const Entry& axis : job.matrix->entries) {
      if (IsDynamic(*axis.value)) {
        const EntryLines own = LinesOf(text_, *axis.key);
        made += text_.substr(own.begin, own.end - own.begin);
      } else {
        made +=
            fmt::format("{}{}: $[[ {}.{} ]]\n", indent,
                        QuoteScalar(axis.key->text, ScalarPlace::kKey), table.name, axis.key->text);
      }
    }
    edits_.Replace(lines.begin, lines.end, std::move(made));
  }

  void Unroll(std::size_t i) {
    const Job& job = JobAt(i);
    MatrixTable& table = *one_.jobs[i].table;
    TakeText(job, table);
    const EntryLines lines = LinesOf(text_, *job.key);
    const std::size_t key_end = job.key->where.begin.offset + job.key->where.length;
    const bool goes_on = i > 0 && one_.jobs[i - 1].unrolled && one_.jobs[i - 1].table == &table;
    std::string opening;
    if (goes_on) {
      edits_.Indent(text_, last_end_, lines.begin, kShift);
    } else {
      const int count = ++loops_[&table];
      variable_ = count == 1 ? "leg" : fmt::format("leg_{}", count);
      opening = fmt::format("{}$[[ for {} in {} ]]:\n", std::string(lines.column, ' '), variable_,
                            table.name);
    }
    edits_.Replace(lines.begin, key_end,
                   fmt::format("{}{}{}", opening, std::string(lines.column + kShift, ' '),
                               LegOf(job.id, variable_, table)));
    const std::size_t body = text_.find('\n', key_end) + 1;
    edits_.Indent(text_, body, lines.end, kShift);
    last_end_ = lines.end;
    const EntryLines strategy = LinesOf(text_, *job.strategy.key);
    edits_.Replace(strategy.begin, strategy.end, "");
    NameLegs(job, table, body);
    const JobUses uses = UsesOf(one_.workflow, job);
    for (const MatrixUse& use : uses.matrix) {
      pieces_[use.scalar].push_back({use.begin, use.end, TextFor(use, table.legs, variable_)});
    }
    for (const NeedUse& use : uses.needs) {
      const std::int32_t needed = one_.workflow.JobIndex(use.job);
      if (needed < 0 || !InOneChain(one_, i, static_cast<std::size_t>(needed))) continue;
      const std::string leg = LegOf(use.job, variable_, table);
      pieces_[use.scalar].push_back(
          {use.begin, use.end, use.quoted ? fmt::format("'{}'", leg) : leg});
    }
    for (const Node* condition : uses.bare_conditions) {
      const auto pieces = pieces_.find(condition);
      if (pieces == pieces_.end()) continue;
      const std::size_t end = condition->text.find_last_not_of(" \n") + 1;
      pieces->second.insert(pieces->second.begin(), {0, 0, "${{ "});
      pieces->second.push_back({end, condition->text.size(), " }}"});
    }
  }

  static std::string LegOf(std::string_view job, std::string_view variable,
                           const MatrixTable& table) {
    return fmt::format("{}_$[[ {}.{} ]]", job, variable, table.id);
  }

  // GitHub calls a leg by its values, where its name has none.
  void NameLegs(const Job& job, const MatrixTable& table, std::size_t body) {
    if (job.name && job.name.text().find("matrix") != std::string_view::npos) return;
    std::string values;
    if (!table.label.empty()) {
      values = fmt::format("$[[ {}.{} ]]", variable_, table.label);
    } else {
      for (const Entry& entry : table.legs.front()) {
        values +=
            fmt::format("{}$[[ {}.{} ]]", values.empty() ? "" : ", ", variable_, entry.key->text);
      }
    }
    if (job.name) {
      const std::size_t end = job.name.text().size();
      pieces_[job.name.value].push_back({end, end, fmt::format(" ({})", values)});
      return;
    }
    const std::size_t first = job.node->entries.front().key->where.begin.offset;
    const std::size_t column = first - LineStart(text_, first) + kShift;
    edits_.Replace(body, body,
                   fmt::format("{}name: {} ({})\n", std::string(column, ' '), job.id, values));
  }

  void WriteNeeds(std::size_t i, std::size_t shift) {
    const Job& job = JobAt(i);
    const auto at = [&](const Need& need) { return one_.workflow.JobIndex(need.id); };
    const auto is_unrolled = [&](const Need& need) {
      return at(need) >= 0 && one_.jobs[static_cast<std::size_t>(at(need))].unrolled;
    };
    if (std::ranges::none_of(job.needs, is_unrolled)) return;
    const auto comment = [](const Comments* comments) {
      return comments == nullptr || comments->trailing.empty()
                 ? std::string()
                 : fmt::format(" {}", comments->trailing);
    };
    const EntryLines lines = LinesOf(text_, *job.needs_field.key);
    const std::string indent(lines.column + shift, ' ');
    std::string made = fmt::format("{}needs:{}\n", indent, comment(job.needs_field.key->comments));
    for (const Need& need : job.needs) {
      const Comments* comments =
          job.needs_field.value->is_sequence() ? need.node->comments : nullptr;
      if (comments != nullptr) {
        for (const std::string_view above : comments->above)
          made += fmt::format("{}  {}\n", indent, above);
      }
      if (!is_unrolled(need)) {
        made += fmt::format("{}  - {}{}\n", indent, need.id, comment(comments));
        continue;
      }
      const MatrixTable& table = *one_.jobs[static_cast<std::size_t>(at(need))].table;
      if (InOneChain(one_, i, static_cast<std::size_t>(at(need)))) {
        made += fmt::format("{}  - {}{}\n", indent, LegOf(need.id, variable_, table),
                            comment(comments));
      } else {
        made += fmt::format("{0}  - $[[ for one in {1} ]]:{2}\n{0}      - {3}\n", indent,
                            table.name, comment(comments), LegOf(need.id, "one", table));
      }
    }
    edits_.Replace(lines.begin, lines.end, std::move(made));
  }

  // Edits a scalar where its source reads like its text, and writes it anew elsewhere.
  void WritePieces(const Node& scalar, std::vector<Piece>& pieces) {
    std::ranges::stable_sort(pieces, {}, &Piece::begin);
    const std::string_view written = sources_.Text(scalar.where);
    if (written.empty()) return;
    TextPlaces places(sources_);
    std::vector<Piece> placed;
    std::string made;
    std::size_t done = 0;
    for (const Piece& piece : pieces) {
      made += scalar.text.substr(done, piece.begin - done);
      made += piece.text;
      done = piece.end;
      const std::size_t length = piece.end - piece.begin;
      const SourceRange range = places.Locate(scalar, piece.begin, length);
      const bool whole = range == scalar.where && written != scalar.text;
      if (whole || range.length != length) continue;
      std::string text = piece.text;
      if (written[0] == '\'') {
        for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 2)
          text.insert(at, "'");
      }
      placed.push_back({range.begin.offset, range.begin.offset + length, std::move(text)});
    }
    made += scalar.text.substr(done);
    if (placed.size() == pieces.size() && !made.empty()) {
      for (Piece& piece : placed) edits_.Replace(piece.begin, piece.end, std::move(piece.text));
      return;
    }
    const std::size_t begin = scalar.where.begin.offset;
    std::string quoted = QuoteScalar(made, ScalarPlace::kBlock);
    if (written.ends_with('\n')) quoted += '\n';
    edits_.Replace(begin, EndOf(scalar, text_), std::move(quoted));
  }

  ImportedWorkflow& one_;
  const SourceManager& sources_;
  const std::string_view text_;
  TextEdits edits_;
  std::map<const Node*, std::vector<Piece>> pieces_;
  std::map<const MatrixTable*, int> loops_;
  std::string variable_;      // of the loop that is open
  std::size_t last_end_ = 0;  // of the last unrolled job
};

}  // namespace

bool InOneChain(const ImportedWorkflow& workflow, std::size_t job, std::size_t needed) {
  return workflow.jobs[job].unrolled && workflow.jobs[needed].unrolled &&
         SameContent(*workflow.workflow.jobs[job].matrix, *workflow.workflow.jobs[needed].matrix);
}

std::string TemplateText(ImportedWorkflow& workflow, const SourceManager& sources) {
  return TemplateWriter(workflow, sources).Write();
}

}  // namespace wheelwright
