#include "cli/describe.h"

#include <nlohmann/json.hpp>

#include "base/json.h"

namespace wheelwright {

std::string DescribeProgram(const Program& program) {
  Json commands = Json::array();
  for (const Command& command : program.commands) {
    Json options = Json::array();
    for (const OptionSpec& option : AllOptions(command)) {
      Json one{{"name", option.name}};
      if (!option.argument.empty()) one["argument"] = option.argument;
      one["help"] = option.help;
      if (!option.values.empty()) one["values"] = option.values;
      if (option.number) one["number"] = true;
      options.push_back(std::move(one));
    }
    Json one{{"name", command.name},
             {"purpose", command.purpose},
             {"least_arguments", command.least_positional},
             {"most_arguments", command.most_positional},
             {"options", std::move(options)}};
    if (!command.one_of.empty()) one["one_of"] = command.one_of;
    if (!command.outputs.empty()) one["outputs"] = command.outputs;
    commands.push_back(std::move(one));
  }
  Json all{{"format", 1}, {"program", program.name}, {"version", program.version}};
  if (!program.variables.empty()) all["variables"] = program.variables;
  all["commands"] = std::move(commands);
  return DumpJson(all, 1) + "\n";
}

}  // namespace wheelwright
