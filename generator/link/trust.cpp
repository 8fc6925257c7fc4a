#include "generator/link/trust.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "generator/expression/parse.h"
#include "generator/expression/values.h"
#include "generator/link/references.h"
#include "generator/workflow/report.h"

namespace wheelwright {
namespace {

constexpr std::size_t kLongLength = 63;

std::uint64_t LengthBit(std::size_t length) {
  return std::uint64_t{1} << std::min(length, kLongLength);
}

// Whether an expression may depend on what decides: inputs and the event.
bool MayDecide(std::string_view text) {
  return text.find("inputs") != std::string_view::npos ||
         text.find("event_name") != std::string_view::npos;
}

// Finds the touches of one file.
class TouchFinder {
 public:
  TouchFinder(const Workflow& workflow, const TrustDomains& domains, const SourceManager& sources,
              WorkflowInterface& interface)
      : workflow_(workflow), domains_(domains), sources_(sources), interface_(interface) {}

  void Run() {
    if (!workflow_.root->is_mapping()) return;
    for (const Entry& entry : workflow_.root->entries) {
      const std::string_view key = entry.key->text;
      if (key == "on") {
        VisitTriggers(*entry.value);
      } else if (key != "jobs" && key != "name" && key != "run-name") {
        Visit(*entry.value, {});
      }
    }
    for (const Job& job : workflow_.jobs) VisitJob(job);
  }

 private:
  // What a form offers counts for those who fill it in, a default for callers that give nothing
  // else; descriptions are prose.
  void VisitTriggers(const Node& on) {
    for (const Entry& event : on.entries) {
      if (event.key->text != "workflow_call") {
        VisitTrigger(*event.value, Condition::Event(event.key->text));
        continue;
      }
      for (const Entry& entry : event.value->entries) {
        if (entry.key->text != "inputs") VisitTrigger(*entry.value, {});
      }
    }
    for (const Input& input : workflow_.call_inputs) {
      if (input.default_value == nullptr) continue;
      Visit(*input.default_value, Condition::InputIs(input.name, input.default_value->text));
    }
  }

  void VisitTrigger(const Node& node, const Condition& when) {
    if (node.is_scalar()) return Visit(node, when);
    for (const Node* item : node.items) VisitTrigger(*item, when);
    for (const Entry& entry : node.entries) {
      if (entry.key->text != "description") VisitTrigger(*entry.value, when);
    }
  }

  void VisitJob(const Job& job) {
    job_ = &job;
    const Condition when = ConditionOfField(job.condition);
    for (const Entry& entry : job.node->entries) {
      const std::string_view key = entry.key->text;
      if (key == "steps" && entry.value->is_sequence()) {
        for (const Node* step : entry.value->items) VisitStep(*step, when);
      } else if (key != "name") {
        Visit(*entry.value, when);
      }
    }
    if (job.environment && domains_.has_environments()) VisitEnvironment(job, when);
    if (job.is_call()) AddCall(job, when);
    job_ = nullptr;
  }

  void VisitStep(const Node& step, const Condition& of_job) {
    const Entry* condition = FindEntry(&step, "if");
    const Condition when = condition == nullptr
                               ? of_job
                               : Both(of_job, ConditionOfField({condition->key, condition->value}));
    for (const Entry& entry : step.entries) {
      if (entry.key->text != "name") Visit(*entry.value, when);
    }
  }

  void Visit(const Node& node, const Condition& when) {
    if (node.is_scalar()) {
      if (node.is_string()) VisitText(node, when);
      return;
    }
    for (const Node* item : node.items) Visit(*item, when);
    for (const Entry& entry : node.entries) Visit(*entry.value, when);
  }

  void VisitText(const Node& scalar, const Condition& when) {
    // Unrolled jobs repeat themselves, and to look up a long text is cheaper than to search it.
    constexpr std::size_t kLong = 100;
    if (when.always() && scalar.text.size() > kLong && seen_.contains(scalar.text)) return;
    found_.clear();
    domains_.Find(scalar.text, found_);
    if (found_.empty()) return;
    if (when.always() && !seen_.insert(scalar.text).second) return;
    const std::vector<Part> parts = PartsOf(scalar.text);
    for (const TrustDomains::Found& found : found_) {
      AddFound(scalar, parts, found.mark, found.offset, when);
    }
  }

  // An expression in a scalar, and what it may give.
  struct Part {
    Embedded place;
    const std::vector<PossibleValue>* values;
  };

  std::vector<Part> PartsOf(std::string_view text) {
    std::vector<Part> parts;
    if (!HoldsExpression(text)) return parts;
    std::vector<Embedded> embedded;
    FindEmbedded(text, Brackets::kGithub, embedded);  // the expression checks report what is wrong
    for (const Embedded& one : embedded) {
      parts.push_back(
          {one, &ValuesOf(text.substr(one.inner_begin, one.inner_end - one.inner_begin))});
    }
    return parts;
  }

