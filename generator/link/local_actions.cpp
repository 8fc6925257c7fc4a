#include "generator/link/local_actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/below.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "generator/expression/github_text.h"
#include "generator/yaml/read.h"

namespace wheelwright {
namespace {

// GitHub lets actions use each other up to this depth.
constexpr int kMostLevels = 10;
constexpr std::string_view kFolder = ".github/actions";

// "" for the action of the repository itself; nothing for those of others.
std::optional<std::string_view> FolderOf(std::string_view uses) {
  if (!uses.starts_with("./") && !uses.starts_with("$/")) return std::nullopt;
  uses.remove_prefix(2);
  while (uses.ends_with('/')) uses.remove_suffix(1);
  return uses;
}

// The inputs of one use of an action.
class Inputs {
 public:
  Inputs(const Node& action, const Node& step, GithubTexts& texts) : texts_(texts) {
    if (const Node* declared = wheelwright::Find(&action, "inputs")) {
      for (const Entry& entry : declared->entries) {
        values_[ToLower(entry.key->text)] = FindText(entry.value, "default");
      }
    }
    if (const Node* with = wheelwright::Find(&step, "with")) {
      for (const Entry& entry : with->entries) {
        values_[ToLower(entry.key->text)] = entry.value->is_scalar() ? entry.value->text : "";
      }
    }
  }

  // A text of the action with this step's inputs.
  std::string Replace(std::string_view text) const {
    const GithubText& parsed = texts_.Of(text);
    if (parsed.error) return std::string(text);
    std::string result;
    std::size_t at = 0;
    for (const GithubText::Expression& one : parsed.expressions) {
      result += text.substr(at, one.at.begin - at);
      const std::string_view name = Trim(one.text);
      const auto whole =
          name.starts_with("inputs.") ? values_.find(ToLower(name.substr(7))) : values_.end();
      result += whole != values_.end() ? whole->second : "${{" + InExpression(one) + "}}";
      at = one.at.end;
    }
    result += text.substr(at);
    return result;
  }

  // The same for a condition without brackets.
  std::string InCondition(std::string_view text) const {
    const GithubText& parsed = texts_.Of(text, true);
    return parsed.expressions.empty() ? std::string(text) : InExpression(parsed.expressions[0]);
  }

 private:
  std::string InExpression(const GithubText::Expression& one) const {
    std::string result;
    std::size_t at = 0;
    if (one.parsed.root != nullptr) ReplaceIn(*one.parsed.root, one.text, at, result);
    return result.append(one.text.substr(at));
  }

  // Appends the text up to the expression's end with `inputs` replaced. The list of all inputs
  // becomes a value that no rule knows.
  void ReplaceIn(const Expr& expr, std::string_view text, std::size_t& at,
                 std::string& result) const {
    const bool all = IsContext(expr, "inputs");
    const auto name = all ? std::nullopt : PropertyOf(expr, "inputs");
    if (all || name) {
      result.append(text.substr(at, expr.begin - at)).append(name ? Operand(*name) : "vars");
      at = expr.end;
      return;
    }
    for (const Expr* operand : expr.operands) ReplaceIn(*operand, text, at, result);
  }

  // Null, a text or an expression. A mixture of both becomes a value that no rule knows.
  std::string Operand(std::string_view name) const {
    const auto value = values_.find(ToLower(name));
    if (value == values_.end()) return "''";
    const std::string_view text = value->second;
    if (text.find("${{") == std::string_view::npos) {
      std::string quoted = "'";
      for (const char c : text) quoted.append(c == '\'' ? 2 : 1, c);
      return quoted + "'";
    }
    const GithubText& parsed = texts_.Of(text);
    return parsed.whole ? fmt::format("({})", parsed.expressions[0].text) : "vars.mixed";
  }

  GithubTexts& texts_;
  std::map<std::string, std::string_view> values_;
};

std::string_view WithoutBrackets(std::string_view condition) {
  condition = Trim(condition);
  if (!condition.starts_with("${{") || !condition.ends_with("}}")) return condition;
  return condition.substr(3, condition.size() - 5);
}

class Inliner {
 public:
  Inliner(const LocalActions& actions, Arena& arena) : actions_(actions), arena_(arena) {}

