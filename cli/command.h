// A command of a program as data. Help, reference page, completion and the command line reader use
// it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/environment.h"

namespace wheelwright {

// The environment of wheelrun's commands: runtime/host/environment/host.h.
struct Host;

struct OptionSpec {
  std::string_view name;                      // "out"
  std::string_view argument;                  // "DIR"; empty: a switch
  std::string_view help;                      // no full stop
  std::vector<std::string_view> values = {};  // all that may be given; empty: anything
  bool number = false;                        // a whole number
};

struct Example {
  std::string line;       // "wheelwright generate --dry-run"
  std::string_view says;  // what it is for
};

// The arguments and options of a call, checked against the command's options.
class Arguments {
 public:
  std::vector<std::string> positional;
  std::map<std::string, std::vector<std::string>, std::less<>> options;  // switches have no values

  bool Has(std::string_view name) const { return options.find(name) != options.end(); }
  // The value that was given last, or "".
  std::string_view Get(std::string_view name) const;
  std::vector<std::string> All(std::string_view name) const;
};

struct Command {
  std::string_view name;     // one word or two: "check", "version rocm"
  std::string_view purpose;  // one line, a sentence without a full stop
  std::string_view usage;    // what stands behind the name: "[NAME]"; options are added to it
  std::string_view about;    // paragraphs that `help` prints
  std::vector<OptionSpec> options;
  std::vector<Example> examples;
  std::size_t least_positional = 0;
  std::size_t most_positional = 0;
  // What a shell suggests for arguments; the command itself checks them. None: files, if `usage`
  // says so. A function, because few calls need what may have to be read first.
  std::vector<std::string_view> (*suggested)() = nullptr;
  // Of each list one option has to be given; the command itself checks it.
  std::vector<std::vector<std::string_view>> one_of = {};
  // What a step that runs the command leaves in `outputs`.
  std::vector<std::string_view> outputs = {};
  // One of the two is set: `run_on_host` for commands of a program that gives RunProgram() a Host.
  int (*run)(const Arguments& arguments, Environment& environment) = nullptr;
  int (*run_on_host)(const Arguments& arguments, Host& host) = nullptr;
};

// `own`, then `more`.
std::vector<OptionSpec> Joined(std::vector<OptionSpec> own, std::vector<OptionSpec> more);

}  // namespace wheelwright
