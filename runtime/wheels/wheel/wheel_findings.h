// What is wrong with one wheel. A broken wheel is broken in thousands of places: of each kind the
// first few are told, and how many more there are.
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

  // Takes a finding in. Without a place, its message is about the wheel as a whole.
  void Report(Diagnostic diagnostic);

  // All of them, each saying which wheel it is about.
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