  // The root with added steps; the same root if none are added.
  const Node* Root(const Node& root) {
    const Node* jobs = Find(&root, "jobs");
    if (jobs == nullptr) return &root;
    return ReplaceEntry(root, *jobs, MapEntries(*jobs, [&](const Node& job) -> const Node* {
                          const Node* steps = Find(&job, "steps");
                          if (steps == nullptr || !steps->is_sequence()) return &job;
                          std::vector<const Node*> list;
                          for (const Node* step : steps->items) AddStep(*step, 0, list);
                          if (list.size() == steps->items.size()) return &job;
                          Node* longer = arena_.New<Node>(*steps);
                          longer->items = arena_.Copy(std::span<const Node* const>(list));
                          return ReplaceEntry(job, *steps, longer);
                        }));
  }

 private:
  template <typename Map>
  const Node* MapEntries(const Node& mapping, const Map& map) {
    std::vector<Entry> entries(mapping.entries.begin(), mapping.entries.end());
    bool same = true;
    for (Entry& entry : entries) {
      const Node* mapped = map(*entry.value);
      same = same && mapped == entry.value;
      entry.value = mapped;
    }
    if (same) return &mapping;
    Node* copy = arena_.New<Node>(mapping);
    copy->entries = arena_.Copy(std::span<const Entry>(entries));
    return copy;
  }

  const Node* ReplaceEntry(const Node& mapping, const Node& old, const Node* value) {
    return MapEntries(mapping, [&](const Node& one) { return &one == &old ? value : &one; });
  }

  void AddStep(const Node& step, int level, std::vector<const Node*>& list) {
    list.push_back(&step);
    const Node* action = actions_.Find(FindText(&step, "uses"));
    const Node* steps = Find(action != nullptr ? Find(action, "runs") : nullptr, "steps");
    if (steps == nullptr || !steps->is_sequence() || level >= kMostLevels) return;
    const Inputs inputs(*action, step, texts_);
    const Node* condition = Find(&step, "if");
    for (const Node* inner : steps->items) {
      const Node* own = Adapt(*inner, inputs);
      AddStep(condition == nullptr ? *own : Guard(*own, *condition), level + 1, list);
    }
  }

  const Node* Adapt(const Node& node, const Inputs& inputs) {
    if (node.is_scalar()) {
      if (!node.is_string()) return &node;
      return WithText(node, inputs.Replace(node.text));
    }
    Node* copy = arena_.New<Node>(node);
    std::vector<const Node*> items;
    std::vector<Entry> entries;
    for (const Node* item : node.items) items.push_back(Adapt(*item, inputs));
    for (const Entry& entry : node.entries) {
      const bool bare = entry.key->text == "if" && entry.value->is_string() &&
                        entry.value->text.find("${{") == std::string_view::npos;
      entries.push_back(
          {entry.key, bare ? WithText(*entry.value, inputs.InCondition(entry.value->text))
                           : Adapt(*entry.value, inputs)});
    }
    copy->items = arena_.Copy(std::span<const Node* const>(items));
    copy->entries = arena_.Copy(std::span<const Entry>(entries));
    return copy;
  }

  // Adds the condition of the step that uses the action.
  const Node& Guard(const Node& step, const Node& condition) {
    const Node* own = Find(&step, "if");
    if (own != nullptr) {
      const std::string both =
          fmt::format("({}) && ({})", WithoutBrackets(condition.text), WithoutBrackets(own->text));
      return *ReplaceEntry(step, *own, WithText(*own, both));
    }
    Node* copy = arena_.New<Node>(step);
    std::vector<Entry> entries(step.entries.begin(), step.entries.end());
    entries.push_back({MakeString(arena_, "if"), &condition});
    copy->entries = arena_.Copy(std::span<const Entry>(entries));
    return *copy;
  }

  const Node* WithText(const Node& node, const std::string& text) {
    if (text == node.text) return &node;
    Node* copy = arena_.New<Node>(node);
    copy->text = arena_.Copy(std::string_view(text));
    return copy;
  }

