#include "generator/lsp/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "base/platform/files.h"
#include "base/text.h"
#include "generator/expression/functions.h"
#include "generator/link/contexts.h"
#include "generator/link/matrix_values.h"
#include "generator/link/rules.h"
#include "generator/lsp/documents.h"

namespace wheelwright {
namespace {

constexpr std::string_view kNameCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

bool IsNamePart(char c) { return kNameCharacters.find(c) != std::string_view::npos; }

// Its first byte, and the one behind it.
std::pair<std::size_t, std::size_t> LineAt(std::string_view text, std::size_t offset) {
  const std::size_t before = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  return {before == std::string_view::npos ? 0 : before + 1,
          std::min(text.find('\n', offset), text.size())};
}

class Answers {
 public:
  explicit Answers(const EditorPlace& place)
      : place_(place), workflow_(place.file.tree->workflow), sources_(place.linter.sources()) {
    const EditorPosition position = PositionIn(place.text, place.offset);
    line_ = position.line;
    std::tie(begin_, end_) = LineAt(place.text, place.offset);
    for (const Job& job : workflow_.jobs) {
      if (LineOf(job.key) <= line_) job_ = &job;
    }
    for (const WorkflowStep& step :
         job_ != nullptr ? job_->steps : std::span<const WorkflowStep>()) {
      if (LineOf(step.node) <= line_) step_ = &step;
    }
  }

  std::optional<Definition> Define() {
    const std::string_view line = Line();
    const std::size_t uses = line.find("uses:");
    if (uses != std::string_view::npos) return DefineUses(Trim(line.substr(uses + 5)));
    const std::vector<std::string_view> path = PathAtCursor();
    if (path.size() >= 2) {
      if (const auto found = DefinePath(path)) return found;
    }
    // An item of `needs`.
    if (job_ != nullptr && path.size() == 1) {
      for (const Need& need : job_->needs) {
        if (need.id == path[0] && LineOf(need.node) == line_) return OfJob(need.id);
      }
    }
    return std::nullopt;
  }

  std::vector<Completion> Complete() {
    const std::string_view before = place_.text.substr(begin_, place_.offset - begin_);
    const std::size_t open = before.rfind("${{");
    const bool condition = Trim(before).starts_with("if:") || Trim(before).starts_with("- if:");
    if ((open != std::string_view::npos && before.find("}}", open) == std::string_view::npos) ||
        condition) {
      CompletePath(PathBefore());
    } else if (before.find(':') == std::string_view::npos) {
      CompleteInputs();
    }
    return std::move(completions_);
  }

  std::string TextOfAction() {
    const std::string_view line = Line();
    const std::size_t uses = line.find("uses:");
    if (uses == std::string_view::npos) return {};
    const StepAction action = ActionOf(line.substr(uses + 5));
    if (action.get() == nullptr) return {};
    const ActionInterface& found = *action.get();
    std::string text = fmt::format("**{}{}** ({})", found.name,
                                   found.version.empty() ? "" : "@" + found.version, found.runtime);
    if (!found.inputs.empty()) text += "\n\nInputs:";
    for (const ActionInterface::Input& input : found.inputs) {
      text += fmt::format("\n- `{}`{}{}", input.name, input.required ? " (required)" : "",
                          input.deprecation.empty() ? "" : ": deprecated, " + input.deprecation);
    }
    if (!found.outputs.empty()) {
      text += fmt::format("\n\nOutputs: `{}`", fmt::join(found.outputs, "`, `"));
    }
    return text;
  }

 private:
  std::size_t LineOf(const Node* node) const {
    return node == nullptr || !node->where.known()
               ? 0
               : sources_.PositionOf(node->where.begin).line - 1;
  }

  std::string_view Line() const { return place_.text.substr(begin_, end_ - begin_); }

  // "needs", "build", "outputs" of `needs.build.outputs.version` with the cursor in `outputs`.
  std::vector<std::string_view> PathAtCursor() const {
    std::size_t first = place_.offset, last = place_.offset;
    while (first > begin_ &&
           (IsNamePart(place_.text[first - 1]) || place_.text[first - 1] == '.')) {
      --first;
    }
    while (last < end_ && IsNamePart(place_.text[last])) ++last;
    return Split(place_.text.substr(first, last - first), '.');
  }

  // The same up to the cursor: {"needs", ""} of `needs.`.
  std::vector<std::string_view> PathBefore() const {
    std::size_t first = place_.offset;
    while (first > begin_ &&
           (IsNamePart(place_.text[first - 1]) || place_.text[first - 1] == '.')) {
      --first;
    }
    return Split(place_.text.substr(first, place_.offset - first), '.');
  }

  std::optional<Definition> Here(const Node* node) const {
    if (node == nullptr || !node->where.known()) return std::nullopt;
    return Definition{std::string(sources_.Name(node->where.begin.file)), LineOf(node)};
  }

