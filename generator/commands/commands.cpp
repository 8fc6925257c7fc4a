#include "generator/commands/commands.h"

#include <array>

#include "base/program_version.h"
#include "generator/commands/codes.h"
#include "generator/matrix/schema.h"
#include "generator/template/reference.h"

namespace wheelwright {

const Program& Wheelwright() {
  static const std::array kCommands{
      InitCommand(),
      ImportCommand(),
      GenerateCommand(),
      CheckCommand(),
      PlanCommand(),
      SelectCommand(),
      ExplainCommand(),
      LintCommand(),
      LspCommand(),
      GraphCommand(),
      SchemaCommand(),
      PinsCommand(),
      ActionsCommand(),
      FetchCommand(),
      CompletionCommand("wheelwright",
                        [](const Arguments& arguments, Environment& environment) {
                          return PrintCompletion(Wheelwright(), arguments, environment);
                        }),
      VersionCommand("wheelwright",
                     [](const Arguments&, Environment& environment) {
                       return PrintVersion(Wheelwright(), environment);
                     }),
  };
  static const Program kProgram{
      .name = "wheelwright",
      .version = OwnVersion(),
      .purpose = "Turns a matrix and templates into checked, unrolled GitHub Actions workflows.",
      .commands = kCommands,
      .topics = {{"matrix", "What may stand in the files of matrix/", ProjectReference},
                 {"schema-language", "What may stand in matrix/schema.yml",
                  [](Environment&) { return SchemaReference(); }},
                 {"templates", "What templates can say",
                  [](Environment&) { return TemplateReference(); }}},
      .say_of_word = PageOfCode,
      .statuses = {{kSuccess, "all is well"},
                   {kFound, "a check found something: files that are not current, lint findings"},
                   {kWrongInput, "the input or the command line is wrong; nothing was written"},
                   {kInternalError, "wheelwright itself failed"}},
      .reference_note =
          "`wheelwright help COMMAND` prints what stands here, `wheelwright help matrix`, "
          "`wheelwright "
          "help schema-language` and `wheelwright help templates` the other references, and "
          "`wheelwright help CODE` what a code of a message means.",
  };
  return kProgram;
}

}  // namespace wheelwright