  const LocalActions& actions_;
  Arena& arena_;
  GithubTexts texts_;  // of the actions
};

}  // namespace

void LocalActions::Read(FileSystem& files, const std::string& repository, SourceManager& sources,
                        Arena& arena) {
  ReadFolder(files, repository, std::string(kFolder), sources, arena);
}

bool LocalActions::ReadAction(FileSystem& files, const std::string& repository,
                              const std::string& folder, SourceManager& sources, Arena& arena) {
  const std::string path = folder.empty() ? repository : Below(repository, folder);
  for (const char* name : {"action.yml", "action.yaml"}) {
    const auto text = files.Read(Below(path, name));
    if (!text) continue;
    Diagnostics ignored;
    const FileId id = sources.Add(Below(folder, name), *text);
    const Node* root = ReadYaml(sources, id, arena, ignored).root;
    if (root != nullptr && root->is_mapping()) actions_.emplace(folder, root);
    return true;
  }
  return false;
}

void LocalActions::ReadFolder(FileSystem& files, const std::string& repository,
                              const std::string& folder, SourceManager& sources, Arena& arena) {
  ReadAction(files, repository, folder, sources, arena);
  for (const std::string& name : files.ListFolders(Below(repository, folder))) {
    ReadFolder(files, repository, Below(folder, name), sources, arena);
  }
}

void LocalActions::ReadUsed(FileSystem& files, const std::string& repository, std::string_view uses,
                            SourceManager& sources, Arena& arena) {
  const auto named = FolderOf(uses);
  // The path of another checkout, one that is computed, or one with a version, which is wrong.
  const bool elsewhere = uses.find("..") != std::string_view::npos ||
                         uses.find("${{") != std::string_view::npos ||
                         uses.find('@') != std::string_view::npos;
  if (!named || elsewhere || !looked_for_.emplace(*named).second) return;
  const std::string folder(*named);
  try {
    if (!ReadAction(files, repository, folder, sources, arena)) {
      const std::string path = folder.empty() ? repository : Below(repository, folder);
      const bool docker = files.Read(Below(path, "Dockerfile")).has_value();
      // `src/x/.github/actions/y`, where the repository is checked out to src/x.
      bool below = false;
      for (std::size_t at = folder.find('/'); at != std::string::npos && !below;
           at = folder.find('/', at + 1)) {
        below = ReadAction(files, repository, folder.substr(at + 1), sources, arena);
      }
      if (!docker && !below) missing_.insert(folder);
      return;
    }
  } catch (const FileError&) {
    return;  // it is there, and cannot be read
  }
  const Node* action = Find(uses);
  const Node* steps =
      action == nullptr ? nullptr : wheelwright::Find(wheelwright::Find(action, "runs"), "steps");
  if (steps == nullptr) return;
  for (const Node* step : steps->items) {
    ReadUsed(files, repository, FindText(step, "uses"), sources, arena);
  }
}

bool LocalActions::IsMissing(std::string_view uses) const {
  const auto folder = FolderOf(uses);
  return folder && missing_.find(*folder) != missing_.end();
}

const Node* LocalActions::Find(std::string_view uses) const {
  const auto folder = FolderOf(uses);
  const auto found = folder ? actions_.find(*folder) : actions_.end();
  return found == actions_.end() ? nullptr : found->second;
}

std::string RepositoryOf(std::string_view path) {
  constexpr std::string_view kGithub = ".github";
  for (std::size_t at = path.rfind(kGithub); at != std::string_view::npos && at > 0;
       at = path.rfind(kGithub, at - 1)) {
    const bool ends = at + kGithub.size() == path.size() || path[at + kGithub.size()] == '/';
    if (ends && path[at - 1] == '/') return at == 1 ? "/" : std::string(path.substr(0, at - 1));
  }
  const bool below = path == kGithub || path.starts_with(".github/");
  return below ? "." : std::string(path);
}

const Workflow* WithActions(const Workflow& workflow, const LocalActions* actions, Arena& arena,
                            Workflow& space) {
  if (actions == nullptr || actions->empty() || !workflow.root->is_mapping()) return &workflow;
  const Node* root = Inliner(*actions, arena).Root(*workflow.root);
  if (root == workflow.root) return &workflow;
  ReadWorkflow(*root, space);
  return &space;
}

}  // namespace wheelwright
