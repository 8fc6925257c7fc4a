// Reads the nodes of a template into values to copy and values to compute.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/source.h"
#include "generator/expression/parse.h"
#include "generator/template/names.h"
#include "generator/template/tree.h"

namespace wheelwright::template_tree {

// A key such as `$[[ for x in y ]]`.
struct DirectiveKey {
  std::string_view keyword;
  std::string_view rest;   // the text behind it, trimmed
  std::size_t offset = 0;  // of `rest` in the key's text
};

// Reads a key as a directive, if it is one.
std::optional<DirectiveKey> ReadDirectiveKey(const Node& key);

class BodyReader {
 public:
  // `files` are all files that can be included, with their heads read.
  BodyReader(File& file, std::span<File* const> files, NameTable& names,
             const SourceManager& sources, Arena& arena, Diagnostics& diagnostics)
      : file_(file),
        files_(files),
        names_(names),
        sources_(sources),
        arena_(arena),
        diagnostics_(diagnostics) {}

  const Value* ReadValue(const Node& node);
  // An expression in a scalar, or null after an error.
  const Code* ReadCode(const Node& scalar, std::size_t offset, std::string_view text);
  // "x in list", or "key, value in mapping".
  std::optional<Loop> ReadLoop(const Node& scalar, std::size_t offset, std::string_view text);
  // A name to bind.
  std::optional<Name> ReadName(const Node& scalar, std::size_t offset, std::string_view text);

  std::span<const Member* const> ReadEntries(std::span<const Entry> entries);
  std::span<const Member* const> ReadItems(std::span<const Node* const> items);

 private:
  // Whether members are entries or items; the body of a directive must be the same.
  enum class Among { kEntries, kItems };

  const Value* Shared(const Node& node);
  const Value* ReadScalar(const Node& scalar);
  static bool IsStatic(const Member& member) {
    return member.kind == MemberKind::kPlain && member.value->kind == ValueKind::kShared &&
           (member.key == nullptr || member.key->kind == ValueKind::kShared);
  }

  struct Directive {
    const Node* key = nullptr;
    const Node* value = nullptr;
    const Node* item = nullptr;  // null among entries
    DirectiveKey read;
    Among among() const { return item == nullptr ? Among::kEntries : Among::kItems; }
  };
  // Reads an item as a directive, if it is a mapping with just that key.
  std::optional<Directive> DirectiveOf(const Node& item) const;
  void ReadDirective(const Directive& directive, std::vector<const Member*>& members);
  void ReadFor(const Directive& directive, std::vector<const Member*>& members);
  void ReadBranch(const Directive& directive, std::vector<const Member*>& members);
  void ReadLet(const Directive& directive, std::vector<const Member*>& members);
  void ReadInclude(const Directive& directive, std::vector<const Member*>& members);
  std::span<const Argument> ReadArguments(const Directive& directive, const File& fragment);
  std::span<const Member* const> ReadBody(const Directive& directive);

  void CheckNames(const Code& code, const Expr& expr);
  // In brackets.cpp: expressions in brackets of another kind. Code: wrong-brackets.
  void CheckBrackets(const Node& scalar);
  bool IsWrongBrackets(const Node& list);
  std::string_view OwnNameIn(const Expr& expr);
  std::string_view OwnNameIn(std::string_view text);
  void ReportBrackets(SourceRange where, std::string_view name, std::string_view inner);
  void Report(std::string_view code, SourceRange where, std::string message, std::string hint = {});
  void ReportExpression(const Node& scalar, std::size_t offset, const ExpressionError& error);
  SourceRange Locate(const Node& scalar, std::size_t offset, std::size_t length) const;

  File& file_;
  std::span<File* const> files_;
  NameTable& names_;
  const SourceManager& sources_;
  Arena& arena_;
  Diagnostics& diagnostics_;
};

}  // namespace wheelwright::template_tree
