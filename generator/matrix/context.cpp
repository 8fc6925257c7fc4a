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

bool Has(const Entries& entries, std::string_view key) {
  return std::ranges::any_of(entries, [&](const Entry& entry) { return entry.key->text == key; });
}

}  // namespace

class ContextBuilder {
 public:
  ContextBuilder(const Matrix& matrix, const Cells& cells, Arena& arena)
      : matrix_(matrix), cells_(cells), arena_(arena) {}

  MatrixContext Build(bool with_sets) {
    for (const FileSchema& file : matrix_.schema.files) {
      for (const Column& table : file.tables.columns) {
        if (!IsSets(table.name)) Bind(table.name, Table(table));
      }
    }
    if (with_sets) {
      for (const SetSchema& kind : matrix_.schema.sets) Bind(kind.seen_as, Sets(kind));
    }
    const auto by_address = [](const auto& a, const auto& b) {
      return std::less<const Node*>()(a.first, b.first);
    };
    std::ranges::sort(context_.branches_, by_address);
    for (const CellSet& set : cells_.sets) {
      for (const CellBranch& branch : set.branches) {
        for (const Cell& cell : branch.cells) context_.cells_.push_back(cell.node);
      }
    }
    std::ranges::sort(context_.cells_, std::less<const Node*>());
    return std::move(context_);
  }

 private:
  void Bind(std::string_view name, const Node* value) {
    context_.scope_ =
        arena_.New<Scope>(context_.scope_, name, value, BindingKind::kMatrix, value->where);
  }

  // Sets take the place of their table, unless they have a name of their own.
  bool IsSets(std::string_view table) const {
    return std::ranges::find(matrix_.schema.sets, table, &SetSchema::seen_as) !=
           matrix_.schema.sets.end();
  }

