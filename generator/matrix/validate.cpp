#include "generator/matrix/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "generator/matrix/formats.h"

namespace wheelwright {
namespace {

constexpr std::size_t kFewKeys = 9;  // so many are listed in a message

bool Contains(const std::vector<std::string_view>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string Quoted(std::span<const std::string_view> words) {
  std::vector<std::string> quoted;
  for (const std::string_view word : words) quoted.push_back(fmt::format("'{}'", word));
  return JoinWords(quoted);
}

bool WantsText(const Type& type) {
  return type.kind == Type::Kind::kText || type.kind == Type::Kind::kAnyText ||
         type.kind == Type::Kind::kFormat || type.kind == Type::Kind::kWord ||
         type.kind == Type::Kind::kName;
}

// Whether a value written like this can be of that type at all.
bool HasShape(const Node& value, const Type& type) {
  switch (type.kind) {
    case Type::Kind::kList:
      return value.is_sequence();
    case Type::Kind::kMap:
    case Type::Kind::kRow:
      return value.is_mapping();
    case Type::Kind::kInteger:
      return value.kind == NodeKind::kNumber;
    case Type::Kind::kBoolean:
      return value.kind == NodeKind::kBoolean;
    case Type::Kind::kScalar:
      return value.is_scalar() && !value.is_null();
    case Type::Kind::kAny:
      return true;
    default:
      return value.is_string();
  }
}

class Validator {
 public:
  Validator(std::span<const MatrixFile> files, Diagnostics& diagnostics)
      : files_(files), diagnostics_(&diagnostics) {}

  void CheckFile(const MatrixFile& file) {
    Node empty;
    empty.kind = NodeKind::kMapping;
    empty.where = file.where;
    const Node* root = file.root == nullptr || file.root->is_null() ? &empty : file.root;
    file_ = file.schema;
    Check(*root, file.schema->tables, "", file.where);
    for (const std::string_view path : file.schema->unique) CheckUnique(*root, path);
  }

  void CheckValue(const Node& value, const Type& type, std::string_view name) {
    Check(value, type, std::string(name), value.where);
  }

 private:
  std::string SeeReference(std::string_view path) const {
    return fmt::format(
        "`wheelwright help {}` describes '{}'",
        file_ != nullptr && file_->stem == kSchemaStem ? "schema-language" : "matrix",
        path.substr(0, path.find_first_of(".[")));
  }

  const FileSchema* FileOfTable(std::string_view table) const {
    for (const MatrixFile& file : files_) {
      const auto& tables = file.schema->tables.columns;
      if (std::ranges::find(tables, table, &Column::name) != tables.end()) return file.schema;
    }
    return nullptr;
  }

  static Diagnostic Error(std::string_view code, SourceRange where, std::string message,
                          std::string hint = {}) {
    Diagnostic made;
    made.code = code;
    made.where = where;
    made.message = std::move(message);
    made.hint = std::move(hint);
    return made;
  }

  void Report(Diagnostic diagnostic, std::string note = {}) {
    if (!note.empty()) diagnostic.notes.push_back(std::move(note));
    diagnostics_->Report(std::move(diagnostic));
  }

  void ReportTwice(std::string_view code, SourceRange first, SourceRange second,
                   std::string message) {
    Diagnostic report = Error(code, second, std::move(message));
    report.related.push_back({first, "first here"});
    Report(std::move(report));
  }

  // `where` is what stands for the value in a report about something that is not there: its key.
  void Check(const Node& value, const Type& type, const std::string& path, SourceRange where) {
    if (type.kind == Type::Kind::kEither) {
      const Type* part = MeantPart(value, type);
      if (part == nullptr || value.is_null()) {
        ReportType(value, type, path, where);
      } else if (!value.is_scalar() || !SuggestList(value, *part, type, path)) {
        Check(value, *part, path, where);
      }
      return;
    }
    if (!HasShape(value, type)) {
      ReportType(value, type, path, where);
      return;
    }
    switch (type.kind) {
      case Type::Kind::kText:
        if (value.text.empty() || value.text.find('\n') != std::string_view::npos) {
          Report(Error("bad-value", value.where,
                       fmt::format("'{}' must be one line of text, and not empty", path)));
        }
        break;
      case Type::Kind::kFormat:
        if (!formats::Fits(*type.format, value.text)) {
          Report(Error("bad-value", value.where,
                       fmt::format("'{}' is not {}", value.text, type.format->noun),
                       fmt::format("expected something like {}", type.format->example)),
                 fmt::format("{} is {}", type.format->noun, type.format->rule));
        }
        break;
      case Type::Kind::kWord:
        if (!Contains(type.words, value.text)) ReportWord(value, type);
        break;
      case Type::Kind::kName:
        CheckName(value, *type.names);
        break;
      case Type::Kind::kInteger:
        CheckInteger(value, type, path);
        break;
      case Type::Kind::kList:
        CheckList(value, type, path);
        break;
      case Type::Kind::kMap:
        for (const Entry& entry : value.entries) {
          Check(*entry.key, type.parts[0], Join(path, entry.key->text), entry.key->where);
          Check(*entry.value, type.parts[1], Join(path, entry.key->text), entry.key->where);
        }
        break;
      case Type::Kind::kRow:
        CheckRow(value, type, path, where);
        break;
      default:
        break;
    }
  }

  static std::string Join(const std::string& path, std::string_view key) {
    return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
  }

  void ReportType(const Node& value, const Type& type, const std::string& path, SourceRange where) {
    const bool is_scalar = value.is_scalar();
    Diagnostic report =
        Error("wrong-type", value.is_null() || value.where.length == 0 ? where : value.where,
              path.empty() ? fmt::format("{} must hold a mapping of tables, not {}",
                                         MatrixFileName(file_->stem), DescribeKind(value))
                           : fmt::format("'{}' must be {}, not {}", path, DescribeType(type),
                                         DescribeKind(value)));
    if (value.is_null()) {
      report.hint = "there is no value here";
    } else if (is_scalar && type.kind == Type::Kind::kList) {
      report.hint = fmt::format("for a list of one, write [{}]", value.text);
    } else if (value.is_sequence() && value.items.size() == 1 && value.items[0]->is_scalar()) {
      report.hint = fmt::format("for one value, write {}", value.items[0]->text);
    } else if (type.kind == Type::Kind::kBoolean) {
      if (value.text == "yes" || value.text == "on") report.hint = "write true";
      if (value.text == "no" || value.text == "off") report.hint = "write false";
    } else if (is_scalar && !value.is_string() && WantsText(type)) {
      report.hint = fmt::format("with quotes it is text: \"{}\"", value.text);
      if (value.kind == NodeKind::kNumber && value.text.find('.') != std::string_view::npos) {
        report.notes.push_back(
            "without quotes it is a number, and the numbers 3.10 and 3.1 are the same");
      }
    }
    Report(std::move(report));
  }

  void ReportWord(const Node& value, const Type& type) {
    Report(Error("unknown-value", value.where, fmt::format("'{}' is no {}", value.text, type.noun),
                 DidYouMean(value.text, type.words)),
           fmt::format("allowed: {}", Quoted(type.words)));
  }

  void CheckInteger(const Node& value, const Type& type, const std::string& path) {
    long long number = 0;
    const char* end = value.text.data() + value.text.size();
    const auto read = std::from_chars(value.text.data(), end, number);
    if (read.ec == std::errc{} && read.ptr == end && number >= type.least) return;
    Report(Error("bad-value", value.where,
                 fmt::format("'{}' must be a whole number of at least {}", path, type.least)));
  }

  void CheckList(const Node& value, const Type& type, const std::string& path) {
    std::map<std::string_view, SourceRange> seen;
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      const Node& item = *value.items[i];
      Check(item, type.parts[0], fmt::format("{}[{}]", path, i), item.where);
      if (!item.is_string()) continue;
      const auto [first, is_new] = seen.emplace(item.text, item.where);
      if (is_new) continue;
      ReportTwice("duplicate-item", first->second, item.where,
                  fmt::format("'{}' stands twice in '{}'", item.text, path));
    }
  }

  void CheckRow(const Node& value, const Type& type, const std::string& path, SourceRange where) {
    std::vector<std::string_view> known;
    for (const Column& column : type.columns) {
      if (column.computed == nullptr) known.push_back(column.name);
    }
    for (const Entry& entry : value.entries) {
      const std::string_view key = entry.key->text;
      const auto column = std::find_if(type.columns.begin(), type.columns.end(),
                                       [&](const Column& c) { return c.name == key; });
      if (column != type.columns.end() && column->computed != nullptr) {
        Report(Error("computed-column", entry.key->where,
                     fmt::format("'{}' is computed, and no row gives it", Join(path, key))));
      } else if (column != type.columns.end()) {
        if (entry.value->is_null() && IsNullable(*column)) continue;
        Check(*entry.value, column->type, Join(path, key), entry.key->where);
      } else if (type.parts.empty() || !Nearest(key, known).empty()) {
        ReportKey(*entry.key, type, path, known);
      } else {
        Check(*entry.value, type.parts[0], Join(path, key), entry.key->where);
      }
    }
    for (const Column& column : type.columns) {
      if (!column.required || FindEntry(&value, column.name) != nullptr) continue;
      ReportMissing(column, path, where);
    }
    if (!type.one_needed.empty() &&
        std::none_of(type.one_needed.begin(), type.one_needed.end(), [&](std::string_view name) {
          const Node* given = Find(&value, name);
          return given != nullptr && !given->is_null();
        })) {
      Report(Error("missing-key", where,
                   fmt::format("'{}' needs at least one of {}", path, Quoted(type.one_needed))),
             SeeReference(path));
    }
  }

  void ReportMissing(const Column& column, const std::string& path, SourceRange where) {
    if (path.empty()) {
      Report(Error("missing-key", where,
                   fmt::format("{} has no table '{}'", MatrixFileName(file_->stem), column.name)),
             SeeReference(column.name));
      return;
    }
    Diagnostic report =
        Error("missing-key", where, fmt::format("'{}' has no '{}'", path, column.name));
    if (column.example != nullptr) {
      report.hint = fmt::format("add {}: {}", column.name, Written(*column.example));
    }
    report.notes.push_back(fmt::format("{}: {}", column.name, column.help));
    Report(std::move(report), SeeReference(path));
  }

  void ReportKey(const Node& key, const Type& type, const std::string& path,
                 const std::vector<std::string_view>& known) {
    Diagnostic report =
        Error("unknown-key", key.where, fmt::format("'{}' has no column '{}'", path, key.text),
              DidYouMean(key.text, known));
    if (path.empty()) {
      report.message = fmt::format("{} has no table '{}'", MatrixFileName(file_->stem), key.text);
      if (const FileSchema* other = FileOfTable(key.text)) {
        report.hint.clear();
        Report(std::move(report),
               fmt::format("that table belongs in {}", MatrixFileName(other->stem)));
        return;
      }
    }
    if (!type.parts.empty()) {
      report.notes.push_back("a column of your own needs a name that nobody takes for a known one");
    }
    Report(std::move(report),
           known.size() <= kFewKeys ? fmt::format("known: {}", Quoted(known)) : SeeReference(path));
  }

  // For a scalar that is no valid value by itself but would be one in a list. True when it was
  // reported.
  bool SuggestList(const Node& value, const Type& part, const Type& either,
                   const std::string& path) {
    if (Accepts(value, part)) return false;
    for (const Type& other : either.parts) {
      if (other.kind != Type::Kind::kList || !Accepts(value, other.parts[0])) continue;
      Report(Error(
          "wrong-type", value.where,
          fmt::format("'{}' must be {}, not {}", path, DescribeType(either), DescribeKind(value)),
          fmt::format("for a list of one, write [{}]", value.text)));
      return true;
    }
    return false;
  }

  bool Accepts(const Node& value, const Type& type) {
    Diagnostics ignored;
    Diagnostics* const kept = std::exchange(diagnostics_, &ignored);
    Check(value, type, "", value.where);
    diagnostics_ = kept;
    return ignored.empty();
  }

  struct Known {
    std::vector<std::string_view> list;
    std::set<std::string_view> set;
    bool complete = true;  // false: a file that defines some could not be read
  };

  const Known& KnownNames(const Names& names) {
    const auto [at, is_new] = names_.try_emplace(&names);
    Known& known = at->second;
    if (!is_new) return known;
    known.complete = !files_.empty();
    for (const MatrixFile& file : files_) {
      for (const std::string_view path : names.paths) {
        if (!file.readable && FileOfTable(path.substr(0, path.find('.'))) == file.schema) {
          known.complete = false;
        }
        for (const Node* node : FindAll(file.root, path)) {
          if (node->is_scalar()) known.list.push_back(node->text);
          for (const Entry& entry : node->entries) known.list.push_back(entry.key->text);
        }
      }
    }
    known.set = {known.list.begin(), known.list.end()};
    return known;
  }

  void CheckName(const Node& value, const Names& names) {
    const Known& known = KnownNames(names);
    if (!known.complete || known.set.contains(value.text)) return;
    Diagnostic report =
        Error(names.code, value.where, fmt::format("no {} is called '{}'", names.noun, value.text),
              DidYouMean(value.text, known.list));
    report.notes.push_back(
        fmt::format("{} are defined in {}", names.plural, MatrixFileName(names.file)));
    if (report.hint.empty() && !known.list.empty() && known.set.size() <= kFewKeys) {
      report.notes.push_back(fmt::format("known: {}", Quoted(known.list)));
    }
    Report(std::move(report));
  }

  void CheckUnique(const Node& root, std::string_view path) {
    std::map<std::string_view, SourceRange> seen;
    for (const Node* node : FindAll(&root, path)) {
      if (!node->is_scalar() || node->is_null()) continue;
      const auto [first, is_new] = seen.emplace(node->text, node->where);
      if (is_new) continue;
      ReportTwice(
          "duplicate-value", first->second, node->where,
          fmt::format("two rows have the {} '{}'", path.substr(path.rfind('.') + 1), node->text));
    }
  }

  std::span<const MatrixFile> files_;
  Diagnostics* diagnostics_;
  const FileSchema* file_ = nullptr;
  std::map<const Names*, Known> names_;
};

}  // namespace

void ValidateMatrix(std::span<const MatrixFile> files, Diagnostics& diagnostics) {
  Validator validator(files, diagnostics);
  for (const MatrixFile& file : files) {
    if (file.readable && (file.root != nullptr || file.schema->required)) validator.CheckFile(file);
  }
}

void ValidateValue(const Node& value, const Type& type, std::string_view name,
                   Diagnostics& diagnostics) {
  Validator({}, diagnostics).CheckValue(value, type, name);
}

}  // namespace wheelwright
