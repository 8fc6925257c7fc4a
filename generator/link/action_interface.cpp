#include "generator/link/action_interface.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/characters.h"
#include "base/json.h"
#include "base/text.h"

namespace wheelwright {
namespace {

// GitHub takes upper-case digits too.
bool IsAnyCommit(std::string_view text) { return text.size() == 40 && AreHexDigits(text); }

// The first word that reads like a version: "v4.2.2" of "# tag=v4.2.2".
std::string_view VersionIn(std::string_view comment) {
  for (std::size_t at = 0; at < comment.size(); ++at) {
    const bool inside = at > 0 && (std::isalnum(static_cast<unsigned char>(comment[at - 1])) != 0 ||
                                   comment[at - 1] == '.');
    const bool digit = IsDigit(comment[at]);
    const bool version = comment[at] == 'v' && at + 1 < comment.size() && IsDigit(comment[at + 1]);
    if (inside || (!digit && !version)) continue;
    const std::size_t end = comment.find_first_not_of("0123456789.", at + 1);
    std::string_view word = comment.substr(at, end - at);
    while (word.ends_with('.')) word.remove_suffix(1);
    return word;
  }
  return {};
}

// Whether "v4.2.3" is one of the versions "v4".
bool IsOf(std::string_view version, std::string_view known) {
  return version.starts_with(known) &&
         (version.size() == known.size() || version[known.size()] == '.');
}

std::vector<int> NumbersOf(std::string_view version) {
  std::vector<int> numbers;
  if (version.starts_with('v')) version.remove_prefix(1);
  for (const std::string_view part : Split(version, '.')) {
    std::from_chars(part.data(), part.data() + part.size(), numbers.emplace_back());
  }
  return numbers;
}

// Whether a whole version is later than a known tag, and may take more.
bool IsLater(std::string_view version, std::string_view tag) {
  const std::vector<int> numbers = NumbersOf(version);
  return !tag.empty() && numbers.size() > 1 && numbers > NumbersOf(tag);
}

int MajorOf(std::string_view version) {
  if (version.starts_with('v')) version.remove_prefix(1);
  int major = 0;
  std::from_chars(version.data(), version.data() + version.size(), major);
  return major;
}

std::string TextOf(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool FlagOf(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_boolean() && found->get<bool>();
}

std::vector<std::string> TextsOf(const nlohmann::json& json, const char* key) {
  std::vector<std::string> texts;
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array()) return texts;
  for (const nlohmann::json& one : *found) {
    if (one.is_string()) texts.push_back(one.get<std::string>());
  }
  return texts;
}

}  // namespace

const ActionInterface::Input* ActionInterface::FindInput(std::string_view input) const {
  const auto found = std::ranges::find_if(
      inputs, [&](const Input& one) { return EqualsIgnoringCase(one.name, input); });
  return found == inputs.end() ? nullptr : &*found;
}

bool ActionInterface::HasOutput(std::string_view output) const {
  return std::ranges::any_of(
      outputs, [&](const std::string& one) { return EqualsIgnoringCase(one, output); });
}

ActionInterface ReadActionInterface(const Node& root) {
  ActionInterface action;
  action.runtime = FindText(Find(&root, "runs"), "using");
  if (const Node* inputs = Find(&root, "inputs")) {
    for (const Entry& entry : inputs->entries) {
      const Node* required = Find(entry.value, "required");
      action.inputs.push_back(
          {.name = std::string(entry.key->text),
           .required = required != nullptr && EqualsIgnoringCase(required->text, "true") &&
                       Find(entry.value, "default") == nullptr,
           .deprecation = std::string(Trim(FindText(entry.value, "deprecationMessage"))),
           .where = entry.key->where});
    }
  }
  if (const Node* outputs = Find(&root, "outputs")) {
    for (const Entry& entry : outputs->entries) action.outputs.emplace_back(entry.key->text);
  }
  return action;
}

std::string WriteActionLine(const ActionInterface& action) {
  nlohmann::ordered_json line{
      {"action", action.name}, {"version", action.version}, {"runs", action.runtime}};
  nlohmann::ordered_json inputs = nlohmann::ordered_json::array(), required = inputs;
  nlohmann::ordered_json deprecated = nlohmann::ordered_json::object();
  for (const ActionInterface::Input& input : action.inputs) {
    inputs.push_back(input.name);
    if (input.required) required.push_back(input.name);
    if (!input.deprecation.empty()) deprecated[input.name] = OneLine(input.deprecation);
  }
  if (!inputs.empty()) line["inputs"] = inputs;
  if (!required.empty()) line["required"] = required;
  if (!deprecated.empty()) line["deprecated"] = deprecated;
  if (!action.outputs.empty()) line["outputs"] = action.outputs;
  if (action.open_inputs) line["open_inputs"] = true;
  if (action.open_outputs) line["open_outputs"] = true;
  if (!action.ended.empty()) {
    line["ended"] = action.ended;
    line["ended_source"] = action.ended_source;
  }
  return DumpJson(line);
}

std::optional<ActionInterface> ParseActionLine(std::string_view line) {
  const nlohmann::json json = ParseJson(line);
  if (!json.is_object()) return std::nullopt;
  ActionInterface action{.name = TextOf(json, "action"),
                         .version = TextOf(json, "version"),
                         .runtime = TextOf(json, "runs"),
                         .outputs = TextsOf(json, "outputs"),
                         .open_inputs = FlagOf(json, "open_inputs"),
                         .open_outputs = FlagOf(json, "open_outputs"),
                         .ended = TextOf(json, "ended"),
                         .ended_source = TextOf(json, "ended_source")};
  if (action.name.empty() || action.version.empty()) return std::nullopt;
  const std::vector<std::string> required = TextsOf(json, "required");
  const auto deprecated = json.find("deprecated");
  for (std::string& name : TextsOf(json, "inputs")) {
    ActionInterface::Input input;
    input.required = std::ranges::find(required, name) != required.end();
    if (deprecated != json.end() && deprecated->is_object()) {
      input.deprecation = TextOf(*deprecated, name.c_str());
    }
    input.name = std::move(name);
    action.inputs.push_back(std::move(input));
  }
  return action;
}

std::optional<ActionUse> ReadActionUse(std::string_view uses, std::string_view comment) {
  const std::size_t at = uses.find('@');
  if (at == std::string_view::npos || uses.starts_with('.') || uses.starts_with("$/") ||
      uses.starts_with("docker://") || uses.substr(0, at).find('/') == std::string_view::npos) {
    return std::nullopt;
  }
  ActionUse use{.name = uses.substr(0, at), .version = uses.substr(at + 1), .commit = {}};
  if (IsAnyCommit(use.version)) {
    use.commit = use.version;
    use.version = VersionIn(comment);
  } else {
    use.version.remove_prefix(use.version.rfind('/') + 1);  // release/v1
  }
  return use;
}

KnownActions::KnownActions() {
  for (const std::string_view line : BuiltInActionLines()) Add(line);
}

std::size_t KnownActions::Add(std::string_view lines) {
  // Built-in lines have their keys in this order, so that most are parsed only when needed.
  const auto field = [](std::string_view line, std::string_view key) -> std::string_view {
    const std::size_t at = line.find(key);
    if (at == std::string_view::npos) return {};
    line.remove_prefix(at + key.size());
    return line.substr(0, line.find('"'));
  };
  std::size_t number = 0;
  for (std::string_view line : Split(lines, '\n')) {
    ++number;
    line = Trim(line);
    if (line.empty()) continue;
    const std::string_view name = field(line, R"("action":")");
    const std::string_view version = field(line, R"("version":")");
    if (name.empty() || version.empty() || !line.starts_with('{') || !line.ends_with('}')) {
      return number;
    }
    std::vector<Row>& rows = rows_[ToLower(name)];
    std::erase_if(rows, [&](const Row& row) { return row.version == version; });
    rows.push_back({std::string(version), std::string(field(line, R"("tag":")")),
                    std::string(field(line, R"("commit":")")), std::string(line), std::nullopt});
  }
  return 0;
}

const std::vector<KnownActions::Row>* KnownActions::RowsOf(std::string_view name) const {
  const auto found = rows_.find(ToLower(name));
  return found == rows_.end() ? nullptr : &found->second;
}

const ActionInterface* KnownActions::Find(const ActionUse& use) const {
  const std::vector<Row>* rows = RowsOf(use.name);
  if (rows == nullptr) return nullptr;
  const auto row = std::ranges::find_if(*rows, [&](const Row& one) {
    return (!use.commit.empty() && one.commit == use.commit) ||
           (!use.version.empty() && IsOf(use.version, one.version) &&
            !IsLater(use.version, one.tag));
  });
  if (row == rows->end()) return nullptr;
  const std::lock_guard lock(mutex_);
  if (!row->parsed) row->parsed = ParseActionLine(row->line).value_or(ActionInterface());
  return row->parsed->name.empty() ? nullptr : &*row->parsed;
}

int KnownActions::NewestMajor(std::string_view name) const {
  const std::vector<Row>* rows = RowsOf(name);
  int newest = 0;
  if (rows == nullptr) return newest;
  for (const Row& row : *rows) newest = std::max(newest, MajorOf(row.version));
  return newest;
}

std::vector<std::string_view> KnownActions::Names() const {
  std::vector<std::string_view> names;
  for (const auto& [name, rows] : rows_) names.push_back(name);
  return names;
}

}  // namespace wheelwright
