#include "generator/template/expand.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "generator/expression/evaluate.h"
#include "generator/expression/values.h"
#include "generator/yaml/text_places.h"

namespace wheelwright::template_tree {

namespace {

bool HasRepeats(std::span<const Entry> entries) {
  for (std::size_t i = 1; i < entries.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (entries[i].key->text == entries[j].key->text) return true;
    }
  }
  return false;
}

}  // namespace

// ---- values ---------------------------------------------------------------------------------

const Node* Expander::ExpandValue(const Value& value, const Scope* scope) {
  switch (value.kind) {
    case ValueKind::kShared:
      return value.node;
    case ValueKind::kWhole:
      return ExpandWhole(value, scope);
    case ValueKind::kJoined:
      return ExpandJoined(value, scope);
    case ValueKind::kMapping:
    case ValueKind::kSequence:
      break;
  }
  return ExpandCollection(value, scope);
}

const Node* Expander::ExpandBinding(const Value& value, const Scope* scope) {
  if (value.kind != ValueKind::kWhole) return ExpandValue(value, scope);
  const Node* node = Evaluate(*value.pieces[0].code, scope);
  return node != nullptr ? node : MakeNull(arena_);
}

const Node* Expander::ExpandWhole(const Value& value, const Scope* scope) {
  const Node* found = Evaluate(*value.pieces[0].code, scope);
  if (found == nullptr || !Spend(value, scope)) return MakeNull(arena_);
  found = Adopt(found);
  Node* node = arena_.New<Node>(*found);
  node->origin = found->origin.known() ? found->origin : found->where;
  node->where = value.node->where;
  node->scope = scope;
  if (found->is_scalar()) node->style = value.node->style;
  if (value.node->comments != nullptr) {
    Comments* both = arena_.New<Comments>(*value.node->comments);
    if (both->trailing.empty() && found->comments != nullptr) {
      both->trailing = found->comments->trailing;
    }
    node->comments = both;
  }
  return node;
}

const Node* Expander::ExpandJoined(const Value& value, const Scope* scope) {
  if (!Spend(value, scope)) return MakeNull(arena_);
  Node* node = arena_.New<Node>(*value.node);
  node->text = arena_.Copy(JoinPieces(value, scope).value_or(std::string_view{}));
  bytes_ += node->text.size();
  node->scope = scope;
  return node;
}

const Node* Expander::ExpandCollection(const Value& value, const Scope* scope) {
  if (!Spend(value, scope)) return MakeNull(arena_);
  List list;
  if (!spare_.empty()) {
    list = std::move(spare_.back());
    spare_.pop_back();
  }
  ExpandMembers(value.members, scope, list);
  Node* node = arena_.New<Node>(*value.node);
  node->entries = arena_.Copy(std::span<const Entry>(list.entries));
  node->items = arena_.Copy(std::span<const Node* const>(list.items));
  node->scope = scope;
  list.Clear();
  spare_.push_back(std::move(list));
  CheckKeys(*node, scope);
  return node;
}

std::optional<std::string_view> Expander::ExpandText(const Value& value, const Scope* scope) {
  if (value.kind == ValueKind::kShared) return value.node->text;
  return JoinPieces(value, scope);
}

std::optional<std::string_view> Expander::JoinPieces(const Value& value, const Scope* scope) {
  joined_.clear();
  bool whole = true;
  for (const Piece& piece : value.pieces) {
    if (piece.code == nullptr) {
      joined_ += piece.text;
      continue;
    }
    const Node* part = Evaluate(*piece.code, scope);
    if (part != nullptr && AppendText(*part, joined_)) continue;
    whole = false;
    if (part == nullptr) continue;
    if (auto diagnostic = Begin("not-text", PlaceOf(*piece.code), scope)) {
      diagnostic->message = fmt::format("{} cannot be a part of a text",
                                        part->is_null() ? "null" : DescribeKind(*part));
      if (!part->is_null()) diagnostic->hint = "join() or toJSON() converts it to text";
      if (part->where.known())
        diagnostic->related.push_back({part->where, "the value is from here"});
      diagnostics_.Report(std::move(*diagnostic));
    }
  }
  return whole ? std::optional<std::string_view>(joined_) : std::nullopt;
}

const Node* Expander::ExpandKey(const Value& key, const Scope* scope) {
  if (key.kind == ValueKind::kShared) return key.node;
  Node* node = arena_.New<Node>(*key.node);
  const auto text = ExpandText(key, scope);
  node->kind = NodeKind::kString;
  node->text = arena_.Copy(text.value_or(std::string_view{}));
  node->scope = scope;
  return node;
}

