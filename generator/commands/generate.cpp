#include "generator/commands/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <utility>

#include "base/text.h"
#include "generator/commands/commands.h"
#include "generator/pins/adopt.h"

namespace wheelwright {
namespace {

// Keeps the files that some glob takes. Reports globs that take none.
void KeepOnly(const std::vector<std::string>& globs, std::vector<GeneratedFile>& wanted,
              Diagnostics& diagnostics) {
  std::vector<std::string_view> names;
  for (const GeneratedFile& file : wanted) names.push_back(file.name);
  for (const std::string& glob : globs) {
    if (std::ranges::any_of(names, [&](std::string_view name) { return TakesFile(glob, name); })) {
      continue;
    }
    ReportUnknownName("unknown-file", "generated file", glob, names,
                      "`wheelwright plan --all-files` lists them", diagnostics);
  }
  std::erase_if(wanted, [&](const GeneratedFile& file) {
    return std::ranges::none_of(
        globs, [&](const std::string& glob) { return TakesFile(glob, file.name); });
  });
}

void List(const Difference& difference, std::ostream& out) {
  for (const GeneratedFile& file : difference.missing) {
    out << fmt::format("  new      {}\n", file.name);
  }
  for (const Difference::Stale& file : difference.stale) {
    out << fmt::format("  changed  {}\n", file.name);
  }
  for (const GeneratedFile& file : difference.orphaned) {
    out << fmt::format("  removed  {}\n", file.name);
  }
}

// Warns before newer pins, which a bot has written, are overwritten.
void WarnOfBumps(const Matrix& matrix, const Difference& difference, bool dry_run,
                 Diagnostics& diagnostics) {
  Diagnostics ignored;  // `pins --adopt` reports them
  for (const Bump& bump : FindBumps(matrix.actions, matrix.images, difference.stale, ignored)) {
    if (bump.old_version.empty()) continue;  // nobody can tell which one is newer
    diagnostics.Report(
        {.severity = Severity::kWarning,
         .code = "newer-pin",
         .message = fmt::format("{} {} {} in the generated files, and the matrix has {}", bump.name,
                                bump.new_version, dry_run ? "stands" : "stood", bump.old_version),
         .where = Find(bump.row, "version")->where,
         .notes = {dry_run
                       ? "`wheelwright pins --adopt` takes it over"
                       : "to keep it: restore the files, then run `wheelwright pins --adopt`"}});
  }
}

}  // namespace

std::string DescribeApplied(const std::string& folder, const Difference& difference, bool dry_run) {
  const std::size_t written = difference.missing.size() + difference.stale.size();
  const std::size_t removed = difference.orphaned.size();
  if (difference.empty()) {
    return fmt::format("{}/: {}\n", folder,
                       difference.current == 1
                           ? "1 file, which is current"
                           : Count(difference.current, "file") + ", all current");
  }
  std::vector<std::string> parts;
  if (dry_run) {
    if (written > 0) parts.push_back(fmt::format("would write {}", Count(written, "file")));
    if (removed > 0) {
      parts.push_back(
          fmt::format("{}remove {}", written > 0 ? "" : "would ", WithThousands(removed)));
    }
  } else {
    if (written > 0) parts.push_back(fmt::format("{} written", WithThousands(written)));
    if (removed > 0) parts.push_back(fmt::format("{} removed", WithThousands(removed)));
  }
  if (difference.current > 0) {
    parts.push_back(fmt::format("{} current", WithThousands(difference.current)));
  }
  return fmt::format("{}/: {}\n", folder, fmt::join(parts, ", "));
}

int Generate(const GenerateOptions& options, Environment& environment) {
  ProjectRun run(environment, options.common, "nothing was written");
  if (!run.Compile(CompileUntil::kText)) return run.End(kWrongInput);
  std::vector<GeneratedFile> wanted = TakeOutput(run.compilation());
  if (!options.only.empty()) KeepOnly(options.only, wanted, run.diagnostics);
  if (run.diagnostics.errors() > 0) return run.End(kWrongInput);

  const std::string folder = run.OutputFolder(options.out);
  std::optional<Difference> difference = run.Measure("compare", [&] {
    return CompareFolder(environment.files, folder, std::move(wanted), run.threads(),
                         run.diagnostics);
  });
  if (!difference) return run.End(kWrongInput);
  // Files that no glob matches are left alone.
  if (!options.only.empty()) difference->orphaned.clear();
  if (!options.dry_run) {
    const bool applied = run.Measure("write", [&] {
      return Apply(environment.files, folder, *difference, run.threads(), run.diagnostics);
    });
    if (!applied) return run.End(kWrongInput);
  }
  environment.out << DescribeApplied(folder, *difference, options.dry_run);
  if (options.dry_run) List(*difference, environment.out);
  WarnOfBumps(run.compilation().matrix, *difference, options.dry_run, run.diagnostics);
  return run.End(kSuccess);
}

Command GenerateCommand() {
  return {
      .name = "generate",
      .purpose = "Write the workflows that the matrix and the templates give",
      .usage = "[--out DIR] [--only NAME]... [--dry-run]",
      .about =
          "Expands every template, checks the whole set, and brings the folder of generated files "
          "up to date: what is missing or differs is written, each file in one step; what no "
          "template gives any more is removed. Files that wheelwright did not make are never "
          "touched, and after any error nothing is.",
      .options = WithProjectOptions({
          {.name = "out",
           .argument = "DIR",
           .help = "Where to write (default: `output` of matrix/settings.yml)"},
          {.name = "only",
           .argument = "NAME",
           .help = "Write just the files of that name, in which * stands for anything; remove "
                   "none. May be repeated"},
          {.name = "dry-run", .argument = {}, .help = "Print what would be done, and do nothing"},
          FormatOption(),
      }),
      .examples = {{"wheelwright generate", "After a change of the matrix or of a template"},
                   {"wheelwright generate --dry-run", "Which files would change?"},
                   {"wheelwright generate --out .github/workflows --only 'release_*'",
                    "The release workflows alone, right where GitHub reads them"}},
      .most_positional = 1000,
      .run =
          [](const Arguments& arguments, Environment& environment) {
            GenerateOptions options{.common = TakeCommonOptions(arguments),
                                    .out = std::string(arguments.Get("out")),
                                    .only = arguments.All("only"),
                                    .dry_run = arguments.Has("dry-run")};
            // Also `--only A B`, and what a shell made of an unquoted glob.
            options.only.insert(options.only.end(), arguments.positional.begin(),
                                arguments.positional.end());
            return Generate(options, environment);
          },
  };
}

}  // namespace wheelwright
