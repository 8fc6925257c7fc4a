// Shared code of the syntax checks.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/text.h"
#include "generator/workflow/model.h"
#include "generator/workflow/report.h"
#include "generator/workflow/syntax.h"

namespace wheelwright {

// Whether a value is of one of the kinds.
bool Fits(const Node& value, Kinds kinds);

class SyntaxReporter {
 public:
  explicit SyntaxReporter(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void Report(const Node* at, std::string_view code, std::string message, std::string hint = {}) {
    diagnostics_.Report(At(at, code, std::move(message), std::move(hint)));
  }
  void Report(Diagnostic diagnostic) { diagnostics_.Report(std::move(diagnostic)); }

  // Reports two names that GitHub considers equal.
  void ReportDuplicate(std::string_view what, const Node* second, const Node* first);
  template <typename Named>
  void CheckDuplicateNames(std::string_view what, const std::vector<Named>& all) {
    for (std::size_t i = 1; i < all.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (EqualsIgnoringCase(all[i].name, all[j].name)) {
          ReportDuplicate(what, all[i].key, all[j].key);
          break;
        }
      }
    }
  }

  // Checks keys and kinds of a mapping and of all below it. `owner` is the place of missing keys;
  // null: the mapping.
  void CheckMapping(const Node& mapping, const Node* owner, const SyntaxLevel& level);

 private:
  void ReportUnknownKey(const Node* key, const SyntaxLevel& level);
  void CheckValue(const Node* key, const Node& value, const SyntaxKey& rule,
                  const SyntaxLevel& level);

  Diagnostics& diagnostics_;
};

// Checks `on`: events with filters; inputs, secrets and outputs of workflow_call and
// workflow_dispatch.
void CheckTriggers(const Workflow& workflow, Diagnostics& diagnostics);

}  // namespace wheelwright
