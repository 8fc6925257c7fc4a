#include "generator/lint/scripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/parallel.h"
#include "base/platform/files.h"
#include "base/run_program.h"
#include "base/text.h"
#include "generator/lint/runners.h"
#include "generator/workflow/report.h"
#include "generator/yaml/text_places.h"

namespace wheelwright {
namespace {

using Language = LintedScript::Language;

struct Script {
  LintedFile* file = nullptr;
  const Node* node = nullptr;
  Language language = Language::kOther;
  std::string text;  // without expressions
};

struct Finding {
  std::size_t script = 0;
  std::string code;
  std::string message;
  std::size_t line = 0, column = 0;          // from 1
  std::size_t end_line = 0, end_column = 0;  // 0: unknown
};

Language LanguageOf(std::string_view shell) {
  const std::string_view program = shell.substr(0, shell.find(' '));
  if (EqualsIgnoringCase(program, "bash")) return Language::kBash;
  if (EqualsIgnoringCase(program, "sh")) return Language::kSh;
  return EqualsAnyIgnoringCase(program, {"python", "python3"}) ? Language::kPython
                                                               : Language::kOther;
}

bool MayBeWindows(const Job& job) {
  const Node* runs_on = job.runs_on.value;
  if (runs_on != nullptr && runs_on->is_mapping()) runs_on = Find(runs_on, "labels");
  if (runs_on == nullptr) return true;
  const auto is_windows = [](const Node& label) {
    return HoldsExpression(label.text) || ToLower(label.text).find("win") != std::string::npos;
  };
  if (runs_on->is_scalar()) return is_windows(*runs_on);
  return std::ranges::any_of(runs_on->items, [&](const Node* one) { return is_windows(*one); });
}

// https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#jobsjob_idstepsshell
Language LanguageOf(const Workflow& workflow, const Job& job, const WorkflowStep& step) {
  const std::string_view shell = ShellOf(workflow, job, step);
  if (!shell.empty()) return HoldsExpression(shell) ? Language::kOther : LanguageOf(shell);
  if (job.container) return Language::kSh;
  // A script that may run on Windows may be for its default shell.
  return MayBeWindows(job) ? Language::kOther : Language::kBash;
}

std::string WithoutExpressions(std::string_view text) {
  std::string result(text);
  for (std::size_t at = result.find("${{"); at != std::string::npos; at = result.find("${{", at)) {
    const std::size_t close = result.find("}}", at);
    const std::size_t end = close == std::string::npos ? result.size() : close + 2;
    for (; at < end; ++at) {
      if (result[at] != '\n') result[at] = '_';
    }
  }
  return result;
}

// With what the files keep of them.
std::vector<Script> ScriptsOf(std::span<LintedFile* const> files) {
  std::vector<Script> scripts;
  for (LintedFile* file : files) {
    for (LintedScript& one : file->scripts) {
      one.node.text = one.written;
      scripts.push_back({file, &one.node, one.language, WithoutExpressions(one.written)});
    }
  }
  return scripts;
}

std::size_t NumberOfFile(std::string_view path) {
  path = path.substr(path.rfind('/') + 1);
  std::size_t number = 0;
  std::from_chars(path.data(), path.data() + path.size(), number);
  return number;
}

// Runners call both shells with -e; shellcheck has no option for that.
constexpr std::string_view kShellHead = "set -e\n";

// False findings because of the runner or replaced expressions: sourced files, comparisons of
// constants, unset variables, words without a variable.
constexpr std::string_view kNotAsked = "SC1091,SC2050,SC2154,SC2157,SC2194";

std::optional<std::vector<Finding>> RunShellcheck(std::vector<std::string> files, bool bash) {
  std::vector<std::string> words{"shellcheck", "--norc", "--format=json1",
                                 bash ? "--shell=bash" : "--shell=sh",
                                 fmt::format("--exclude={}", kNotAsked)};
  words.insert(words.end(), files.begin(), files.end());
  const auto printed = RunProgram(words);
  if (!printed) return std::nullopt;
  std::vector<Finding> found;
  const nlohmann::json json = ParseJson(printed->out);
  if (!json.is_object() || !json.contains("comments")) return found;
  for (const nlohmann::json& one : json["comments"]) {
    found.push_back({.script = NumberOfFile(one.value("file", "")),
                     .code = fmt::format("SC{}", one.value("code", 0)),
                     .message = one.value("message", ""),
                     .line = std::max<std::size_t>(2, one.value("line", std::size_t{2})) - 1,
                     .column = one.value("column", std::size_t{1}),
                     .end_line = std::max<std::size_t>(1, one.value("endLine", std::size_t{1})) - 1,
                     .end_column = one.value("endColumn", std::size_t{0})});
  }
  return found;
}

std::optional<std::vector<Finding>> RunRuff(const std::vector<std::string>& files) {
  std::vector<std::string> words{"ruff",       "check",         "--isolated",
                                 "--no-cache", "--select=E9,F", "--output-format=json"};
  words.insert(words.end(), files.begin(), files.end());
  const auto printed = RunProgram(words);
  if (!printed) return std::nullopt;
  std::vector<Finding> found;
  const nlohmann::json json = ParseJson(printed->out);
  if (!json.is_array()) return found;
  const auto place = [](const nlohmann::json& one, const char* which,
                        const char* part) -> std::size_t {
    if (!one.contains(which) || !one[which].is_object()) return 0;
    return one[which].value(part, std::size_t{0});
  };
  for (const nlohmann::json& one : json) {
    const bool named = one.contains("code") && one["code"].is_string();
    found.push_back({.script = NumberOfFile(one.value("filename", "")),
                     .code = named ? one["code"].get<std::string>() : "syntax",
                     .message = one.value("message", ""),
                     .line = place(one, "location", "row"),
                     .column = place(one, "location", "column"),
                     .end_line = place(one, "end_location", "row"),
                     .end_column = place(one, "end_location", "column")});
  }
  return found;
}

// "/tmp/x/3.py:2:8: 'os' imported but unused"
std::optional<std::vector<Finding>> RunPyflakes(const std::vector<std::string>& files) {
  std::vector<std::string> words{"pyflakes"};
  words.insert(words.end(), files.begin(), files.end());
  const auto printed = RunProgram(words);
  if (!printed) return std::nullopt;
  std::vector<Finding> found;
  for (const std::string_view line : Split(printed->out, '\n')) {
    const std::vector<std::string_view> parts = Split(line, ':');
    if (parts.size() < 4) continue;
    const auto number = [](std::string_view text) {
      std::size_t value = 0;
      std::from_chars(text.data(), text.data() + text.size(), value);
      return std::max<std::size_t>(1, value);
    };
    found.push_back({.script = NumberOfFile(parts[0]),
                     .code = "pyflakes",
                     .message = std::string(Trim(
                         line.substr(static_cast<std::size_t>(parts[3].data() - line.data())))),
                     .line = number(parts[1]),
                     .column = number(parts[2])});
  }
  return found;
}

// The offset of a place, whose column counts characters.
std::size_t OffsetOf(std::string_view text, std::size_t line, std::size_t column) {
  std::size_t at = 0;
  for (; line > 1 && at < text.size(); --line)
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  for (; column > 1 && at < text.size() && text[at] != '\n'; --column) {
    at += std::max<std::size_t>(1, DecodeUtf8(text.substr(at)).length);
  }
  return at;
}

void Tell(const Script& script, const Finding& finding, const SourceManager& sources) {
  const std::size_t begin = OffsetOf(script.text, finding.line, finding.column);
  const std::size_t end = finding.end_line == finding.line
                              ? OffsetOf(script.text, finding.end_line, finding.end_column)
                              : begin + 1;
  const bool python = script.language == Language::kPython;
  Diagnostic diagnostic;
  diagnostic.severity = Severity::kWarning;
  diagnostic.code = python ? "python-script" : "shell-script";
  diagnostic.message = fmt::format("{} ({})", OneLine(finding.message), finding.code);
  while (diagnostic.message.starts_with('.')) diagnostic.message.erase(0, 1);
  diagnostic.where =
      TextPlaces(sources).Locate(*script.node, std::min(begin, script.text.size()),
                                 std::max<std::size_t>(1, end > begin ? end - begin : 1));
  if (finding.code.starts_with("SC")) {
    diagnostic.notes.push_back(fmt::format("https://www.shellcheck.net/wiki/{}", finding.code));
  }
  script.file->diagnostics.Report(std::move(diagnostic));
}

}  // namespace

void CollectScripts(LintedFile& file) {
  const auto add = [&](const Node* run, Language language) {
    if (run == nullptr || !run->is_string() || language == Language::kOther) return;
    LintedScript& script = file.scripts.emplace_back();
    script.node.kind = run->kind;
    script.node.style = run->style;
    script.node.where = run->where;
    script.node.origin = run->origin;
    script.language = language;
    script.written = run->text;
  };
  const Workflow& workflow = file.tree->workflow;
  for (const Job& job : workflow.jobs) {
    for (const WorkflowStep& step : job.steps) {
      add(step.run.value, LanguageOf(workflow, job, step));
    }
  }
  if (!file.is_action) return;
  // A script of a composite action names its shell.
  const Node* steps = Find(Find(file.root(), "runs"), "steps");
  for (const Node* step : steps == nullptr ? std::span<const Node* const>() : steps->items) {
    add(Find(step, "run"), LanguageOf(FindText(step, "shell")));
  }
}

void CheckScripts(std::span<LintedFile* const> files, const SourceManager& sources,
                  std::size_t threads) {
  const std::vector<Script> scripts = ScriptsOf(files);
  if (scripts.empty()) return;
  const TemporaryFolder folder;
  if (folder.path().empty()) return;
  std::map<Language, std::vector<std::string>> paths;
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    const bool python = scripts[i].language == Language::kPython;
    const char* ending = python ? "py" : "sh";
    const std::string path = fmt::format("{}/{}.{}", folder.path(), i, ending);
    std::ofstream(SystemPath(path), std::ios::binary)
        << (python ? "" : kShellHead) << scripts[i].text;
    paths[scripts[i].language].push_back(path);
  }
  // The most files of one process, which limits the length of its command line.
  constexpr std::size_t kMostFiles = 200;
  std::vector<std::pair<Language, std::vector<std::string>>> batches;
  for (const auto& [language, all] : paths) {
    const std::size_t share =
        std::clamp<std::size_t>((all.size() + threads - 1) / threads, 1, kMostFiles);
    for (std::size_t at = 0; at < all.size(); at += share) {
      const auto from = all.begin() + static_cast<std::ptrdiff_t>(at);
      const auto count = static_cast<std::ptrdiff_t>(std::min(share, all.size() - at));
      batches.emplace_back(language, std::vector<std::string>(from, from + count));
    }
  }
  std::vector<std::vector<Finding>> found(batches.size());
  ParallelFor(batches.size(), threads, [&](std::size_t i) {
    const auto& [language, batch] = batches[i];
    std::optional<std::vector<Finding>> told;
    if (language == Language::kPython) {
      told = RunRuff(batch);
      if (!told) told = RunPyflakes(batch);
    } else {
      told = RunShellcheck(batch, language == Language::kBash);
    }
    if (told) found[i] = std::move(*told);
  });
  for (const std::vector<Finding>& batch : found) {
    for (const Finding& one : batch) {
      if (one.script < scripts.size()) Tell(scripts[one.script], one, sources);
    }
  }
}

}  // namespace wheelwright
