// The descriptions that together make a schema: the built-in one and a project's.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/diagnostic.h"
#include "generator/matrix/schema.h"
#include "generator/yaml/node.h"

namespace wheelwright {

// Their roots, the built-in one first.
using Layers = std::vector<const Node*>;

bool IsTrue(const Node* row, std::string_view column);

// The entry of that name in a section, or null; of two, that of the first layer.
const Entry* Look(const Layers& layers, std::string_view section, std::string_view name);

// The entries of a section, in the order of the layers.
std::vector<Entry> All(const Layers& layers, std::string_view section);

// The file of a table, which a project may say of a built-in one; null when there is no such table.
const Node* FileOf(const Layers& layers, std::string_view table);

// The tables of a file, in their order.
std::vector<std::string_view> TablesOf(const Layers& layers, std::string_view stem);

// Settings, the project's files as it lists them, and the built-in ones that it does not name;
// without their tables.
std::vector<FileSchema> ListFiles(const Layers& layers);

// What messages call a row of the table: its own noun, or that of its kind of row. May be empty.
std::string_view NounOf(const Layers& layers, const Entry& table);

// The names that are the keys of a table; without a code.
Names NamesOfTable(const Layers& layers, const Entry& table, Arena& arena);

// The words of a set, as a type; a row of `formats`.
Type TypeOfWords(const Entry& words, Arena& arena);
Format FormatOf(const Node& row, Arena& arena);

// The keys of a table in the root of its file; nothing where there is no such table.
std::optional<std::vector<std::string_view>> KeysOfTable(const Node* root, std::string_view table);

// The keys of sections, for suggestions.
std::vector<std::string_view> KeysIn(const Layers& layers,
                                     std::initializer_list<std::string_view> sections);

// "build_type" as words.
std::string Spaced(std::string_view name);

// What stands for `{NAME}` in a text.
using Holes = std::vector<std::pair<std::string_view, std::string_view>>;
std::string FillHoles(std::string_view text, const Holes& holes);

// Rows of `table` are seen in rows of the table `in`.
struct Embedding {
  std::string_view in, table;
  SourceRange where;
};
// One that is part of a circle, or null.
const Embedding* FindCircle(const std::vector<Embedding>& all);

// `each VARIABLE of TABLE`, the name of a column for each row.
struct Each {
  std::string_view variable, table;
};
std::optional<Each> ReadEach(std::string_view column);

// Reports what a project defines and may not: what is there already, what takes something away from
// what is built in, patterns that are none, examples that do not fit them.
void CheckDefinitions(const Layers& layers, Diagnostics& diagnostics);

}  // namespace wheelwright