  const std::vector<PossibleValue>& ValuesOf(std::string_view expression) {
    const auto [at, fresh] = values_.try_emplace(expression);
    if (!fresh) return at->second;
    at->second.push_back({});  // anything
    if (MayDecide(expression)) {
      Arena arena;
      if (const Expr* root = ParseExpression(expression, arena).root) {
        at->second = PossibleValuesOf(*root);
      }
    }
    return at->second;
  }

  void AddFound(const Node& scalar, const std::vector<Part>& parts, std::uint32_t mark,
                std::size_t offset, const Condition& when) {
    const std::string_view text = domains_.marks()[mark].text;
    bool understood = false;
    for (const Part& part : parts) {
      if (offset < part.place.inner_begin || offset >= part.place.inner_end) continue;
      const std::size_t at = offset - part.place.inner_begin;
      for (const PossibleValue& value : *part.values) {
        if (at < value.begin || at >= value.end || value.text.find(text) == std::string::npos)
          continue;
        understood = true;
        Add(scalar, mark, offset, text.size(), Both(value.when, when));
      }
    }
    if (!understood) Add(scalar, mark, offset, text.size(), when);
  }

  void Add(const Node& scalar, std::uint32_t mark, std::size_t offset, std::size_t length,
           Condition when) {
    if (Covers(interface_.touches, mark, when)) return;
    Touch touch{.mark = mark,
                .when = std::move(when),
                .where = LocateIn(scalar, offset, length, sources_),
                .job = std::string(job_ != nullptr ? job_->id : ""),
                .path = interface_.name,
                .calls = {}};
    if (job_ != nullptr) touch.path += fmt::format(" job '{}'", job_->id);
    AddTouch(interface_.touches, std::move(touch));
  }

  // Names of environments are common words, so they count in `environment` alone. One that is
  // computed may be any that fits the text around the expression.
  void VisitEnvironment(const Job& job, const Condition& when) {
    const Node* value = job.environment.value;
    if (value->is_mapping()) value = wheelwright::Find(value, "name");
    if (value == nullptr || !value->is_scalar()) return;
    const std::vector<Part> parts = PartsOf(value->text);
    const bool whole =
        parts.size() == 1 && parts[0].place.begin == 0 && parts[0].place.end == value->text.size();
    for (std::uint32_t mark = 0; mark < domains_.marks().size(); ++mark) {
      if (domains_.marks()[mark].kind != MarkKind::kEnvironment) continue;
      const std::string_view name = domains_.marks()[mark].text;
      if (parts.empty()) {
        if (EqualsIgnoringCase(value->text, name)) AddEnvironment(*value, mark, when);
      } else if (!whole) {
        const std::string before = ToLower(value->text.substr(0, parts.front().place.begin));
        const std::string behind = ToLower(value->text.substr(parts.back().place.end));
        const std::string lower = ToLower(name);
        if (lower.size() >= before.size() + behind.size() && lower.starts_with(before) &&
            lower.ends_with(behind)) {
          AddEnvironment(*value, mark, when);
        }
      } else {
        for (const PossibleValue& one : *parts[0].values) {
          AddPossibleEnvironment(*value, mark, name, one, when);
        }
      }
    }
  }

  void AddPossibleEnvironment(const Node& value, std::uint32_t mark, std::string_view name,
                              const PossibleValue& possible, const Condition& when) {
    switch (possible.kind) {
      case PossibleValue::Kind::kLiteral:
        if (!EqualsIgnoringCase(possible.text, name)) return;
        return AddEnvironment(value, mark, Both(possible.when, when));
      case PossibleValue::Kind::kInput:
        return AddEnvironment(value, mark, Condition::InputIs(possible.text, name));
      case PossibleValue::Kind::kUnknown:
        return AddEnvironment(value, mark, Both(possible.when, when));
      case PossibleValue::Kind::kMention:
        return;
    }
  }

  void AddEnvironment(const Node& value, std::uint32_t mark, Condition when) {
    Add(value, mark, 0, value.text.size(), std::move(when));
  }

  void AddCall(const Job& job, const Condition& when) {
    const std::string_view uses = job.uses.text();
    if (!uses.starts_with("./") && !uses.starts_with("$/")) return;
    const std::string_view callee = InterfaceName(uses);
    auto calls = std::ranges::find(interface_.callees, callee, &CallsOf::callee);
    if (calls == interface_.callees.end()) {
      calls = interface_.callees.insert(calls, CallsOf(callee));
    }
    calls->Begin(job.id, job.uses.value->where, when);
    if (!job.with || !job.with.value->is_mapping()) return;
    for (const Entry& entry : job.with.value->entries) {
      const std::string_view input = entry.key->text;
      const std::string_view text = entry.value->text;
      if (!HoldsExpression(text)) {
        const bool number = entry.value->kind == NodeKind::kNumber;  // 1.50 is given as 1.5
        number ? calls->Give(input, *TextOf(*entry.value)) : calls->Give(input, text);
      } else if (const auto* values = ValuesOfWhole(text)) {
        calls->Give(input, *values);
      } else {
        calls->GiveAnything(input);
      }
    }
  }

