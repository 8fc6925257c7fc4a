#include "base/json.h"
#include "selection/report.h"

namespace wheelwright {
namespace {

Json OneCombo(const PlannedCombo& combo) {
  return {
      {"id", combo.id}, {"python", combo.python}, {"torch", combo.torch}, {"tests", combo.tests}};
}

Json OneFamily(const SelectedFamily& family) {
  Json combos = Json::array();
  for (const PlannedCombo& combo : family.pytorch_combos) combos.push_back(OneCombo(combo));
  return {{"key", family.key},
          {"tier", family.tier},
          {"family", family.family},
          {"variant", family.variant.name},
          {"variant_label", family.variant.label},
          {"variant_suffix", family.variant.suffix},
          {"cmake_preset", family.variant.cmake_preset},
          {"artifact_group", family.artifact_group},
          {"targets", family.targets},
          {"fetch_targets", family.fetch_targets},
          {"build_runs_on", family.build_runs_on},
          {"use_prebuilt_artifacts", family.use_prebuilt_artifacts},
          {"test_runs_on", family.test_runs_on},
          {"multi_gpu_runs_on", family.multi_gpu_runs_on},
          {"benchmark_runs_on", family.benchmark_runs_on},
          {"sanity_check_only", family.sanity_check_only},
          {"expect_failure", family.expect_failure},
          {"why", family.why},
          {"test_why", family.test_why},
          {"build_pytorch", family.build_pytorch},
          {"pytorch_gfx", family.pytorch_gfx},
          {"pytorch_combos", std::move(combos)},
          {"pytorch_why", family.pytorch_why},
          {"pytorch_issue", family.pytorch_issue}};
}

Json OneFamily(const ReleaseFamily& family) {
  Json combos = Json::array();
  for (const ReleaseCombo& combo : family.combos) {
    Json row = OneCombo(combo.combo);
    row["gfx"] = combo.gfx;
    row["promotes"] = NameOf(combo.promotes);
    combos.push_back(std::move(row));
  }
  Json out = Json::array();
  for (const ReleaseOut& row : family.out) {
    out.push_back({{"combos", row.combos.empty() ? Json("all") : Json(row.combos)},
                   {"why", row.why},
                   {"issue", row.issue}});
  }
  return {{"key", family.key},
          {"tier", family.tier},
          {"family", family.family},
          {"targets", family.targets},
          {"build_runs_on", family.build_runs_on},
          {"test_runs_on", family.test_runs_on},
          {"bypass_tests_for_releases", family.bypass_tests_for_releases},
          {"sanity_check_only", family.sanity_check_only},
          {"why", family.why},
          {"combos", std::move(combos)},
          {"out", std::move(out)}};
}

}  // namespace

Json SelectionAsJson(const Selection& selection) {
  Json json{{"event", selection.event},
            {"workflows", selection.workflows},
            {"build", selection.build},
            {"build_why", selection.build_why},
            {"test_type", selection.test_type},
            {"test_type_why", selection.test_type_why},
            {"artifact_run_id", selection.artifact_run_id},
            {"platforms", Json::object()}};
  for (const PlatformSelection& platform : selection.platforms) {
    Json in = Json::array(), out = Json::array();
    for (const SelectedFamily& family : platform.in) in.push_back(OneFamily(family));
    for (const LeftOutFamily& family : platform.out) {
      out.push_back({{"key", family.key},
                     {"tier", family.tier},
                     {"family", family.family},
                     {"why", family.why}});
    }
    json["platforms"][platform.name] = {
        {"in", std::move(in)}, {"out", std::move(out)}, {"test_labels", platform.test_labels}};
  }
  return json;
}

Json SelectionAsJson(const ReleaseSelection& selection) {
  Json json{{"event", selection.event},
            {"release_type", selection.release_type},
            {"domain", selection.domain},
            {"why", selection.why},
            {"platforms", Json::object()}};
  for (const ReleasePlatform& platform : selection.platforms) {
    Json in = Json::array(), out = Json::array();
    for (const ReleaseFamily& family : platform.in) in.push_back(OneFamily(family));
    for (const auto& family : platform.out) {
      out.push_back({{"key", family.key}, {"why", family.why}});
    }
    json["platforms"][platform.name] = {{"in", std::move(in)}, {"out", std::move(out)}};
  }
  return json;
}

}  // namespace wheelwright
