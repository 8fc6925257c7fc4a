#include "generator/matrix/schema_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"

namespace wheelwright {
namespace {

// Whether templates would see a row of `to` in a row of `from`.
bool Reaches(const std::vector<Embedding>& all, std::string_view from, std::string_view to,
             std::set<std::string_view>& seen) {
  if (from == to) return true;
  if (!seen.insert(from).second) return false;
  return std::ranges::any_of(all, [&](const Embedding& one) {
    return one.in == from && Reaches(all, one.table, to, seen);
  });
}

}  // namespace

Names NamesOfTable(const Layers& layers, const Entry& table, Arena& arena) {
  const std::string_view spaced = arena.Copy(std::string_view(Spaced(table.key->text)));
  Names names;
  names.noun = NounOf(layers, table);
  if (names.noun.empty()) names.noun = spaced;
  names.plural = FindText(table.value, "plural");
  if (names.plural.empty()) names.plural = spaced;
  names.paths = {table.key->text};
  if (const Node* file = FileOf(layers, table.key->text)) names.file = file->text;
  return names;
}

Type TypeOfWords(const Entry& words, Arena& arena) {
  Type type;
  type.kind = Type::Kind::kWord;
  const Node* noun = Find(words.value, "noun");
  type.noun = noun == nullptr ? arena.Copy(std::string_view(Spaced(words.key->text))) : noun->text;
  for (const Node* word : Find(words.value, "words")->items) type.words.push_back(word->text);
  return type;
}

Format FormatOf(const Node& row, Arena& arena) {
  return {FindText(&row, "noun"), FindText(&row, "pattern"),
          arena.Copy(std::string_view(Written(*Find(&row, "example")))), FindText(&row, "rule")};
}

std::optional<std::vector<std::string_view>> KeysOfTable(const Node* root, std::string_view table) {
  const Node* rows = Find(root, table);
  if (rows == nullptr) return std::nullopt;
  std::vector<std::string_view> keys;
  for (const Entry& entry : rows->entries) keys.push_back(entry.key->text);
  return keys;
}

std::vector<std::string_view> KeysIn(const Layers& layers,
                                     std::initializer_list<std::string_view> sections) {
  std::vector<std::string_view> keys;
  for (const std::string_view section : sections) {
    for (const Entry& entry : All(layers, section)) keys.push_back(entry.key->text);
  }
  return keys;
}

std::string Spaced(std::string_view name) {
  std::string text(name);
  std::ranges::replace(text, '_', ' ');
  return text;
}

std::string FillHoles(std::string_view text, const Holes& holes) {
  std::string filled(text);
  for (const auto& [name, value] : holes) {
    const std::string hole = fmt::format("{{{}}}", name);
    for (std::size_t at = filled.find(hole); at != std::string::npos; at = filled.find(hole, at)) {
      filled.replace(at, hole.size(), value);
      at += value.size();
    }
  }
  return filled;
}

const Embedding* FindCircle(const std::vector<Embedding>& all) {
  const auto found = std::ranges::find_if(all, [&](const Embedding& one) {
    std::set<std::string_view> seen;
    return !one.in.empty() && Reaches(all, one.table, one.in, seen);
  });
  return found == all.end() ? nullptr : &*found;
}

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
