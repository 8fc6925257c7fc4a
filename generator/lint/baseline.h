// A baseline file of known findings. Each entry suppresses one finding, also when its line has
// moved.
//
//   {"version": 1, "findings": [
//     {"file": ".github/workflows/ci.yml", "code": "...", "message": "...", "line": "- run: ..."},
//     ...
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "base/source.h"

namespace wheelwright {

class Baseline {
 public:
  // Nothing if the text is no baseline.
  static std::optional<Baseline> Parse(std::string_view text);
  // The text of a baseline with all findings.
  static std::string Write(const Diagnostics& found, const SourceManager& sources);

  // Whether the finding is known; removes its entry.
  bool Take(const Diagnostic& diagnostic, const SourceManager& sources);
  // The number of entries that are left.
  std::size_t left() const;

 private:
  std::map<std::string, std::size_t, std::less<>> known_;  // how often
};

}  // namespace wheelwright
