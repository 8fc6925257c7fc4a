// What may stand in the matrix's files: one description, from which come the checks, the defaults
// that templates see, the JSON Schemas for editors, and the reference page. read_schema.h makes it
// of matrix/schema.yml and of the built-in tables.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "generator/matrix/set_schema.h"
#include "generator/yaml/node.h"

namespace wheelwright {

// A string of a certain shape. `pattern` is an anchored ECMAScript expression, which both
// std::regex and JSON Schema understand.
struct Format {
  std::string_view noun;  // with its article: "a compiler version"
  std::string_view pattern;
  std::string_view example;
  std::string_view rule;  // in words: "two numbers with a dot"
};

// Names that one part of the matrix defines and others use.
struct Names {
  std::string_view code;    // of the report of a name that nobody defined: "unknown-host"
  std::string_view noun;    // "host"
  std::string_view plural;  // "hosts"
  std::string_view file;    // the stem of the file that defines them
  // Where they stand: "hosts" means the keys of that table, "hosts.*.linux.name" the text
  // of that column in every row.
  std::vector<std::string_view> paths;
};

struct Column;
struct ComputedValue;
struct RowCheck;

struct Type {
  enum class Kind {
    kText,     // one line that is not empty
    kAnyText,  // any string
    kFormat,   // a string that fits `format`
    kWord,     // one of `words`
    kName,     // one of `names`
    kInteger,  // at least `least`
    kBoolean,
    kScalar,  // any of the above, for columns that a template's author makes up
    kList,    // of `parts[0]`, nothing twice
    kMap,     // from `parts[0]` to `parts[1]`
    kRow,     // with `columns`; other keys are refused, or take `parts[0]` when it is there
    kAny,
    kEither,  // one of `parts`, of which one is written as a list and the other is not
  };
  Kind kind = Kind::kText;
  const Format* format = nullptr;
  const Names* names = nullptr;
  // For kName: templates see the named row itself, with its defaults, in place of its name.
  bool embedded = false;
  std::string_view noun;  // of a word: "verdict"; of a row: "a host on one platform"
  std::vector<std::string_view> words;
  long long least = 0;
  std::vector<Type> parts;
  std::vector<Column> columns;
  std::vector<std::string_view> one_needed;  // a row must have one of these columns at least
};

struct Column {
  std::string_view name;
  Type type;
  bool required = false;
  // What templates see when the column is left out; null: nothing is filled in. A column that is
  // null when left out may also be written as null.
  const Node* absent = nullptr;
  std::string_view help{};        // one line, no full stop
  const Node* example = nullptr;  // may be null
  // Of a table: the column of the key, where templates see a list of rows. Empty: they see a
  // mapping.
  std::string_view key{};
  ComputedValue* computed = nullptr;  // the schema gives its value, and no row may
};

// One file of the folder. Its top-level keys are the columns of `tables`.
struct FileSchema {
  std::string_view stem;  // "hosts" for matrix/hosts.yml
  std::string_view help;
  bool required = false;
  Type tables;
  // Columns whose texts must differ from row to row: "hosts.*.linux.name".
  std::vector<std::string_view> unique;
};

// The name of the file that describes the others, without ".yml".
inline constexpr std::string_view kSchemaStem = "schema";

struct Schema {
  std::vector<FileSchema> files;  // in the order in which they are read and documented
  std::vector<AxisSchema> axes;
  std::vector<SetSchema> sets;
  std::shared_ptr<const std::vector<RowCheck>> checks;
  std::shared_ptr<std::deque<ComputedValue>> computed;
  // What the types of `files` point at.
  std::shared_ptr<std::deque<Format>> formats = std::make_shared<std::deque<Format>>();
  std::shared_ptr<std::deque<Names>> names = std::make_shared<std::deque<Names>>();

  // The file of that stem, or null.
  const FileSchema* File(std::string_view stem) const;
  // The table of that name, or null.
  const Column* FindTable(std::string_view name) const;
};

// "matrix/hosts.yml".
std::string MatrixFileName(std::string_view stem);

// "a list of versions", "the name of a host", "true or false": for messages and the reference.
std::string DescribeType(const Type& type);

// The part of a kEither that a value written like this is meant for, or null when there is none. Of
// any other type, the type itself.
const Type* MeantPart(const Node& value, const Type& type);

// Whether null may be written for the column.
bool IsNullable(const Column& column);

// The value of a column that was left out, or null when nothing is filled in. Its place is `where`.
const Node* MakeAbsent(const Column& column, SourceRange where, Arena& arena);

// A value on one line, as one would write it: `[a, "1.2"]`.
std::string Written(const Node& value);

// The nodes at a path such as "hosts.*.linux.name" below `root`, in written order.
std::vector<const Node*> FindAll(const Node* root, std::string_view path);

// A JSON Schema for one file. Draft 7 and not a later one: yaml-language-server, which most editors
// use, knows that draft in full and 2020-12 in part. Names that other rows define are plain strings
// in it, because a schema that listed them would change with every row. Ends with a line feed.
std::string JsonSchema(const FileSchema& file);

// The page that describes all tables: docs/matrix-reference.md, for this project's own.
std::string MatrixReference(const Schema& schema);
// docs/schema-reference.md: the keys of matrix/schema.yml.
std::string SchemaReference();

}  // namespace wheelwright
