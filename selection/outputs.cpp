#include "selection/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.h"

namespace wheelwright {

std::string JobKey(std::string_view platform, std::string_view group) {
  return fmt::format("{}/{}", platform, group);
}

std::vector<std::pair<std::string, std::string>> JobOutputs(const Selection& selection) {
  Json selected = Json::array(), pytorch = Json::array();
  Json runners = Json::object(), test_labels = Json::object();
  for (const PlatformSelection& platform : selection.platforms) {
    for (const SelectedFamily& family : platform.in) {
      const std::string key = JobKey(platform.name, family.artifact_group);
      selected.push_back(key);
      runners[key] = family.test_runs_on;
      if (!family.build_pytorch) continue;
      // Several families may share a build: add it once.
      const std::string build = JobKey(platform.name, family.pytorch_gfx);
      if (std::ranges::find(pytorch, Json(build)) == pytorch.end()) pytorch.push_back(build);
    }
    test_labels[platform.name] = platform.test_labels;
  }
  return {{"selected", DumpJson(selected)},
          {"pytorch", DumpJson(pytorch)},
          {"runners", DumpJson(runners)},
          {"test_type", selection.test_type},
          {"test_labels", DumpJson(test_labels)}};
}

std::vector<std::pair<std::string, std::string>> JobOutputs(const ReleaseSelection& selection) {
  nlohmann::ordered_json selected = nlohmann::ordered_json::array();
  for (const ReleasePlatform& platform : selection.platforms) {
    for (const ReleaseFamily& family : platform.in) {
      for (const ReleaseCombo& combo : family.combos) {
        const std::string key = JobKey(platform.name, combo.gfx);
        if (std::ranges::find(selected, nlohmann::ordered_json(key)) == selected.end())
          selected.push_back(key);
      }
    }
  }
  return {{"selected", DumpJson(selected)}};
}

}  // namespace wheelwright
