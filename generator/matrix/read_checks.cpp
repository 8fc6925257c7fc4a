#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/text.h"
#include "generator/matrix/checks.h"
#include "generator/matrix/schema_names.h"

namespace wheelwright {
namespace {

class CheckReader {
 public:
  CheckReader(const SourceManager& sources, Arena& arena, Diagnostics& diagnostics)
      : sources_(sources), arena_(arena), diagnostics_(diagnostics) {}

  std::optional<RowCheck> Read(const Node& row) {
    const std::size_t errors_before = diagnostics_.errors();
    RowCheck check;
    check.code = FindText(&row, "code");
    if (FindText(&row, "level") == "warning") check.severity = Severity::kWarning;
    check.each = Loops(Find(&row, "each"));
    check.condition = Bare(Find(&row, "if"));
    check.that = Bare(Find(&row, "that"));
    check.at = Bare(Find(&row, "at"));
    check.near = Bare(Find(&row, "near"));
    check.hint = Text(Find(&row, "hint"));
    check.related = Lines(Find(&row, "related"));
    check.notes = Lines(Find(&row, "notes"));
    if (auto message = Text(Find(&row, "message"))) check.message = std::move(*message);
    if (diagnostics_.errors() > errors_before) return std::nullopt;
    return check;
  }

 private:
  std::optional<SchemaExpression> Text(const Node* text) {
    if (text == nullptr || text->is_null()) return std::nullopt;
    return SchemaExpression::Read(*text, sources_, arena_, diagnostics_);
  }

  std::optional<SchemaExpression> Bare(const Node* text) {
    if (text == nullptr || text->is_null()) return std::nullopt;
    return SchemaExpression::ReadBare(*text, 0, sources_, arena_, diagnostics_);
  }

  std::vector<CheckLoop> Loops(const Node* list) {
    std::vector<CheckLoop> loops;
    if (list == nullptr || list->is_null()) return loops;
    const std::span<const Node* const> texts =
        list->is_sequence() ? list->items : std::span<const Node* const>(&list, 1);
    for (const Node* text : texts) {
      if (auto loop = Loop(*text)) loops.push_back(std::move(*loop));
    }
    return loops;
  }

  // The format `loop` was checked: there is ` in ` or ` = ` behind the names.
  std::optional<CheckLoop> Loop(const Node& node) {
    const std::string_view text = node.text;
    const std::size_t equals = text.find(" = "), in = text.find(" in ");
    const bool binds = equals < in;
    const std::size_t end = std::min(equals, in);
    const std::string_view names = text.substr(0, end);
    const std::size_t comma = names.find(',');
    auto of =
        SchemaExpression::ReadBare(node, end + (binds ? 3 : 4), sources_, arena_, diagnostics_);
    if (!of) return std::nullopt;
    CheckLoop loop{.key = {}, .name = names, .where = node.where, .binds = binds, .of = *of};
    if (comma != std::string_view::npos) {
      loop.key = names.substr(0, comma);
      loop.name = Trim(names.substr(comma + 1));
    }
    return loop;
  }

  std::vector<CheckLine> Lines(const Node* rows) {
    std::vector<CheckLine> lines;
    if (rows == nullptr) return lines;
    for (const Node* row : rows->items) {
      auto text = Text(Find(row, "text"));
      if (!text) continue;
      lines.push_back({.each = Loops(Find(row, "each")),
                       .condition = Bare(Find(row, "if")),
                       .at = Bare(Find(row, "at")),
                       .text = std::move(*text)});
    }
    return lines;
  }

  const SourceManager& sources_;
  Arena& arena_;
  Diagnostics& diagnostics_;
};

class CheckTyper {
 public:
  CheckTyper(std::span<const Property> names, const SourceManager& sources,
             Diagnostics& diagnostics)
      : sources_(sources),
        diagnostics_(diagnostics),
        names_(names),
        types_(names_, sources, pool_, diagnostics) {}

  void CheckAll(const RowCheck& check) {
    Bind(check.each);
    Look(check.condition);
    Look(check.that);
    Look(check.at);
    Look(check.near);
    Look(check.hint);
    check.message.CheckTypes(types_);
    for (const auto* lines : {&check.related, &check.notes}) {
      for (const CheckLine& line : *lines) {
        const std::size_t mark = names_.Mark();
        Bind(line.each);
        Look(line.condition);
        Look(line.at);
        line.text.CheckTypes(types_);
        names_.Leave(mark);
      }
    }
    names_.Leave(0);
  }

 private:
  void Look(const std::optional<SchemaExpression>& expression) {
    if (expression) expression->CheckTypes(types_);
  }

  void Bind(std::span<const CheckLoop> loops) {
    for (const CheckLoop& loop : loops) {
      const ExprType type = loop.of.CheckTypes(types_);
      ExprType key = TypeKind::kNumber, item;
      if (loop.binds) {
        item = type;
      } else if (type.kind == TypeKind::kList) {
        if (type.item != nullptr) item = *type.item;
      } else if (type.kind == TypeKind::kObject && !loop.key.empty()) {
        key = TypeKind::kText;
        if (type.item != nullptr) item = *type.item;
      } else if (type.kind != TypeKind::kAny) {
        ReportNoList(loop, type.kind);
      } else {
        key = TypeKind::kAny;
      }
      if (!loop.key.empty()) names_.Bind(loop.key, key);
      names_.Bind(loop.name, item);
    }
  }

  void ReportNoList(const CheckLoop& loop, TypeKind kind) {
    Diagnostic report{
        .code = "not-a-list",
        .message = fmt::format("a loop needs a list, found {}", types_.Describe(kind)),
        .where = loop.of.Place(sources_)};
    if (kind == TypeKind::kObject) {
      report.hint = "write `key, value in` to go through a mapping";
    }
    diagnostics_.Report(std::move(report));
  }

  const SourceManager& sources_;
  Diagnostics& diagnostics_;
  TypePool pool_;
  SchemaNames names_;
  TemplateTypes types_;
};

}  // namespace

std::vector<RowCheck> ReadChecks(const Node* rows, const SourceManager& sources, Arena& arena,
                                 Diagnostics& diagnostics) {
  std::vector<RowCheck> checks;
  if (rows == nullptr) return checks;
  CheckReader reader(sources, arena, diagnostics);
  for (const Node* row : rows->items) {
    if (auto check = reader.Read(*row)) checks.push_back(std::move(*check));
  }
  return checks;
}

void CheckTypesOf(std::span<const RowCheck> checks, std::span<const Property> names,
                  const SourceManager& sources, Diagnostics& diagnostics) {
  CheckTyper typer(names, sources, diagnostics);
  for (const RowCheck& check : checks) typer.CheckAll(check);
}

}  // namespace wheelwright
