#include "runtime/wheels/wheel/wheel_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/quote.h"
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

void SharedFindings::Add(std::string_view code, const std::string& what, std::string_view entry,
                         std::string_view key, std::string hint, Severity severity) {
  Found& found = found_[fmt::format("{} {} {}", code, what, key)];
  if (found.count++ > 0) return;
  found.diagnostic = {.severity = severity,
                      .code = code,
                      .message = fmt::format("{} {}", Quoted(entry), what),
                      .hint = std::move(hint)};
}

void SharedFindings::ReportTo(WheelFindings& findings) {
  for (auto& [key, found] : found_) {
    if (found.count > 1) {
      found.diagnostic.notes.push_back(
          fmt::format("and {} too", Count(found.count - 1, "other file")));
    }
    findings.Report(std::move(found.diagnostic));
  }
}

}  // namespace wheelwright
