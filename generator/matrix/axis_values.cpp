#include "generator/matrix/axis_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/characters.h"
#include "base/text.h"

namespace wheelwright {
namespace {

bool Lists(const Node* list, std::string_view name) {
  return list != nullptr &&
         (list->is_sequence()
              ? std::ranges::any_of(list->items,
                                    [&](const Node* item) { return item->text == name; })
              : list->text == name);
}

AxisKey KeysOf(const Outers& outers) {
  return [&outers](std::string_view axis) {
    const auto found = std::ranges::find(outers, axis, &Outer::axis);
    return found == outers.end() ? std::string_view() : found->key;
  };
}

std::string On(const Outers& outers) {
  return outers.empty() ? "" : fmt::format(" on {}", JoinKeys(outers));
}

// The value that all nodes have, or null when they differ.
const Node* Same(const std::vector<const Node*>& values) {
  const auto same = [&](const Node* value) {
    return value == values[0] ||
           (value != nullptr && values[0] != nullptr && SameContent(*value, *values[0]));
  };
  return std::ranges::all_of(values, same) ? values[0] : nullptr;
}

}  // namespace

std::string IdPart(std::string_view text) {
  std::string id;
  for (const char c : text) {
    const bool plain = IsLetterOrDigit(c);
    if (c != '.') id += plain ? c : '_';
  }
  return id;
}

std::string JoinKeys(const Outers& outers) {
  std::vector<std::string_view> keys;
  for (const Outer& outer : outers) keys.push_back(outer.key);
  return fmt::format("{}", fmt::join(keys, " "));
}

const Node* AxisValues::RowOf(const AxisSchema& axis, const Node* row, const Outers& outers) const {
  if (axis.row.empty()) return row;
  const Node* column = FollowPath(row, axis.row, KeysOf(outers));
  return column != nullptr && column->is_mapping() ? column : nullptr;
}

const OutReason* AxisValues::OwnReason(const AxisSchema& axis, const Node* row,
                                       const Outers& outers) {
  if (axis.out.empty() || row == nullptr) return nullptr;
  const Node* said = FollowPath(row, axis.out, KeysOf(outers));
  if (said == nullptr || said->is_null()) return nullptr;
  OutReason reason{OutKind::kItself, axis.out_text, {}, said->where};
  if (said->is_string()) {
    (said->text.starts_with("http") ? reason.issue : reason.text) = said->text;
  } else if (said->is_mapping()) {
    if (said->entries.empty()) return nullptr;
    if (!FindText(said, "why").empty()) reason.text = FindText(said, "why");
    reason.issue = FindText(said, "issue");
  } else if (!said->is_true()) {
    return nullptr;
  }
  return AddReason(reason);
}

const AxisMember& AxisValues::Member(const AxisSchema& axis, const Entry& entry, const Node& row,
                                     const Outers& outers) {
  RowKey key{&axis, entry.key, {}};
  for (const Outer& outer : outers) std::get<2>(key).push_back(outer.node);
  const AxisMember*& made = members_[key];
  if (made != nullptr) return *made;
  std::vector<Entry> entries{{MakeString(context_.arena, axis.key_column), entry.key}};
  const Scope* scope = Bind(Bind(BindOuters(outers), "key", entry.key), "of", entry.value);
  scope = Bind(scope, "row", &row);
  const auto add = [&](const Node* name, const Node* value) {
    const auto same = [&](const Entry& other) { return other.key->text == name->text; };
    if (std::ranges::none_of(entries, same)) entries.push_back({name, value});
  };
  for (const ComputedColumn& column : axis.row_columns) {
    const Node* value = Compute(column, scope, entry.key->where, context_);
    if (value != nullptr) add(column.key, value);
  }
  for (const Entry& column : row.entries) add(column.key, column.value);
  if (row.is_scalar()) add(MakeString(context_.arena, "value"), &row);
  const std::string_view alias = FindText(&row, axis.alias);
  made = &cells_.members.emplace_back(
      AxisMember{.key = entry.key->text,
                 .name = axis.alias.empty() || alias.empty() ? entry.key->text : alias,
                 .node = Mapping(entries, entry.key->where),
                 .row = &row,
                 .where = entry.key->where});
  return *made;
}

AxisValue AxisValues::Start(const AxisSchema& axis, const Node& name) {
  AxisValue value;
  value.axis = static_cast<std::size_t>(&axis - matrix_.schema.axes.data());
  value.key = value.name = value.label = value.brief = name.text;
  value.id = Keep(IdPart(name.text));
  value.cell = &name;
  value.where = name.where;
  return value;
}

AxisValue AxisValues::Single(const AxisSchema& axis, const Entry& entry, const Outers& outers) {
  AxisValue value = Start(axis, *entry.key);
  const Node* row = RowOf(axis, entry.value, outers);
  if (row == nullptr) {
    value.out = AddReason({OutKind::kAbsent,
                           Keep(fmt::format("no row for {}", JoinKeys(outers))),
                           {},
                           entry.key->where});
    return value;
  }
  value.members.push_back(Member(axis, entry, *row, outers));
  value.name = value.members[0].name;
  value.out = OwnReason(axis, row, outers);
  Complete(axis, value, outers);
  return value;
}

std::optional<AxisValue> AxisValues::Row(const AxisSchema& axis, const Node& key,
                                         const Outers& outers) {
  const Entry* entry = FindEntry(Table(axis.table), key.text);
  if (entry == nullptr) return std::nullopt;
  AxisValue value = Single(axis, *entry, outers);
  value.cell = &key;
  value.where = key.where;
  return value;
}

AxisValue AxisValues::Text(const AxisSchema& axis, const Node& text, const Outers& outers) {
  AxisValue value = Start(axis, text);
  value.node = &text;
  const Scope* scope = Bind(BindOuters(outers), "key", &text);
  scope = Bind(Bind(scope, "group", MakeNull(context_.arena)), "members",
               MakeSequence(context_.arena, {}));
  NameParts(axis, value, scope);
  return value;
}

const std::vector<AxisValue>& AxisValues::All(const AxisSchema& axis, const Outers& outers) {
  RowKey key{&axis, nullptr, {}};
  for (const Outer& outer : outers) std::get<2>(key).push_back(outer.node);
  const auto [at, is_new] = all_.try_emplace(key);
  std::vector<AxisValue>& values = at->second;
  if (!is_new) return values;
  std::vector<const Entry*> placed;
  for (const Entry& entry : Table(axis.table)->entries) {
    AxisValue value = Single(axis, entry, outers);
    const Entry* group = value.out == nullptr ? GroupOf(axis, value.key, outers) : nullptr;
    if (group != nullptr) {
      if (std::ranges::find(placed, group) == placed.end()) {
        placed.push_back(group);
        values.push_back(Group(axis, *group, outers));
      }
      value.out = AddReason({OutKind::kGrouped,
                             Keep(fmt::format("built in the group '{}'", group->key->text)),
                             {},
                             group->key->where});
    }
    values.push_back(std::move(value));
  }
  return values;
}

const Entry* AxisValues::GroupOf(const AxisSchema& axis, std::string_view key,
                                 const Outers& outers) const {
  if (axis.groups.table.empty()) return nullptr;
  for (const Entry& group : Table(axis.groups.table)->entries) {
    const bool there = std::ranges::all_of(axis.groups.there, [&](const auto& one) {
      return Lists(Find(group.value, one.second), KeysOf(outers)(one.first));
    });
    if (there && Lists(Find(group.value, axis.groups.members), key)) return &group;
  }
  return nullptr;
}

AxisValue AxisValues::Group(const AxisSchema& axis, const Entry& group, const Outers& outers) {
  AxisValue value = Start(axis, *group.key);
  value.group = &group;
  const Node* members = Find(group.value, axis.groups.members);
  for (const Node* item : members == nullptr ? std::span<const Node* const>() : members->items) {
    const Entry* entry = FindEntry(Table(axis.table), item->text);
    const Node* row = entry == nullptr ? nullptr : RowOf(axis, entry->value, outers);
    if (row != nullptr) value.members.push_back(Member(axis, *entry, *row, outers));
  }
  Complete(axis, value, outers);
  return value;
}

AxisValue AxisValues::Without(const AxisSchema& axis, const AxisValue& group,
                              const std::vector<std::string_view>& members, const Outers& outers) {
  AxisValue value = group;
  std::erase_if(value.members, [&](const AxisMember& member) {
    return std::ranges::any_of(
        members, [&](std::string_view name) { return member.key == name || member.name == name; });
  });
  if (!value.members.empty()) Complete(axis, value, outers);
  return value;
}

const Node* AxisValues::Merged(const AxisSchema& axis, const AxisValue& value,
                               std::string_view column) {
  std::vector<const Node*> values;
  for (const AxisMember& member : value.members) values.push_back(Find(member.node, column));
  if (const Node* same = Same(values)) return same;
  const auto rule = std::ranges::find(axis.groups.merge, column, &MergeRule::column);
  if (rule == axis.groups.merge.end()) {
    context_.diagnostics.Report(
        {.code = "group-differs",
         .message = fmt::format("the members of '{}' differ in '{}', and nothing says what the "
                                "group has",
                                value.key, column),
         .where = value.where,
         .notes = {fmt::format("`axes.{}.groups.merge` of matrix/schema.yml says it of a column",
                               axis.name)}});
    return MakeNull(context_.arena);
  }
  const auto all = [&](auto&& holds) {
    return std::ranges::all_of(values, [&](const Node* v) { return v != nullptr && holds(*v); });
  };
  const auto is_true = [](const Node* v) { return v != nullptr && v->is_true(); };
  switch (rule->how) {
    case Merge::kAll:
      return MakeBoolean(context_.arena, std::ranges::all_of(values, is_true));
    case Merge::kAny:
      return MakeBoolean(context_.arena, std::ranges::any_of(values, is_true));
    case Merge::kFirst:
      for (const Entry& entry : Table(rule->table)->entries) {
        for (const Node* one : values) {
          if (one != nullptr && one->text == entry.key->text) return one;
        }
      }
      break;
    case Merge::kUnion: {
      std::vector<const Node*> joined;
      for (const Node* one : values) {
        for (const Node* item : one == nullptr ? std::span<const Node* const>() : one->items) {
          const auto same = [&](const Node* other) { return SameContent(*other, *item); };
          if (std::ranges::none_of(joined, same)) joined.push_back(item);
        }
      }
      Node* list = context_.arena.New<Node>(*MakeSequence(context_.arena, joined));
      list->where = value.where;
      return list;
    }
    case Merge::kCommon:
      if (all([](const Node& one) { return one.is_mapping(); })) return Mapping({}, value.where);
      if (all([](const Node& one) { return one.is_sequence(); })) {
        return MakeSequence(context_.arena, {});
      }
      break;
  }
  return MakeNull(context_.arena);
}

void AxisValues::CheckGroups(const AxisSchema& axis, const std::vector<Outers>& all) {
  if (axis.groups.table.empty()) return;
  for (const Entry& group : Table(axis.groups.table)->entries) {
    // In the order in which the group lists where it is.
    std::vector<const Outers*> there;
    for (const Outers& outers : all) there.push_back(&outers);
    for (const auto& one : axis.groups.there) {
      const Node* list = Find(group.value, one.second);
      const auto position = [&](const Outers* outers) {
        const std::string_view key = KeysOf(*outers)(one.first);
        const auto items = list == nullptr ? std::span<const Node* const>() : list->items;
        return std::ranges::find(items, key, [](const Node* item) { return item->text; }) -
               items.begin();
      };
      std::erase_if(there,
                    [&](const Outers* outers) { return !Lists(list, KeysOf(*outers)(one.first)); });
      std::ranges::stable_sort(there, {}, position);
    }
    const Node* members = Find(group.value, axis.groups.members);
    for (const Outers* outers : there) {
      const std::string where = On(*outers);
      for (const Node* member : members->items) {
        const Node* row = RowOf(axis, Find(Table(axis.table), member->text), *outers);
        const OutReason* failure = OwnReason(axis, row, *outers);
        if (row == nullptr) {
          context_.diagnostics.Report(
              {.code = "group-member-missing",
               .message = fmt::format("group '{}' builds '{}'{}, where the {} has no row",
                                      group.key->text, member->text, where, axis.noun),
               .where = member->where});
        } else if (failure != nullptr) {
          context_.diagnostics.Report(
              {.code = "group-member-broken",
               .message = fmt::format("group '{}' builds '{}'{}, where it is known to fail",
                                      group.key->text, member->text, where),
               .where = member->where,
               .related = {{failure->where, "the known failure"}},
               .notes = {"one member that fails would fail the whole build"}});
        }
        const Entry* first = GroupOf(axis, member->text, *outers);
        if (first != nullptr && first->key != group.key) {
          context_.diagnostics.Report(
              {.code = "duplicate-group-member",
               .message = fmt::format("'{}' is in two groups{}: '{}' and '{}'", member->text, where,
                                      first->key->text, group.key->text),
               .where = member->where,
               .related = {{first->key->where, "the first"}}});
        }
      }
    }
  }
}

void AxisValues::Complete(const AxisSchema& axis, AxisValue& value, const Outers& outers) {
  std::vector<const Node*> members;
  for (const AxisMember& member : value.members) members.push_back(member.node);
  const Scope* scope = Bind(BindOuters(outers), "key", value.cell);
  scope =
      Bind(scope, "group", value.group == nullptr ? MakeNull(context_.arena) : value.group->key);
  Node* list = context_.arena.New<Node>(*MakeSequence(context_.arena, members));
  list->where = value.where;
  scope = Bind(scope, "members", list);
  value.node = ValueNode(axis, value, scope);
  NameParts(axis, value, Bind(scope, "row", value.node));
}

const Node* AxisValues::ValueNode(const AxisSchema& axis, const AxisValue& value,
                                  const Scope* scope) {
  if (axis.columns.empty() && value.group == nullptr) return value.members[0].node;
  std::vector<Entry> entries{{MakeString(context_.arena, axis.key_column), value.cell}};
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(entries, [&](const Entry& one) { return one.key->text == name; });
  };
  for (const ComputedColumn& column : axis.columns) {
    const Node* computed = Compute(column, scope, value.where, context_);
    if (computed == nullptr) computed = MakeNull(context_.arena);
    entries.push_back({column.key, computed});
  }
  for (const Entry& column : value.members[0].node->entries) {
    if (has(column.key->text)) continue;
    entries.push_back({column.key, value.group == nullptr ? column.value
                                                          : Merged(axis, value, column.key->text)});
  }
  return Mapping(entries, value.where);
}

