#include "generator/matrix/context.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "base/text.h"

namespace wheelwright {
namespace {

using Entries = std::vector<Entry>;

std::string IdSuffix(std::string_view name) {
  std::string suffix = "_";
  for (const char c : ToLower(name)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    suffix += plain ? c : '_';
  }
  return suffix;
}

bool Has(const Entries& entries, std::string_view key) {
  return std::any_of(entries.begin(), entries.end(),
                     [&](const Entry& entry) { return entry.key->text == key; });
}

}  // namespace

class ContextBuilder {
 public:
  ContextBuilder(const Matrix& matrix, const Combos& combos, Arena& arena)
      : matrix_(matrix), combos_(combos), arena_(arena) {}

  MatrixContext Build() {
    for (const FileSchema& file : matrix_.schema.files) {
      for (const Column& table : file.tables.columns) {
        if (const Node* value = Table(table)) Bind(table.name, value);
      }
    }
    if (matrix_.has_combos) Bind("combo_sets", ComboSets());
    const auto by_address = [](const auto& a, const auto& b) {
      return std::less<const Node*>()(a.first, b.first);
    };
    std::sort(context_.builds_.begin(), context_.builds_.end(), by_address);
    return std::move(context_);
  }

 private:
  void Bind(std::string_view name, const Node* value) {
    context_.scope_ =
        arena_.New<Scope>(context_.scope_, name, value, BindingKind::kMatrix, value->where);
  }

  // What templates see of a table. Of `combos` they see the sets that were computed.
  const Node* Table(const Column& table) {
    const Node* value = Find(matrix_.tables, table.name);
    if (table.name == "actions") return Pins(*value, "uses", "sha");
    if (table.name == "images") return Pins(*value, "image", "digest");
    if (table.name == "limits") return LimitNumbers();
    if (matrix_.has_combos) {
      if (table.name == "families") return Families();
      if (table.name == "platforms") return Platforms();
      if (table.name == "torch") return Rows(*value, "ref");
      if (table.name == "combos") return nullptr;
    }
    return table.key.empty() || !value->is_mapping() ? value : Rows(*value, table.key);
  }

  std::string_view Keep(const std::string& text) { return arena_.Copy(std::string_view(text)); }

  // Keys are few and stand in many rows.
  const Node* Key(std::string_view name) {
    const Node*& key = keys_[name];
    if (key == nullptr) key = MakeString(arena_, name);
    return key;
  }

  Node* NewNode(NodeKind kind, SourceRange where) {
    Node* node = arena_.New<Node>();
    node->kind = kind;
    node->style = kind < NodeKind::kSequence ? NodeStyle::kPlain : NodeStyle::kBlock;
    node->where = where;
    return node;
  }

  const Node* Text(std::string_view text, SourceRange where) {
    Node* node = NewNode(NodeKind::kString, where);
    node->text = arena_.Copy(text);
    return node;
  }

  const Node* Truth(bool value) { return value ? true_ : false_; }

  const Node* Mapping(const Entries& entries, SourceRange where) {
    Node* node = NewNode(NodeKind::kMapping, where);
    node->entries = arena_.Copy(std::span<const Entry>(entries));
    return node;
  }

  const Node* List(const std::vector<const Node*>& items, SourceRange where) {
    Node* node = NewNode(NodeKind::kSequence, where);
    node->items = arena_.Copy(std::span<const Node* const>(items));
    return node;
  }

  static void AddColumns(const Node* row, Entries& entries) {
    for (const Entry& column : row->entries) {
      if (!Has(entries, column.key->text)) entries.push_back(column);
    }
  }

  const Node* Pins(const Node& table, std::string_view what, std::string_view version) {
    Entries entries;
    for (const Entry& row : table.entries) {
      const Node* pinned = Find(row.value, version);
      Node* pin = NewNode(NodeKind::kString, pinned->where);
      pin->text = Keep(fmt::format("{}@{}", FindText(row.value, what), pinned->text));
      const std::string_view tag = FindText(row.value, "version");
      if (!tag.empty()) {
        pin->comments =
            arena_.New<Comments>(Comments{{}, Keep(fmt::format("# {}", tag)), false, true});
      }
      entries.push_back({row.key, pin});
    }
    return Mapping(entries, table.where);
  }

  const Node* LimitNumbers() {
    Entries entries;
    for (const LimitField& field : kLimitFields) {
      const Node* value = Find(Find(matrix_.limit_rows, field.name), "value");
      if (value == nullptr) {
        value = MakeNumber(arena_, static_cast<double>(matrix_.limits.*field.member));
      }
      entries.push_back({Key(field.name), value});
    }
    return Mapping(entries, matrix_.limit_rows->where);
  }

