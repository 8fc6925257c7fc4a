// The skipped tests of PyTorch, and the pytest plugin that skips them.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/wheels/plan/build_rules.h"

namespace wheelwright {

// A pytest plugin that deselects tests by their exact names. It reads SkipRequest().
extern const std::string_view kSkipPlugin;

// The rows for a minor version ("2.10"), a GPU and a platform, in the order of the matrix.
std::vector<const TestSkip*> SkipsFor(const std::vector<TestSkip>& skips, std::string_view torch,
                                      std::string_view target, std::string_view platform);

// The plugin's input for one test file, as JSON: `leave_out` has the names to skip, `elsewhere` the
// names of skips for other files, `report` the path for the list of names from both that the file's
// tests have.
std::string SkipRequest(const std::vector<const TestSkip*>& skips, std::string_view file,
                        std::string_view report);

// Collects which skipped names occur in the files that ran.
class SeenNames {
 public:
  // Adds the plugin's report of a file. An invalid report means that its tests are unknown.
  void Add(std::string_view file, std::string_view report);
  // Obsolete names of these rows, a line each: no test has the name, or a test in a file that the
  // row does not list has it. Ignores rows for unknown files.
  Texts Obsolete(const std::vector<const TestSkip*>& skips) const;

 private:
  struct Ran {
    std::string file;
    std::set<std::string, std::less<>> names;
  };
  std::vector<Ran> files_;
  bool complete_ = true;  // no file has unknown tests
};

}  // namespace wheelwright
