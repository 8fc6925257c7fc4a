#include "generator/template/body.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/characters.h"
#include "base/text.h"
#include "generator/expression/check.h"
#include "generator/yaml/text_places.h"

namespace wheelwright::template_tree {
namespace {

constexpr std::string_view kNameCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

std::string_view FirstWord(std::string_view text) {
  return text.substr(0, text.find_first_not_of(kNameCharacters));
}

}  // namespace

std::optional<DirectiveKey> ReadDirectiveKey(const Node& key) {
  const std::string_view text = key.text;
  if (!key.is_string() || !text.starts_with("$[[") || !text.ends_with("]]")) return std::nullopt;
  std::vector<Embedded> found;
  if (FindEmbedded(text, Brackets::kTemplate, found) || found.size() != 1 ||
      found[0].end != text.size()) {
    return std::nullopt;
  }
  const std::string_view inner =
      Trim(text.substr(found[0].inner_begin, found[0].inner_end - found[0].inner_begin));
  const std::string_view word = FirstWord(inner);
  const bool ends = word.size() == inner.size() || inner[word.size()] == ' ';
  if (!IsKeyword(word) || !ends) return std::nullopt;
  DirectiveKey directive{word, Trim(inner.substr(word.size())), 0};
  directive.offset = directive.rest.empty()
                         ? found[0].inner_end
                         : static_cast<std::size_t>(directive.rest.data() - text.data());
  return directive;
}

// ---- values ---------------------------------------------------------------------------------

const Value* BodyReader::Shared(const Node& node) {
  return arena_.New<Value>(Value{ValueKind::kShared, &node, {}, {}});
}

const Value* BodyReader::ReadValue(const Node& node) {
  if (node.is_scalar()) return ReadScalar(node);
  Value value{ValueKind::kSequence, &node, {}, {}};
  if (node.is_mapping()) {
    value.kind = ValueKind::kMapping;
    value.members = ReadEntries(node.entries);
  } else {
    if (IsWrongBrackets(node)) return Shared(node);
    value.members = ReadItems(node.items);
  }
  const bool is_static =
      std::ranges::all_of(value.members, [&](const Member* member) { return IsStatic(*member); });
  return is_static ? Shared(node) : arena_.New<Value>(value);
}

const Value* BodyReader::ReadScalar(const Node& scalar) {
  CheckBrackets(scalar);
  const std::string_view text = scalar.text;
  if (!scalar.is_string() || text.find("$[[") == std::string_view::npos) return Shared(scalar);
  std::vector<Embedded> found;
  if (const auto error = FindEmbedded(text, Brackets::kTemplate, found)) {
    ReportExpression(scalar, 0, *error);
    return Shared(scalar);
  }
  std::vector<Piece> pieces;
  std::size_t at = 0;
  for (const Embedded& one : found) {
    if (one.begin > at) pieces.push_back({text.substr(at, one.begin - at), nullptr});
    const std::string_view inner = text.substr(one.inner_begin, one.inner_end - one.inner_begin);
    const Code* code = ReadCode(scalar, one.inner_begin, inner);
    if (code == nullptr) return Shared(scalar);
    pieces.push_back({{}, code});
    at = one.end;
  }
  const bool whole = found.size() == 1 && found[0].begin == 0 && found[0].end == text.size();
  if (at < text.size()) pieces.push_back({text.substr(at), nullptr});
  return arena_.New<Value>(Value{whole ? ValueKind::kWhole : ValueKind::kJoined,
                                 &scalar,
                                 arena_.Copy(std::span<const Piece>(pieces)),
                                 {}});
}

const Code* BodyReader::ReadCode(const Node& scalar, std::size_t offset, std::string_view text) {
  const ParsedExpression parsed = ParseExpression(text, arena_);
  if (parsed.root == nullptr) {
    ReportExpression(scalar, offset, *parsed.error);
    return nullptr;
  }
  const Code* code = arena_.New<Code>(Code{parsed.root, &scalar, offset});
  CheckNames(*code, *parsed.root);
  return code;
}

void BodyReader::CheckNames(const Code& code, const Expr& expr) {
  if (expr.kind == ExprKind::kName && !names_.Use(expr.name)) {
    const ExpressionError error = UnknownName(expr, names_.Visible());
    Report("unknown-name", Locate(*code.scalar, code.offset + error.offset, error.length),
           error.message, error.hint);
  }
  for (const Expr* operand : expr.operands) CheckNames(code, *operand);
}

// ---- names and loops ------------------------------------------------------------------------

std::optional<Name> BodyReader::ReadName(const Node& scalar, std::size_t offset,
                                         std::string_view text) {
  const std::string_view name = Trim(text);
  const std::string_view word = FirstWord(name);
  const SourceRange where =
      name.empty()
          ? Locate(scalar, offset, 0)
          : Locate(scalar, static_cast<std::size_t>(name.data() - scalar.text.data()), name.size());
  const bool digit = !word.empty() && IsDigit(word[0]);
  if (word.empty() || word.size() != name.size() || digit) {
    Report("template-expression", where,
           name.empty() ? "a name is missing" : fmt::format("'{}' is no name", name),
           "letters, digits and _, a letter first");
    return std::nullopt;
  }
  const bool literal = word == "true" || word == "false" || word == "null" || word == "in";
  if (IsKeyword(word) || literal) {
    Report("template-expression", where, fmt::format("'{}' cannot be a name", word),
           "it is a word of the language");
    return std::nullopt;
  }
  return Name{word, where};
}

std::optional<Loop> BodyReader::ReadLoop(const Node& scalar, std::size_t offset,
                                         std::string_view text) {
  const std::size_t in = text.starts_with("in ") ? 0 : text.find(" in ");
  if (in == std::string_view::npos) {
    Report("template-expression", Locate(scalar, offset, text.size()), "a loop has no 'in'",
           "write `name in list`, or `key, value in mapping`, which needs quotes inside `[ ]`");
    return std::nullopt;
  }
  Loop loop;
  const std::string_view names = text.substr(0, in);
  const std::size_t comma = names.find(',');
  const auto first = ReadName(scalar, offset, names.substr(0, comma));
  if (!first) return std::nullopt;
  loop.name = *first;
  if (comma != std::string_view::npos) {
    const auto second = ReadName(scalar, offset + comma + 1, names.substr(comma + 1));
    if (!second) return std::nullopt;
    loop.second = *second;
  }
  const std::size_t list = text.find("in ", in) + std::string_view("in ").size();
  loop.list = ReadCode(scalar, offset + list, text.substr(list));
  if (loop.list == nullptr) return std::nullopt;
  return loop;
}

// ---- members --------------------------------------------------------------------------------

std::span<const Member* const> BodyReader::ReadEntries(std::span<const Entry> entries) {
  const std::size_t mark = names_.Mark();
  std::vector<const Member*> members;
  for (const Entry& entry : entries) {
    if (const auto key = ReadDirectiveKey(*entry.key)) {
      ReadDirective({entry.key, entry.value, nullptr, *key}, members);
      continue;
    }
    Member member{.kind = MemberKind::kPlain, .node = entry.key};
    member.key = ReadScalar(*entry.key);
    member.value = ReadValue(*entry.value);
    members.push_back(arena_.New<Member>(member));
  }
  names_.Leave(mark);
  return arena_.Copy(std::span<const Member* const>(members));
}

std::span<const Member* const> BodyReader::ReadItems(std::span<const Node* const> items) {
  const std::size_t mark = names_.Mark();
  std::vector<const Member*> members;
  for (const Node* item : items) {
    if (const auto directive = DirectiveOf(*item)) {
      ReadDirective(*directive, members);
      continue;
    }
    Member member{.kind = MemberKind::kPlain, .node = item};
    member.value = ReadValue(*item);
    members.push_back(arena_.New<Member>(member));
  }
  names_.Leave(mark);
  return arena_.Copy(std::span<const Member* const>(members));
}

std::optional<BodyReader::Directive> BodyReader::DirectiveOf(const Node& item) const {
  if (!item.is_mapping() || item.entries.size() != 1) return std::nullopt;
  const auto key = ReadDirectiveKey(*item.entries[0].key);
  if (!key) return std::nullopt;
  return Directive{item.entries[0].key, item.entries[0].value, &item, *key};
}

void BodyReader::ReadDirective(const Directive& directive, std::vector<const Member*>& members) {
  const std::string_view keyword = directive.read.keyword;
  if (keyword == "for") return ReadFor(directive, members);
  if (keyword == "if" || keyword == "elif" || keyword == "else") {
    return ReadBranch(directive, members);
  }
  if (keyword == "let") return ReadLet(directive, members);
  if (keyword == "include") return ReadInclude(directive, members);
  Report("misplaced-directive", directive.key->where,
         fmt::format("a {} can only be the first entry of a file", keyword), "move it to the top");
}

std::span<const Member* const> BodyReader::ReadBody(const Directive& directive) {
  const Node& value = *directive.value;
  if (directive.among() == Among::kEntries) {
    if (value.is_mapping()) return ReadEntries(value.entries);
    Report("misplaced-directive", directive.key->where,
           fmt::format("the body of '{}' must be a mapping, because it is inside a mapping",
                       directive.read.keyword),
           value.is_sequence() ? "inside a list write it as an item: put `- ` before it"
                               : fmt::format("expected a mapping, found {}", DescribeKind(value)));
    return {};
  }
  if (value.is_sequence()) return ReadItems(value.items);
  Report("misplaced-directive", directive.key->where,
         fmt::format("the body of '{}' must be a list, because it is inside a list",
                     directive.read.keyword),
         value.is_mapping() ? "put `- ` before its body"
                            : fmt::format("expected a list, found {}", DescribeKind(value)));
  return {};
}

void BodyReader::ReadFor(const Directive& directive, std::vector<const Member*>& members) {
  const auto loop = ReadLoop(*directive.key, directive.read.offset, directive.read.rest);
  if (!loop) {
    names_.Doubt();
    return;
  }
  const std::size_t mark = names_.Mark();
  names_.Bind(loop->name, BindingKind::kFor);
  if (!loop->second.text.empty()) names_.Bind(loop->second, BindingKind::kFor);
  Member member{.kind = MemberKind::kFor, .node = directive.key, .item = directive.item};
  member.name = loop->name;
  member.second = loop->second;
  member.list = loop->list;
  member.body = ReadBody(directive);
  names_.Leave(mark);
  members.push_back(arena_.New<Member>(member));
}

void BodyReader::ReadBranch(const Directive& directive, std::vector<const Member*>& members) {
  const bool first = directive.read.keyword == "if";
  const bool last = directive.read.keyword == "else";
  Branch branch{directive.key, directive.item, nullptr, {}};
  if (!last) {
    branch.condition = ReadCode(*directive.key, directive.read.offset, directive.read.rest);
  } else if (!directive.read.rest.empty()) {
    Report("misplaced-directive",
           Locate(*directive.key, directive.read.offset, directive.read.rest.size()),
           "'else' takes no condition", "write `elif` for one");
  }
  branch.body = ReadBody(directive);
  // The unreadable condition was reported; avoid follow-up errors.
  if (!last && branch.condition == nullptr) branch.condition = arena_.New<Code>();
  std::vector<Branch> branches;
  if (!first) {
    const Member* before = members.empty() ? nullptr : members.back();
    if (before == nullptr || before->kind != MemberKind::kIf) {
      Report("misplaced-directive", directive.key->where,
             fmt::format("'{}' does not follow an 'if'", directive.read.keyword),
             "nothing may be between them");
      return;
    }
    if (before->branches.back().condition == nullptr) {
      Report("misplaced-directive", directive.key->where,
             fmt::format("'{}' follows an 'else'", directive.read.keyword), "put the else last");
      return;
    }
    branches.assign(before->branches.begin(), before->branches.end());
    members.pop_back();
  }
  branches.push_back(branch);
  Member member{.kind = MemberKind::kIf, .node = branches.front().key, .item = directive.item};
  member.branches = arena_.Copy(std::span<const Branch>(branches));
  members.push_back(arena_.New<Member>(member));
}

void BodyReader::ReadLet(const Directive& directive, std::vector<const Member*>& members) {
  const Value* value = ReadValue(*directive.value);
  const auto name = ReadName(*directive.key, directive.read.offset, directive.read.rest);
  if (!name) {
    names_.Doubt();
    return;
  }
  names_.Bind(*name, BindingKind::kLet);
  Member member{.kind = MemberKind::kLet, .node = directive.key, .item = directive.item};
  member.value = value;
  member.name = *name;
  members.push_back(arena_.New<Member>(member));
}

void BodyReader::ReadInclude(const Directive& directive, std::vector<const Member*>& members) {
  const std::string_view path = directive.read.rest;
  const SourceRange where = Locate(*directive.key, directive.read.offset, path.size());
  const std::string wanted = file_.Included(path);
  std::vector<std::string_view> paths;
  File* fragment = nullptr;
  for (File* file : files_) {
    if (!file->fragment) continue;
    const std::string_view known = file->path;
    if (file_.source.empty()) paths.push_back(known);
    if (!file_.source.empty() && file->source == file_.source) {
      paths.push_back(known.substr(file_.source.size() + 1));
    }
    if (known == wanted) fragment = file;
  }
  if (fragment == nullptr) {
    names_.Doubt();
    Report("unknown-fragment", where,
           path.empty() ? "an include names no fragment"
                        : fmt::format("no fragment is called '{}'", path),
           DidYouMean(path, paths, "there are"));
    return;
  }
  file_.inclusions.push_back({fragment, directive.key});
  const bool entries = fragment->root->is_mapping();
  if (entries != (directive.among() == Among::kEntries)) {
    Report("misplaced-directive", where,
           entries ? fmt::format("'{}' is a mapping and cannot be included in a list", path)
                   : fmt::format("'{}' is a list and cannot be included in a mapping", path),
           entries ? "" : "write it as an item: put `- ` before it");
    return;
  }
  Member member{.kind = MemberKind::kInclude, .node = directive.key, .item = directive.item};
  member.name = {path, where};
  member.fragment = fragment;
  member.arguments = ReadArguments(directive, *fragment);
  members.push_back(arena_.New<Member>(member));
}

std::span<const Argument> BodyReader::ReadArguments(const Directive& directive,
                                                    const File& fragment) {
  const Node& value = *directive.value;
  if (!value.is_mapping() && !value.is_null()) {
    Report("misplaced-directive", value.where,
           fmt::format("arguments of an include are {}", DescribeKind(value)),
           "expected a mapping of names to values");
    return {};
  }
  std::vector<std::string_view> known;
  for (const Parameter& parameter : fragment.parameters) known.push_back(parameter.name.text);
  std::vector<Argument> arguments;
  for (const Entry& entry : value.entries) {
    const Argument argument{{entry.key->text, entry.key->where}, ReadValue(*entry.value)};
    if (std::find(known.begin(), known.end(), argument.name.text) != known.end()) {
      arguments.push_back(argument);
      continue;
    }
    Report("unknown-argument", entry.key->where,
           fmt::format("'{}' takes no argument '{}'", fragment.path, argument.name.text),
           known.empty() ? "it takes none" : DidYouMean(argument.name.text, known, "it takes"));
  }
  for (const Parameter& parameter : fragment.parameters) {
    if (parameter.default_value != nullptr || Find(&value, parameter.name.text) != nullptr)
      continue;
    Diagnostic diagnostic;
    diagnostic.code = "missing-argument";
    diagnostic.message =
        fmt::format("'{}' needs the argument '{}'", fragment.path, parameter.name.text);
    diagnostic.where = directive.key->where;
    diagnostic.related.push_back({parameter.name.where, "declared here"});
    diagnostics_.Report(std::move(diagnostic));
  }
  return arena_.Copy(std::span<const Argument>(arguments));
}

// ---- reports --------------------------------------------------------------------------------

SourceRange BodyReader::Locate(const Node& scalar, std::size_t offset, std::size_t length) const {
  return TextPlaces(sources_).Locate(scalar, offset, length);
}

void BodyReader::Report(std::string_view code, SourceRange where, std::string message,
                        std::string hint) {
  diagnostics_.Report(
      {.code = code, .message = std::move(message), .where = where, .hint = std::move(hint)});
}

void BodyReader::ReportExpression(const Node& scalar, std::size_t offset,
                                  const ExpressionError& error) {
  names_.Doubt();
  Report("template-expression", Locate(scalar, offset + error.offset, error.length), error.message,
         error.hint);
}

}  // namespace wheelwright::template_tree
