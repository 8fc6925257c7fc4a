// Summarizes the differences of two sets of workflows as jobs and settings instead of lines.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generator/yaml/node.h"

namespace wheelwright {

// A file on the disk and its new version. Null: no such file.
struct WorkflowPair {
  std::string_view name;
  const Node* before = nullptr;
  const Node* after = nullptr;
};

struct ChangeSummary {
  enum class Mark : char { kAdded = '+', kRemoved = '-', kChanged = '~' };

  // A statement about `count` jobs or files.
  struct Line {
    Mark mark = Mark::kChanged;
    std::size_t count = 0;
    bool jobs = false;  // counts jobs, else files
    std::string text;   // "release_linux.yml: 20 build, 20 test, 20 promote",
                        // "on.workflow_dispatch.inputs.host.options: + alpha"
  };
  std::vector<Line> lines;

  bool empty() const { return lines.empty(); }
};

// Added and removed jobs (by file and by the first word of their ids), changes in jobs, other
// changes of files. Merges equal statements about several jobs or files. Ignores comments and
// order.
ChangeSummary SummarizeChanges(std::span<const WorkflowPair> pairs);

// An indented line for each of the first `most` statements, and the number of the others:
//   + 60 jobs   release_linux.yml: 20 build, 20 test, 20 promote
//   ~ 11 files  on.workflow_dispatch.inputs.host.options: + alpha
std::string Render(const ChangeSummary& summary, std::size_t most, bool color);

}  // namespace wheelwright
