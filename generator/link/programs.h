// Programs that describe themselves, as `wheelrun help --json` does: their commands, options and
// the outputs of a step that runs them. cli/describe.h has the form.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "generator/link/local_actions.h"
#include "generator/workflow/model.h"

namespace wheelwright {

struct ProgramDescription {
  struct Option {
    std::string name;  // without dashes
    bool takes_value = false;
    bool number = false;
    std::vector<std::string> values;  // all that may be given; empty: anything
  };
  struct Command {
    std::string name;  // "index add"
    std::vector<Option> options;
    std::vector<std::vector<std::string>> one_of;
    std::vector<std::string> outputs;
    std::size_t most_arguments = 0;

    const Option* FindOption(std::string_view option) const;
  };
  std::string name;
  std::vector<std::string> variables;  // all that it may read; * is any text; empty: not known
  std::vector<Command> commands;
};

class Programs {
 public:
  // Adds a description. False if it is malformed.
  bool Add(std::string_view json);
  bool empty() const { return programs_.empty(); }
  // By the word of a command line: "wheelrun", "./bin/wheelrun". Null if it is not known.
  const ProgramDescription* Find(std::string_view word) const;

 private:
  std::map<std::string, ProgramDescription, std::less<>> programs_;
};

// Checks all calls of known programs in a script for a shell of POSIX. Codes: unknown-command,
// unknown-option, missing-option, option-value.
void CheckProgramCalls(const Node& script, const Programs& programs, const SourceManager& sources,
                       Diagnostics& diagnostics);

// The outputs of a script that only calls known programs; nothing if it does something else too.
std::optional<std::vector<std::string>> OutputsOfScript(std::string_view script,
                                                        const Programs& programs);

// The `shell` of a step that runs a script, with defaults of its job and workflow; "" without one.
std::string_view ShellOf(const Workflow& workflow, const Job& job, const WorkflowStep& step);

// Whether a shell is one of POSIX. `shell` may be empty, which is bash but on Windows.
bool IsPosixShell(std::string_view shell);

}  // namespace wheelwright
