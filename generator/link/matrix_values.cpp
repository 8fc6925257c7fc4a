#include "generator/link/matrix_values.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/text.h"
#include "generator/link/rules.h"

namespace wheelwright {
namespace {

constexpr int kMostDepth = 8;

const Node* NodeOf(const nlohmann::json& json, Arena& arena) {
  if (json.is_object()) {
    std::vector<Entry> entries;
    for (const auto& [key, value] : json.items()) {
      entries.push_back({MakeString(arena, key), NodeOf(value, arena)});
    }
    return MakeMapping(arena, entries);
  }
  if (json.is_array()) {
    std::vector<const Node*> items;
    for (const nlohmann::json& item : json) items.push_back(NodeOf(item, arena));
    return MakeSequence(arena, items);
  }
  if (json.is_boolean()) return MakeBoolean(arena, json.get<bool>());
  if (json.is_number()) return MakeNumber(arena, json.get<double>());
  return json.is_string() ? MakeString(arena, json.get<std::string>()) : MakeNull(arena);
}

// The literal that a script gives an output: `echo 'name={...}' >> "$GITHUB_OUTPUT"`. Nothing if it
// is written twice or computed.
std::optional<nlohmann::json> LiteralOf(std::string_view script, std::string_view output) {
  const std::string start = std::string(output) + "=";
  std::optional<nlohmann::json> found;
  std::size_t at = 0;
  while ((at = script.find(start, at)) != std::string_view::npos) {
    const char before = at == 0 ? ' ' : script[at - 1];
    at += start.size();
    if (before != '\'' && before != '"' && before != ' ') continue;
    if (found) return std::nullopt;
    const std::size_t line_end = std::min(script.find('\n', at), script.size());
    std::string text(script.substr(at, line_end - at));
    const std::size_t close = before == ' ' ? text.find('>') : text.rfind(before);
    if (close == std::string::npos) return std::nullopt;
    text.resize(close);
    if (before == '"') {
      // "{\"os\": 1}"
      std::string plain;
      for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '$' || text[i] == '`') return std::nullopt;
        if (text[i] == '\\' && i + 1 < text.size()) ++i;
        plain += text[i];
      }
      text = plain;
    } else if (before == ' ') {
      if (text.find_first_of("'\"$`") != std::string::npos) return std::nullopt;
    }
    if (text.find("${{") != std::string::npos) return std::nullopt;
    const nlohmann::json json = ParseJson(text);
    if (json.is_discarded()) return std::nullopt;
    found = json;
  }
  return found;
}

// fromJSON(needs.job.outputs.name) or fromJSON(steps.step.outputs.name): the two names.
std::optional<std::pair<std::string_view, std::string_view>> OutputIn(std::string_view text,
                                                                      std::string_view context) {
  const std::size_t at = text.find(context);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + context.size());
  const std::size_t end = text.find(".outputs.");
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view name = text.substr(0, end);
  text.remove_prefix(end + 9);
  const std::size_t length = std::min(
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"),
      text.size());
  return std::pair(name, text.substr(0, length));
}

}  // namespace

const Node* MatrixValues::Written(std::string_view expression) {
  std::string_view inner = Trim(expression);
  if (!inner.starts_with("${{") || !inner.ends_with("}}")) return nullptr;
  inner = Trim(inner.substr(3, inner.size() - 5));
  // A whole call: what stands around it could change the value.
  if (!EqualsIgnoringCase(inner.substr(0, 9), "fromJSON(") || !inner.ends_with(')')) return nullptr;
  inner = Trim(inner.substr(9, inner.size() - 10));
  const auto need = OutputIn(inner, "needs.");
  if (!need || !inner.starts_with("needs.") || !inner.ends_with(need->second)) return nullptr;
  const Job* job = workflow_.FindJob(need->first);
  const Node* value =
      job == nullptr || !job->outputs ? nullptr : Find(job->outputs.value, need->second);
  if (value == nullptr || !value->is_string()) return nullptr;
  std::string_view output = Trim(value->text);
  const auto step = OutputIn(output, "steps.");
  if (!step || !output.starts_with("${{") || !Trim(output.substr(3)).starts_with("steps.") ||
      Trim(output.substr(0, output.size() - 2)).substr(3).find("||") != std::string_view::npos) {
    return nullptr;
  }
  for (const WorkflowStep& one : job->steps) {
    if (!EqualsIgnoringCase(one.id.text(), step->first) || !one.run) continue;
    const auto json = LiteralOf(one.run.text(), step->second);
    return json ? NodeOf(*json, arena_) : nullptr;
  }
  return nullptr;
}

