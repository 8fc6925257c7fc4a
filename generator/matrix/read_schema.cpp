#include "generator/matrix/read_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/text.h"
#include "generator/matrix/computed_rows.h"
#include "generator/matrix/schema_layers.h"
#include "generator/matrix/type_text.h"
#include "generator/matrix/validate.h"
#include "generator/yaml/text_places.h"

namespace wheelwright {
namespace {

using Words = std::vector<std::string_view>;

class SchemaReader : private TypeNames {
 public:
  SchemaReader(Layers layers, const TableRoots& roots, const SourceManager& sources, Arena& arena,
               Diagnostics& diagnostics)
      : layers_(std::move(layers)),
        roots_(roots),
        sources_(sources),
        arena_(arena),
        diagnostics_(diagnostics),
        empty_mapping_(MakeMapping(arena, {})),
        empty_list_(MakeSequence(arena, {})),
        null_(MakeNull(arena)) {}

  Schema Read() {
    const std::size_t errors_before = diagnostics_.errors();
    schema_.computed = std::make_shared<std::deque<ComputedValue>>();
    CheckDefinitions(layers_, diagnostics_);
    if (diagnostics_.errors() > errors_before) return {};
    schema_.files = ListFiles(layers_);
    for (FileSchema& file : schema_.files) {
      file_ = &file;
      file.tables.kind = Type::Kind::kRow;
      file.tables.noun = "the file";
      for (const std::string_view table : TablesOf(layers_, file.stem)) {
        file.tables.columns.push_back(Table(*Look(layers_, "tables", table)));
      }
    }
    // Kinds of row that no table has are read for what may be wrong in them.
    FileSchema unused;
    file_ = &unused;
    Enter("");
    for (const Entry& row : All(layers_, "rows")) {
      if (!read_rows_.contains(row.key->text)) RowOf(*row.key, row.key->text, 0);
    }
    CheckEmbedding();
    if (diagnostics_.errors() == errors_before) OrderComputed(schema_, diagnostics_);
    return std::move(schema_);
  }

 private:
  // Rows are read once for each place that has them; what is wrong is reported once.
  void Report(Diagnostic report) {
    if (reported_.insert({report.where.begin.file, report.where.begin.offset}).second) {
      diagnostics_.Report(std::move(report));
    }
  }

  void Unknown(SourceRange where, std::string_view what, std::string_view name,
               const Words& known) {
    Report({.code = "unknown-in-schema",
            .message = fmt::format("no {} is called '{}'", what, name),
            .where = where,
            .hint = DidYouMean(name, known)});
  }

  void Taken(const Node& key, std::string_view column) {
    Report({.code = "name-taken",
            .message = fmt::format("the row has two columns '{}'", column),
            .where = key.where});
  }

  SourceRange Place(std::size_t at, std::size_t length) const {
    return TextPlaces(sources_).Locate(*text_, at, length);
  }

  Column Table(const Entry& table) {
    is_own_ = Look({layers_.front()}, "tables", table.key->text) != nullptr;
    Column column = MakeColumn(table, table.key->text);
    column.required = IsTrue(table.value, "required");
    column.key = FindText(table.value, "key");
    if (!column.required) {
      column.absent = column.type.kind == Type::Kind::kList ? empty_list_ : empty_mapping_;
    }
    return column;
  }

  Column MakeColumn(const Entry& entry, std::string_view name) {
    Column column;
    column.name = name;
    column.help = Substituted(FindText(entry.value, "doc"));
    column.example = Find(entry.value, "example");
    Enter(name);
    if (IsTrue(entry.value, "unique")) {
      const std::string_view path = Keep(fmt::format("{}", fmt::join(path_, ".")));
      if (std::ranges::find(file_->unique, path) == file_->unique.end()) {
        file_->unique.push_back(path);
      }
    }
    if (const Node* type = Find(entry.value, "type")) column.type = Read(*type);
    Leave();
    if (column.example != nullptr) CheckValue(*column.example, column, "example");
    return column;
  }

  // A column of a row.
  Column RowColumn(const Entry& entry, std::string_view name) {
    Column column = MakeColumn(entry, name);
    column.required = IsTrue(entry.value, "required");
    const Entry* said = FindEntry(entry.value, "default");
    if (said != nullptr) {
      column.absent = said->value;
      // An empty text says that there is none.
      const bool is_none = said->value->is_string() && said->value->text.empty();
      if (!is_none) CheckValue(*said->value, column, "default");
    } else if (!column.required && !IsTrue(entry.value, "omit")) {
      column.absent = null_;
    }
    if (column.required && said != nullptr) {
      Report({.code = "bad-default",
              .message = fmt::format("'{}' is required, so nothing is filled in for it", name),
              .where = said->key->where});
    }
    return column;
  }

