// Findings that a comment in the file answers:
//
//   # wheelwright: ignore[unpinned-action] our own action, released with this repository
//
// It is about its line and all that is indented below; on a line of its own, about the next line
// that is no comment. A reason has to be given. In a script it may stand as the script's comment.
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
  // Finds all in the file, and reports those that are malformed or have no reason. A generated file
  // takes none.
  void Read(const SourceManager& sources, FileId file, bool generated, Diagnostics& diagnostics);

  // Whether one of them answers the finding, which it is then used for.
  bool Answers(const Diagnostic& diagnostic, const SourceManager& sources);

  // Reports those that answered nothing.
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
