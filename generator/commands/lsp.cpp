#include "generator/commands/commands.h"
#include "generator/lsp/server.h"

namespace wheelwright {

Command LspCommand() {
  return {
      .name = "lsp",
      .purpose = "Serve an editor: findings, texts, definitions and completions",
      .usage = "",
      .about =
          "Speaks the language server protocol over the standard streams until the editor ends it. "
          "Workflows and actions are checked as `wheelwright lint` does, with the texts that are "
          "open; templates and tables of a project as `wheelwright generate` does. "
          "docs/editors.md tells how editors start it.",
      .options = {{.name = "stdio",
                   .argument = {},
                   .help = "Use the standard streams, which it does anyway; some editors ask so"}},
      .examples = {{"wheelwright lsp < /dev/null", "Ends at once, as no editor is there"},
                   {"wheelwright lsp --stdio < /dev/null", "What some editors call"}},
      .run =
          [](const Arguments& /*arguments*/, Environment& environment) {
            return ServeEditor(environment.files, environment.in, environment.out);
          },
  };
}

}  // namespace wheelwright