  void CheckValue(const Node& value, const Column& column, std::string_view what) {
    if (value.is_null() || is_own_) return;
    Diagnostics found;
    ValidateValue(value, column.type, column.name, found);
    for (const Diagnostics::Entry& entry : found.entries()) {
      const Diagnostic& inner = entry.diagnostic;
      Report({.code = "bad-default",
              .message = fmt::format("the {} of '{}' does not fit its type: {}", what, column.name,
                                     inner.message),
              .where = inner.where,
              .hint = inner.hint});
    }
  }

  Type Read(const Node& type) {
    const Node* const outer = std::exchange(text_, &type);
    Type made = ReadType(type.text, *this);
    text_ = outer;
    return made;
  }

  void Enter(std::string_view step) override { path_.push_back(step); }
  void Leave() override { path_.pop_back(); }

  void Misread(std::size_t at, std::size_t length, std::string message) override {
    Report({.code = "bad-type",
            .message = std::move(message),
            .where = Place(at, std::max<std::size_t>(length, 1)),
            .notes = {"docs/schema-language.md describes how types are written"}});
  }

  std::string_view Keep(const std::string& text) { return arena_.Copy(std::string_view(text)); }

  Type Anything() const {
    Type type;
    type.kind = Type::Kind::kAny;
    return type;
  }

  Type Value(std::string_view name, std::size_t at) override {
    Type type;
    if (const Entry* words = Look(layers_, "words", name)) {
      return TypeOfWords(*words, arena_);
    }
    const Entry* format = Look(layers_, "formats", name);
    if (format == nullptr) {
      Words known = KeysIn(layers_, {"formats", "words"});
      for (const std::string_view word : {"text", "any", "boolean", "scalar", "integer"}) {
        known.push_back(word);
      }
      Unknown(Place(at, name.size()), "format or set of words", name, known);
      return Anything();
    }
    type.kind = Type::Kind::kFormat;
    const Format*& made = formats_[name];
    if (made == nullptr) made = &schema_.formats->emplace_back(FormatOf(*format->value, arena_));
    type.format = made;
    return type;
  }

  Type RowType(std::string_view name, std::size_t at) override { return RowOf(*text_, name, at); }

  Type RowOf(const Node& text, std::string_view name, std::size_t at) {
    const auto where = [&] { return TextPlaces(sources_).Locate(text, at, name.size()); };
    if (Look(layers_, "rows", name) == nullptr) {
      Unknown(where(), "kind of row", name, KeysIn(layers_, {"rows"}));
      return Anything();
    }
    if (std::ranges::find(open_, name) != open_.end()) {
      Circle(where(), fmt::format("the row '{}' would hold itself", name));
      return Anything();
    }
    read_rows_.insert(name);
    open_.push_back(name);
    Type type;
    type.kind = Type::Kind::kRow;
    const bool outer_is_own = is_own_;
    for (const Node* layer : layers_) {
      const Node* row = Find(Find(layer, "rows"), name);
      if (row == nullptr) continue;
      is_own_ = layer == layers_.front();
      if (!FindText(row, "noun").empty()) type.noun = FindText(row, "noun");
      AddBase(row, type);
      for (const std::string_view section : {"columns", "computed"}) {
        AddColumns(Find(row, section), type);
      }
      if (const Node* others = Find(row, "others")) type.parts = {Read(*others)};
      AddNeeded(row, type);
    }
    is_own_ = outer_is_own;
    open_.pop_back();
    return type;
  }

  void AddBase(const Node* row, Type& type) {
    const Node* base = Find(row, "extends");
    if (base == nullptr || base->is_null()) return;
    Type inherited = RowOf(*base, base->text, 0);
    for (Column& column : inherited.columns) type.columns.push_back(std::move(column));
  }

  void AddColumns(const Node* columns, Type& type) {
    if (columns == nullptr) return;
    for (const Entry& entry : columns->entries) {
      const std::optional<Each> each = ReadEach(entry.key->text);
      if (!each) {
        AddColumn(entry, entry.key->text, type);
        continue;
      }
      const std::optional<Words> keys = KeysOf(*each, *entry.key);
      if (!keys) {  // nobody knows them: anything may stand there
        type.parts = {Anything()};
        continue;
      }
      for (const std::string_view key : *keys) {
        variables_.push_back({each->variable, key});
        AddColumn(entry, key, type);
        variables_.pop_back();
      }
    }
  }

  void AddColumn(const Entry& entry, std::string_view name, Type& type) {
    if (std::ranges::find(type.columns, name, &Column::name) != type.columns.end()) {
      Taken(*entry.key, name);
      return;
    }
    const Node* computed = Find(entry.value, "value");
    type.columns.push_back(computed == nullptr ? RowColumn(entry, name) : MakeColumn(entry, name));
    if (computed != nullptr) type.columns.back().computed = Computed(entry, *computed);
  }

