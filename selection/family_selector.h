// Selects the families of one platform, with the reason for each.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "selection/event.h"
#include "selection/labels.h"
#include "selection/plan_file.h"
#include "selection/select.h"

namespace wheelwright {

// The jobs that a CI workflow has.
struct WorkflowReach {
  std::string workflow;
  Texts tiers;
  Texts variants;
  bool all_pytorch = false;
  Texts pytorch;  // families that have jobs for PyTorch, unless all have
};

// The jobs that templates/workflows/ci.yml makes for an event's workflow.
WorkflowReach ReachOf(const PlanFile& plan, const TriggerRow& home, std::string_view workflow);

// The checked requests of an event.
struct FamilyRequest {
  LabelRequests labels;
  bool by_hand = false;                 // families are those that were typed
  std::vector<TypedFamilies> families;  // by platform
  std::vector<bool> prebuilt;           // by platform
  TypedFamilies pytorch;
  Texts variants;
  bool variants_asked = false;  // by an input or the workflow, not by the trigger's row
  std::string repository;
  WorkflowReach reach;
};

// Fills `in` and `out` for the platform at that index. If `closed` is set, nothing is built at all
// for that reason, and every family is out.
void SelectFamilies(const PlanFile& plan, const TriggerRow& trigger, const FamilyRequest& request,
                    std::size_t platform, const std::optional<std::string>& closed,
                    PlatformSelection& selection);

}  // namespace wheelwright
