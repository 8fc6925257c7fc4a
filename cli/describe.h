// A program's commands as JSON, for linters of command lines and other programs: `help --json`.
#pragma once

#include <string>

#include "cli/program.h"

namespace wheelwright {

//   {"format": 1, "program": "wheelrun", "version": "0.1.0", "variables": ["AWS_*"], "commands": [
//     {"name": "version rocm", "purpose": "...", "least_arguments": 0, "most_arguments": 0,
//      "options": [{"name": "family", "argument": "NAME", "help": "...", "values": [...]}],
//      "one_of": [["family", "target"]], "outputs": ["rocm_version"]}]}
//
// An option without `argument` is a switch; of each list of `one_of` one option has to be given;
// `outputs` are those of a step that runs the command. `variables` are all that the program and
// those that it starts may read; it may be left out.
std::string DescribeProgram(const Program& program);

}  // namespace wheelwright
