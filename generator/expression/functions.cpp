#include "generator/expression/functions.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "generator/expression/builtins.h"

namespace wheelwright {
namespace {

using enum TypeKind;

constexpr TypeSet kNotSearchable{kBoolean, kNumber, kObject};
constexpr ArgumentRule kTextArgument{kCollectionTypes, "a text"};
// For arguments where a number would lose digits: 3.10.
constexpr ArgumentRule kTextAlone{{kNull, kBoolean, kNumber, kObject, kList}, "a text"};
constexpr ArgumentRule kSomeText{{kNull, kObject, kList}, "a text"};

constexpr Function StatusCheck(std::string_view name, std::size_t max_arguments,
                               std::string_view usage, std::string_view help) {
  return {name, 0, max_arguments, usage, help, kBoolean, {}, {}, Availability::kInConditions};
}

constexpr std::array kGithub = {
    Function{"contains",
             2,
             2,
             "contains(search, item)",
             "whether a text contains another, or a list an item; ignores case",
             kBoolean,
             {kNotSearchable, "a text or a list"},
             {kCollectionTypes, "a text to look for"}},
    Function{"startsWith", 2, 2, "startsWith(text, start)",
             "whether a text starts with another; ignores case", kBoolean, kTextArgument,
             kTextArgument},
    Function{"endsWith", 2, 2, "endsWith(text, end)",
             "whether a text ends with another; ignores case", kBoolean, kTextArgument,
             kTextArgument},
    Function{"format",
             1,
             kAnyNumber,
             "format(text, value, ...)",
             "the text with {0}, {1} and so on replaced by the values",
             kText,
             kTextArgument,
             {kCollectionTypes, "a value with a text"}},
    Function{"join",
             1,
             2,
             "join(list, separator)",
             "the items of a list as one text; the separator is ',' if none is given",
             kText,
             {kNotSearchable, "a list"}},
    Function{"toJSON", 1, 1, "toJSON(value)", "the value as JSON text", kText},
    // GitHub converts numbers and booleans to text first, which is valid JSON.
    Function{"fromJSON", 1, 1, "fromJSON(text)", "the value that a JSON text stands for", kAny,
             kTextArgument},
    Function{"case", 3, kAnyNumber, "case(condition, value, ..., otherwise)",
             "the value behind the first condition that is true"},
    Function{"hashFiles",
             1,
             kAnyNumber,
             "hashFiles(pattern, ...)",
             "one SHA-256 over the files that match",
             kText,
             {{kNull, kBoolean, kNumber, kObject, kList}, "a text"},
             {},
             Availability::kWithFiles},
    StatusCheck("success", kAnyNumber, "success()", "whether all that came before succeeded"),
    StatusCheck("failure", kAnyNumber, "failure()", "whether something that came before failed"),
    StatusCheck("cancelled", 0, "cancelled()", "whether the run was cancelled"),
    StatusCheck("always", 0, "always()", "true, even if the run was cancelled"),
};

struct Implemented {
  Function function;
  Builtin builtin;  // null: implemented by Evaluate()
};

// The first ones have the same order as in kGithub.
constexpr std::array kImplemented = {
    Implemented{kGithub[0], Contains},
    Implemented{kGithub[1], StartsWith},
    Implemented{kGithub[2], EndsWith},
    Implemented{kGithub[3], FormatText},
    Implemented{kGithub[4], Join},
    Implemented{kGithub[5], ToJsonText},
    Implemented{kGithub[6], FromJsonText},
    Implemented{kGithub[7], nullptr},
    Implemented{{"slug", 1, 1, "slug(text)",
                 "lower case, with one '-' for each run of characters other than a-z and 0-9",
                 kText, kSomeText},
                Slug},
    Implemented{{"job_id", 1, 1, "job_id(text)",
                 "a job's id made of a text: dots go, other illegal characters become '_'", kText,
                 kSomeText},
                JobId},
    Implemented{{"length",
                 1,
                 1,
                 "length(value)",
                 "how many items a list or characters a text has",
                 kNumber,
                 {{kNull, kBoolean, kNumber, kObject}, "a list or a text"}},
                Length},
    Implemented{{"keys",
                 1,
                 1,
                 "keys(mapping)",
                 "the keys of a mapping, as a list",
                 kList,
                 {{kNull, kBoolean, kNumber, kText, kList}, "a mapping"}},
                Keys},
    Implemented{{"unique",
                 1,
                 1,
                 "unique(list)",
                 "the list without repeated items",
                 kList,
                 {{kNull, kBoolean, kNumber, kText, kObject}, "a list"}},
                Unique},
    Implemented{{"first_fit",
                 2,
                 kAnyNumber,
                 "first_fit(rows, column, name, value, ...)",
                 "that column of the first row whose `when` fits: its columns of these names are "
                 "null, the value, a pattern of it, or a list with one; null when none fits",
                 kAny,
                 {kScalarTypes, "a list of rows"}},
                FirstFit},
    Implemented{{"where",
                 3,
                 kAnyNumber,
                 "where(rows, column, value, ...)",
                 "the rows of a list or mapping that have these values in these columns",
                 kAny,
                 {kScalarTypes, "a list of rows"}},
                Where},
    Implemented{{"find",
                 3,
                 kAnyNumber,
                 "find(rows, column, value, ...)",
                 "the first row that has these values in these columns; null when there is none",
                 kAny,
                 {kScalarTypes, "a list of rows"}},
                FindRow},
    Implemented{{"index_of",
                 2,
                 2,
                 "index_of(list, item)",
                 "where the item first stands in the list, counted from 0, or -1; ignores case",
                 kNumber,
                 {kScalarTypes, "a list"},
                 {kCollectionTypes, "a text to look for"}},
                IndexOf},
    Implemented{
        {"list", 1, 1, "list(value)", "a list as it is; another value as a list of one", kList},
        AsList},
    Implemented{{"first_match",
                 2,
                 2,
                 "first_match(patterns, text)",
                 "the first of the patterns that fits the text, or null; `*` stands for any text; "
                 "ignores case",
                 kText,
                 {kScalarTypes, "a list of patterns"},
                 {kCollectionTypes, "a text"}},
                FirstMatch},
    Implemented{{"lower", 1, 1, "lower(text)", "the text in lower case", kText, kTextAlone}, Lower},
    Implemented{{"upper", 1, 1, "upper(text)", "the text in upper case", kText, kTextAlone}, Upper},
    Implemented{{"replace", 3, 3, "replace(text, from, to)",
                 "the text with every `from` replaced; minds case", kText, kTextAlone, kTextAlone},
                Replace},
    Implemented{{"split", 2, 2, "split(text, separator)", "the parts of a text, as a list", kList,
                 kTextAlone, kTextAlone},
                SplitText},
};

constexpr auto kTemplate = [] {
  std::array<Function, kImplemented.size()> functions{};
  for (std::size_t i = 0; i < functions.size(); ++i) functions[i] = kImplemented[i].function;
  return functions;
}();

}  // namespace

std::span<const Function> GithubFunctions() { return kGithub; }

std::span<const Function> TemplateFunctions() { return kTemplate; }

const Function* FindFunction(std::span<const Function> functions, std::string_view name) {
  const auto found = std::find_if(
      functions.begin(), functions.end(),
      [&](const Function& function) { return EqualsIgnoringCase(function.name, name); });
  return found == functions.end() ? nullptr : &*found;
}

const Node* CallBuiltin(const Function& function, Call& call) {
  return kImplemented[static_cast<std::size_t>(&function - kTemplate.data())].builtin(call);
}

}  // namespace wheelwright
