// The findings of one wheel. Of each kind keeps the first few and the number of the others, because
// a broken wheel may have thousands.
#pragma once

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

}  // namespace wheelwright
