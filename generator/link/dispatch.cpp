// Steps that start a run of another workflow: with the action benc-uk/workflow-dispatch or with
// `gh workflow run`. They are collected file by file, and checked once all workflows are known.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "generator/expression/parse.h"
#include "generator/expression/scope.h"
#include "generator/link/rules.h"

namespace wheelwright {
namespace {

std::optional<std::string> LiteralOf(std::string_view text) {
  if (HoldsExpression(text)) return std::nullopt;
  return std::string(text);
}

// The last part of a path: the action takes "release.yml" and ".github/workflows/release.yml".
std::string_view FileOf(std::string_view target) {
  const std::size_t slash = target.rfind('/');
  return slash == std::string_view::npos ? target : target.substr(slash + 1);
}

bool IsWorkflowFile(std::string_view target) {
  return target.ends_with(".yml") || target.ends_with(".yaml");
}

// Text with each `${{ }}` as a word that JSON reads, inside quotes and outside.
std::string HideExpressions(std::string_view text, bool& ok) {
  std::vector<Embedded> found;
  ok = !FindEmbedded(text, Brackets::kGithub, found);
  std::string hidden;
  std::size_t at = 0;
  bool quoted = false;
  for (const Embedded& one : found) {
    const std::string_view before = text.substr(at, one.begin - at);
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i] == '"' && (i == 0 || before[i - 1] != '\\')) quoted = !quoted;
    }
    hidden += before;
    hidden += quoted ? "${{}}" : "\"${{}}\"";
    at = one.end;
  }
  hidden += text.substr(at);
  return hidden;
}

SourceRange WhereInText(const Linking& linking, const Node& scalar, std::string_view what) {
  const std::size_t at = scalar.text.find(what);
  if (at == std::string_view::npos) return scalar.where;
  return LocateIn(scalar, at, what.size(), linking.context.sources);
}

void ReadInputs(const Linking& linking, const Node& inputs, Dispatch& dispatch) {
  bool ok = false;
  const std::string hidden = HideExpressions(inputs.text, ok);
  const auto json = nlohmann::ordered_json::parse(hidden, nullptr, false);
  if (!ok || !json.is_object()) {
    dispatch.inputs_known = false;
    if (Trim(inputs.text).starts_with("${{")) return;
    linking.Report(At(&inputs, "bad-dispatch-inputs",
                      "the inputs of a dispatched workflow must be a JSON object",
                      "such as { \"name\": \"value\" }"));
    return;
  }
  for (const auto& [name, value] : json.items()) {
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    dispatch.inputs.push_back(
        {name, LiteralOf(text), WhereInText(linking, inputs, fmt::format("\"{}\"", name))});
  }
}

void ReadAction(const Linking& linking, const Step& step) {
  const Node* target = Find(step.with.value, "workflow");
  if (!target || HoldsExpression(target->text) || !IsWorkflowFile(target->text)) return;
  if (Find(step.with.value, "repo")) return;  // another repository's
  Dispatch& dispatch = linking.usage.dispatches.emplace_back();
  dispatch.target = FileOf(target->text);
  dispatch.where = target->where;
  dispatch.instance = DescribeInstance(target->scope);
  if (const Node* inputs = Find(step.with.value, "inputs")) ReadInputs(linking, *inputs, dispatch);
}

struct Word {
  std::string text;  // without quotes
  std::size_t offset = 0;
  std::size_t length = 0;
};

