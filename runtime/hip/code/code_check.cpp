#include "runtime/hip/code/code_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/quote.h"
#include "base/text.h"

namespace wheelwright {
namespace {

constexpr std::size_t kMostNamed = 20;

bool ServesAny(const std::vector<OffloadImage>& images, const GfxTarget& wanted) {
  return std::ranges::any_of(images, [&](const OffloadImage& image) {
    return image.target && image.size > 0 && Serves(*image.target, wanted);
  });
}

bool HasCode(const OffloadBundle& bundle) {
  return std::ranges::any_of(bundle.images,
                             [](const OffloadImage& image) { return image.target.has_value(); });
}

std::string Names(const std::set<GfxTarget>& targets) {
  std::vector<std::string> names;
  for (const GfxTarget& target : targets) names.push_back(target.ToString());
  return JoinWords(names);
}

// The targets that kpack archives have code of a library for; nothing when there is no archive.
std::optional<std::set<GfxTarget>> MovedCode(const KpackReference& reference,
                                             const std::vector<WheelCode>& wheels) {
  std::optional<std::set<GfxTarget>> targets;
  for (const WheelCode& wheel : wheels) {
    for (const WheelObject& object : wheel.objects) {
      for (const OffloadBundle& bundle : object.code.bundles) {
        if (bundle.kind != BundleKind::kKpack || !MayName(reference, object.code.name)) continue;
        if (!targets) targets.emplace();
        for (const OffloadImage& image : bundle.images) {
          if (image.id == reference.name && image.target && image.size > 0)
            targets->insert(*image.target);
        }
      }
    }
  }
  return targets;
}

class Check {
 public:
  Check(const WheelCode& wheel, const std::vector<WheelCode>& all, const CodeExpectations& expected)
      : wheel_(wheel), all_(all), expected_(expected) {}

  Diagnostics Run() {
    for (const std::string& problem : wheel_.problems) Broken(problem, {});
    for (const WheelObject& object : wheel_.objects) Object(object.code);
    std::ranges::sort(kpacks_);
    if (!kpacks_.empty()) {
      Report(
          {.severity = Severity::kWarning,
           .code = "kpack-code",
           .message = fmt::format("the device code of {} is in kpack archives, which are missing",
                                  Count(kpacks_.size(), "file")),
           .notes = Some(kpacks_)});
    }
    if (expected_.targets.empty() || has_code_ || !kpacks_.empty()) return std::move(found_);
    if (wheel_.project == "torch" || wheel_.project.empty()) {
      Report({.code = "no-device-code",
              .message = "it has no device code",
              .notes = {"was it built for ROCm?"}});
    }
    return std::move(found_);
  }

 private:
  void Report(Diagnostic diagnostic) {
    diagnostic.message = fmt::format("{}: {}", wheel_.file, diagnostic.message);
    found_.Report(std::move(diagnostic));
  }

  static std::vector<std::string> Some(const std::vector<std::string>& names) {
    std::vector<std::string> some(
        names.begin(),
        names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMostNamed)));
    if (names.size() > kMostNamed) {
      some.push_back(fmt::format("and {} more", names.size() - kMostNamed));
    }
    return some;
  }

  void Broken(std::string message, std::vector<std::string> notes) {
    Report(
        {.code = "broken-device-code", .message = std::move(message), .notes = std::move(notes)});
  }

  void Object(const DeviceObject& object) {
    for (const BundleProblem& problem : object.problems) {
      const std::string message = fmt::format("{}: {}", Quoted(object.name), problem.message);
      if (problem.unknown) {
        Report({.code = "unknown-bundle",
                .message = message,
                .notes = {"a newer wheelrun may know it"}});
      } else {
        Broken(message, {});
      }
    }
    CheckEmptyImages(object);
    if (object.kpack) CheckMoved(object);
    const bool has_code = std::ranges::any_of(object.bundles, HasCode);
    has_code_ = has_code_ || has_code;
    // A file that is one code object, or a kpack archive, is for some GPUs only; other files are
    // for the others.
    const bool alone = object.bundles.size() == 1 &&
                       (object.bundles.front().kind == BundleKind::kCodeObject ||
                        object.bundles.front().kind == BundleKind::kKpack) &&
                       object.bundles.front().offset == 0;
    // A part that cannot be read may contain the missing targets.
    if (!has_code || alone || Excepted(object) || object.kpack || !object.problems.empty()) return;
    for (const GfxTarget& wanted : expected_.targets) CheckTarget(object, wanted);
  }

