// The rules for the file of a wheel: its name, tags, version and size.
#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/wheels/wheel/wheel_rules.h"

namespace wheelwright {
namespace {

std::string_view PlatformName(WheelPlatform platform) {
  return platform == WheelPlatform::kLinux ? "Linux" : "Windows";
}

void CheckTags(const WheelName& name, const WheelExpectations& expected, WheelFindings& findings) {
  if (!expected.platform || !expected.python) return;
  const bool installable = std::ranges::any_of(name.tags, [&](const WheelTag& tag) {
    return Installable(tag, *expected.python, *expected.platform);
  });
  if (installable) return;
  const std::string_view platform =
      *expected.platform == WheelPlatform::kLinux ? "linux_x86_64" : "win_amd64";
  findings.Report(
      {.code = "wheel-tag",
       .message = fmt::format("the tag {} is not for Python {} on {}", name.tag,
                              expected.python->Text(), PlatformName(*expected.platform)),
       .hint = fmt::format("expected {}-{} or one that it takes too", expected.python->Tag(),
                           platform)});
}

void CheckResolved(const WheelName& name, const WheelExpectations& expected,
                   WheelFindings& findings) {
  if (!expected.versions) return;
  const ResolvedVersion* resolved = expected.Find(name.Project());
  if (resolved == nullptr) {
    findings.Report({.code = "surplus-wheel",
                     .message = fmt::format("no version of {} was resolved", name.Project())});
    return;
  }
  if (resolved->version == name.version) return;
  findings.Report({.code = "wheel-version",
                   .message = fmt::format("{} is {}, but {} was resolved", name.Project(),
                                          name.version.ToString(), resolved->version.ToString()),
                   .where = resolved->where,
                   .hint = "resolved here"});
}

void CheckSize(const WheelContents& wheel, const std::string& project,
               const WheelExpectations& expected, WheelFindings& findings) {
  const std::uint64_t size = wheel.source->size();
  const bool large = project == "torch" || project == "torchaudio" || project == "torchvision";
  if (large && size < kLeastTorchWheel) {
    findings.Report({.code = "wheel-size",
                     .message = fmt::format("it has {} bytes, and no wheel of {} is that small",
                                            WithThousands(size), project),
                     .hint = fmt::format("expected {} or more", WithThousands(kLeastTorchWheel))});
  }
  for (const StoreLimit& limit : expected.stores) {
    if (size <= limit.bytes) continue;
    findings.Report(
        {.code = "wheel-size",
         .message = fmt::format("it has {} bytes, and {} takes {} at most", WithThousands(size),
                                limit.store, WithThousands(limit.bytes)),
         .hint = fmt::format("leave out debug information or GPUs; {}", limit.source)});
  }
  if (size > kMostOneRequest) {
    findings.Report({.severity = Severity::kWarning,
                     .code = "wheel-size",
                     .message = fmt::format("it has {} bytes", WithThousands(size)),
                     .hint = fmt::format("S3 copies at most {} in one request",
                                         WithThousands(kMostOneRequest))});
  }
}

}  // namespace

const ResolvedVersion* WheelExpectations::Find(std::string_view project) const {
  if (!versions) return nullptr;
  const auto found = std::ranges::find(*versions, project, &ResolvedVersion::project);
  return found == versions->end() ? nullptr : &*found;
}

void CheckWheelFile(const WheelContents& wheel, const WheelExpectations& expected,
                    WheelFindings& findings) {
  if (!wheel.source) {
    findings.Report({.code = "wheel-unreadable",
                     .message = fmt::format("it cannot be opened: {}", wheel.problem)});
  }
  if (!wheel.reading.name) {
    findings.Report({.code = "wheel-name",
                     .message = fmt::format("{} is no name of a wheel: {}", Quoted(wheel.file),
                                            wheel.reading.problem),
                     .hint = wheel.reading.hint});
    return;
  }
  const WheelName& name = *wheel.reading.name;
  CheckTags(name, expected, findings);
  CheckResolved(name, expected, findings);
  if (wheel.source) CheckSize(wheel, name.Project(), expected, findings);
}

}  // namespace wheelwright