// The words of one shell command, up to the end of its line or a separator. Knows quotes, `\` at
// the end of a line, and that an expression may hold blanks.
std::vector<Word> ReadWords(std::string_view script, std::size_t at) {
  std::vector<Word> words;
  Word word;
  bool open = false;
  char quote = 0;
  const auto close = [&](std::size_t end) {
    if (open) {
      word.length = end - word.offset;
      words.push_back(std::move(word));
      word = {};
      open = false;
    }
  };
  for (; at < script.size(); ++at) {
    const char c = script[at];
    if (quote == 0 && c == '\\' && at + 1 < script.size() && script[at + 1] == '\n') {
      close(at++);
      continue;
    }
    if (quote == 0 && (c == '\n' || c == ';' || c == '|' || c == '&')) break;
    if (quote == 0 && (c == ' ' || c == '\t')) {
      close(at);
      continue;
    }
    if (!open) {
      open = true;
      word.offset = at;
    }
    if (script.substr(at).starts_with("${{")) {
      const std::size_t end = std::min(script.find("}}", at), script.size() - 2) + 2;
      word.text += script.substr(at, end - at);
      at = end - 1;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else {
      word.text += c;
    }
  }
  close(at);
  return words;
}

bool IsOneOf(std::string_view text, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), text) != all.end();
}

void ReadCommand(const Linking& linking, const Node& run, std::size_t at) {
  Dispatch dispatch;
  dispatch.where = {};
  const auto add = [&](const Word& word, std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) return;
    const std::string_view value = text.substr(equals + 1);
    const bool variable = value.find('$') != std::string_view::npos;
    dispatch.inputs.push_back({std::string(text.substr(0, equals)),
                               variable ? std::nullopt : LiteralOf(value),
                               LocateIn(run, word.offset, word.length, linking.context.sources)});
  };
  const std::vector<Word> words = ReadWords(run.text, at);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view text = words[i].text;
    if (IsOneOf(text, {"-R", "--repo"}) || text.starts_with("--repo="))
      return;  // another repository's
    if (text == "--json") {
      dispatch.inputs_known = false;
    } else if (IsOneOf(text, {"-f", "-F", "--raw-field", "--field"})) {
      if (++i < words.size()) add(words[i], words[i].text);
    } else if (IsOneOf(text, {"-r", "--ref"})) {
      ++i;
    } else if (text.starts_with("-f") || text.starts_with("-F")) {
      add(words[i], text.substr(2));
    } else if (text.starts_with("--raw-field=") || text.starts_with("--field=")) {
      add(words[i], text.substr(text.find('=') + 1));
    } else if (!text.starts_with('-') && dispatch.target.empty()) {
      dispatch.target = FileOf(text);
      dispatch.where = LocateIn(run, words[i].offset, words[i].length, linking.context.sources);
    }
  }
  if (!IsWorkflowFile(dispatch.target) || dispatch.target.find('$') != std::string::npos) return;
  dispatch.instance = DescribeInstance(run.scope);
  linking.usage.dispatches.push_back(std::move(dispatch));
}

void ReadScript(const Linking& linking, const Node& run) {
  constexpr std::string_view kCommand = "gh workflow run ";
  for (std::size_t at = run.text.find(kCommand); at != std::string_view::npos;
       at = run.text.find(kCommand, at + 1)) {
    ReadCommand(linking, run, at + kCommand.size());
  }
}

class SetCheck {
 public:
  SetCheck(std::span<const FileUsage> files, const LinkContext& context, Diagnostics& diagnostics)
      : context_(context), diagnostics_(diagnostics) {
    for (const FileUsage& file : files) {
      if (file.target) targets_.push_back(&*file.target);
      names_.push_back(file.name);
    }
    for (const WorkflowInterface& one : context.interfaces.all()) {
      if (one.dispatchable) targets_.push_back(&one);
    }
    std::ranges::stable_sort(targets_, {}, &WorkflowInterface::name);
    for (const WorkflowInterface* target : targets_) dispatchable_.push_back(target->name);
    std::ranges::sort(names_);
  }

  void Check(const Dispatch& dispatch) {
    const auto at = std::ranges::lower_bound(
        targets_, std::string_view(dispatch.target), {},
        [](const WorkflowInterface* one) -> std::string_view { return one->name; });
    if (at == targets_.end() || (*at)->name != dispatch.target) {
      const bool exists = std::ranges::binary_search(names_, std::string_view(dispatch.target)) ||
                          context_.interfaces.Find(dispatch.target);
      Report(dispatch, dispatch.where, exists ? "not-dispatchable" : "unknown-workflow",
             exists ? fmt::format("{} cannot be dispatched: it has no 'workflow_dispatch'",
                                  dispatch.target)
                    : fmt::format("there is no workflow {}", dispatch.target),
             exists ? "" : DidYouMean(dispatch.target, dispatchable_), {});
      return;
    }
    CheckInputs(dispatch, **at);
  }