  const Node* Table(const Column& table) {
    const Node* value = Find(matrix_.tables, table.name);
    if (table.name == "actions") return Pins(*value, "uses", "sha");
    if (table.name == "images") return Pins(*value, "image", "digest");
    if (table.name == "limits") return LimitNumbers();
    return table.key.empty() || !value->is_mapping() ? value : Rows(table, *value);
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

  // A table's rows as a list, each with its key in a column, and with what axes add to it.
  const Node* Rows(const Column& table, const Node& value) {
    std::vector<const Node*> rows;
    for (const Entry& row : value.entries) {
      Entries entries{{Key(table.key), row.key}};
      AddBacks(table.name, row, entries);
      AddColumns(row.value, entries);
      AddLists(table.name, row, entries);
      rows.push_back(Mapping(entries, row.key->where));
    }
    return List(rows, value.where);
  }

  void AddBacks(std::string_view table, const Entry& row, Entries& entries) {
    std::map<std::string_view, std::vector<const Node*>> backs;
    for (const AxisRows& rows : cells_.rows) {
      if (rows.axis->table != table || rows.axis->back.empty() || rows.outer.size() != 1) continue;
      std::vector<const Node*>& keys = backs[rows.axis->back];
      const auto is_row = [&](const AxisMember* member) { return member->key == row.key->text; };
      if (!std::ranges::any_of(rows.there, is_row)) continue;
      const AxisSchema& outer = matrix_.schema.axes[rows.axis->outer.front()];
      keys.push_back(FindEntry(Find(matrix_.tables, outer.table), rows.outer.front())->key);
    }
    for (const auto& [name, keys] : backs) {
      entries.push_back({Key(name), List(keys, row.key->where)});
    }
  }

  void AddLists(std::string_view table, const Entry& row, Entries& entries) {
    for (const AxisRows& rows : cells_.rows) {
      if (rows.outer.size() != 1 || rows.outer.front() != row.key->text) continue;
      if (matrix_.schema.axes[rows.axis->outer.front()].table != table) continue;
      if (Has(entries, rows.axis->list)) continue;
      std::vector<const Node*> there;
      for (const AxisMember* member : rows.there) there.push_back(member->node);
      entries.push_back({Key(rows.axis->list), List(there, row.key->where)});
    }
  }

  // ---- sets -------------------------------------------------------------------------------------

  const Node* Sets(const SetSchema& kind) {
    Entries sets;
    for (const CellSet& set : cells_.sets) {
      if (set.schema == &kind) sets.push_back({Text(set.name, set.where), Set(set)});
    }
    return Mapping(sets, Find(matrix_.tables, kind.table)->where);
  }

  const Node* Set(const CellSet& set) {
    Entries entries{{Key("name"), Text(set.name, set.where)}};
    entries.push_back(Below(set, set.branches, 0, set.where));
    entries.push_back({Key("out"), Out(set)});
    for (const Entry& column : set.row->entries) {
      const std::string_view name = column.key->text;
      const auto lists_values = [&](std::size_t axis) {
        const std::string_view values = matrix_.schema.axes[axis].values;
        return values.substr(0, values.find('.')) == name;
      };
      if (name == "include" || name == "exclude" || Has(entries, name)) continue;
      if (std::ranges::none_of(set.schema->axes, lists_values)) entries.push_back(column);
    }
    const Node* node = Mapping(entries, set.where);
    if (set.schema->nested == 0) {
      for (const CellBranch& branch : set.branches)
        context_.branches_.push_back({node, {&set, &branch}});
    }
    return node;
  }

  // ---- what is not made -------------------------------------------------------------------------

  const Node* Out(const CellSet& set) {
    std::vector<const Node*> rows;
    for (const CellBranch& branch : set.branches) {
      // In the order of the cells. Members are known by why they were taken.
      std::vector<std::pair<const OutReason*, bool>> reasons;
      const auto add = [&](const OutReason* reason, bool members) {
        const std::pair one{reason, members};
        if (reason == nullptr || std::ranges::find(reasons, one) != reasons.end()) return;
        reasons.push_back(one);
      };
      for (const Cell& cell : branch.cells) {
        add(cell.out, false);
        if (cell.out == nullptr) {
          ForEachTaken(set, cell, [&](const TakenMember& member) { add(member.why, true); });
        }
      }
      if (reasons.empty()) add(branch.out, false);
      for (const auto& [reason, members] : reasons) {
        rows.push_back(OutRow(set, branch, *reason, members));
      }
    }
    return List(rows, set.where);
  }

  template <typename Use>
  static void ForEachTaken(const CellSet& set, const Cell& cell, const Use& use) {
    for (const std::uint32_t value : cell.at) {
      for (const TakenMember& member : set.values[value].taken) use(member);
    }
  }

  const Node* OutRow(const CellSet& set, const CellBranch& branch, const OutReason& reason,
                     bool of_members) {
    Entries entries;
    for (std::size_t i = 0; i < branch.at.size(); ++i) {
      const AxisValue& value = set.Value(branch, i);
      const Node* names = Mapping(
          {{Key("key"), value.cell}, {Key("name"), Text(value.name, value.where)}}, value.where);
      entries.push_back({Key(matrix_.schema.axes[value.axis].name), names});
    }
    std::vector<const Node*> ids, members;
    for (const Cell& cell : branch.cells) {
      bool is_of_it = !of_members && cell.out == &reason;
      if (of_members && cell.out == nullptr) {
        ForEachTaken(set, cell, [&](const TakenMember& member) {
          if (member.why != &reason) return;
          is_of_it = true;
          const auto same = [&](const Node* key) { return key->text == member.key; };
          if (std::ranges::none_of(members, same)) members.push_back(Key(member.key));
        });
      }
      if (is_of_it) ids.push_back(Text(cell.id, reason.where));
    }
    entries.push_back({Key(set.schema->cells), List(ids, reason.where)});
    entries.push_back({Key("whole"), MakeBoolean(arena_, &reason == branch.out)});
    entries.push_back({Key("members"), List(members, reason.where)});
    entries.push_back({Key("kind"), Key(NameOf(reason.kind))});
    entries.push_back({Key("why"), Text(reason.text, reason.where)});
    entries.push_back({Key("issue"), Text(reason.issue, reason.where)});
    return Mapping(entries, reason.where);
  }

  // What a row has of the branches below it: the values of the next axis, or cells.
  Entry Below(const CellSet& set, std::span<const CellBranch> branches, std::size_t depth,
              SourceRange where) {
    std::vector<const Node*> nodes;
    if (depth == set.schema->nested) {
      for (const CellBranch& branch : branches) {
        for (const Cell& cell : branch.cells) {
          if (cell.out == nullptr) nodes.push_back(cell.node);
        }
      }
      return {Key(set.schema->cells), List(nodes, where)};
    }
    for (std::size_t i = 0, end = 0; i < branches.size(); i = end) {
      std::size_t in = 0;
      for (end = i; end < branches.size() && branches[end].at[depth] == branches[i].at[depth];) {
        in += branches[end++].in;
      }
      if (in == 0) continue;
      const AxisValue& value = set.Value(branches[i], depth);
      const auto part = branches.subspan(i, end - i);
      const Entry below = Below(set, part, depth + 1, value.where);
      Entries entries;
      for (const Entry& column : ColumnsOf(value)) {
        if (column.key->text != below.key->text) entries.push_back(column);
      }
      entries.push_back(below);
      nodes.push_back(Mapping(entries, value.node->where));
      if (depth + 1 == set.schema->nested) {
        context_.branches_.push_back({nodes.back(), {&set, &part.front()}});
      }
    }
    return {Key(matrix_.schema.axes[set.schema->axes[depth]].list), List(nodes, where)};
  }

  // Of a text, the text as a column.
  Entries ColumnsOf(const AxisValue& value) {
    if (value.node->is_mapping()) return {value.node->entries.begin(), value.node->entries.end()};
    return {{Key("name"), value.cell}, {Key("id"), Text(value.id, value.where)}};
  }

  const Matrix& matrix_;
  const Cells& cells_;
  Arena& arena_;
  MatrixContext context_;
  std::map<std::string_view, const Node*> keys_;
};

std::optional<BranchPlace> MatrixContext::FindBranch(const Scope* scope) const {
  for (; scope != nullptr; scope = scope->parent) {
    const auto found = std::lower_bound(branches_.begin(), branches_.end(), scope->value,
                                        [](const auto& held, const Node* node) {
                                          return std::less<const Node*>()(held.first, node);
                                        });
    if (found != branches_.end() && found->first == scope->value) return found->second;
  }
  return std::nullopt;
}

const Node* MatrixContext::FindCell(const Scope* scope) const {
  for (; scope != nullptr; scope = scope->parent) {
    const bool is_cell = scope->value != nullptr &&
                         std::ranges::binary_search(cells_, scope->value, std::less<const Node*>());
    if (is_cell) return scope->value;
  }
  return nullptr;
}

const Scope* BindTables(const Matrix& matrix, Arena& arena) {
  return ContextBuilder(matrix, Cells(), arena).Build(false).scope();
}

MatrixContext MakeContext(const Matrix& matrix, const Cells& cells, Arena& arena) {
  return ContextBuilder(matrix, cells, arena).Build(true);
}

}  // namespace wheelwright
