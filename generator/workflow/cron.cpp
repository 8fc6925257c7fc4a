#include "generator/workflow/cron.h"

#include <fmt/format.h>

#include <optional>
#include <span>
#include <vector>

#include "base/text.h"

namespace wheelwright {
namespace {

struct CronField {
  std::string_view name;
  int first;
  int last;
  std::span<const std::string_view> names;  // of first, first + 1, ...
};

constexpr std::string_view kMonths[] = {"JAN", "FEB", "MAR", "APR", "MAY", "JUN",
                                        "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
constexpr std::string_view kDays[] = {"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"};
constexpr CronField kFields[] = {{"minute", 0, 59, {}},
                                 {"hour", 0, 23, {}},
                                 {"day of the month", 1, 31, {}},
                                 {"month", 1, 12, kMonths},
                                 {"day of the week", 0, 6, kDays}};

std::optional<int> ReadValue(std::string_view text, const CronField& field) {
  for (std::size_t i = 0; i < field.names.size(); ++i) {
    if (EqualsIgnoringCase(text, field.names[i])) return field.first + static_cast<int>(i);
  }
  return ReadWholeNumber<int>(text);
}

std::string FieldProblem(std::string_view text, const CronField& field) {
  for (std::string_view part : Split(text, ',')) {
    const std::size_t slash = part.find('/');
    if (slash != std::string_view::npos) {
      const std::optional<int> step = ReadWholeNumber<int>(part.substr(slash + 1));
      if (!step || *step < 1) {
        return fmt::format("the step of the {} must be a number from 1", field.name);
      }
      part = part.substr(0, slash);
    }
    if (part == "*") continue;
    const std::size_t dash = part.find('-');
    const std::optional<int> begin = ReadValue(part.substr(0, dash), field);
    const std::optional<int> end =
        dash == std::string_view::npos ? begin : ReadValue(part.substr(dash + 1), field);
    if (!begin || !end || *begin < field.first || *end > field.last) {
      return fmt::format("the {} is '{}', and goes from {} to {}", field.name, part, field.first,
                         field.last);
    }
    if (*begin > *end)
      return fmt::format("the range '{}' of the {} is backwards", part, field.name);
  }
  return "";
}

}  // namespace

std::string CronProblem(std::string_view line) {
  if (Trim(line).starts_with('@')) return "GitHub knows no names such as @daily";
  std::vector<std::string_view> words;
  for (const std::string_view word : Split(Trim(line), ' ')) {
    if (!word.empty()) words.push_back(word);
  }
  if (words.size() != std::size(kFields)) {
    return fmt::format("it has {}, not 5 (minute, hour, day, month, day of the week)",
                       Count(words.size(), "field"));
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (std::string problem = FieldProblem(words[i], kFields[i]); !problem.empty()) return problem;
  }
  return "";
}

}  // namespace wheelwright
