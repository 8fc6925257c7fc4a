#include "runtime/wheels/release/release_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/wheels/wheel/wheel_name.h"

namespace wheelwright {
namespace {

constexpr std::array<std::string_view, 6> kVerdicts{"promote", "hold",    "success",
                                                    "failure", "skipped", "cancelled"};

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
  return text;
}

class Declaration {
 public:
  Declaration(const Plan& plan, const SetRequest& request, Diagnostics& diagnostics)
      : plan_(plan), request_(request), diagnostics_(diagnostics) {}

  std::optional<ReleaseSet> Run() {
    const PlannedSet* combos = FindCombos();
    if (combos == nullptr) return std::nullopt;
    set_.rocm = request_.rocm;
    set_.release_type = request_.release_type;
    set_.own = plan_.OwnProjects();
    set_.files = RocmOfFiles(plan_);
    set_.files.Add(request_.rocm);
    const ReleaseTypeRow* type = plan_.selection.FindReleaseType(request_.release_type);
    complete_ = type != nullptr && type->complete;
    for (const PlannedBuild& build : combos->builds) {
      if (IsAsked(build)) AddBuild(build);
    }
    if (set_.members.empty()) {
      diagnostics_.Report(
          {.code = "no-combos",
           .message = fmt::format("the set '{}' has no combo for {} in {} releases", combos->name,
                                  request_.family, request_.release_type)});
      return std::nullopt;
    }
    CheckNames();
    if (diagnostics_.errors() > 0) return std::nullopt;
    return std::move(set_);
  }

 private:
  const PlannedSet* FindCombos() {
    const std::vector<PlannedSet>& sets = plan_.selection.combos;
    if (request_.combo_set.empty() && !sets.empty()) return &sets.front();
    if (const PlannedSet* found = plan_.selection.FindSet(request_.combo_set)) return found;
    std::vector<std::string_view> known;
    for (const PlannedSet& set : sets) known.push_back(set.name);
    diagnostics_.Report(
        {.code = "unknown-combo-set",
         .message = fmt::format("no set of combos is called {}", Quoted(request_.combo_set)),
         .hint = DidYouMean(request_.combo_set, known, "there are")});
    return nullptr;
  }

  bool IsAsked(const PlannedBuild& build) const {
    if (EqualsIgnoringCase(build.gfx, request_.family)) return true;
    const FamilyRow* row = plan_.selection.FindFamily(request_.family);
    return row != nullptr && row->key == build.key;
  }

  void AddBuild(const PlannedBuild& build) {
    std::vector<const PlannedCombo*> combos;
    for (const PlannedCombo& combo : build.combos) {
      if (!HasText(ids_, combo.id)) ids_.push_back(combo.id);
      if (HasText(combo.release_types, set_.release_type)) combos.push_back(&combo);
    }
    const PlatformRow* platform = plan_.selection.FindPlatform(build.platform);
    if (combos.empty() || platform == nullptr) return;
    set_.family = build.gfx;
    if (request_.platform.empty() || request_.platform == build.platform) {
      set_.platforms.push_back(build.platform);
    }
    for (const PlannedCombo* combo : combos) AddCombo(*combo, *platform);
    for (const ReleasePackageRow& row : plan_.release_packages) AddPackage(row, build, *platform);
  }

  void AddCombo(const PlannedCombo& combo, const PlatformRow& platform) {
    const TorchRow* torch = plan_.FindTorch(combo.torch);
    const auto resolved = std::ranges::find(request_.versions, combo.id, &ComboVersions::combo);
    const auto verdict = std::ranges::find(request_.verdicts, combo.id, &ComboVerdict::combo);
    for (const std::string& package : platform.packages) {
      ReleaseMember member{
          .project = package == "triton" ? request_.triton : NormalizeProject(package),
          .platform = platform.name,
          .tag = platform.wheel_platform,
          .combo = combo.id,
          .python = ParsePythonVersion(combo.python),
          .left_out = !complete_ && verdict != request_.verdicts.end() &&
                      verdict->verdict != "promote" && verdict->verdict != "success"};
      if (torch != nullptr) member.label = RefLabelOf(*torch);
      if (package == "torch" && torch != nullptr) member.minor = torch->version;
      if (resolved != request_.versions.end()) {
        const auto& versions = resolved->versions;
        const auto found = std::ranges::find_if(
            versions, [&](const auto& pair) { return pair.first == member.project; });
        if (found != versions.end()) member.version = found->second;
      }
      if (!HasText(set_.projects, member.project)) set_.projects.push_back(member.project);
      set_.members.push_back(std::move(member));
    }
  }

  void AddPackage(const ReleasePackageRow& row, const PlannedBuild& build,
                  const PlatformRow& platform) {
    if (!row.platforms.empty() && !HasText(row.platforms, platform.name)) return;
    Texts targets{""};
    if (row.name.find("{target}") != std::string::npos) targets = TargetsOf(build);
    for (const std::string& target : targets) {
      ReleaseMember member{.project = NormalizeProject(Replaced(
                               Replaced(row.name, "{family}", build.gfx), "{target}", target)),
                           .platform = row.archive ? "" : platform.name,
                           .tag = row.archive ? "" : platform.wheel_platform,
                           .version = request_.rocm,
                           .extras = row.extras,
                           .archive = row.archive,
                           .needed = row.needed};
      const bool known = std::ranges::any_of(set_.members, [&](const ReleaseMember& other) {
        return other.project == member.project && other.platform == member.platform;
      });
      if (!known) set_.members.push_back(std::move(member));
    }
  }

