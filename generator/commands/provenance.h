// Where a piece of a generated file is from: the template's line, what its expressions read, and
// the loops and fragments around it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/source.h"
#include "generator/commands/project_run.h"
#include "generator/compile/compile.h"
#include "generator/emit/emit.h"
#include "generator/expression/ast.h"
#include "generator/expression/scope.h"
#include "generator/yaml/node.h"

namespace wheelwright {

// A statement, and where to look it up.
struct ProvenanceRow {
  std::string text;   // "host.name = alpha"
  std::string place;  // "matrix/hosts.yml:6"; may be empty
};

// "  host.name = alpha   matrix/hosts.yml:6", the places in a column.
std::string Render(std::span<const ProvenanceRow> rows, Paint paint);

// The lines of a generated file.
class GeneratedLines {
 public:
  GeneratedLines(std::string_view text, std::span<const LineOrigin> origins);

  std::size_t size() const { return lines_.size(); }
  std::string_view Line(std::size_t line) const { return lines_[line - 1]; }  // from 1

  // What a line stands for: its own node; inside a text of several lines, that text; of a comment
  // or a blank line, what follows. Null in the header, and behind the last node.
  const LineOrigin* Find(std::size_t line) const;
  // Whether the line is a part of the text that starts on the origin's line.
  bool IsInside(std::size_t line, const LineOrigin& origin) const;
  // The line that the origin's line is indented below, or null.
  const LineOrigin* Parent(const LineOrigin& origin) const;
  // Where a key stands, or 0.
  std::size_t LineOf(const Node* key) const;
  // The nearest line for which `matches` holds among those with the same parent; if there is none,
  // with the same parent's parent, and so on.
  template <typename Matches>
  const LineOrigin* Nearby(const LineOrigin& origin, const Matches& matches) const {
    const auto distance = [&](const LineOrigin& one) {
      return one.line > origin.line ? one.line - origin.line : origin.line - one.line;
    };
    const LineOrigin* parent = &origin;
    do {
      parent = Parent(*parent);
      const std::size_t first = parent == nullptr ? 1 : parent->line;
      const std::size_t last = parent == nullptr ? size() : EndOf(parent->line);
      const LineOrigin* best = nullptr;
      for (const LineOrigin& one : origins_) {
        if (one.line < first || one.line > last || !matches(one)) continue;
        if (best == nullptr || distance(one) < distance(*best)) best = &one;
      }
      if (best != nullptr) return best;
    } while (parent != nullptr);
    return nullptr;
  }
  // The last line of what starts on that line.
  std::size_t EndOf(std::size_t line) const;
  // The id of the job that the origin belongs to, or "".
  std::string_view JobOf(const LineOrigin& origin) const;

 private:
  static std::size_t IndentOf(std::string_view line);

  std::vector<std::string_view> lines_;
  std::span<const LineOrigin> origins_;
};

class Provenance {
 public:
  explicit Provenance(const Compilation& compilation)
      : compilation_(compilation), sources_(compilation.sources) {}

  // Of a line of the text; `origin` is what Find() gave for it.
  std::vector<ProvenanceRow> OfLine(const GeneratedLines& lines, std::size_t line,
                                    const LineOrigin& origin);
  // Of a file as a whole: what gave it its name.
  std::vector<ProvenanceRow> OfFile(SourceRange named, const Scope* scope);

 private:
  void AddTemplateLine(SourceRange where, std::uint32_t below);
  // What the expressions in a text read.
  void AddReads(std::string_view text, const Scope* scope);
  void AddPaths(const Expr& expr, const Scope* scope);
  void AddPath(std::span<const std::string_view> path, const Scope* scope);
  // Nodes that all includers of a fragment share have no scope; their neighbours may have one.
  void AddInclusion(const GeneratedLines& lines, const LineOrigin& origin, SourceRange where,
                    const Scope* scope);
  // The loops and fragments from the inside out.
  void AddSurroundings(const Scope* scope);
  void AddLoop(const Scope& binding);
  void Add(std::string text, std::string place);

  // The cell that a value is, among those of the branch that the bindings stand for; or null.
  const Cell* CellOf(const Node& value, const Scope* scope) const;
  std::string Describe(const Node& value, const Scope* scope) const;
  // Of a cell, the places of what its axes have.
  std::string PlaceOf(const Node& value, const Scope* scope) const;
  std::string PlaceOf(const Node& value) const;
  std::string_view LineAt(SourceRange where, std::uint32_t below = 0) const;

  const Compilation& compilation_;
  const SourceManager& sources_;
  Arena arena_;
  std::vector<ProvenanceRow> rows_;
};

}  // namespace wheelwright
