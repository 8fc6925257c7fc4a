// Findings that are known: a file of them silences each once, wherever in its file it has moved to.
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
  // Nothing where the text is no baseline.
  static std::optional<Baseline> Parse(std::string_view text);
  // Of all that is held.
  static std::string Write(const Diagnostics& found, const SourceManager& sources);

  // Whether the finding is known. Each that is known is taken out.
  bool Take(const Diagnostic& diagnostic, const SourceManager& sources);
  // Those that were not found again.
  std::size_t left() const;

 private:
  std::map<std::string, std::size_t, std::less<>> known_;  // how often
};

}  // namespace wheelwright