  ComputedValue* Computed(const Entry& entry, const Node& said) {
    const auto [at, is_new] = computed_.try_emplace(entry.key);
    if (!is_new) return at->second;
    auto column = ReadComputedColumn(*entry.key, said, {sources_, arena_, diagnostics_});
    if (column) at->second = &schema_.computed->emplace_back(ComputedValue{std::move(*column)});
    return at->second;
  }

  void AddNeeded(const Node* row, Type& type) {
    const Node* needed = Find(row, "needs_one_of");
    if (needed == nullptr) return;
    for (const Node* item : needed->items) {
      if (const auto each = ReadEach(item->text)) {
        for (const std::string_view key : KeysOf(*each, *item).value_or(Words())) {
          type.one_needed.push_back(key);
        }
        continue;
      }
      Words known;
      for (const Column& column : type.columns) known.push_back(column.name);
      if (std::ranges::find(known, item->text) == known.end()) {
        Unknown(item->where, "column of the row", item->text, known);
      }
      type.one_needed.push_back(item->text);
    }
  }

  // The keys of the table of an `each` column.
  std::optional<Words> KeysOf(const Each& each, const Node& where) {
    const Node* file = FileOf(layers_, each.table);
    if (file == nullptr) {
      Unknown(where.where, "table", each.table, KeysIn(layers_, {"tables"}));
      return std::nullopt;
    }
    const std::optional<const Node*> root = roots_(file->text);
    return root ? KeysOfTable(*root, each.table) : std::nullopt;
  }

  std::string_view Substituted(std::string_view text) {
    return variables_.empty() ? text : Keep(FillHoles(text, variables_));
  }

  Type NameOf(std::string_view named, std::size_t at, bool embedded) override {
    Type type;
    type.kind = Type::Kind::kName;
    type.embedded = embedded;
    Names names;
    const Entry* set = embedded ? nullptr : Look(layers_, "names", named);
    const Entry* table = Look(layers_, "tables", named);
    if (set != nullptr) {
      names.noun = FindText(set->value, "noun");
      names.plural = Substituted(FindText(set->value, "plural"));
      for (const Node* path : Find(set->value, "of")->items) {
        names.paths.push_back(Substituted(path->text));
        const std::string_view head = path->text.substr(0, path->text.find('.'));
        const Node* file = FileOf(layers_, head);
        if (file == nullptr) {
          Unknown(path->where, "table", head, KeysIn(layers_, {"tables"}));
          return Anything();
        }
        if (names.file.empty()) names.file = file->text;
      }
    } else if (table != nullptr) {
      names = NamesOfTable(layers_, *table, arena_);
      if (embedded) embedded_.push_back({path_.front(), named, Place(at, named.size())});
    } else {
      Unknown(Place(at, named.size()), "table", named,
              embedded ? KeysIn(layers_, {"tables"}) : KeysIn(layers_, {"tables", "names"}));
      return Anything();
    }
    std::string code = fmt::format("unknown-{}", names.noun);
    std::ranges::replace(code, ' ', '-');
    names.code = Keep(code);
    const auto same = [&](const Names& other) {
      return other.code == names.code && other.paths == names.paths;
    };
    auto made = std::ranges::find_if(*schema_.names, same);
    if (made == schema_.names->end()) {
      schema_.names->push_back(std::move(names));
      made = std::prev(schema_.names->end());
    }
    type.names = &*made;
    return type;
  }

  void Circle(SourceRange where, std::string message) {
    Report({.code = "schema-circle",
            .message = std::move(message),
            .where = where,
            .notes = {"a row may hold the name of another: `name of TABLE`"}});
  }

  void CheckEmbedding() {
    const Embedding* found = FindCircle(embedded_);
    if (found == nullptr) return;
    Circle(found->where, fmt::format("rows of '{}' would stand in rows of '{}' without end",
                                     found->in, found->table));
  }

  const Layers layers_;
  const TableRoots& roots_;
  const SourceManager& sources_;
  Arena& arena_;
  Diagnostics& diagnostics_;
  const Node* const empty_mapping_;
  const Node* const empty_list_;
  const Node* const null_;
  Schema schema_;
  FileSchema* file_ = nullptr;
  bool is_own_ = true;          // what is read is built in: tests check its examples and defaults
  const Node* text_ = nullptr;  // the type that is read
  std::vector<std::string_view> path_, open_;
  Holes variables_;
  std::map<std::string_view, const Format*> formats_;
  std::map<const Node*, ComputedValue*> computed_;  // by the column's name in the schema
  std::set<std::string_view> read_rows_;
  std::vector<Embedding> embedded_;
  std::set<std::pair<FileId, std::size_t>> reported_;
};

}  // namespace

Schema ReadLayers(const Layers& layers, const TableRoots& roots, const SourceManager& sources,
                  Arena& arena, Diagnostics& diagnostics) {
  return SchemaReader(layers, roots, sources, arena, diagnostics).Read();
}

}  // namespace wheelwright
