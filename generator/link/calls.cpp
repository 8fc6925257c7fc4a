// Checks jobs that call a workflow: it exists and accepts the inputs and secrets.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "generator/link/expression_checker.h"
#include "generator/link/rules.h"

namespace wheelwright {
namespace {

using Callee = WorkflowInterface;

void AddDeclaration(Diagnostic& diagnostic, SourceRange where, std::string_view text) {
  if (where.known()) diagnostic.related.push_back({where, std::string(text)});
}

// Reports a missing required input or secret.
void ReportMissing(const Linking& linking, const Job& job, const Callee& callee,
                   std::string_view code, std::string_view what, std::string_view name,
                   SourceRange declared) {
  Diagnostic diagnostic = At(job.uses.value, code,
                             fmt::format("job '{}' does not give {} the required {} '{}'", job.id,
                                         callee.name, what, name));
  AddDeclaration(diagnostic, declared, "required here");
  linking.Report(std::move(diagnostic));
}

void ReportUnknown(const Linking& linking, const Node* key, const Callee& callee,
                   std::string_view code, std::string_view what,
                   const std::vector<std::string_view>& known) {
  Diagnostic diagnostic =
      At(key, code, fmt::format("{} has no {} '{}'", callee.name, what, key->text),
         DidYouMean(key->text, known));
  if (diagnostic.hint.empty() && known.size() <= 12) {
    const std::vector<std::string> words(known.begin(), known.end());
    diagnostic.notes.push_back(
        known.empty() ? fmt::format("{} takes no {}s", callee.name, what)
                      : fmt::format("{}s of {}: {}", what, callee.name, JoinWords(words)));
  }
  AddDeclaration(diagnostic, callee.where, "the called workflow");
  linking.Report(std::move(diagnostic));
}

// A number that loses digits: 3.10 becomes 3.1.
bool LosesDigits(const Node& number) {
  return number.text.find('.') != std::string_view::npos && number.text.ends_with('0');
}

// The type of a value for the called workflow. Text around an expression makes it a text.
TypeKind TypeOfGiven(const Linking& linking, const Job& job, const Node& value) {
  if (!value.is_string()) return TypeOfLiteral(value).kind;
  const GithubText& text = linking.workflow.Text(value.text);
  if (!text.valid) return TypeKind::kAny;
  if (text.sole() == nullptr) return TypeKind::kText;
  // github.run_number and the like are texts of digits, which GitHub accepts as numbers.
  if (PropertyOf(*text.sole(), "github")) return TypeKind::kAny;
  static const PlaceCursor with = PlaceCursor().Below("jobs").Below({}).Below("with");
  const ExpressionOptions options{linking.context.sources, linking.context.interfaces};
  return ExpressionChecker(linking.workflow, options, nullptr)
      .Check(*text.sole(), {.scalar = &value,
                            .offset = text.expressions[0].at.inner_begin,
                            .text = text.expressions[0].text,
                            .place = with.place(),
                            .job = &job})
      .kind;
}

// "the string 'x'", "an expression that gives a string".
std::string DescribeGiven(const Node& value, TypeKind type) {
  if (!HoldsExpression(value.text)) return DescribeKind(value);
  return fmt::format("an expression that gives a {}", type == TypeKind::kText      ? "string"
                                                      : type == TypeKind::kBoolean ? "boolean"
                                                                                   : "number");
}

void CheckValue(const Linking& linking, const Job& job, const Callee& callee,
                const Callee::Input& input, const Node& value) {
  const auto report = [&](TypeKind given, std::string hint) {
    Diagnostic diagnostic =
        At(&value, "input-type",
           fmt::format("the input '{}' of {} is a {}, and this is {}", input.name, callee.name,
                       NameOf(input.type), DescribeGiven(value, given)),
           std::move(hint));
    AddDeclaration(diagnostic, input.where, "declared here");
    linking.Report(std::move(diagnostic));
  };
  if (input.type == InputType::kString) {
    if (value.kind == NodeKind::kNumber && LosesDigits(value)) {
      report(TypeKind::kNumber, fmt::format("write it in quotes: \"{}\"", value.text));
    }
    return;
  }
  if (input.type != InputType::kBoolean && input.type != InputType::kNumber) return;
  const bool boolean = input.type == InputType::kBoolean;
  const TypeKind given = TypeOfGiven(linking, job, value);
  if (!kScalarTypes.Has(given) || given == (boolean ? TypeKind::kBoolean : TypeKind::kNumber)) {
    return;
  }
  report(given, NeedsNoQuotes(value, boolean ? NodeKind::kBoolean : NodeKind::kNumber)
                    ? "write it without quotes"
                : given == TypeKind::kText && value.text.starts_with("${{")
                    ? "fromJSON() makes a value of a string"
                    : "");
}

void CheckInputsOf(const Linking& linking, const Job& job, const Callee& callee) {
  if (job.with && job.with.value->is_mapping()) {
    for (const Entry& entry : job.with.value->entries) {
      const Callee::Input* input = callee.FindInput(entry.key->text);
      if (!input) {
        ReportUnknown(linking, entry.key, callee, "unknown-input", "input", NamesOf(callee.inputs));
      } else {
        CheckValue(linking, job, callee, *input, *entry.value);
      }
    }
  }
  for (const Callee::Input& input : callee.inputs) {
    if (!input.required) continue;
    const auto given = [&](const Entry& entry) {
      return EqualsIgnoringCase(entry.key->text, input.name);
    };
    if (!job.with || std::ranges::none_of(job.with.value->entries, given)) {
      ReportMissing(linking, job, callee, "missing-input", "input", input.name, input.where);
    }
  }
}

void CheckSecretsOf(const Linking& linking, const Job& job, const Callee& callee) {
  if (job.secrets && job.secrets.value->is_scalar()) return;  // inherit: CheckCalls()
  if (job.secrets) {
    for (const Entry& entry : job.secrets.value->entries) {
      if (!callee.FindSecret(entry.key->text)) {
        ReportUnknown(linking, entry.key, callee, "unknown-secret", "secret",
                      NamesOf(callee.secrets));
      }
    }
  }
  for (const Callee::Secret& secret : callee.secrets) {
    if (!secret.required) continue;
    const auto given = [&](const Entry& entry) {
      return EqualsIgnoringCase(entry.key->text, secret.name);
    };
    if (!job.secrets || std::ranges::none_of(job.secrets.value->entries, given)) {
      ReportMissing(linking, job, callee, "missing-secret", "secret", secret.name, secret.where);
    }
  }
}

// Suggestions for names of called workflows: each is looked for once, and not for hundreds, as
// each is compared with all.
class Suggestions {
 public:
  const std::string& For(std::string_view name, const InterfaceSet& interfaces) {
    constexpr std::size_t kMost = 50;
    const auto found = hints_.find(name);
    if (found != hints_.end()) return found->second;
    return hints_[std::string(name)] =
               hints_.size() > kMost ? "" : DidYouMean(name, interfaces.callable_names());
  }