  std::optional<Definition> OfJob(std::string_view id) const {
    const Job* job = workflow_.FindJob(id);
    return job == nullptr ? std::nullopt : Here(job->key);
  }

  const LintedFile* Called(std::string_view uses) const {
    if (!uses.starts_with("./") && !uses.starts_with("$/")) return nullptr;
    const std::string name(InterfaceName(uses));
    const std::string path = PathText(SystemPath(place_.path).parent_path() / SystemPath(name));
    return place_.linter.FindFile(path);
  }

  std::optional<Definition> DefineUses(std::string_view uses) const {
    if (!uses.starts_with("./") && !uses.starts_with("$/")) return std::nullopt;
    uses = uses.substr(2, uses.find_first_of(" @#") - 2);
    const std::string repository = RepositoryOf(place_.path);
    for (const std::string_view name : {"", "/action.yml", "/action.yaml"}) {
      const std::string path = fmt::format("{}/{}{}", repository, uses, name);
      try {
        if (place_.files.Read(path)) return Definition{path, 0};
      } catch (const FileError&) {
        continue;  // a folder
      }
    }
    return std::nullopt;
  }

  std::optional<Definition> DefinePath(const std::vector<std::string_view>& path) const {
    const auto is = [&](std::string_view context) { return EqualsIgnoringCase(path[0], context); };
    const bool output = path.size() == 4 && EqualsIgnoringCase(path[2], "outputs");
    if (is("needs") || is("jobs")) {
      const Job* job = workflow_.FindJob(path[1]);
      if (job == nullptr || !output) return OfJob(path[1]);
      if (!job->is_call()) {
        const Entry* entry = FindEntry(job->outputs.value, path[3]);
        return entry == nullptr ? OfJob(path[1]) : Here(entry->key);
      }
      const LintedFile* called = Called(job->uses.text());
      if (called == nullptr) return OfJob(path[1]);
      for (const Declared& one : called->tree->workflow.call_outputs) {
        if (EqualsIgnoringCase(one.name, path[3])) return Here(one.key);
      }
    } else if (is("steps") && job_ != nullptr) {
      for (const WorkflowStep& step : job_->steps) {
        if (EqualsIgnoringCase(step.id.text(), path[1])) return Here(step.id.value);
      }
    } else if (is("inputs")) {
      const Input* input = workflow_.FindCallInput(path[1]);
      if (input == nullptr) input = workflow_.FindDispatchInput(path[1]);
      if (input != nullptr) return Here(input->key);
    } else if (is("matrix") && job_ != nullptr && job_->matrix != nullptr) {
      if (const Entry* axis = FindEntry(job_->matrix, path[1])) return Here(axis->key);
      const Node* include = Find(job_->matrix, "include");
      for (const Node* row : include == nullptr ? std::span<const Node* const>() : include->items) {
        if (const Entry* cell = FindEntry(row, path[1])) return Here(cell->key);
      }
    } else if (is("secrets")) {
      for (const Declared& one : workflow_.call_secrets) {
        if (EqualsIgnoringCase(one.name, path[1])) return Here(one.key);
      }
    }
    return std::nullopt;
  }

  void Add(std::string_view label, std::string detail = {}) {
    if (!seen_.insert(std::string(label)).second) return;
    completions_.push_back({std::string(label), std::move(detail)});
  }

  void CompletePath(const std::vector<std::string_view>& path) {
    if (path.size() <= 1) {
      for (std::size_t i = 0; i < kContextCount; ++i) {
        Add(NameOf(static_cast<Context>(i)), "context");
      }
      for (const Function& one : GithubFunctions()) Add(one.name, std::string(one.usage));
      return;
    }
    const auto is = [&](std::string_view context) { return EqualsIgnoringCase(path[0], context); };
    const auto context = FindContext(path[0]);
    if (path.size() == 2) {
      if (is("needs") && job_ != nullptr) {
        for (const Need& need : job_->needs) Add(need.id, "job");
      } else if (is("jobs")) {
        for (const Job& job : workflow_.jobs) Add(job.id, "job");
      } else if (is("steps") && job_ != nullptr) {
        for (const WorkflowStep& step : job_->steps) {
          if (step.id && &step != step_) Add(step.id.text(), std::string(step.name.text()));
        }
      } else if (is("inputs")) {
        for (const auto* inputs : {&workflow_.call_inputs, &workflow_.dispatch_inputs}) {
          for (const Input& input : *inputs) Add(input.name, std::string(NameOf(input.type)));
        }
      } else if (is("matrix") && job_ != nullptr) {
        MatrixValues values(workflow_);
        if (const auto keys = values.KeysOf(*job_)) {
          for (const std::string_view key : *keys) Add(key, "matrix");
        }
      } else if (is("secrets")) {
        for (const Declared& one : workflow_.call_secrets) Add(one.name, "secret");
        Add("GITHUB_TOKEN", "secret");
      } else if (is("env")) {
        AddKeys(workflow_.env.value);
        if (job_ != nullptr) AddKeys(job_->env.value);
        if (step_ != nullptr) AddKeys(step_->env.value);
      } else if (context) {
        for (const Property& one : TypeOfContext(*context).properties) Add(one.name);
      }
    } else if (path.size() == 3 && (is("needs") || is("jobs"))) {
      for (const Property& one : TypeOfJobResult().properties) Add(one.name);
    } else if (path.size() == 3 && is("steps")) {
      for (const Property& one : TypeOfStepResult().properties) Add(one.name);
    } else if (path.size() == 4 && EqualsIgnoringCase(path[2], "outputs")) {
      CompleteOutputs(path);
    }
  }