// ---- members --------------------------------------------------------------------------------

void Expander::ExpandMembers(std::span<const Member* const> members, const Scope* scope,
                             List& list) {
  for (const Member* member : members) {
    if (!Step()) return StopAt(member->node->where, scope);
    switch (member->kind) {
      case MemberKind::kPlain:
        ExpandPlain(*member, scope, list);
        break;
      case MemberKind::kFor:
        ExpandFor(*member, scope, list);
        break;
      case MemberKind::kIf:
        ExpandIf(*member, scope, list);
        break;
      case MemberKind::kLet:
        scope = Bind(scope, member->name, ExpandBinding(*member->value, scope), BindingKind::kLet);
        break;
      case MemberKind::kInclude:
        ExpandInclude(*member, scope, list);
        break;
    }
  }
}

void Expander::ExpandPlain(const Member& member, const Scope* scope, List& list) {
  const Node* value = ExpandValue(*member.value, scope);
  if (member.key == nullptr) {
    list.items.push_back(TakeLead(value, list));
  } else {
    list.entries.push_back({TakeLead(ExpandKey(*member.key, scope), list), value});
  }
}

void Expander::ExpandFor(const Member& member, const Scope* scope, List& list) {
  WithComments(member.node, member.item, list, [&] {
    const bool spaced = list.lead.blank_line;
    const Loop loop{member.name, member.second, member.list};
    ForEach(loop, BindingKind::kFor, scope, [&](const Scope* inner) {
      list.lead.blank_line = spaced;
      ExpandMembers(member.body, inner, list);
    });
  });
}

void Expander::ExpandIf(const Member& member, const Scope* scope, List& list) {
  for (const Branch& branch : member.branches) {
    if (branch.condition != nullptr) {
      const Node* condition = Evaluate(*branch.condition, scope);
      if (condition == nullptr) return;
      if (!IsTruthy(*condition)) continue;
    }
    WithComments(branch.key, branch.item, list, [&] { ExpandMembers(branch.body, scope, list); });
    return;
  }
}

void Expander::ExpandInclude(const Member& member, const Scope* scope, List& list) {
  const Scope* inner = Bind(scope, member.name, nullptr, BindingKind::kFragment);
  for (const Parameter& parameter : member.fragment->parameters) {
    const Node* value = nullptr;
    for (const Argument& argument : member.arguments) {
      if (argument.name.text == parameter.name.text) value = ExpandBinding(*argument.value, scope);
    }
    if (value == nullptr) value = ExpandBinding(*parameter.default_value, inner);
    inner = Bind(inner, parameter.name, value, BindingKind::kArgument);
  }
  WithComments(member.node, member.item, list,
               [&] { ExpandMembers(member.fragment->body.members, inner, list); });
}

// ---- comments -------------------------------------------------------------------------------

template <typename Body>
void Expander::WithComments(const Node* key, const Node* item, List& list, const Body& body) {
  Lead before = list.lead;
  const std::size_t size = list.size();
  for (const Node* node : {item, key}) {
    if (node == nullptr || node->comments == nullptr) continue;
    const Comments& comments = *node->comments;
    list.lead.blank_line |= comments.blank_line_before;
    list.lead.above.insert(list.lead.above.end(), comments.above.begin(), comments.above.end());
    if (!comments.trailing.empty()) list.lead.above.push_back(comments.trailing);
  }
  body();
  // No node was produced for them.
  if (list.size() == size) list.lead = std::move(before);
}

const Node* Expander::TakeLead(const Node* node, List& list) {
  Lead& lead = list.lead;
  if (lead.above.empty() && !lead.blank_line) return node;
  Comments* comments = arena_.New<Comments>();
  if (node->comments != nullptr) *comments = *node->comments;
  comments->blank_line_before |= lead.blank_line;
  lead.above.insert(lead.above.end(), comments->above.begin(), comments->above.end());
  comments->above = arena_.Copy(std::span<const std::string_view>(lead.above));
  lead = {};
  Node* copy = arena_.New<Node>(*node);
  copy->comments = comments;
  return copy;
}