  Texts TargetsOf(const PlannedBuild& build) const {
    Texts targets;
    for (const std::string& family : build.families) {
      for (std::string& target : plan_.TargetsOf(family, build.platform)) {
        if (!HasText(targets, target)) targets.push_back(std::move(target));
      }
    }
    return targets;
  }

  // A misspelt combo would silently be required, or not be compared.
  void CheckNames() {
    const std::vector<std::string_view> known(ids_.begin(), ids_.end());
    const auto check = [&](std::string_view option, const std::string& combo) {
      if (HasText(ids_, combo)) return;
      diagnostics_.Report({.code = "option-value",
                           .message = fmt::format("'--{}' names {}, which is no combo of {}",
                                                  option, Quoted(combo), set_.family),
                           .hint = DidYouMean(combo, known)});
    };
    for (const ComboVerdict& row : request_.verdicts) check("verdicts", row.combo);
    if (!request_.platform.empty()) {
      for (const ComboVersions& row : request_.versions) check("versions", row.combo);
    }
    if (set_.platforms.empty()) {
      diagnostics_.Report(
          {.code = "no-combos",
           .message = fmt::format("{} has no combo on {} in {} releases", set_.family,
                                  request_.platform, set_.release_type)});
    }
  }

  const Plan& plan_;
  const SetRequest& request_;
  Diagnostics& diagnostics_;
  ReleaseSet set_;
  Texts ids_;  // of the family's combos, for any release type
  bool complete_ = false;
};

}  // namespace

std::string ReleaseMember::Title() const {
  std::string title = project;
  if (version) title += " " + version->ToString();
  if (!version && !minor.empty()) title += " " + minor;
  if (python) title += " for Python " + python->Text();
  if (!platform.empty()) title += " on " + platform;
  return combo.empty() ? title : fmt::format("{} ({})", title, combo);
}

bool ReleaseSet::Holds(const Distribution& file) const {
  return (HasText(projects, file.project) || files.IsRocm(file)) && files.Of(file) == rocm;
}

bool ReleaseSet::Compares(std::string_view platform) const {
  return platform.empty() || HasText(platforms, platform);
}

std::optional<ReleaseSet> DeclareReleaseSet(const Plan& plan, const SetRequest& request,
                                            Diagnostics& diagnostics) {
  return Declaration(plan, request, diagnostics).Run();
}

std::optional<std::vector<ComboVersions>> ReadComboVersions(std::string_view json,
                                                            std::string_view triton,
                                                            Diagnostics& diagnostics) {
  std::vector<ComboVersions> read;
  if (json.empty()) return read;
  const auto refuse = [&](std::string message) {
    diagnostics.Report(
        {.code = "option-value",
         .message = std::move(message),
         .hint = "it takes what `wheelrun resolve` says: {\"py312_torch_210\": {\"torch\": "
                 "\"2.10.0+rocm7.12.0\"}}"});
    return std::nullopt;
  };
  const auto rows = ParseOrderedJson(json);
  if (!rows.is_object()) return refuse("'--versions' takes a JSON object");
  for (const auto& [combo, versions] : rows.items()) {
    if (!versions.is_object())
      return refuse(fmt::format("'--versions' has no object for {}", Quoted(combo)));
    ComboVersions row{.combo = combo};
    for (const auto& [project, text] : versions.items()) {
      const auto version =
          text.is_string() ? ParsePackageVersion(text.get<std::string>()) : std::nullopt;
      if (!version) {
        return refuse(fmt::format("'--versions' has no version of {} for {}", Quoted(project),
                                  Quoted(combo)));
      }
      row.versions.emplace_back(
          project == "triton" ? std::string(triton) : NormalizeProject(project), *version);
    }
    read.push_back(std::move(row));
  }
  return read;
}

std::optional<std::vector<ComboVerdict>> ReadComboVerdicts(std::string_view text,
                                                           Diagnostics& diagnostics) {
  std::vector<ComboVerdict> read;
  for (const std::string_view word : Split(text, ' ')) {
    if (Trim(word).empty()) continue;
    const std::size_t sign = word.find('=');
    const std::string_view verdict =
        sign == std::string_view::npos ? std::string_view() : Trim(word.substr(sign + 1));
    if (std::ranges::find(kVerdicts, verdict) == kVerdicts.end()) {
      diagnostics.Report({.code = "option-value",
                          .message = fmt::format("'--verdicts' does not take {}", Quoted(word)),
                          .hint = "it takes COMBO=VERDICT, with promote or hold, or the result of "
                                  "the job that promotes"});
      return std::nullopt;
    }
    read.push_back({std::string(Trim(word.substr(0, sign))), std::string(verdict)});
  }
  return read;
}

}  // namespace wheelwright
