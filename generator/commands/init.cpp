// Writes a project to begin with.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <ostream>

#include "base/memory_files.h"
#include "base/platform/files.h"
#include "base/program_version.h"
#include "base/text.h"
#include "generator/commands/beginnings.h"
#include "generator/commands/commands.h"
#include "generator/commands/new_files.h"
#include "generator/commands/project_run.h"
#include "generator/commands/schema.h"

namespace wheelwright {
namespace {

constexpr std::string_view kSchemaLine = "# yaml-language-server: $schema=";
constexpr std::string_view kWorkflows = ".github/workflows";
constexpr std::string_view kSchemas = "matrix/schemas";

// Files that a repository has before it has a matrix: what is to be in them is shown instead.
bool IsShared(std::string_view path) {
  return path == ".pre-commit-config.yaml" || path == ".gitattributes";
}

// The text with other content from `start` to the end of that line.
std::string WithLine(std::string text, std::string_view start, std::string_view line) {
  const std::size_t at = text.find(start);
  if (at == std::string::npos) return text;
  return text.replace(at, text.find('\n', at) - at, line);
}

// What a file says once it stands in a project of its own: its schema is there, workflows go where
// GitHub reads them, and hooks are of this program.
std::string AsOwn(const BeginningFile& file) {
  std::string text(file.text);
  const bool of_matrix = file.path.starts_with("matrix/") && file.path.ends_with(".yml");
  const std::size_t line = text.find(kSchemaLine);
  if (of_matrix) {
    std::string_view stem = file.path.substr(7);
    stem.remove_suffix(4);
    const std::string named = fmt::format("{}schemas/{}.schema.json", kSchemaLine, stem);
    text = line == 0 ? WithLine(std::move(text), kSchemaLine, named)
                     : fmt::format("{}\n#\n{}", named, text);
    if (stem == "settings") {
      text = WithLine(std::move(text), "  output: ", fmt::format("  output: {}", kWorkflows));
    }
  } else if (line == 0) {  // .github/wheelwright.yml
    text = WithLine(std::move(text), kSchemaLine,
                    fmt::format("{}../{}/lint.schema.json", kSchemaLine, kSchemas));
  }
  return WithLine(std::move(text), "    rev: v", fmt::format("    rev: v{}", OwnVersion()));
}

class Init {
 public:
  Init(Environment& environment, std::string folder)
      : environment_(environment), disk_(environment.files), folder_(std::move(folder)) {}

  int Run(const Arguments& arguments) {
    const Beginning& beginning = Find(arguments.Get("from"));
    if (Collect(beginning) && Write()) {
      Tell(beginning);
      return kSuccess;
    }
    PrintDiagnostics(diagnostics_, sources_, TakeCommonOptions(arguments), "nothing was written",
                     environment_);
    return kWrongInput;
  }

 private:
  // The reader of the command line knows the names.
  static const Beginning& Find(std::string_view name) {
    const auto found = std::ranges::find(Beginnings(), name, &Beginning::name);
    return found == Beginnings().end() ? Beginnings().front() : *found;
  }

  std::string PathOf(std::string_view name) const { return JoinPath(folder_, name); }

  bool Collect(const Beginning& beginning) {
    for (const BeginningFile& file : beginning.files) {
      const std::string path(file.path);
      if (IsShared(path) && disk_.Read(PathOf(path))) {
        shared_.emplace(path, AsOwn(file));
      } else {
        files_.Write(path, AsOwn(file));
      }
    }
    Arena arena;
    const auto schema = LoadSchema(files_, "matrix", sources_, arena, diagnostics_);
    if (!schema) return false;
    for (const auto& [name, text] : SchemaFiles(*schema)) {
      files_.Write(fmt::format("{}/{}", kSchemas, name), text);
    }
    return true;
  }

  bool Write() {
    std::map<std::string, std::string> files;
    for (const auto& [path, text] : files_.texts) files.emplace(PathOf(path), text);
    return WriteNewFiles(disk_, files, {}, diagnostics_);
  }

  // The nearest folder upwards with a repository, as a path from the project; empty: none, or the
  // project itself.
  std::string TopAbove() {
    std::string way;
    for (std::filesystem::path above =
             (SystemPath(environment_.folder) / SystemPath(folder_)).lexically_normal();
         above.has_relative_path(); above = above.parent_path(), way += "../") {
      if (!above.has_filename()) above = above.parent_path();
      const std::vector<std::string> folders = disk_.ListFolders(PathText(above));
      const bool is_top = std::ranges::find(folders, ".git") != folders.end() ||
                          disk_.Read(PathText(above / ".git")).has_value();
      if (is_top) return way;
    }
    return {};
  }

  void Tell(const Beginning& beginning) {
    std::ostream& out = environment_.out;
    const bool here = folder_ == ".";
    out << fmt::format("{}/: {} ({})\n\n", folder_, beginning.says,
                       Count(files_.texts.size(), "file"));
    const std::string go = here ? "" : fmt::format("cd {} && ", folder_);
    const std::size_t width = go.size() + std::string_view("wheelwright generate").size();
    const auto next = [&](std::string_view command, std::string_view says) {
      out << fmt::format("  {:<{}}   {}\n", fmt::format("{}{}", go, command), width, says);
    };
    next("wheelwright generate", fmt::format("writes {}/", kWorkflows));
    next("wheelwright plan", "what is built, what is not, and why");
    next("wheelwright check", "whether the files are current, and what a change would do");
    for (const auto& [path, text] : shared_) {
      out << fmt::format("\n{} is there already. What it should have:\n\n{}", PathOf(path), text);
    }
    const std::string top = TopAbove();
    if (!top.empty()) {
      out << fmt::format(
          "\nThe repository begins at {}, and GitHub reads {} there: begin at its top, or set "
          "`output` in {} to {}{}.\n",
          JoinPath(folder_, top), kWorkflows, PathOf("matrix/settings.yml"), top, kWorkflows);
    }
  }

  Environment& environment_;
  FileSystem& disk_;
  const std::string folder_;
  MemoryFiles files_;                          // that are not written yet
  std::map<std::string, std::string> shared_;  // that are there, with what belongs into them
  SourceManager sources_;
  Diagnostics diagnostics_;
};

int RunInit(const Arguments& arguments, Environment& environment) {
  std::string folder = arguments.positional.empty() ? "." : arguments.positional.front();
  folder = JoinPath(folder, "");
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  return Init(environment, std::move(folder)).Run(arguments);
}

}  // namespace

Command InitCommand() {
  std::vector<std::string_view> names;
  for (const Beginning& beginning : Beginnings()) names.push_back(beginning.name);
  return {
      .name = "init",
      .purpose = "Write a project to begin with",
      .usage = "[FOLDER] [--from NAME]",
      .about =
          "Writes a matrix, templates, and the JSON Schemas of the matrix's files for editors into "
          "FOLDER, which should be the top of a repository: by default the current one. It asks "
          "nothing, and writes over no file: if one is in the way, nothing is written. A "
          ".pre-commit-config.yaml and a .gitattributes that are there are left as they are, and "
          "what belongs into them is printed.\n"
          "What it wrote needs no change to be generated: the names of machines, commands and "
          "branches are in rows of matrix/.",
      .options = {{.name = "from",
                   .argument = "NAME",
                   .help = "What to begin with (default: plain)",
                   .values = names}},
      .examples = {{"wheelwright init ci", "A matrix of two axes, and one workflow"},
                   {"wheelwright init library --from cpp-library",
                    "In another folder, with the matrix of a whole project"}},
      .most_positional = 1,
      .run = RunInit,
  };
}

}  // namespace wheelwright
