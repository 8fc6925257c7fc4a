#include "runtime/wheels/wheel/wheel_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace wheelwright {

void WheelFindings::Report(Diagnostic diagnostic) {
  auto kind = std::ranges::find(kinds_, diagnostic.code, &Kind::code);
  if (kind == kinds_.end()) kind = kinds_.insert(kinds_.end(), {diagnostic.code});
  if (++kind->count > kMostOfAKind) return;
  kind->last = findings_.size();
  findings_.push_back(std::move(diagnostic));
}

Diagnostics WheelFindings::Take() {
  for (const Kind& kind : kinds_) {
    if (kind.count <= kMostOfAKind) continue;
    findings_[kind.last].notes.push_back(
        fmt::format("and {} of this kind", Count(kind.count - kMostOfAKind, "more", "more")));
  }
  Diagnostics all;
  all.SetInstance(file_);
  for (Diagnostic& finding : findings_) all.Report(std::move(finding));
  findings_.clear();
  kinds_.clear();
  return all;
}

SourceRange WheelFindings::Place(const WheelText& text, TextPart part) {
  if (text.file == kNoFile) return {};
  return {{text.file, static_cast<std::uint32_t>(part.offset)},
          static_cast<std::uint32_t>(part.length)};
}

}  // namespace wheelwright
