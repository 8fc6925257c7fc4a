#include "generator/matrix/schema_layers.h"

#include <algorithm>

#include "base/text.h"

namespace wheelwright {

bool IsTrue(const Node* row, std::string_view column) {
  const Node* value = Find(row, column);
  return value != nullptr && value->is_true();
}

std::optional<Each> ReadEach(std::string_view column) {
  const std::vector<std::string_view> words = Split(column, ' ');
  if (words.size() != 4) return std::nullopt;
  return Each{words[1], words[3]};
}

// The descriptions that together make a schema: the built-in one first.
using Layers = std::vector<const Node*>;

const Entry* Look(const Layers& layers, std::string_view section, std::string_view name) {
  for (const Node* layer : layers) {
    if (const Entry* entry = FindEntry(Find(layer, section), name)) return entry;
  }
  return nullptr;
}

std::vector<Entry> All(const Layers& layers, std::string_view section) {
  std::vector<Entry> all;
  for (const Node* layer : layers) {
    const Node* entries = Find(layer, section);
    if (entries != nullptr) all.insert(all.end(), entries->entries.begin(), entries->entries.end());
  }
  return all;
}

const Node* FileOf(const Layers& layers, std::string_view table) {
  const Node* file = nullptr;
  for (const Node* layer : layers) {
    if (const Node* said = Find(Find(Find(layer, "tables"), table), "file")) file = said;
  }
  return file;
}

std::vector<std::string_view> TablesOf(const Layers& layers, std::string_view stem) {
  std::vector<std::string_view> tables;
  for (const Node* layer : layers) {
    for (const Entry& table : All({layer}, "tables")) {
      const std::string_view name = table.key->text;
      // One that a project moves stands where the project says it.
      const bool is_moved =
          layer != layers.back() && FindEntry(Find(layers.back(), "tables"), name) != nullptr;
      const Node* file = FileOf(layers, name);
      if (!is_moved && file != nullptr && file->text == stem) tables.push_back(name);
    }
  }
  return tables;
}

std::vector<FileSchema> ListFiles(const Layers& layers) {
  std::vector<FileSchema> files;
  const auto add = [&](const Entry& entry) {
    const std::string_view stem = entry.key->text;
    if (std::ranges::find(files, stem, &FileSchema::stem) != files.end()) return;
    const auto tables = TablesOf(layers, stem);
    if (tables.empty()) return;
    FileSchema file{.stem = stem, .help = entry.value->text};
    file.required = std::ranges::any_of(tables, [&](std::string_view table) {
      return IsTrue(Look(layers, "tables", table)->value, "required");
    });
    files.push_back(std::move(file));
  };
  if (const Entry* settings = Look(layers, "files", "settings")) add(*settings);
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
    for (const Entry& entry : All({*layer}, "files")) add(entry);
  }
  return files;
}

std::string_view NounOf(const Layers& layers, const Entry& table) {
  const std::string_view noun = FindText(table.value, "noun");
  if (!noun.empty()) return noun;
  const std::string_view type = FindText(table.value, "type");
  const std::size_t row = type.rfind("row ");
  if (row == std::string_view::npos) return {};
  const Entry* kind = Look(layers, "rows", type.substr(row + 4));
  if (kind == nullptr) return {};
  const std::string_view full = FindText(kind->value, "noun");
  for (const std::string_view article : {"a ", "an ", "the "}) {
    if (full.starts_with(article)) return full.substr(article.size());
  }
  return full;
}

}  // namespace wheelwright
