#include "selection/labels.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"
#include "base/text.h"
#include "selection/event.h"

namespace wheelwright {
namespace {

// The part behind the colon.
std::string_view NameIn(std::string_view label) {
  const std::size_t colon = label.find(':');
  return colon == std::string_view::npos ? std::string_view() : Trim(label.substr(colon + 1));
}

std::vector<std::string_view> Views(const Texts& texts) { return {texts.begin(), texts.end()}; }

void AddOnce(std::vector<std::string>& texts, std::string_view text) {
  if (std::ranges::find(texts, text) == texts.end()) texts.emplace_back(text);
}

bool IsTestLabel(std::string_view label) {
  const std::size_t colon = label.find(':');
  return colon != std::string_view::npos && EqualsIgnoringCase(label.substr(0, colon), "test");
}

// A component's name as the matrix writes it, or "" after a report.
std::string_view FindTest(const PlanFile& plan, std::string_view label, std::string_view where,
                          Diagnostics& diagnostics) {
  for (const std::string& test : plan.tests) {
    if (IsTestLabel(label) && EqualsIgnoringCase(test, NameIn(label))) return test;
  }
  const auto tests = Views(plan.tests);
  // The name alone is accepted too.
  const std::string_view meant = NameIn(label).empty() ? label : NameIn(label);
  const std::string_view near = Nearest(ToLower(meant), tests);
  diagnostics.Report(
      {.code = "unknown-label",
       .message = fmt::format("{}{} asks for no component that has tests", Quoted(label), where),
       .hint = near.empty() ? fmt::format("the components are {}", fmt::join(plan.tests, ", "))
                            : fmt::format("did you mean 'test:{}'?", near)});
  return {};
}

class LabelReader {
 public:
  LabelReader(const PlanFile& plan, Diagnostics& diagnostics)
      : plan_(plan), diagnostics_(diagnostics) {}

  LabelRequests Read(std::span<const std::string> labels) {
    struct Known {
      std::string label;
      const LabelRow* row;
    };
    std::vector<Known> known;
    for (const std::string& given : labels) {
      const std::string label = ToLower(Trim(given));
      if (label.empty()) continue;
      const auto row = std::ranges::find_if(plan_.labels, [&](const LabelRow& candidate) {
        return MatchesStars(ToLower(candidate.pattern), label);
      });
      if (row == plan_.labels.end()) {
        WarnOfNearMiss(label);
      } else if (row->effect == LabelEffect::kSkip) {
        return {.skip = label};
      } else {
        known.push_back({label, &*row});
      }
    }
    // Sorted, so that the order of labels does not change the result.
    std::ranges::sort(known, [](const Known& a, const Known& b) { return a.label < b.label; });
    for (const Known& label : known) Take(label.label, label.row->effect);
    std::ranges::sort(requests_.tests, {}, [&](const std::string& test) {
      return std::ranges::find(plan_.tests, test) - plan_.tests.begin();
    });
    return std::move(requests_);
  }

 private:
  void Take(const std::string& label, LabelEffect effect) {
    switch (effect) {
      case LabelEffect::kSkip:
        break;
      case LabelEffect::kAllFamilies:
        requests_.all_families = label;
        break;
      case LabelEffect::kFamily:
        TakeFamily(label);
        break;
      case LabelEffect::kPytorch:
        AddOnce(requests_.pytorch, label);
        break;
      case LabelEffect::kTest:
        if (const auto test = FindTest(plan_, label, "", diagnostics_); !test.empty()) {
          AddOnce(requests_.tests, test);
        }
        break;
      case LabelEffect::kTestRunner:
        TakeKernel(label);
        break;
    }
  }

