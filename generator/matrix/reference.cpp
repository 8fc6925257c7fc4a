#include <fmt/format.h>

#include <map>
#include <set>
#include <string>

#include "base/characters.h"
#include "base/text.h"
#include "generator/matrix/read_schema.h"
#include "generator/matrix/schema.h"

namespace wheelwright {
namespace {

constexpr std::string_view kIntroduction =
    R"(# The matrix, column by column

What is built, where, for whom and within which limits stands in the files of `matrix/`, and nowhere else.
This page lists every table and column. `wheelwright help matrix` prints it from the description by which the
files are checked: the built-in tables and those of `matrix/schema.yml`, whose language is described in
[schema-language.md](schema-language.md). The JSON Schemas in `docs/schemas/`, with which an editor completes
and checks the files while they are written, come from it too.

Plain values follow YAML 1.2: `on` and `yes` are text, `true` and `false` are not, and a version needs quotes,
because `3.10` without them is the number 3.1. Templates see every column of every row; "when left out"
is what they see of one that is not written. A name that another row defines must be the name of a row
that is there, and a list holds nothing twice.
)";

std::string Code(std::string_view text) {
  return text.empty() ? std::string() : fmt::format("`{}`", EscapeBars(text));
}

// Where in the page a row is described.
std::string Anchor(std::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    if (c == ' ') {
      anchor += '-';
    } else if (IsLowerLetter(c) || IsDigit(c) || c == '-' || c == '_') {
      anchor += c;
    } else if (IsUpperLetter(c)) {
      anchor += static_cast<char>(c - 'A' + 'a');
    }
  }
  return anchor;
}

constexpr std::string_view kSchemaIntroduction =
    R"(# The schema, key by key

What may stand in the tables of a project is said in `matrix/schema.yml`, in the language of
[schema-language.md](schema-language.md). This page lists its keys. It is printed from the description by which
the file is checked, as is its JSON Schema, `docs/schemas/schema.schema.json`.
)";

class Page {
 public:
  std::string Print(std::string_view introduction, std::span<const FileSchema> files) {
    out_ = introduction;
    if (files.size() > 1) PrintFiles(files);
    for (const FileSchema& file : files) PrintFile(file);
    PrintFormats();
    return out_;
  }

 private:
  // DescribeType, with rows and formats as links.
  std::string Describe(const Type& type) {
    switch (type.kind) {
      case Type::Kind::kFormat:
        formats_.insert(type.format);
        return fmt::format("[{}](#shapes-of-text)", type.format->noun);
      case Type::Kind::kWord: {
        std::string words;
        for (const std::string_view word : type.words) {
          words += fmt::format("{}`{}`", words.empty() ? "" : ", ", word);
        }
        return words;
      }
      case Type::Kind::kList:
        return fmt::format("list of: {}", Describe(type.parts[0]));
      case Type::Kind::kMap:
        return fmt::format("mapping: {} → {}", Describe(type.parts[0]), Describe(type.parts[1]));
      case Type::Kind::kRow:
        return fmt::format("[{}](#{})", type.noun, Anchor(type.noun));
      case Type::Kind::kEither:
        return fmt::format("{}; or {}", Describe(type.parts[0]), Describe(type.parts[1]));
      default:
        return DescribeType(type);
    }
  }

  void PrintFiles(std::span<const FileSchema> files) {
    out_ += "\n| file | holds | needed |\n| --- | --- | --- |\n";
    for (const FileSchema& file : files) {
      const std::string name = MatrixFileName(file.stem);
      out_ += fmt::format("| [{}](#{}) | {} | {} |\n", name, Anchor(name), file.help,
                          file.required ? "yes" : "no");
    }
  }

  void PrintFile(const FileSchema& file) {
    out_ += fmt::format("\n## {}\n\n{}.\n", MatrixFileName(file.stem), file.help);
    for (const Column& table : file.tables.columns) {
      out_ += fmt::format("\n### {}\n\n{}.", table.name, table.help);
      if (table.type.kind != Type::Kind::kRow)
        out_ += fmt::format(" {}.", Capital(Describe(table.type)));
      if (table.example != nullptr) {
        out_ += fmt::format(" For example {}.", Code(Written(*table.example)));
      }
      if (!table.key.empty()) {
        out_ += fmt::format(" Templates see a list of rows, each with its key as `{}`.", table.key);
      }
      out_ += "\n";
      PrintRows(table.type, table.type.kind == Type::Kind::kRow);
    }
    if (file.unique.empty()) return;
    out_ += "\nNo two rows may have the same";
    for (std::size_t i = 0; i < file.unique.size(); ++i) {
      out_ += fmt::format("{} `{}`", i == 0 ? "" : ", or the same", file.unique[i]);
    }
    out_ += ".\n";
  }

  static std::string Capital(std::string text) {
    if (!text.empty() && IsLowerLetter(text[0])) text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
  }

  // The rows that a type is made of, each under a heading of its own unless it is the table itself.
  void PrintRows(const Type& type, bool is_table) {
    for (const Type& part : type.parts) PrintRows(part, false);
    if (type.kind != Type::Kind::kRow || !printed_.insert(std::string(type.noun)).second) return;
    if (!is_table) out_ += fmt::format("\n#### {}\n", type.noun);
    if (!type.one_needed.empty()) {
      out_ += "\nIt needs at least one of";
      for (std::size_t i = 0; i < type.one_needed.size(); ++i) {
        out_ += fmt::format("{} `{}`", i == 0 ? "" : ",", type.one_needed[i]);
      }
      out_ += ".\n";
    }
    out_ +=
        "\n| column | value | when left out | meaning | example |\n| --- | --- | --- | --- | --- "
        "|\n";
    for (const Column& column : type.columns) {
      const std::string absent = column.computed != nullptr ? "computed"
                                 : column.required          ? "must be there"
                                 : column.absent == nullptr ? "nothing"
                                                            : Code(Written(*column.absent));
      out_ += fmt::format("| `{}` | {} | {} | {} | {} |\n", column.name, Describe(column.type),
                          absent, EscapeBars(column.help),
                          column.example == nullptr ? "" : Code(Written(*column.example)));
    }
    if (!type.parts.empty()) {
      out_ += fmt::format("\nFurther columns are allowed, each {}.\n", DescribeType(type.parts[0]));
    }
    for (const Column& column : type.columns) PrintRows(column.type, false);
  }

  void PrintFormats() {
    out_ += "\n## Shapes of text\n\n| what | rule | example |\n| --- | --- | --- |\n";
    for (const auto& [noun, format] : SortedFormats()) {
      out_ +=
          fmt::format("| {} | {} | {} |\n", noun, EscapeBars(format->rule), Code(format->example));
    }
  }

  std::map<std::string_view, const Format*> SortedFormats() const {
    std::map<std::string_view, const Format*> sorted;
    for (const Format* format : formats_) {
      std::string_view noun = format->noun;
      noun.remove_prefix(noun.find(' ') + 1);
      sorted.emplace(noun, format);
    }
    return sorted;
  }

  std::string out_;
  std::set<std::string> printed_;
  std::set<const Format*> formats_;  // those in use; never printed in this order
};

}  // namespace

std::string MatrixReference(const Schema& schema) {
  return Page().Print(kIntroduction, schema.files);
}

std::string SchemaReference() {
  return Page().Print(kSchemaIntroduction, std::span(&SchemaLanguage(), 1));
}

}  // namespace wheelwright
