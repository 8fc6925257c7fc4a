#include <fmt/format.h>

#include <regex>
#include <string>
#include <utility>

#include "base/text.h"
#include "generator/matrix/formats.h"
#include "generator/matrix/schema_layers.h"
#include "generator/matrix/type_text.h"

namespace wheelwright {
namespace {

class DefinitionCheck {
 public:
  DefinitionCheck(const Layers& layers, Diagnostics& diagnostics)
      : layers_(layers), diagnostics_(diagnostics) {}

  void Run() {
    if (layers_.size() < 2) return;
    for (const Entry& format : All(project_, "formats")) CheckFormat(format);
    for (const std::string_view section : {"formats", "words", "names"}) CheckNames(section);
    for (const Entry& row : All(project_, "rows")) CheckAdded("rows", row, "columns");
    for (const Entry& table : All(project_, "tables")) CheckAdded("tables", table, "file");
  }

 private:
  void Taken(const Node& key, std::string message, const Node* first = nullptr) {
    Diagnostic report{.code = "name-taken", .message = std::move(message), .where = key.where};
    if (first != nullptr) report.related.push_back({first->where, "first here"});
    diagnostics_.Report(std::move(report));
  }

  void CheckFormat(const Entry& entry) {
    const Node* pattern = Find(entry.value, "pattern");
    const Node* example = Find(entry.value, "example");
    const Format format{.noun = {}, .pattern = pattern->text, .example = {}, .rule = {}};
    try {
      if (example->is_string() && formats::Fits(format, example->text)) return;
      diagnostics_.Report(
          {.code = "bad-default",
           .message = fmt::format("the example of '{}' does not fit its pattern", entry.key->text),
           .where = example->where,
           .hint = example->is_string()
                       ? ""
                       : fmt::format("with quotes it is text: \"{}\"", example->text)});
    } catch (const std::regex_error&) {
      diagnostics_.Report(
          {.code = "bad-pattern",
           .message = fmt::format("the pattern of '{}' is no regular expression", entry.key->text),
           .where = pattern->where,
           .notes = {"patterns are ECMAScript expressions, as in JSON Schema"}});
    }
  }

  // Formats and words are told by their names alone, as tables and names are.
  void CheckNames(std::string_view section) {
    for (const Entry& entry : All(project_, section)) {
      const std::string_view name = entry.key->text;
      const std::string_view other = section == "words"     ? "formats"
                                     : section == "formats" ? "words"
                                                            : "tables";
      if (section != "names" && IsTypeWord(name)) {
        Taken(*entry.key, fmt::format("'{}' is a word of the language", name));
      } else if (Look(built_in_, section, name) || Look(built_in_, other, name)) {
        Taken(*entry.key, fmt::format("'{}' is built in", name));
      } else if (const Entry* first = Look(project_, other, name);
                 first != nullptr && section != "formats") {
        Taken(*entry.key, fmt::format("'{}' is defined twice", name), first->key);
      }
    }
  }

  // To what is built in, a project may add this alone.
  void CheckAdded(std::string_view section, const Entry& entry, std::string_view allowed) {
    const Entry* own = Look(built_in_, section, entry.key->text);
    if (own == nullptr) return CheckWhole(section, entry);
    for (const Entry& said : entry.value->entries) {
      if (said.key->text == allowed || said.key->text == "computed") continue;
      Taken(*said.key, fmt::format("'{}' is built in: '{}' is all that can be said of it here",
                                   entry.key->text, allowed));
    }
    const Node* columns = Find(entry.value, "columns");
    if (columns == nullptr) return;
    for (const Entry& column : columns->entries) {
      if (FindEntry(Find(own->value, "columns"), column.key->text) == nullptr) continue;
      Taken(*column.key,
            fmt::format("the built-in '{}' has a column '{}'", entry.key->text, column.key->text));
    }
  }

  // What is not built in has to be described in full.
  void CheckWhole(std::string_view section, const Entry& entry) {
    const std::vector<std::string_view> needed =
        section == "rows" ? std::vector<std::string_view>{"noun", "columns"}
                          : std::vector<std::string_view>{"file", "type", "doc"};
    for (const std::string_view key : needed) {
      if (FindEntry(entry.value, key) != nullptr) continue;
      diagnostics_.Report(
          {.code = "missing-key",
           .message = fmt::format("'{}.{}' has no '{}'", section, entry.key->text, key),
           .where = entry.key->where,
           .notes = {fmt::format("`wheelwright help schema-language` describes '{}'", section)}});
    }
    const Node* noun = section == "rows" ? Find(entry.value, "noun") : nullptr;
    for (const Entry& other : noun == nullptr ? std::vector<Entry>() : All(layers_, "rows")) {
      if (other.key == entry.key) break;
      const Node* same = Find(other.value, "noun");
      if (same == nullptr || same->text != noun->text) continue;
      Taken(*noun, fmt::format("'{}' is what '{}' is called too", noun->text, other.key->text),
            same->where.begin.file == noun->where.begin.file ? same : nullptr);
    }
    const Node* file = section == "tables" ? Find(entry.value, "file") : nullptr;
    if (file == nullptr || Look(layers_, "files", file->text) != nullptr) return;
    diagnostics_.Report({.code = "unknown-in-schema",
                         .message = fmt::format("no file is called '{}'", file->text),
                         .where = file->where,
                         .hint = DidYouMean(file->text, KeysIn(layers_, {"files"})),
                         .notes = {"`files` lists them"}});
  }

  const Layers& layers_;
  Diagnostics& diagnostics_;
  const Layers built_in_{layers_.front()};
  const Layers project_{layers_.back()};
};

}  // namespace

void CheckDefinitions(const Layers& layers, Diagnostics& diagnostics) {
  DefinitionCheck(layers, diagnostics).Run();
}

}  // namespace wheelwright