const Node* Expander::Adopt(const Node* node) {
  // Shared nodes may make the tree much larger than the number of nodes.
  if (nodes_ > kMostNodes) return node;
  const bool of_template = node->where.known() && node->where.begin.file >= file_.first_template;
  const Comments* comments = node->comments;
  if (comments != nullptr && !of_template && !comments->of_value) comments = nullptr;
  bool same = comments == node->comments;
  std::vector<Entry> entries;
  std::vector<const Node*> items;
  for (const Entry& entry : node->entries) {
    entries.push_back({Adopt(entry.key), Adopt(entry.value)});
    same = same && entries.back().key == entry.key && entries.back().value == entry.value;
  }
  for (const Node* item : node->items) {
    items.push_back(Adopt(item));
    same = same && items.back() == item;
  }
  nodes_ += 1;
  if (same) return node;
  Node* copy = arena_.New<Node>(*node);
  copy->comments = comments;
  copy->entries = arena_.Copy(std::span<const Entry>(entries));
  copy->items = arena_.Copy(std::span<const Node* const>(items));
  return copy;
}

// ---- names, expressions, reports ------------------------------------------------------------

const Scope* Expander::Bind(const Scope* scope, const Name& name, const Node* value,
                            BindingKind kind) {
  return arena_.New<Scope>(Scope{scope, name.text, value, kind, name.where});
}

const Node* Expander::Evaluate(const Code& code, const Scope* scope) {
  if (stopped_) return nullptr;
  const Evaluated result = wheelwright::Evaluate(*code.root, scope, arena_);
  bytes_ += result.bytes;
  if (bytes_ > limits_.bytes) {
    Stop(PlaceOf(code), scope,
         fmt::format("the template computes more than {} bytes by here",
                     WithThousands(limits_.bytes)),
         "look for a text that grows from loop to loop");
    return nullptr;
  }
  if (result.value != nullptr) return result.value;
  const SourceRange where = TextPlaces(sources_).Locate(
      *code.scalar, code.offset + result.error->offset, result.error->length);
  if (auto diagnostic = Begin("template-expression", where, scope)) {
    diagnostic->message = result.error->message;
    diagnostic->hint = result.error->hint;
    diagnostics_.Report(std::move(*diagnostic));
  }
  return nullptr;
}

SourceRange Expander::PlaceOf(const Code& code) const {
  return TextPlaces(sources_).Locate(*code.scalar, code.offset + code.root->begin,
                                     code.root->end - code.root->begin);
}

std::optional<Diagnostic> Expander::Begin(std::string_view code, SourceRange where,
                                          const Scope* scope) {
  failed_ = true;
  if (diagnostics_.Repeat(code, where)) return std::nullopt;
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.where = where;
  AddInstance(scope, diagnostic);
  return diagnostic;
}

bool Expander::Spend(const Value& value, const Scope* scope) {
  if (++nodes_ > kMostNodes) {
    Stop(value.node->where, scope,
         fmt::format("the file grows past {} nodes here", WithThousands(kMostNodes)),
         "GitHub refuses workflows a hundredth of that size");
  }
  return !stopped_;
}

void Expander::StopAt(SourceRange where, const Scope* scope) {
  Stop(where, scope,
       fmt::format("the template takes more than {} steps by here", WithThousands(limits_.steps)),
       "look for loops in loops, and for fragments that are included many times over");
}

void Expander::Stop(SourceRange where, const Scope* scope, std::string message, std::string note) {
  failed_ = true;
  if (std::exchange(stopped_, true)) return;
  if (auto diagnostic = Begin("too-large", where, scope)) {
    diagnostic->message = std::move(message);
    diagnostic->notes.push_back(std::move(note));
    diagnostics_.Report(std::move(*diagnostic));
  }
}

void Expander::CheckKeys(const Node& mapping, const Scope* scope) {
  // For few keys, comparing all pairs is faster than a hash table.
  constexpr std::size_t kFew = 24;
  if (mapping.entries.size() <= kFew && !HasRepeats(mapping.entries)) return;
  std::unordered_map<std::string_view, const Node*> seen;
  seen.reserve(mapping.entries.size());
  for (const Entry& entry : mapping.entries) {
    const auto [first, added] = seen.emplace(entry.key->text, entry.key);
    if (added) continue;
    if (auto diagnostic = Begin("duplicate-key", entry.key->where, scope)) {
      diagnostic->message = fmt::format("the key '{}' occurs twice", entry.key->text);
      diagnostic->related.push_back({first->second->where, "first here"});
      if (entry.key->scope != nullptr) diagnostic->instance = DescribeInstance(entry.key->scope);
      diagnostics_.Report(std::move(*diagnostic));
    }
  }
}

}  // namespace wheelwright::template_tree
