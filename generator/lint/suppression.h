// Comments that suppress findings:
//
//   # wheelwright: ignore[unpinned-action] our own action, released with this repository
//
// A comment applies to its line and all lines indented below it; on a line of its own, to the next
// line that is no comment. A reason is required. In a script it may be a comment of the script.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"

namespace wheelwright {

class Suppressions {
 public:
  // Finds the comments of a file; reports malformed ones and those without a reason. Generated
  // files may not have any.
  void Read(const SourceManager& sources, FileId file, bool generated, Diagnostics& diagnostics);

  // Whether one of them suppresses the finding; marks it as used.
  bool Answers(const Diagnostic& diagnostic, const SourceManager& sources);

  // Reports unused ones.
  void ReportUnused(Diagnostics& diagnostics) const;

 private:
  struct One {
    std::string_view rule;
    SourceRange where;
    std::size_t first_line = 0;
    std::size_t last_line = 0;
    bool used = false;
  };
  std::vector<One> all_;
};

}  // namespace wheelwright
