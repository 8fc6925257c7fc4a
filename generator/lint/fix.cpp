#include "generator/lint/fix.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <regex>
#include <utility>

#include "base/text.h"
#include "generator/link/rules.h"

namespace wheelwright {
namespace {

// The range without its line's indentation and line feed.
SourceRange LineOf(const SourceManager& sources, Location at) {
  const std::uint32_t line = sources.PositionOf(at).line;
  const std::string_view text = sources.Line(at.file, line);
  const std::size_t indent = std::min(text.find_first_not_of(" \t"), text.size());
  return {{at.file, static_cast<std::uint32_t>(sources.LineStart(at.file, line) + indent)},
          static_cast<std::uint32_t>(text.size() - indent)};
}

// Whether the step's script certainly runs in sh or bash.
bool IsPosixScript(const Workflow& workflow, const Job& job, const WorkflowStep& step) {
  const auto shell_of = [](const Field& defaults) {
    return FindText(defaults ? Find(defaults.value, "run") : nullptr, "shell");
  };
  for (const std::string_view shell :
       {step.shell.text(), shell_of(job.defaults), shell_of(workflow.defaults)}) {
    if (!shell.empty()) return shell.starts_with("bash") || shell == "sh";
  }
  const std::string_view label = job.runs_on.text();
  return label.starts_with("ubuntu-") || label.starts_with("macos-");
}

const WorkflowStep* StepAround(const Workflow& workflow, SourceRange where, const Job*& job) {
  for (const Job& one : workflow.jobs) {
    for (const WorkflowStep& step : one.steps) {
      if (!step.run) continue;
      const SourceRange run = step.run.value->where;
      if (where.begin.offset < run.begin.offset ||
          where.begin.offset >= run.begin.offset + run.length) {
        continue;
      }
      job = &one;
      return &step;
    }
  }
  return nullptr;
}

// https://github.blog/changelog/2022-10-11-github-actions-deprecating-save-state-and-set-output-commands/
std::optional<Edit> MendCommand(const LintedFile& file, const Diagnostic& d,
                                const SourceManager& sources) {
  const Job* job = nullptr;
  const WorkflowStep* step = StepAround(file.tree->workflow, d.where, job);
  if (step == nullptr || !IsPosixScript(file.tree->workflow, *job, *step)) return std::nullopt;
  static const std::regex kCommand(
      R"re((.*\s|)echo +(["']?)::(set-output|save-state) name=([\w-]+)::([^"'`\\|&;<>]*)\2)re");
  static const std::regex kPath(R"re((.*\s|)echo +(["']?)::add-path::([^"'`\\|&;<>]*)\2)re");
  const SourceRange line = LineOf(sources, d.where.begin);
  // In a value of one line, the line has more than the script.
  const std::string text(sources.Text(line));
  std::smatch match;
  std::string mended;
  if (std::regex_match(text, match, kCommand)) {
    const std::string quote = match[2].str().empty() ? "\"" : match[2].str();
    mended = fmt::format("{}echo {}{}={}{} >> \"${}\"", match[1].str(), quote, match[4].str(),
                         match[5].str(), quote,
                         match[3] == "set-output" ? "GITHUB_OUTPUT" : "GITHUB_STATE");
  } else if (std::regex_match(text, match, kPath)) {
    const std::string quote = match[2].str().empty() ? "\"" : match[2].str();
    mended = fmt::format("{}echo {}{}{} >> \"$GITHUB_PATH\"", match[1].str(), quote, match[3].str(),
                         quote);
  } else {
    return std::nullopt;
  }
  return Edit{line, mended};
}

std::optional<Edit> MendQuotes(const Diagnostic& d, const SourceManager& sources) {
  const std::string_view text = sources.Text(d.where);
  if (d.hint.starts_with("write it in quotes: ")) return Edit{d.where, fmt::format("\"{}\"", text)};
  const bool quoted =
      text.size() > 2 && (text[0] == '"' || text[0] == '\'') && text[0] == text.back();
  if (d.hint == "write it without quotes" && quoted) {
    return Edit{d.where, std::string(text.substr(1, text.size() - 2))};
  }
  return std::nullopt;
}

