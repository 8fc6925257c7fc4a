#include "generator/matrix/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <vector>

#include "generator/commands/commands.h"
#include "generator/commands/project_run.h"
#include "generator/lint/configuration.h"

namespace wheelwright {
namespace {

// That of lint's configuration, which is no file of the matrix.
constexpr std::string_view kLint = "lint";

void ListSchemas(Environment& environment) {
  std::size_t widest = 0;
  for (const FileSchema& file : MatrixFiles()) widest = std::max(widest, file.stem.size());
  for (const FileSchema& file : MatrixFiles()) {
    environment.out << fmt::format("{:<{}}  {:<{}}  {}\n", file.stem, widest,
                                   MatrixFileName(file.stem), widest + 11, file.help);
  }
  environment.out << fmt::format("{:<{}}  {:<{}}  What a repository wants of lint\n", kLint, widest,
                                 kConfigurationPath, widest + 11);
}

int PrintSchema(std::string_view name, const CommonOptions& options, Environment& environment) {
  // Also for whoever completed the file's name.
  std::string_view stem = name;
  if (stem.starts_with("matrix/")) stem.remove_prefix(7);
  if (stem.ends_with(".yml")) stem.remove_suffix(4);
  if (stem == kLint || name == kConfigurationPath) {
    environment.out << ConfigurationSchema();
    return kFine;
  }
  if (const FileSchema* file = FindMatrixFile(stem)) {
    environment.out << JsonSchema(*file);
    return kFine;
  }
  std::vector<std::string_view> stems{kLint};
  for (const FileSchema& file : MatrixFiles()) stems.push_back(file.stem);
  Diagnostics diagnostics;
  ReportUnknownName("unknown-schema", "file of the matrix", name, stems,
                    "`wheelwright schema` lists them", diagnostics);
  PrintDiagnostics(diagnostics, SourceManager(), options, {}, environment);
  return kWrongInput;
}

}  // namespace

Command SchemaCommand() {
  std::vector<std::string_view> stems{kLint};
  for (const FileSchema& file : MatrixFiles()) stems.push_back(file.stem);
  return {
      .name = "schema",
      .purpose = "Print the JSON Schema of a file of the matrix, or of lint's configuration",
      .usage = "[NAME]",
      .about =
          "Without a name, lists the files that there are schemas of. Editors complete and check "
          "a file that names its schema in its first line: `# yaml-language-server: "
          "$schema=PATH`.",
      .options = {},
      .examples = {{"wheelwright schema", "Which files are there?"},
                   {"wheelwright schema families > families.schema.json",
                    "For an editor, or for another validator"}},
      .most_positional = 1,
      .suggested = stems,
      .run =
          [](const Arguments& arguments, Environment& environment) {
            if (!arguments.positional.empty()) {
              return PrintSchema(arguments.positional.front(), TakeCommonOptions(arguments),
                                 environment);
            }
            ListSchemas(environment);
            return kFine;
          },
  };
}

}  // namespace wheelwright