  // A table's rows as a list, each with its key in a column.
  const Node* Rows(const Node& table, std::string_view key_column) {
    std::vector<const Node*> rows;
    for (const Entry& row : table.entries) {
      Entries entries{{Key(key_column), row.key}};
      AddColumns(row.value, entries);
      rows.push_back(Mapping(entries, row.key->where));
      if (&table == matrix_.torch) torch_rows_[row.value] = rows.back();
    }
    return List(rows, table.where);
  }

  const Node* Families() {
    std::vector<const Node*> rows;
    for (const Entry& family : matrix_.families->entries) {
      std::vector<const Node*> platforms;
      for (const Entry& platform : matrix_.platforms->entries) {
        const Node* columns = Find(family.value, platform.key->text);
        if (columns != nullptr && columns->is_mapping()) platforms.push_back(platform.key);
      }
      Entries entries{{Key("key"), family.key},
                      {Key("tier"), Find(family.value, "tier")},
                      {Key("platforms"), List(platforms, family.key->where)}};
      AddColumns(family.value, entries);
      rows.push_back(Mapping(entries, family.key->where));
    }
    return List(rows, matrix_.families->where);
  }

  const Node* PlatformRow(const Entry& platform, const std::vector<const Node*>& families) {
    Entries entries{{Key("name"), platform.key}};
    AddColumns(platform.value, entries);
    entries.push_back({Key("families"), List(families, platform.key->where)});
    return Mapping(entries, platform.key->where);
  }

  const Node* Platforms() {
    std::vector<const Node*> rows;
    for (const Entry& platform : matrix_.platforms->entries) {
      std::vector<const Node*> families;
      for (const Entry& family : matrix_.families->entries) {
        const Node* columns = Find(family.value, platform.key->text);
        if (columns == nullptr || !columns->is_mapping()) continue;
        Entries entries{{Key("key"), family.key},
                        {Key("name"), Find(columns, "family")},
                        {Key("tier"), Find(family.value, "tier")}};
        AddColumns(columns, entries);
        families.push_back(Mapping(entries, family.key->where));
        member_rows_[columns] = families.back();
      }
      rows.push_back(PlatformRow(platform, families));
    }
    return List(rows, matrix_.platforms->where);
  }

  const Node* ComboSets() {
    Entries sets;
    for (const ComboSet& set : combos_.sets) {
      std::vector<const Node*> platforms;
      for (const ComboPlatform& platform : set.platforms) {
        if (platform.in == 0) continue;
        platforms.push_back(
            PlatformRow(*FindEntry(matrix_.platforms, platform.name), Builds(set, platform)));
      }
      const Node* name = Text(set.name, set.where);
      Entries entries{{Key("name"), name}, {Key("platforms"), List(platforms, set.where)}};
      sets.push_back({name, Mapping(entries, set.where)});
    }
    return Mapping(sets, matrix_.combos->where);
  }

  std::vector<const Node*> Builds(const ComboSet& set, const ComboPlatform& platform) {
    variants_.assign(platform.ids.size(), {});
    std::vector<const Node*> nodes;
    for (const GfxBuild& build : platform.builds) {
      if (build.in == 0) continue;
      nodes.push_back(Build(platform, build));
      context_.builds_.push_back({nodes.back(), {&set, &platform, &build}});
    }
    return nodes;
  }

  const Node* Build(const ComboPlatform& platform, const GfxBuild& build) {
    const Node* name = Find(build.members[0].columns, "family");
    if (build.group != nullptr) name = Text(build.name, build.where);
    std::vector<const Node*> families, tests, combos;
    for (const GfxMember& member : build.members) {
      families.push_back(member_rows_[member.columns]);
      if (!member.runner.empty()) tests.push_back(Test(member, build.members.size() > 1));
    }
    for (const Combo& combo : platform.CombosOf(build)) {
      if (combo.out == nullptr) combos.push_back(ComboRow(platform, combo));
    }
    Entries entries{{Key("key"), Text(build.key, build.where)},
                    {Key("name"), name},
                    {Key("title"), name},
                    {Key("tier"), Text(build.tier, build.where)},
                    {Key("families"), List(families, build.where)},
                    {Key("tests"), List(tests, build.where)},
                    {Key("promotes"), Text(NameOf(build.promotes), build.where)},
                    {Key("combos"), List(combos, build.where)}};
    if (build.group == nullptr) {
      AddColumns(build.members[0].columns, entries);
    } else {
      AddCommonColumns(build, entries);
    }
    return Mapping(entries, build.where);
  }

  const Node* Test(const GfxMember& member, bool one_of_many) {
    const Node* name = Find(member.columns, "family");
    const std::string suffix = one_of_many ? IdSuffix(member.name) : "";
    return Mapping({{Key("name"), name},
                    {Key("key"), Text(member.key, member.where)},
                    {Key("runs_on"), Find(member.columns, "test_runs_on")},
                    {Key("suffix"), Text(suffix, name->where)}},
                   member.where);
  }

