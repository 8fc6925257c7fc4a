// Adds the touches of runs that steps start to the workflows with these steps.
#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "generator/link/rules.h"

namespace wheelwright {
namespace {

// A workflow of the set, with what is reached by runs that it starts.
struct Starter {
  const WorkflowInterface* interface = nullptr;
  std::vector<std::pair<const Starter*, CallsOf>> started;
  std::vector<Touch> touches;
};

class StartedRuns {
 public:
  StartedRuns(std::span<const FileUsage> files, const LinkContext& context) : context_(context) {
    for (const WorkflowInterface& one : context.interfaces.all()) Add(one);
    for (const FileUsage& file : files) {
      if (file.own) Add(*file.own);
    }
    for (const FileUsage& file : files) {
      const auto from = starters_.find(file.name);
      if (from == starters_.end()) continue;
      for (const Dispatch& dispatch : file.dispatches) Connect(from->second, dispatch);
    }
  }

  void Check(Diagnostics& diagnostics) {
    if (std::ranges::all_of(
            names_, [&](std::string_view name) { return starters_.at(name).started.empty(); })) {
      return;
    }
    // Touches of one workflow may depend on those of another, even in cycles, so repeat until
    // nothing is added. This ends because each touch is kept once.
    while (Grow()) {
    }
    for (const std::string_view name : names_) {
      const Starter& starter = starters_.at(name);
      CheckPaths(*starter.interface, starter.touches, *context_.domains, diagnostics);
    }
  }

 private:
  void Add(const WorkflowInterface& interface) {
    if (starters_.try_emplace(interface.name, Starter{&interface, {}, {}}).second) {
      names_.push_back(interface.name);
    }
  }

  void Connect(Starter& from, const Dispatch& dispatch) {
    for (const std::string_view name : names_) {
      const WorkflowInterface& target = *starters_.at(name).interface;
      const auto is_event = [&](const WorkflowInterface::Start& start) {
        return start.event == dispatch.event;
      };
      const bool meant = dispatch.target.empty() || name == dispatch.target ||
                         (dispatch.by_name && target.title == dispatch.target);
      if (!meant || std::ranges::none_of(target.starts, is_event)) continue;
      CallsOf calls(name, dispatch.event);
      calls.Begin(dispatch.job, dispatch.where, dispatch.when);
      for (const Dispatch::Given& given : dispatch.inputs) {
        given.value ? calls.Give(given.name, *given.value) : calls.GiveAnything(given.name);
      }
      if (!dispatch.inputs_known) {
        for (const WorkflowInterface::Input& input : target.dispatch_inputs) {
          calls.GiveAnything(input.name);
        }
      }
      from.started.emplace_back(&starters_.at(name), std::move(calls));
    }
  }

  bool Grow() {
    bool grown = false;
    for (const std::string_view name : names_) {
      Starter& starter = starters_.at(name);
      const std::size_t before = starter.touches.size();
      const WorkflowInterface& self = *starter.interface;
      for (const auto& [target, calls] : starter.started) {
        Inherit(starter, calls, *target->interface, target->interface->touches);
        Inherit(starter, calls, *target->interface, std::vector<Touch>(target->touches));
      }
      for (const CallsOf& calls : self.callees) {
        const auto callee = starters_.find(calls.callee());
        if (callee == starters_.end()) continue;
        Inherit(starter, calls, *callee->second.interface,
                std::vector<Touch>(callee->second.touches));
      }
      // An unconditional touch replaces conditional ones.
      grown |= starter.touches.size() > before;
    }
    return grown;
  }

  // Touches without a started run were reported before.
  static void Inherit(Starter& starter, const CallsOf& calls, const WorkflowInterface& callee,
                      const std::vector<Touch>& touches) {
    std::vector<Touch> found;
    calls.Inherit(starter.interface->name, callee, touches, found);
    for (Touch& touch : found) {
      if (Covers(starter.interface->touches, touch.mark, touch.when)) continue;
      if (Covers(starter.touches, touch.mark, touch.when)) continue;
      starter.touches.push_back(std::move(touch));
    }
  }

  const LinkContext& context_;
  std::unordered_map<std::string_view, Starter> starters_;
  std::vector<std::string_view> names_;  // in the order of the set
};

}  // namespace

void CheckStartedRuns(std::span<const FileUsage> files, const LinkContext& context,
                      Diagnostics& diagnostics) {
  if (context.domains == nullptr || context.domains->marks().empty()) return;
  StartedRuns(files, context).Check(diagnostics);
}

}  // namespace wheelwright
