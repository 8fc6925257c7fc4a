// Expands an instance of a template. (Longer than other headers because ForEach() is a template.)
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/source.h"
#include "generator/expression/scope.h"
#include "generator/template/tree.h"
#include "generator/yaml/node.h"

namespace wheelwright::template_tree {

// More nodes than fit into GitHub's 512,000 bytes; ends nested loops.
inline constexpr std::size_t kMostNodes = 1'000'000;

// Limits of one instance, from the bytes of the matrix and all templates. They end loops that make
// nothing, fragments that include each other twice, and texts that double.
struct ExpandLimits {
  explicit ExpandLimits(std::size_t input_bytes)
      : steps(3'000'000 + 10 * input_bytes), bytes(32'000'000 + 100 * input_bytes) {}
  std::size_t steps;  // rounds of loops and their contents
  std::size_t bytes;  // of computed texts and lists
};

class Expander {
 public:
  Expander(const File& file, const SourceManager& sources, Arena& arena, Diagnostics& diagnostics)
      : file_(file),
        sources_(sources),
        limits_(file.input_bytes),
        arena_(arena),
        diagnostics_(diagnostics) {}

  // The node, or a null node after a report.
  const Node* ExpandValue(const Value& value, const Scope* scope);
  // For bindings: returns the matrix's own node if the value is one expression.
  const Node* ExpandBinding(const Value& value, const Scope* scope);
  // A text, valid until the next call; nothing after a report.
  std::optional<std::string_view> ExpandText(const Value& value, const Scope* scope);

  // Calls round(scope) for each round of a loop.
  template <typename Round>
  void ForEach(const Loop& loop, BindingKind kind, const Scope* scope, const Round& round);
  // The value of an expression, or null after a report.
  const Node* Evaluate(const Code& code, const Scope* scope);
  const Scope* Bind(const Scope* scope, const Name& name, const Node* value, BindingKind kind);

  bool failed() const { return failed_; }

 private:
  // Comments of directives, for the first node that they produce.
  struct Lead {
    std::vector<std::string_view> above;
    bool blank_line = false;
  };
  struct List {
    std::vector<Entry> entries;
    std::vector<const Node*> items;
    Lead lead;
    std::size_t size() const { return entries.size() + items.size(); }
    void Clear() {
      entries.clear();
      items.clear();
      lead = {};
    }
  };

  void ExpandMembers(std::span<const Member* const> members, const Scope* scope, List& list);
  void ExpandPlain(const Member& member, const Scope* scope, List& list);
  void ExpandFor(const Member& member, const Scope* scope, List& list);
  void ExpandIf(const Member& member, const Scope* scope, List& list);
  void ExpandInclude(const Member& member, const Scope* scope, List& list);
  // Runs `body` with the comments of a directive in the lead, and drops them afterwards.
  template <typename Body>
  void WithComments(const Node* key, const Node* item, List& list, const Body& body);

  const Node* ExpandWhole(const Value& value, const Scope* scope);
  const Node* ExpandJoined(const Value& value, const Scope* scope);
  const Node* ExpandCollection(const Value& value, const Scope* scope);
  const Node* ExpandKey(const Value& key, const Scope* scope);
  // The node with the lead's comments above its own.
  const Node* TakeLead(const Node* node, List& list);
  // A value of the matrix or a binding, without the matrix's comments.
  const Node* Adopt(const Node* node);
  void CheckKeys(const Node& mapping, const Scope* scope);

  // The pieces of a scalar as one text, valid until the next call; nothing after a report.
  std::optional<std::string_view> JoinPieces(const Value& value, const Scope* scope);
  SourceRange PlaceOf(const Code& code) const;
  bool Spend(const Value& value, const Scope* scope);
  // Counts a step; false at the limit.
  bool Step() { return ++steps_ <= limits_.steps && !stopped_; }
  void StopAt(SourceRange where, const Scope* scope);
  void Stop(SourceRange where, const Scope* scope, std::string message, std::string note);
  // Nothing if it was already reported for another instance, which then counts this one.
  std::optional<Diagnostic> Begin(std::string_view code, SourceRange where, const Scope* scope);

  const File& file_;
  const SourceManager& sources_;
  ExpandLimits limits_;
  Arena& arena_;
  Diagnostics& diagnostics_;
  std::size_t nodes_ = 0;
  std::size_t steps_ = 0;
  std::size_t bytes_ = 0;
  bool stopped_ = false;  // past a limit
  bool failed_ = false;
  // Reused, to save allocations.
  std::string joined_;
  std::vector<List> spare_;
};

template <typename Round>
void Expander::ForEach(const Loop& loop, BindingKind kind, const Scope* scope, const Round& round) {
  const Node* list = Evaluate(*loop.list, scope);
  if (list == nullptr) return;
  const bool two = !loop.second.text.empty();
  if (list->is_sequence()) {
    std::size_t index = 0;
    for (const Node* item : list->items) {
      if (!Step()) return StopAt(PlaceOf(*loop.list), scope);
      const Scope* inner = scope;
      if (two) inner = Bind(inner, loop.name, MakeNumber(arena_, static_cast<double>(index)), kind);
      ++index;
      round(Bind(inner, two ? loop.second : loop.name, item, kind));
    }
    return;
  }
  if (list->is_mapping() && two) {
    for (const Entry& entry : list->entries) {
      if (!Step()) return StopAt(PlaceOf(*loop.list), scope);
      const Scope* inner = Bind(scope, loop.name, entry.key, kind);
      round(Bind(inner, loop.second, entry.value, kind));
    }
    return;
  }
  if (auto diagnostic = Begin("not-a-list", PlaceOf(*loop.list), scope)) {
    diagnostic->message = "a loop needs a list, found " + DescribeKind(*list);
    if (list->is_mapping())
      diagnostic->hint = "write `for key, value in` to iterate over a mapping";
    diagnostics_.Report(std::move(*diagnostic));
  }
}

}  // namespace wheelwright::template_tree