  void AddCommonColumns(const GfxBuild& build, Entries& entries) {
    for (const Entry& column : build.members[0].columns->entries) {
      if (Has(entries, column.key->text)) continue;
      std::vector<const Node*> values;
      for (const GfxMember& member : build.members) {
        values.push_back(Find(member.columns, column.key->text));
      }
      entries.push_back({column.key, CommonValue(values, build.where)});
    }
  }

  const Node* CommonValue(const std::vector<const Node*>& values, SourceRange where) {
    const auto all = [&](auto&& holds) {
      return std::all_of(values.begin(), values.end(),
                         [&](const Node* v) { return v != nullptr && holds(*v); });
    };
    if (all([&](const Node& value) { return SameContent(value, *values[0]); })) return values[0];
    if (all([](const Node& value) { return value.is_sequence(); })) {
      std::vector<const Node*> joined;
      for (const Node* value : values) {
        for (const Node* item : value->items) {
          const auto same = [&](const Node* other) { return SameContent(*other, *item); };
          if (std::none_of(joined.begin(), joined.end(), same)) joined.push_back(item);
        }
      }
      return List(joined, where);
    }
    if (all([](const Node& value) { return value.kind == NodeKind::kBoolean; }))
      return Truth(false);
    if (all([](const Node& value) { return value.is_mapping(); })) return Mapping({}, where);
    return MakeNull(arena_);
  }

  // A combo says nothing of its build, so one node does for all builds that have it.
  const Node* ComboRow(const ComboPlatform& platform, const Combo& combo) {
    auto& variants = variants_[combo.python * platform.torches.size() + combo.torch];
    for (const auto& [like, node] : variants) {
      if (like->tests == combo.tests && like->promotes == combo.promotes &&
          like->extras == combo.extras && like->release_types == combo.release_types) {
        return node;
      }
    }
    const PythonValue& python = platform.pythons[combo.python];
    const TorchValue& torch = platform.torches[combo.torch];
    const SourceRange where = python.cell->where;
    Entries entries{
        {Key("id"), Text(platform.IdOf(combo), where)},
        {Key("label"), Text(fmt::format("py {} | torch {}", python.version, torch.ref), where)},
        {Key("python"), python.cell},
        {Key("python_id"), Text(python.id, where)},
        {Key("torch"), torch.cell},
        {Key("torch_id"), Find(torch.row, "id")},
        {Key("source"), torch_rows_[torch.row]},
        {Key("release_types"), ReleaseTypes(combo.release_types)},
        {Key("tests"), Tests(combo)},
        {Key("promotes"), Text(NameOf(combo.promotes), where)}};
    if (combo.extras != nullptr) {
      for (const Entry& column : combo.extras->columns) {
        if (!Has(entries, column.key->text)) entries.push_back(column);
      }
    }
    const Node* node = Mapping(entries, where);
    variants.push_back({&combo, node});
    return node;
  }

  // The cell of the include that says so.
  const Node* Tests(const Combo& combo) {
    if (!combo.tests && combo.extras != nullptr) {
      for (const Node* include : combo.extras->includes) {
        const Node* said = Find(include, "tests");
        if (said != nullptr && said->kind == NodeKind::kBoolean && !said->is_true()) return said;
      }
    }
    return Truth(combo.tests);
  }

  const Node* ReleaseTypes(std::uint64_t taken) {
    const Node*& list = release_types_[taken];
    if (list != nullptr) return list;
    std::vector<const Node*> names;
    for (std::size_t i = 0; i < combos_.release_types.size(); ++i) {
      if ((taken >> i & 1) != 0) names.push_back(matrix_.release_types->entries[i].key);
    }
    list = List(names, matrix_.release_types->where);
    return list;
  }

  const Matrix& matrix_;
  const Combos& combos_;
  Arena& arena_;
  MatrixContext context_;
  const Node* true_ = MakeBoolean(arena_, true);
  const Node* false_ = MakeBoolean(arena_, false);
  std::map<std::string_view, const Node*> keys_;
  std::map<const Node*, const Node*> torch_rows_;  // a row as written: as templates see it
  std::map<const Node*, const Node*>
      member_rows_;  // a family's columns for a platform: its row there
  std::map<std::uint64_t, const Node*> release_types_;
  std::vector<std::vector<std::pair<const Combo*, const Node*>>> variants_;  // by id of the combo
};

std::optional<BuildPlace> MatrixContext::FindBuild(const Scope* scope) const {
  for (; scope != nullptr; scope = scope->parent) {
    const auto found = std::lower_bound(builds_.begin(), builds_.end(), scope->value,
                                        [](const auto& held, const Node* node) {
                                          return std::less<const Node*>()(held.first, node);
                                        });
    if (found != builds_.end() && found->first == scope->value) return found->second;
  }
  return std::nullopt;
}

MatrixContext MakeContext(const Matrix& matrix, const Combos& combos, Arena& arena) {
  return ContextBuilder(matrix, combos, arena).Build();
}

}  // namespace wheelwright