 private:
  std::map<std::string, std::string, std::less<>> hints_;
};

void ReportUnknownCallee(const Linking& linking, const Job& job, std::string_view name,
                         Suggestions& suggestions) {
  const InterfaceSet& interfaces = linking.context.interfaces;
  if (const Callee* found = interfaces.Find(name)) {
    Diagnostic diagnostic = At(job.uses.value, "not-callable",
                               fmt::format("{} cannot be called: it has no 'workflow_call'", name));
    AddDeclaration(diagnostic, found->where, "its triggers");
    linking.Report(std::move(diagnostic));
    return;
  }
  const bool local = job.uses.text().starts_with("./") || job.uses.text().starts_with("$/");
  // Workflows of other repositories are only known from the matrix, which lint does not have.
  if (!local && linking.rules().known_callees != RuleLevel::kError) return;
  Diagnostic diagnostic =
      At(job.uses.value, "unknown-workflow",
         local ? fmt::format("there is no workflow {}", name)
               : fmt::format("nothing is known of {}, so the call cannot be checked", name),
         suggestions.For(name, interfaces));
  if (linking.rules().known_callees == RuleLevel::kError) {
    diagnostic.notes.push_back(
        "declare hand-written workflows in the matrix, below external_workflows");
  }
  linking.Report(local ? linking.rules().present_callees : linking.rules().known_callees,
                 std::move(diagnostic));
}

}  // namespace

void CheckCalls(const Linking& linking) {
  Suggestions suggestions;
  for (const Job& job : linking.workflow.jobs) {
    if (!job.is_call() || !job.uses.value->is_string()) continue;
    if (job.secrets && job.secrets.text() == "inherit") {
      Diagnostic diagnostic =
          At(job.secrets.value, "inherited-secrets",
             fmt::format("job '{}' passes all secrets to the called workflow", job.id),
             "list those that it needs");
      linking.Report(linking.rules().named_secrets, std::move(diagnostic));
    }
    const std::string_view name = InterfaceName(job.uses.text());
    const Callee* callee = linking.context.interfaces.Find(name);
    if (!callee || !callee->callable) {
      ReportUnknownCallee(linking, job, name, suggestions);
      continue;
    }
    CheckInputsOf(linking, job, *callee);
    CheckSecretsOf(linking, job, *callee);
  }
}

}  // namespace wheelwright
