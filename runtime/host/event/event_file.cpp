#include "runtime/host/event/event_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/text.h"

namespace wheelwright {
namespace {

const nlohmann::json* Find(const nlohmann::json* json, std::string_view key) {
  if (json == nullptr || !json->is_object()) return nullptr;
  const auto found = json->find(key);
  return found == json->end() || found->is_null() ? nullptr : &*found;
}

// The text at a path of keys, or "".
std::string TextAt(const nlohmann::json* json, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) json = Find(json, key);
  return json != nullptr && json->is_string() ? json->get<std::string>() : std::string();
}

std::string Variable(const Variables& variables, std::string_view name) {
  const auto found = variables.find(name);
  return found == variables.end() ? std::string() : found->second;
}

std::string WithoutHeads(std::string_view ref) {
  constexpr std::string_view kHeads = "refs/heads/";
  return std::string(ref.starts_with(kHeads) ? ref.substr(kHeads.size()) : ref);
}

// GitHub writes zeros for "no commit".
bool IsNoCommit(std::string_view sha) {
  return sha.find_first_not_of('0') == std::string_view::npos;
}

class Reader {
 public:
  Reader(const nlohmann::json& payload, std::string_view name, const Variables& variables,
         Diagnostics& diagnostics)
      : payload_(payload), name_(name), variables_(variables), diagnostics_(diagnostics) {}

  JobEvent Read(std::string_view event) {
    read_.inputs.event = event;
    read_.inputs.repository = Variable(variables_, "GITHUB_REPOSITORY");
    read_.inputs.action = TextAt(&payload_, {"action"});
    read_.inputs.branch = WithoutHeads(Variable(variables_, "GITHUB_REF"));
    if (event == "pull_request" || event == "pull_request_target") {
      PullRequest();
    } else if (event == "push") {
      const std::string before = TextAt(&payload_, {"before"});
      if (!IsNoCommit(before)) read_.before = before;
    } else if (event == "merge_group") {
      read_.base = TextAt(&payload_, {"merge_group", "base_sha"});
      read_.inputs.branch = WithoutHeads(TextAt(&payload_, {"merge_group", "base_ref"}));
    } else if (event == "workflow_dispatch") {
      Inputs();
    }
    return std::move(read_);
  }

 private:
  void PullRequest() {
    const nlohmann::json* request = Find(&payload_, "pull_request");
    if (request == nullptr) return Refuse("it has no pull_request");
    read_.inputs.branch = TextAt(request, {"base", "ref"});
    read_.base = TextAt(request, {"base", "sha"});
    read_.head = TextAt(request, {"head", "sha"});
    if (const nlohmann::json* labels = Find(request, "labels");
        labels != nullptr && labels->is_array()) {
      // GitHub allows 100.
      constexpr std::size_t kMostLabels = 1000;
      if (labels->size() > kMostLabels) {
        Refuse(fmt::format("its pull_request has more than {} labels", kMostLabels));
        return;
      }
      for (const nlohmann::json& label : *labels) {
        const std::string label_name = TextAt(&label, {"name"});
        if (label_name.empty()) {
          Refuse("a label has no name");
        } else {
          read_.inputs.labels.push_back(label_name);
        }
      }
    } else {
      Refuse("its pull_request has no list of labels");
    }
    // The head has no repository once its fork is deleted.
    const std::string head = TextAt(request, {"head", "repo", "full_name"});
    const std::string base = TextAt(request, {"base", "repo", "full_name"});
    read_.inputs.fork = head.empty() || !EqualsIgnoringCase(head, base);
  }

  void Inputs() {
    const nlohmann::json* inputs = Find(&payload_, "inputs");
    if (inputs == nullptr || !inputs->is_object()) return;
    for (const auto& [name, value] : inputs->items()) {
      if (value.is_string()) {
        read_.inputs.inputs.emplace_back(name, value.get<std::string>());
      } else if (value.is_boolean()) {
        read_.inputs.inputs.emplace_back(name, value.get<bool>() ? "true" : "false");
      }
    }
  }

  void Refuse(std::string_view what) {
    diagnostics_.Report(
        {.code = "event-payload",
         .message =
             fmt::format("{} is not the payload of a {}: {}", name_, read_.inputs.event, what),
         .notes = {"the variables GITHUB_EVENT_NAME and GITHUB_EVENT_PATH belong together"}});
  }

  const nlohmann::json& payload_;
  std::string_view name_;
  const Variables& variables_;
  Diagnostics& diagnostics_;
  JobEvent read_;
};

// The maximum nesting of objects and lists. The parser's own callback for this takes quadratic time
// in the length of a list.
std::size_t DepthOf(std::string_view json) {
  std::size_t depth = 0, deepest = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_text) {
      if (c == '\\') ++i;
      in_text = c != '"';
    } else if (c == '"') {
      in_text = true;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

}  // namespace

std::optional<JobEvent> ReadJobEvent(std::string_view payload, std::string_view name,
                                     const Variables& variables, Diagnostics& diagnostics) {
  const std::string event = Variable(variables, "GITHUB_EVENT_NAME");
  if (event.empty()) {
    diagnostics.Report({.code = "event-payload",
                        .message = "no event: the variable GITHUB_EVENT_NAME is empty",
                        .notes = {"outside of a job, name it: --event pull_request"}});
    return std::nullopt;
  }
  nlohmann::json json;
  if (!Trim(payload).empty()) {
    // Deeper than any real payload, and shallow enough for the parser's stack.
    constexpr std::size_t kDeepest = 100;
    if (DepthOf(payload) <= kDeepest) json = ParseJson(payload);
    if (!json.is_object()) {
      diagnostics.Report({.code = "event-payload",
                          .message = fmt::format("{} is not the JSON of an event", name)});
      return std::nullopt;
    }
  } else {
    json = nlohmann::json::object();
  }
  const std::size_t errors = diagnostics.errors();
  JobEvent read = Reader(json, name, variables, diagnostics).Read(event);
  if (diagnostics.errors() > errors) return std::nullopt;
  return read;
}

}  // namespace wheelwright