  void AddKeys(const Node* mapping) {
    if (mapping == nullptr) return;
    for (const Entry& entry : mapping->entries) Add(entry.key->text);
  }

  void CompleteOutputs(const std::vector<std::string_view>& path) {
    if (EqualsIgnoringCase(path[0], "steps")) {
      for (const WorkflowStep& step :
           job_ != nullptr ? job_->steps : std::span<const WorkflowStep>()) {
        if (!EqualsIgnoringCase(step.id.text(), path[1])) continue;
        const StepAction action = FindStepAction(step, nullptr, place_.linter.known_actions());
        if (action.get() == nullptr) continue;
        for (const std::string& output : action.get()->outputs) Add(output, "output");
      }
      return;
    }
    const Job* job = workflow_.FindJob(path[1]);
    if (job == nullptr) return;
    if (!job->is_call()) return AddKeys(job->outputs.value);
    if (const LintedFile* called = Called(job->uses.text())) {
      for (const Declared& one : called->tree->workflow.call_outputs) Add(one.name, "output");
    }
  }

  // Below `with` of a step or of a call.
  void CompleteInputs() {
    const auto below = [&](const Field& with) { return with && LineOf(with.key) < line_; };
    if (job_ != nullptr && job_->is_call() && below(job_->with)) {
      const LintedFile* called = Called(job_->uses.text());
      if (called == nullptr) return;
      for (const Input& input : called->tree->workflow.call_inputs) {
        Add(input.name,
            fmt::format("{}{}", NameOf(input.type), input.required ? ", required" : ""));
      }
      return;
    }
    if (step_ == nullptr || !below(step_->with)) return;
    const StepAction action = FindStepAction(*step_, nullptr, place_.linter.known_actions());
    if (action.get() == nullptr) return;
    for (const ActionInterface::Input& input : action.get()->inputs) {
      Add(input.name, input.required ? "required" : input.deprecation.empty() ? "" : "deprecated");
    }
  }

  StepAction ActionOf(std::string_view written) const {
    written = Trim(written);
    const std::size_t comment = written.find(" #");
    const std::string_view behind =
        comment == std::string_view::npos ? "" : written.substr(comment + 1);
    std::string_view uses = Trim(written.substr(0, comment));
    if (uses.size() > 1 && (uses.front() == '"' || uses.front() == '\'')) {
      uses = uses.substr(1, uses.size() - 2);
    }
    StepAction found;
    const auto use = ReadActionUse(uses, behind);
    const KnownActions* known = place_.linter.known_actions();
    if (use && known != nullptr) found.known = known->Find(*use);
    return found;
  }

  const EditorPlace& place_;
  const Workflow& workflow_;
  const SourceManager& sources_;
  std::size_t line_ = 0;             // from 0
  std::size_t begin_ = 0, end_ = 0;  // of the line
  const Job* job_ = nullptr;         // that the line belongs to
  const WorkflowStep* step_ = nullptr;
  std::vector<Completion> completions_;
  std::set<std::string> seen_;
};

}  // namespace

std::optional<Definition> TemplateAt(const std::string& path, std::string_view text,
                                     std::size_t offset, FileSystem& files) {
  const auto [begin, end] = LineAt(text, offset);
  const std::string_view line = text.substr(begin, end - begin);
  const auto root = ProjectAbove(files, path);
  for (const std::string_view start : {"# Generated by wheelwright from ", "$[[ include "}) {
    const std::size_t at = line.find(start);
    if (at == std::string_view::npos || !root) continue;
    std::string_view name = line.substr(at + start.size());
    name = name.substr(0, name.find_first_of(" ]"));
    const std::string file =
        fmt::format("{}/{}{}", *root, start.starts_with('#') ? "" : "templates/", name);
    if (files.Read(file)) return Definition{file, 0};
  }
  return std::nullopt;
}

std::optional<Definition> DefinitionAt(const EditorPlace& place) { return Answers(place).Define(); }
std::vector<Completion> CompletionsAt(const EditorPlace& place) {
  return Answers(place).Complete();
}
std::string ActionTextAt(const EditorPlace& place) { return Answers(place).TextOfAction(); }

}  // namespace wheelwright