void AxisValues::NameParts(const AxisSchema& axis, AxisValue& value, const Scope* scope) {
  const auto text = [&](const std::optional<SchemaExpression>& expression,
                        std::string_view otherwise) {
    if (!expression) return otherwise;
    const Node* made = expression->Evaluate(scope, value.where, context_.sources, context_.arena,
                                            context_.diagnostics);
    return made != nullptr && made->is_scalar() ? made->text : otherwise;
  };
  value.id = text(axis.id, value.id);
  value.label = text(axis.label, value.label);
  value.brief = text(axis.brief, value.name);
}

const Scope* AxisValues::Bind(const Scope* scope, std::string_view name, const Node* value) {
  return context_.arena.New<Scope>(scope, name, value, BindingKind::kLet, value->where);
}

const Scope* AxisValues::BindOuters(const Outers& outers) {
  const Scope* scope = tables_;
  for (const Outer& outer : outers) scope = Bind(scope, outer.axis, outer.node);
  return scope;
}

const Node* AxisValues::Mapping(const std::vector<Entry>& entries, SourceRange where) {
  Node* node = context_.arena.New<Node>(*MakeMapping(context_.arena, entries));
  node->where = where;
  return node;
}

std::string_view AxisValues::Keep(const std::string& text) {
  return context_.arena.Copy(std::string_view(text));
}

const OutReason* AxisValues::AddReason(OutReason reason) {
  cells_.reasons.push_back(reason);
  return &cells_.reasons.back();
}

}  // namespace wheelwright
