// What differs between two sets of workflows, in a workflow's own terms: jobs and settings, not
// lines.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generator/yaml/node.h"

namespace wheelwright {

// One file on the disk and as it should be. Null: there is no such file.
struct WorkflowPair {
  std::string_view name;
  const Node* before = nullptr;
  const Node* after = nullptr;
};

struct ChangeSummary {
  enum class Mark : char { kAdded = '+', kRemoved = '-', kChanged = '~' };

  // One statement, true of `count` jobs or files.
  struct Line {
    Mark mark = Mark::kChanged;
    std::size_t count = 0;
    bool jobs = false;  // counts jobs, else files
    std::string text;   // "release_linux.yml: 20 build, 20 test, 20 promote",
                        // "on.workflow_dispatch.inputs.amdgpu_family.options: + gfx125X-dcgpu"
  };
  std::vector<Line> lines;

  bool empty() const { return lines.empty(); }
};

// Added jobs, removed jobs (both by file, and by the first word of their ids), changes inside jobs,
// other changes of files. Statements that hold for several jobs or files are made once. Comments
// and order do not count.
ChangeSummary SummarizeChanges(std::span<const WorkflowPair> pairs);

// One indented line a statement, the first `most` of them and how many more there are:
//   + 60 jobs   release_linux.yml: 20 build, 20 test, 20 promote
//   ~ 11 files  on.workflow_dispatch.inputs.amdgpu_family.options: + gfx125X-dcgpu
std::string Render(const ChangeSummary& summary, std::size_t most, bool color);

}  // namespace wheelwright