  // A linker that ran out of space, or a faulty strip, leaves a table without code.
  void CheckEmptyImages(const DeviceObject& object) {
    std::set<GfxTarget> empty;
    for (const OffloadBundle& bundle : object.bundles) {
      for (const OffloadImage& image : bundle.images) {
        if (image.target && image.size == 0) empty.insert(*image.target);
      }
    }
    if (empty.empty()) return;
    Broken(fmt::format("{}: its image for {} has 0 bytes", Quoted(object.name), Names(empty)), {});
  }

  bool Excepted(const DeviceObject& object) const {
    return std::ranges::any_of(expected_.except, [&](const std::string& pattern) {
      return MatchesStars(pattern, object.name);
    });
  }

  // A library whose code was moved to kpack archives, of this wheel or of another.
  void CheckMoved(const DeviceObject& object) {
    const auto targets = MovedCode(*object.kpack, all_);
    if (!targets) {
      kpacks_.push_back(
          fmt::format("{}: {}", Quoted(object.name), Printable(JoinWords(object.kpack->paths))));
      return;
    }
    has_code_ = has_code_ || !targets->empty();
    if (Excepted(object)) return;
    for (const GfxTarget& wanted : expected_.targets) {
      if (std::ranges::any_of(*targets, [&](const auto& have) { return Serves(have, wanted); })) {
        continue;
      }
      ReportLost(object, wanted,
                 targets->empty()
                     ? "its kpack archives hold nothing of it"
                     : fmt::format("its kpack archives have code for {}", Names(*targets)));
    }
  }

  void ReportLost(const DeviceObject& object, const GfxTarget& wanted, std::string note) {
    Report({.code = "lost-target",
            .message = fmt::format("{} has no code for {}", Quoted(object.name), wanted.ToString()),
            .notes = {std::move(note)}});
  }

  void CheckTarget(const DeviceObject& object, const GfxTarget& wanted) {
    const auto with_code = std::ranges::count_if(object.bundles, HasCode);
    const auto lacking = std::ranges::count_if(object.bundles, [&](const OffloadBundle& bundle) {
      return HasCode(bundle) && !ServesAny(bundle.images, wanted);
    });
    if (lacking == 0) return;
    if (lacking == with_code) {
      ReportLost(object, wanted, fmt::format("it has code for {}", Names(object.Targets())));
    } else {
      Report({.severity = Severity::kWarning,
              .code = "partly-lost-target",
              .message = fmt::format("of the {} bundles of {}, {} {} no code for {}", with_code,
                                     Quoted(object.name), lacking, lacking == 1 ? "has" : "have",
                                     wanted.ToString()),
              .notes = {"there is one bundle for each source: was it compiled for fewer GPUs "
                        "than the others on purpose?"}});
    }
  }

  const WheelCode& wheel_;
  const std::vector<WheelCode>& all_;
  const CodeExpectations& expected_;
  Diagnostics found_;
  std::vector<std::string> kpacks_;
  bool has_code_ = false;
};

}  // namespace

Diagnostics CheckWheelCode(const WheelCode& wheel, const std::vector<WheelCode>& all,
                           const CodeExpectations& expected) {
  return Check(wheel, all, expected).Run();
}

Diagnostics CheckAllWheelCode(const std::vector<WheelCode>& wheels,
                              const CodeExpectations& expected) {
  Diagnostics found;
  // CheckWheelCode() reports each of these by itself.
  const bool reported = std::ranges::any_of(wheels, [](const WheelCode& wheel) {
    return !wheel.objects.empty() || !wheel.problems.empty() || wheel.project == "torch" ||
           wheel.project.empty();
  });
  if (!reported && !expected.targets.empty()) {
    found.Report({.code = "no-device-code",
                  .message = wheels.empty() ? "there is no wheel to inspect"
                                            : "none of the wheels has device code",
                  .notes = {"were they built for ROCm?"}});
  }
  return found;
}

}  // namespace wheelwright
