// Which of PyTorch's tests are skipped, and how pytest gets the list.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/wheels/plan/build_rules.h"

namespace wheelwright {

// A plugin of pytest that leaves tests out by their exact names: LeaveOutRequest() is what it
// reads.
extern const std::string_view kLeaveOutPlugin;

// The rows that hold for a minor version ("2.10"), a GPU and a platform, in the order of the
// matrix.
std::vector<const TestSkip*> SkipsFor(const std::vector<TestSkip>& skips, std::string_view torch,
                                      std::string_view target, std::string_view platform);

// What these rows leave out of one file of tests, as JSON: `leave_out` are names for this file,
// `elsewhere` names for others, `report` is where the plugin writes which of both the file's tests
// bear.
std::string LeaveOutRequest(const std::vector<const TestSkip*>& skips, std::string_view file,
                            std::string_view report);

// Which names were met with in the files that ran.
class BorneNames {
 public:
  // What the plugin reported of a file. What is no such report says that nobody knows its tests.
  void Add(std::string_view file, std::string_view report);
  // What of these rows can go, a line for each name: no test that ran is called so, or one is in a
  // file that its row does not name. Rows for files of which nothing is known are not looked at.
  Texts Unborne(const std::vector<const TestSkip*>& skips) const;

 private:
  struct Ran {
    std::string file;
    std::set<std::string, std::less<>> names;
  };
  std::vector<Ran> files_;
  bool complete_ = true;  // no file is unknown
};

}  // namespace wheelwright
