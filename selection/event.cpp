#include "selection/event.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"
#include "base/text.h"

namespace wheelwright {
namespace {

constexpr std::array kInputs{
    KnownInput{"linux_amdgpu_families", InputEffect::kFamilies, "linux", RunKind::kBoth,
               "Families to build for Linux: a list of keys such as gfx94x, all, or none"},
    KnownInput{"windows_amdgpu_families", InputEffect::kFamilies, "windows", RunKind::kBoth,
               "Families to build for Windows: a list of keys such as gfx1151, all, or none"},
    KnownInput{"pytorch_amdgpu_families", InputEffect::kPytorchFamilies, "", RunKind::kCi,
               "Families that also get PyTorch wheels; all that are built when nothing is typed"},
    KnownInput{"linux_test_labels", InputEffect::kTestLabels, "linux", RunKind::kCi,
               "Components to test in full on Linux: a list such as test:rocblas, test:miopen"},
    KnownInput{"windows_test_labels", InputEffect::kTestLabels, "windows", RunKind::kCi,
               "Components to test in full on Windows"},
    KnownInput{"linux_use_prebuilt_artifacts", InputEffect::kPrebuilt, "linux", RunKind::kCi,
               "Take the artifacts for Linux from another run instead of building them"},
    KnownInput{"windows_use_prebuilt_artifacts", InputEffect::kPrebuilt, "windows", RunKind::kCi,
               "Take the artifacts for Windows from another run instead of building them"},
    KnownInput{"artifact_run_id", InputEffect::kArtifactRun, "", RunKind::kCi,
               "The id of the run whose artifacts are taken"},
    KnownInput{"additional_label_options", InputEffect::kLabels, "", RunKind::kCi,
               "Labels to go by, as if they were on a pull request"},
    KnownInput{"build_variant", InputEffect::kVariant, "", RunKind::kCi,
               "The ways to build ROCm, such as asan; release when nothing is typed"},
    KnownInput{"release_type", InputEffect::kReleaseType, "", RunKind::kRelease,
               "The kind of release, which decides where the wheels go"},
    KnownInput{"rocm_version", InputEffect::kPassedOn, "", RunKind::kRelease,
               "The ROCm packages to build with; the newest in the index when nothing is typed"},
};

bool Takes(const KnownInput& input, RunKind kind) {
  return input.runs == RunKind::kBoth || input.runs == kind;
}

}  // namespace

std::span<const KnownInput> KnownInputs() { return kInputs; }

TypedInputs::TypedInputs(const EventInputs& inputs, RunKind kind, Diagnostics& diagnostics) {
  std::vector<std::string_view> names;
  for (const KnownInput& input : kInputs) {
    if (Takes(input, kind)) names.push_back(input.name);
  }
  for (const auto& [name, text] : inputs.inputs) {
    const auto known = std::ranges::find(kInputs, name, &KnownInput::name);
    if (known == kInputs.end()) {
      const std::string hint = DidYouMean(name, names);
      diagnostics.Report(
          {.code = "unknown-input",
           .message = fmt::format("there is no input {}", Quoted(name)),
           .hint = hint.empty() ? fmt::format("the inputs are {}", fmt::join(names, ", ")) : hint});
    } else if (!Takes(*known, kind)) {
      if (Trim(text).empty()) continue;
      diagnostics.Report({.code = "unknown-input",
                          .message = kind == RunKind::kRelease
                                         ? fmt::format("a release has no input '{}'", name)
                                         : fmt::format("only a release has the input '{}'", name),
                          .notes = {"release_type makes the run a release"}});
    } else {
      values_.emplace_back(&*known, Trim(text));
    }
  }
}

std::string_view TypedInputs::Get(InputEffect effect, std::string_view platform) const {
  for (const auto& [input, text] : values_) {
    if (input->effect == effect && input->platform == platform) return text;
  }
  return {};
}

bool TypedInputs::GetFlag(InputEffect effect, std::string_view platform,
                          Diagnostics& diagnostics) const {
  const std::string_view text = Get(effect, platform);
  if (text == "true") return true;
  if (!text.empty() && text != "false") {
    diagnostics.Report({.code = "input-value",
                        .message = fmt::format("the input '{}' does not take {}",
                                               NameOf(effect, platform), Quoted(text)),
                        .hint = "it takes true and false"});
  }
  return false;
}

std::string_view TypedInputs::NameOf(InputEffect effect, std::string_view platform) {
  const auto known = std::ranges::find_if(kInputs, [&](const KnownInput& input) {
    return input.effect == effect && input.platform == platform;
  });
  return known == kInputs.end() ? std::string_view() : known->name;
}

void AddTypedInputs(std::span<const std::string> given, EventInputs& event,
                    Diagnostics& diagnostics) {
  for (const std::string& input : given) {
    const std::size_t equals = input.find('=');
    if (equals == std::string::npos || equals == 0) {
      diagnostics.Report({.code = "option-value",
                          .message = fmt::format("'--input' does not take {}", Quoted(input)),
                          .hint = "it takes NAME=VALUE"});
    } else {
      event.inputs.emplace_back(input.substr(0, equals), input.substr(equals + 1));
    }
  }
}

std::vector<std::string_view> SplitList(std::string_view typed) {
  constexpr std::string_view kBetween = ",; \t\r\n";
  constexpr std::string_view kAround = "[]\"'";
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t start = typed.find_first_not_of(kBetween);
    if (start == std::string_view::npos) return words;
    typed.remove_prefix(start);
    std::string_view word = typed.substr(0, typed.find_first_of(kBetween));
    typed.remove_prefix(word.size());
    const std::size_t first = word.find_first_not_of(kAround);
    if (first == std::string_view::npos) continue;
    word = word.substr(first, word.find_last_not_of(kAround) - first + 1);
    words.push_back(word);
  }
}