  // Of a text that is one expression on which an input or the event has a say; else null.
  const std::vector<PossibleValue>* ValuesOfWhole(std::string_view text) {
    if (!text.starts_with("${{") || !text.ends_with("}}") || !MayDecide(text)) return nullptr;
    const auto [at, fresh] = whole_values_.try_emplace(text, nullptr);
    if (!fresh) return at->second;
    const std::vector<Part> parts = PartsOf(text);
    if (parts.size() == 1 && parts[0].place.end == text.size()) at->second = parts[0].values;
    return at->second;
  }

  Condition ConditionOfField(const Field& field) {
    std::string_view text = Trim(field.text());
    if (!MayDecide(text)) return {};
    if (HoldsExpression(text)) {
      std::vector<Embedded> embedded;
      if (FindEmbedded(text, Brackets::kGithub, embedded) || embedded.size() != 1 ||
          embedded[0].begin != 0 || embedded[0].end != text.size()) {
        return {};
      }
      text = text.substr(embedded[0].inner_begin, embedded[0].inner_end - embedded[0].inner_begin);
    }
    Arena arena;
    const Expr* root = ParseExpression(text, arena).root;
    return root != nullptr ? ConditionOf(*root) : Condition{};
  }

  const Workflow& workflow_;
  const TrustDomains& domains_;
  const SourceManager& sources_;
  WorkflowInterface& interface_;
  const Job* job_ = nullptr;
  std::vector<TrustDomains::Found> found_;
  std::unordered_set<std::string_view> seen_;
  std::unordered_map<std::string_view, std::vector<PossibleValue>> values_;
  std::unordered_map<std::string_view, const std::vector<PossibleValue>*> whole_values_;
};

}  // namespace

TrustDomains::TrustDomains(const Matrix& matrix) {
  for (const Entry& row : matrix.domains->entries) {
    Domain& domain = domains_.emplace_back();
    domain.name = row.key->text;
    domain.where = row.key->where;
    for (const Node* trigger : wheelwright::Find(row.value, "triggers")->items) {
      domain.triggers.push_back(trigger->text);
    }
    AddMarks(MarkKind::kRole, wheelwright::Find(row.value, "roles"));
    AddMarks(MarkKind::kBucket, wheelwright::Find(row.value, "buckets"));
    AddMarks(MarkKind::kEnvironment, wheelwright::Find(row.value, "environments"));
  }
}

void TrustDomains::AddMarks(MarkKind kind, const Node* texts) {
  for (const Node* text : texts->items) {
    const auto mark = static_cast<std::uint32_t>(marks_.size());
    marks_.push_back({kind, text->text, domains_.size() - 1});
    if (kind == MarkKind::kEnvironment) {
      has_environments_ = true;
      continue;
    }
    std::string_view longest;
    for (std::size_t at = 0; at < text->text.size(); ++at) {
      std::size_t end = at;
      while (end < text->text.size() && IsNameCharacter(text->text[end])) ++end;
      if (end - at > longest.size()) longest = text->text.substr(at, end - at);
      at = end;
    }
    anchors_[longest].push_back(
        {mark, static_cast<std::size_t>(longest.data() - text->text.data())});
    anchor_lengths_ |= LengthBit(longest.size());
    shortest_ = shortest_ == 0 ? longest.size() : std::min(shortest_, longest.size());
  }
}

void TrustDomains::Find(std::string_view text, std::vector<Found>& found) const {
  if (shortest_ == 0) return;
  // A word of the shortest length or more covers one of the places that are looked at.
  for (std::size_t at = shortest_ - 1; at < text.size();) {
    if (!IsNameCharacter(text[at])) {
      at += shortest_;
      continue;
    }
    std::size_t begin = at;
    while (begin > 0 && IsNameCharacter(text[begin - 1])) --begin;
    std::size_t end = at + 1;
    while (end < text.size() && IsNameCharacter(text[end])) ++end;
    at = end + shortest_;
    if ((anchor_lengths_ & LengthBit(end - begin)) == 0) continue;
    const auto anchors = anchors_.find(text.substr(begin, end - begin));
    if (anchors == anchors_.end()) continue;
    for (const Anchor& anchor : anchors->second) {
      const std::string_view mark = marks_[anchor.mark].text;
      if (anchor.offset > begin || text.substr(begin - anchor.offset, mark.size()) != mark)
        continue;
      const std::size_t from = begin - anchor.offset;
      if (from > 0 && IsNameCharacter(text[from - 1])) continue;
      const std::size_t behind = from + mark.size();
      if (behind < text.size() && IsNameCharacter(text[behind])) continue;
      found.push_back({anchor.mark, from});
    }
  }
}

void FindTouches(const Workflow& workflow, const TrustDomains& domains,
                 const SourceManager& sources, WorkflowInterface& interface) {
  if (domains.marks().empty()) return;
  TouchFinder(workflow, domains, sources, interface).Run();
}

}  // namespace wheelwright