// "x" in an expression that is not quoted in YAML.
std::optional<Edit> MendExpression(const Diagnostic& d, const SourceManager& sources) {
  if (d.hint != "write strings in single quotes") return std::nullopt;
  const FileId file = d.where.begin.file;
  const std::uint32_t number = sources.PositionOf(d.where.begin).line;
  const std::string_view line = sources.Line(file, number);
  const std::size_t begin = d.where.begin.offset - sources.LineStart(file, number);
  if (begin >= line.size() || line[begin] != '"') return std::nullopt;
  const std::size_t end = line.find('"', begin + 1);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view inner = line.substr(begin + 1, end - begin - 1);
  const std::string_view before = line.substr(0, line.find("${{"));
  if (before.find_first_of("\"'") != std::string_view::npos ||
      inner.find_first_of("'\\{}") != std::string_view::npos) {
    return std::nullopt;
  }
  return Edit{{d.where.begin, static_cast<std::uint32_t>(end + 1 - begin)},
              fmt::format("'{}'", inner)};
}

// Actions that use the token only to read the repository.
bool ReadsOnly(std::string_view action) {
  return action == "actions/checkout" || action == "actions/cache" ||
         action == "actions/upload-artifact" || action == "actions/download-artifact" ||
         action.starts_with("actions/setup-");
}

// A step gets the token by `github.token`, by an action, or from a checkout.
std::optional<Edit> MendPermissions(const LintedFile& file, const SourceManager& sources) {
  const Workflow& workflow = file.tree->workflow;
  const std::string_view text = sources.Text(file.id);
  if (workflow.permissions || text.find("github.token") != std::string_view::npos ||
      text.find("GITHUB_TOKEN") != std::string_view::npos ||
      text.find("github[") != std::string_view::npos ||
      text.find("toJSON(github)") != std::string_view::npos ||
      text.find("toJSON(secrets)") != std::string_view::npos) {
    return std::nullopt;
  }
  bool reads = false;
  for (const Job& job : workflow.jobs) {
    if (job.is_call() || job.permissions || job.container || job.services) return std::nullopt;
    for (const WorkflowStep& step : job.steps) {
      if (!step.uses) continue;
      if (!ReadsOnly(ActionName(step.uses.text()))) return std::nullopt;
      if (ActionName(step.uses.text()) != "actions/checkout") continue;
      reads = true;
      if (FindText(step.with.value, "persist-credentials") != "false") return std::nullopt;
    }
  }
  const SourceRange jobs = workflow.jobs_field.where();
  return Edit{{jobs.begin, 0},
              reads ? "permissions:\n  contents: read\n\n" : "permissions: {}\n\n"};
}

}  // namespace

std::vector<Edit> FindEdits(const LintedFile& file, const SourceManager& sources) {
  std::vector<Edit> edits;
  for (const Diagnostics::Entry& entry : file.diagnostics.entries()) {
    const Diagnostic& d = entry.diagnostic;
    if (d.where.begin.file != file.id || file.root() == nullptr) continue;
    std::optional<Edit> edit;
    if (d.code == "deprecated-command") {
      edit = MendCommand(file, d, sources);
    } else if (d.code == "input-type") {
      edit = MendQuotes(d, sources);
    } else if (d.code == "expression-syntax") {
      edit = MendExpression(d, sources);
    } else if (d.code == "missing-permissions" && !file.is_action) {
      edit = MendPermissions(file, sources);
    }
    if (edit) edits.push_back(std::move(*edit));
  }
  std::ranges::stable_sort(edits, {}, &Edit::where);
  std::uint32_t free_from = 0;
  std::erase_if(edits, [&](const Edit& edit) {
    const bool again = edit.where.begin.offset < free_from;
    if (!again) free_from = edit.where.begin.offset + std::max(1U, edit.where.length);
    return again;
  });
  return edits;
}

std::string ApplyEdits(std::string_view text, const std::vector<Edit>& edits) {
  std::string result;
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    result.append(text.substr(at, edit.where.begin.offset - at)).append(edit.text);
    at = edit.where.begin.offset + edit.where.length;
  }
  return result.append(text.substr(at));
}

}  // namespace wheelwright