bool TypedFamilies::Holds(const FamilyRow& family) const {
  return kind == Kind::kAll || std::ranges::find(families, &family) != families.end();
}

TypedFamilies ReadFamilies(const PlanFile& plan, std::string_view typed, std::string_view input,
                           Diagnostics& diagnostics) {
  TypedFamilies result;
  const std::vector<std::string_view> words = SplitList(typed);
  for (const std::string_view word : words) {
    const bool all = EqualsIgnoringCase(word, "all");
    if (all || EqualsIgnoringCase(word, "none")) {
      result.kind = all ? TypedFamilies::Kind::kAll : TypedFamilies::Kind::kNone;
      if (words.size() > 1) {
        diagnostics.Report(
            {.code = "input-value",
             .message = fmt::format("'{}' stands beside other words in '{}'", word, input),
             .hint = "write it alone, or the families without it"});
      }
      continue;
    }
    const FamilyRow* family = plan.FindFamily(word);
    if (family != nullptr) {
      if (!result.Holds(*family)) result.families.push_back(family);
      continue;
    }
    const std::vector<std::string_view> names = plan.FamilyNames();
    diagnostics.Report(
        {.code = "unknown-family",
         .message = fmt::format("there is no family {}, typed in '{}'", Quoted(word), input),
         .hint = DidYouMean(word, names),
         .notes = {"`wheelwright plan` lists the families"}});
  }
  if (!words.empty() && result.kind == TypedFamilies::Kind::kNothing) {
    result.kind = TypedFamilies::Kind::kListed;
  }
  return result;
}

void CheckPlatform(const PlanFile& plan, std::size_t platform, const TypedFamilies& typed,
                   Diagnostics& diagnostics) {
  const std::string& name = plan.platforms[platform].name;
  for (const FamilyRow* family : typed.families) {
    if (family->on[platform]) continue;
    diagnostics.Report(
        {.code = "family-not-built",
         .message = fmt::format("'{}' is typed in '{}' and has no row for {}", family->key,
                                TypedInputs::NameOf(InputEffect::kFamilies, name), name),
         .hint = "leave it out"});
  }
}

}  // namespace wheelwright