  // "gfx950-linux" requests gfx950: the suffix never selected a platform.
  void TakeFamily(const std::string& label) {
    const std::string_view key = std::string_view(label).substr(0, label.find('-'));
    for (const FamilyRow& family : plan_.families) {
      if (EqualsIgnoringCase(family.key, key)) {
        requests_.families.push_back({&family, label});
        return;
      }
    }
    std::vector<std::string_view> keys;
    for (const FamilyRow& family : plan_.families) keys.push_back(family.key);
    const std::string hint = DidYouMean(key, keys);
    diagnostics_.Report(
        {.code = "unknown-label",
         .message = fmt::format("the label {} asks for no family", Quoted(label)),
         .hint = hint.empty() ? fmt::format("the families are {}", fmt::join(keys, ", ")) : hint});
  }

  void TakeKernel(const std::string& label) {
    std::vector<std::string_view> kernels;
    for (const FamilyRow& family : plan_.families) {
      for (const auto& columns : family.on) {
        if (!columns) continue;
        for (const auto& [kernel, runner] : columns->kernel_runners) {
          if (std::ranges::find(kernels, kernel) == kernels.end()) kernels.push_back(kernel);
        }
      }
    }
    const std::string_view name = NameIn(label);
    const auto kernel = std::ranges::find_if(
        kernels, [&](std::string_view known) { return EqualsIgnoringCase(known, name); });
    if (kernel == kernels.end()) {
      const std::string_view near = Nearest(name, kernels);
      diagnostics_.Report(
          {.code = "unknown-label",
           .message =
               fmt::format("the label {} asks for a kernel that no runner has", Quoted(label)),
           .hint = near.empty() ? fmt::format("the kernels are {}", fmt::join(kernels, ", "))
                                : fmt::format("did you mean 'test_runner:{}'?", near)});
      return;
    }
    if (!requests_.kernel.empty() && requests_.kernel != *kernel) {
      diagnostics_.Report(
          {.code = "conflicting-labels",
           .message = fmt::format("{} and {} ask for different runners of the tests",
                                  Quoted(requests_.kernel_label), Quoted(label)),
           .hint = "take one of them off"});
      return;
    }
    requests_.kernel = *kernel;
    requests_.kernel_label = label;
  }

  // Repositories have labels of all kinds, so this is a warning.
  void WarnOfNearMiss(const std::string& label) {
    std::vector<std::string> names;
    for (const LabelRow& row : plan_.labels) {
      // "tests:rocblas" is a near miss of "test:*".
      const std::size_t star = row.pattern.find('*');
      if (star == std::string::npos) {
        names.push_back(row.pattern);
      } else if (row.pattern.find(':') < star && label.find(':') != std::string::npos) {
        names.push_back(row.pattern.substr(0, star) + std::string(NameIn(label)));
      }
    }
    const auto views = Views(names);
    const std::string_view near = Nearest(label, views);
    // Nearest() allows a third of a word to differ, which is too much for short unrelated labels.
    constexpr std::size_t kShortestCompared = 6;
    if (near.empty() || label.size() < kShortestCompared || near.front() != label.front()) return;
    diagnostics_.Report({.severity = Severity::kWarning,
                         .code = "unknown-label",
                         .message = fmt::format("the label {} means nothing here", Quoted(label)),
                         .hint = fmt::format("did you mean {}?", Quoted(near))});
  }

  const PlanFile& plan_;
  Diagnostics& diagnostics_;
  LabelRequests requests_;
};

}  // namespace

LabelRequests ReadLabels(const PlanFile& plan, std::span<const std::string> labels,
                         Diagnostics& diagnostics) {
  Diagnostics own;
  LabelRequests requests = LabelReader(plan, own).Read(labels);
  if (requests.skip.empty()) diagnostics.Merge(std::move(own));
  return requests;
}

std::vector<std::string> ReadTestLabels(const PlanFile& plan, std::string_view typed,
                                        std::string_view input, Diagnostics& diagnostics) {
  std::vector<std::string> tests;
  for (const std::string_view word : SplitList(typed)) {
    const auto test = FindTest(plan, word, fmt::format(", typed in '{}',", input), diagnostics);
    if (!test.empty()) AddOnce(tests, test);
  }
  return tests;
}

}  // namespace wheelwright