 private:
  void Report(const Dispatch& dispatch, SourceRange where, std::string_view code,
              std::string message, std::string hint, SourceRange declared) {
    Diagnostic diagnostic;
    diagnostic.code = code;
    diagnostic.message = std::move(message);
    diagnostic.where = where;
    diagnostic.hint = std::move(hint);
    diagnostic.instance = dispatch.instance;
    if (declared.known()) diagnostic.related.push_back({declared, "declared here"});
    diagnostics_.Report(std::move(diagnostic));
  }

  void CheckInputs(const Dispatch& dispatch, const WorkflowInterface& target) {
    if (!dispatch.inputs_known) return;
    std::vector<std::string_view> names;
    for (const WorkflowInterface::Input& input : target.dispatch_inputs)
      names.push_back(input.name);
    for (const Dispatch::Given& given : dispatch.inputs) {
      const WorkflowInterface::Input* input = target.FindDispatchInput(given.name);
      if (!input) {
        Report(dispatch, given.where, "unknown-input",
               fmt::format("{} cannot be dispatched with an input '{}'", target.name, given.name),
               DidYouMean(given.name, names), target.where);
      } else if (given.value) {
        CheckGiven(dispatch, target, *input, given);
      }
    }
    for (const WorkflowInterface::Input& input : target.dispatch_inputs) {
      if (!input.required || input.has_default) continue;
      const auto is_given = [&](const Dispatch::Given& given) {
        return EqualsIgnoringCase(given.name, input.name);
      };
      if (std::ranges::any_of(dispatch.inputs, is_given)) continue;
      Report(
          dispatch, dispatch.where, "missing-input",
          fmt::format("{} is dispatched without the required input '{}'", target.name, input.name),
          "", input.where);
    }
  }

  void CheckGiven(const Dispatch& dispatch, const WorkflowInterface& target,
                  const WorkflowInterface::Input& input, const Dispatch::Given& given) {
    if (input.type == InputType::kBoolean && *given.value != "true" && *given.value != "false") {
      Report(dispatch, given.where, "input-type",
             fmt::format("the input '{}' of {} is a boolean, and this is '{}'", input.name,
                         target.name, *given.value),
             "", input.where);
    }
    if (input.type != InputType::kChoice ||
        std::ranges::find(input.options, *given.value) != input.options.end()) {
      return;
    }
    const std::vector<std::string_view> options(input.options.begin(), input.options.end());
    Report(dispatch, given.where, "unknown-choice",
           fmt::format("'{}' is none of the options of '{}' of {}", *given.value, input.name,
                       target.name),
           DidYouMean(*given.value, options), input.where);
  }

  const LinkContext& context_;
  Diagnostics& diagnostics_;
  std::vector<const WorkflowInterface*> targets_;
  std::vector<std::string_view> dispatchable_;
  std::vector<std::string_view> names_;
};

}  // namespace

void CollectDispatches(const Linking& linking) {
  for (const Job& job : linking.workflow.jobs) {
    for (const Step& step : job.steps) {
      if (step.uses && ActionName(step.uses.text()) == "benc-uk/workflow-dispatch") {
        ReadAction(linking, step);
      } else if (step.run && step.run.value->is_string()) {
        ReadScript(linking, *step.run.value);
      }
    }
  }
}

void LinkSet(std::span<const FileUsage> files, const LinkContext& context,
             Diagnostics& diagnostics) {
  SetCheck check(files, context, diagnostics);
  for (const FileUsage& file : files) {
    for (const Dispatch& dispatch : file.dispatches) check.Check(dispatch);
  }
}

}  // namespace wheelwright
