#include "generator/commands/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "base/text.h"
#include "generator/commands/commands.h"
#include "generator/commands/project_run.h"
#include "generator/lint/configuration.h"

namespace wheelwright {
namespace {

// That of lint's configuration, which is no file of the matrix.
constexpr std::string_view kLint = "lint";

void ListSchemas(const std::vector<FileSchema>& files, Environment& environment) {
  std::size_t widest = 0;
  for (const FileSchema& file : files) widest = std::max(widest, file.stem.size());
  for (const FileSchema& file : files) {
    environment.out << fmt::format("{:<{}}  {:<{}}  {}\n", file.stem, widest,
                                   MatrixFileName(file.stem), widest + 11, file.help);
  }
  environment.out << fmt::format("{:<{}}  {:<{}}  What a repository wants of lint\n", kLint, widest,
                                 kConfigurationPath, widest + 11);
}

// The description of the project's files and of schema.yml; outside of projects, of the built-in
// ones.
class Descriptions {
 public:
  // False: an error was reported.
  bool Read(const CommonOptions& options, Environment& environment) {
    Diagnostics none;
    const auto root =
        FindRoot(environment, options.root, options.root.empty() ? none : diagnostics);
    if (!root && !options.root.empty()) return false;
    std::optional<Schema> read = BuiltInSchema();
    if (root) {
      read = LoadSchema(environment.files, JoinPath(*root, "matrix"), sources, arena_, diagnostics);
    }
    if (read) schema = std::move(*read);
    return read.has_value();
  }

  Schema schema;
  SourceManager sources;
  Diagnostics diagnostics;

 private:
  Arena arena_;
};

int RunSchema(const Arguments& arguments, Environment& environment) {
  const CommonOptions options = TakeCommonOptions(arguments);
  Descriptions read;
  const auto refuse = [&] {
    PrintDiagnostics(read.diagnostics, read.sources, options, {}, environment);
    return kWrongInput;
  };
  if (!read.Read(options, environment)) return refuse();
  const std::string into(arguments.Get("into"));
  if (!into.empty()) {
    if (!arguments.positional.empty()) {
      read.diagnostics.Report({.code = "surplus-argument",
                               .message = "'--into' takes all schemas, and no name beside it"});
      return refuse();
    }
    const auto all = SchemaFiles(read.schema);
    for (const auto& [name, text] : all) environment.files.Write(JoinPath(into, name), text);
    environment.out << fmt::format("{}: {}\n", into, Count(all.size(), "schema"));
    return kSuccess;
  }
  std::vector<FileSchema> files = read.schema.files;
  files.push_back(SchemaLanguage());
  if (arguments.positional.empty()) {
    ListSchemas(files, environment);
    return kSuccess;
  }
  // Also for whoever completed the file's name.
  const std::string_view name = arguments.positional.front();
  std::string_view stem = name;
  if (stem.starts_with("matrix/")) stem.remove_prefix(7);
  if (stem.ends_with(".yml")) stem.remove_suffix(4);
  if (stem == kLint || name == kConfigurationPath) {
    environment.out << ConfigurationSchema();
    return kSuccess;
  }
  const auto file = std::ranges::find(files, stem, &FileSchema::stem);
  if (file != files.end()) {
    environment.out << JsonSchema(*file);
    return kSuccess;
  }
  std::vector<std::string_view> stems{kLint};
  for (const FileSchema& known : files) stems.push_back(known.stem);
  ReportUnknownName("unknown-schema", "file of the matrix", name, stems,
                    "`wheelwright schema` lists them", read.diagnostics);
  return refuse();
}

std::vector<std::string_view> Stems() {
  std::vector<std::string_view> stems{kLint, kSchemaStem};
  for (const FileSchema& file : BuiltInSchema().files) stems.push_back(file.stem);
  return stems;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> SchemaFiles(const Schema& schema) {
  std::vector<std::pair<std::string, std::string>> files;
  const auto add = [&](std::string_view stem, std::string text) {
    files.emplace_back(fmt::format("{}.schema.json", stem), std::move(text));
  };
  for (const FileSchema& file : schema.files) add(file.stem, JsonSchema(file));
  add(kSchemaStem, JsonSchema(SchemaLanguage()));
  add(kLint, ConfigurationSchema());
  return files;
}

std::string ProjectReference(Environment& environment) {
  const CommonOptions options;
  Descriptions read;
  if (!read.Read(options, environment)) {
    PrintDiagnostics(read.diagnostics, read.sources, options, {}, environment);
    return {};
  }
  return MatrixReference(read.schema);
}

Command SchemaCommand() {
  return {
      .name = "schema",
      .purpose = "Print the JSON Schema of a file of the matrix, or of lint's configuration",
      .usage = "[NAME] [--into DIR]",
      .about =
          "Without a name, lists the files that there are schemas of: those of the built-in tables "
          "of the matrix, those of the project's own matrix/schema.yml, and lint's configuration. "
          "Editors complete and check a file that names its schema in its first line: "
          "`# yaml-language-server: $schema=PATH`.",
      .options = {{.name = "into",
                   .argument = "DIR",
                   .help = "Write all of them into this folder, each as NAME.schema.json"},
                  RootOption()},
      .examples = {{"wheelwright schema", "Which files are there?"},
                   {"wheelwright schema --into matrix/schemas",
                    "All of them, after a change of matrix/schema.yml"},
                   {"wheelwright schema triggers > triggers.schema.json",
                    "For an editor, or for another validator"}},
      .most_positional = 1,
      .suggested = Stems,
      .run = RunSchema,
  };
}

}  // namespace wheelwright