const Node* MatrixValues::MatrixOf(const Job& job) {
  const auto known = matrices_.find(&job);
  if (known != matrices_.end()) return known->second;
  const Node* matrix = job.matrix;
  if (matrix != nullptr && matrix->is_string()) {
    if (const Node* written = Written(matrix->text)) matrix = written;
  }
  if (matrix != nullptr && matrix->is_mapping()) {
    std::vector<Entry> entries(matrix->entries.begin(), matrix->entries.end());
    bool same = true;
    for (Entry& entry : entries) {
      const Node* written = entry.value->is_string() ? Written(entry.value->text) : nullptr;
      if (written == nullptr) continue;
      entry.value = written;
      same = false;
    }
    if (!same) matrix = MakeMapping(arena_, entries);
  }
  return matrices_[&job] = matrix;
}

std::optional<std::vector<std::string_view>> MatrixValues::KeysOf(const Job& job) {
  std::vector<std::string_view> keys;
  const Node* matrix = MatrixOf(job);
  if (matrix == nullptr) return keys;
  if (!matrix->is_mapping()) {
    constexpr std::string_view kDeclares = "wheelwright: matrix ";
    const Entry* entry = FindEntry(job.strategy.value, "matrix");
    const std::string_view comment =
        entry == nullptr ? "" : TrailingComment({entry->key, entry->value});
    const std::size_t at = comment.find(kDeclares);
    if (at == std::string_view::npos) return std::nullopt;
    for (const std::string_view key : Split(comment.substr(at + kDeclares.size()), ',')) {
      keys.push_back(Trim(key));
    }
    return keys;
  }
  for (const Entry& entry : matrix->entries) {
    if (entry.key->text == "exclude") continue;
    if (entry.key->text != "include") {
      keys.push_back(entry.key->text);
      continue;
    }
    if (!entry.value->is_sequence()) return std::nullopt;
    for (const Node* row : entry.value->items) {
      if (!row->is_mapping()) return std::nullopt;
      for (const Entry& cell : row->entries) {
        if (!EqualsAnyIgnoringCase(cell.key->text, keys)) keys.push_back(cell.key->text);
      }
    }
  }
  return keys;
}

ExprType MatrixValues::TypeOf(const Job& job, std::string_view key) {
  const auto [known, fresh] = types_.try_emplace({&job, ToLower(key)}, TypeKind::kAny);
  if (!fresh) return known->second;
  const Node* matrix = MatrixOf(job);
  if (matrix == nullptr || !matrix->is_mapping()) return TypeKind::kAny;
  std::vector<const Node*> values;
  for (const Entry& entry : matrix->entries) {
    if (entry.key->text == "exclude") continue;
    if (entry.key->text != "include") {
      if (!EqualsIgnoringCase(entry.key->text, key)) continue;
      if (!entry.value->is_sequence()) return TypeKind::kAny;
      values.insert(values.end(), entry.value->items.begin(), entry.value->items.end());
      continue;
    }
    if (!entry.value->is_sequence()) return TypeKind::kAny;
    for (const Node* row : entry.value->items) {
      if (!row->is_mapping()) return TypeKind::kAny;
      for (const Entry& cell : row->entries) {
        if (EqualsIgnoringCase(cell.key->text, key)) values.push_back(cell.value);
      }
    }
  }
  return known->second = TypeOfValues(values, 0);
}

ExprType MatrixValues::TypeOfValues(const std::vector<const Node*>& values, int depth) {
  if (values.empty() || depth > kMostDepth) return TypeKind::kAny;
  const auto all = [&](const auto& holds) {
    return std::ranges::all_of(values, [&](const Node* value) { return holds(*value); });
  };
  if (all([](const Node& value) { return value.is_mapping(); })) {
    std::map<std::string, std::pair<std::string_view, std::vector<const Node*>>> cells;
    for (const Node* value : values) {
      for (const Entry& cell : value->entries) {
        auto& [name, of_name] = cells[ToLower(cell.key->text)];
        name = cell.key->text;
        of_name.push_back(cell.value);
      }
    }
    std::vector<Property> properties;
    for (const auto& [lower, cell] : cells) {
      properties.push_back({cell.first, TypeOfValues(cell.second, depth + 1)});
    }
    return ExprType(std::span<const Property>(properties_.emplace_back(std::move(properties))));
  }
  if (all([](const Node& value) { return value.is_sequence(); })) return TypeKind::kList;
  if (all([](const Node& value) {
        return value.is_string() && value.text.find("${{") == std::string_view::npos;
      })) {
    return TypeKind::kText;
  }
  return TypeKind::kAny;
}

}  // namespace wheelwright
