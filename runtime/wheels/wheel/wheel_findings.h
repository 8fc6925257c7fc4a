// The findings of one wheel. Of each kind keeps the first few and the number of the others, because
// a broken wheel may have thousands.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "runtime/wheels/wheel/dist_info.h"
#include "runtime/wheels/wheel/wheel_contents.h"

namespace wheelwright {

class WheelFindings {
 public:
  explicit WheelFindings(std::string_view file) : file_(file) {}

  // Adds a finding. Without a place it is about the whole wheel.
  void Report(Diagnostic diagnostic);

  // All findings, with the wheel's name.
  Diagnostics Take();

  static SourceRange Place(const WheelText& text, TextPart part);

 private:
  static constexpr std::size_t kMostOfAKind = 20;

  struct Kind {
    std::string_view code;
    std::size_t count = 0;
    std::size_t last = 0;  // in findings_
  };

  std::string file_;
  std::vector<Diagnostic> findings_;
  std::vector<Kind> kinds_;
};

// Faults that many files of a wheel may share: reports of each the first file, and the number of
// others.
class SharedFindings {
 public:
  // "'entry' what". `key` tells faults with the same text apart.
  void Add(std::string_view code, const std::string& what, std::string_view entry,
           std::string_view key, std::string hint, Severity severity = Severity::kWarning);

  void ReportTo(WheelFindings& findings);

 private:
  struct Found {
    std::size_t count = 0;
    Diagnostic diagnostic;
  };

  std::map<std::string, Found> found_;
};

}  // namespace wheelwright
