// Fetches the templates of other projects that the matrix names.
#include "generator/shared/fetch.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>

#include "base/below.h"
#include "base/text.h"
#include "generator/commands/commands.h"
#include "generator/commands/project_run.h"
#include "generator/shared/lock.h"
#include "generator/shared/sources.h"

namespace wheelwright {
namespace {

struct FetchOptions {
  std::vector<std::string_view> names;  // empty: all
  bool update = false;
  bool check = false;
};

class FetchRun {
 public:
  FetchRun(ProjectRun& run, const FetchOptions& options)
      : run_(run), options_(options), disk_(run.environment().files) {}

  int Run() {
    if (run_.diagnostics.errors() > 0 || !run_.Compile(CompileUntil::kMatrix))
      return run_.End(kWrongInput);
    rows_ = RemoteTemplatesOf(run_.compilation().matrix);
    CheckNames();
    auto lock = ReadLock(disk_, run_.root(), run_.compilation().sources, run_.diagnostics);
    if (!lock || run_.diagnostics.errors() > 0) return run_.End(kWrongInput);
    before_ = *std::move(lock);
    if (options_.check) return run_.End(Compare());
    for (const RemoteTemplates& row : rows_) RefuseLinks(row.name, row.where);
    for (const LockedTemplates& old : before_) {
      if (std::ranges::find(rows_, old.name, &RemoteTemplates::name) == rows_.end()) {
        RefuseLinks(old.name, {});
      }
    }
    if (run_.diagnostics.errors() > 0) return run_.End(kWrongInput);
    for (const RemoteTemplates& row : rows_) Fetch(row);
    if (run_.diagnostics.errors() > 0) return run_.End(kWrongInput);
    Write();
    return run_.End(kSuccess);
  }

 private:
  std::ostream& out() { return run_.environment().out; }

  bool Asked(const RemoteTemplates& row) const {
    return options_.names.empty() ||
           std::ranges::find(options_.names, row.name) != options_.names.end();
  }

  void CheckNames() {
    std::vector<std::string_view> known;
    for (const RemoteTemplates& row : rows_) known.push_back(row.name);
    for (const std::string_view name : options_.names) {
      if (std::ranges::find(known, name) != known.end()) continue;
      ReportUnknownName("unknown-templates", "row with `git` in matrix/shared.yml", name, known, "",
                        run_.diagnostics);
    }
  }

  void RefuseLinks(const std::string& name, SourceRange where) {
    const std::string link = LinkBelow(run_.root(), name);
    if (link.empty()) return;
    run_.diagnostics.Report(
        {.code = "linked-templates",
         .message = fmt::format("{} is a link: files of another place would be "
                                "written and removed",
                                link),
         .where = where,
         .hint = "remove the link; `wheelwright fetch` writes what belongs there"});
  }

  // Whether what is locked is behind what the refs are now. Writes nothing.
  int Compare() {
    bool behind = false;
    for (const RemoteTemplates& row : rows_) {
      if (!Asked(row)) continue;
      const std::string now = SharedRepository(row, run_.diagnostics).CommitOfRef();
      if (now.empty()) continue;
      const LockedTemplates* locked = FindLocked(before_, row.name);
      const bool current = locked != nullptr && locked->IsOf(row) && locked->commit == now;
      behind = behind || !current;
      out() << fmt::format("{}: {} is {}{}\n", row.name, row.ref, now.substr(0, 12),
                           current ? ", as fetched"
                           : locked == nullptr
                               ? ", never fetched"
                               : fmt::format(", and {} was fetched{}", locked->commit.substr(0, 12),
                                             locked->IsOf(row) ? "" : " for another row"));
    }
    if (behind) out() << "`wheelwright fetch --update` takes what the refs are now.\n";
    return behind ? kFound : kSuccess;
  }

  void Fetch(const RemoteTemplates& row) {
    const LockedTemplates* locked = FindLocked(before_, row.name);
    const bool same = locked != nullptr && locked->IsOf(row);
    if (!Asked(row)) {  // stays as it is
      if (locked != nullptr) after_.push_back(*locked);
      return;
    }
    if (locked == nullptr && !FilesBelow(disk_, Folder(row.name)).empty()) {
      run_.diagnostics.Report(
          {.code = "shared-name",
           .message = fmt::format("templates/{} is a folder of this project, into which '{}' would "
                                  "be fetched",
                                  row.name, row.name),
           .where = row.where,
           .hint = "rename one of them, or remove the folder"});
      return;
    }
    std::string problem;
    if (same && !options_.update && DifferencesFrom(*locked, disk_, run_.root(), problem).empty() &&
        problem.empty()) {
      lines_.push_back(fmt::format("{}: {} is {}, as before\n", row.name, row.ref,
                                   locked->commit.substr(0, 12)));
      after_.push_back(*locked);
      return;
    }
    SharedRepository repository(row, run_.diagnostics);
    const std::string commit = same && !options_.update ? locked->commit : repository.CommitOfRef();
    if (commit.empty()) return;
    auto files = repository.FilesOf(commit);
    if (!files) return;
    LockedTemplates& now = after_.emplace_back(LockedTemplates{.name = row.name,
                                                               .git = row.git,
                                                               .ref = row.ref,
                                                               .commit = commit,
                                                               .folder = row.folder,
                                                               .take = row.take,
                                                               .files = {}});
    std::size_t changed = 0;
    for (FetchedFile& file : *files) {
      const std::string path = Below(Folder(row.name), file.file.path);
      if (disk_.Read(path) != file.text) {
        ++changed;
        texts_.emplace(path, std::move(file.text));
      }
      now.files.push_back(std::move(file.file));
    }
    lines_.push_back(fmt::format("{}: {} is {}; {}, {} written\n", row.name, row.ref,
                                 commit.substr(0, 12), Count(now.files.size(), "file"), changed));
  }

  // The lock comes last: until it is there, `check` says what a fetch that was ended left.
  void Write() {
    for (const auto& [path, text] : texts_) disk_.Write(path, text);
    for (const LockedTemplates& old : before_) {
      if (FindLocked(after_, old.name) == nullptr) {
        lines_.push_back(
            fmt::format("{}: removed, matrix/shared.yml no longer has it\n", old.name));
      }
      RemoveOthers(old.name);
    }
    for (const LockedTemplates& now : after_) RemoveOthers(now.name);
    std::ranges::sort(after_, {}, &LockedTemplates::name);
    const std::string lock = WriteLock(after_);
    const std::string path = LockPath(run_.root());
    const auto there = disk_.Read(path);
    if (after_.empty() && there) disk_.Remove(path);
    if (!after_.empty() && there != lock) disk_.Write(path, lock);
    for (const std::string& line : lines_) out() << line;
    if (lines_.empty()) out() << "matrix/shared.yml has no row with `git`: nothing to fetch\n";
  }

  // Removes what is in the folder of fetched templates and not in the new lock.
  void RemoveOthers(const std::string& name) {
    const LockedTemplates* now = FindLocked(after_, name);
    for (const std::string& path : FilesBelow(disk_, Folder(name))) {
      if (now == nullptr ||
          std::ranges::find(now->files, path, &LockedFile::path) == now->files.end()) {
        disk_.Remove(Below(Folder(name), path));
      }
    }
  }

  std::string Folder(std::string_view name) const { return FetchedFolder(run_.root(), name); }

  ProjectRun& run_;
  const FetchOptions& options_;
  FileSystem& disk_;
  std::vector<RemoteTemplates> rows_;
  Lock before_;
  Lock after_;
  std::map<std::string, std::string> texts_;  // to write, by path
  std::vector<std::string> lines_;
};

}  // namespace

Command FetchCommand() {
  return {
      .name = "fetch",
      .purpose = "Fetch the templates of other projects that matrix/shared.yml names",
      .usage = "[NAME...] [--update | --check]",
      .about =
          "Writes them to templates/NAME, and to templates/shared.lock the commit and git's id of "
          "each file. Commit both: `generate` and `check` work offline, and refuse files that are "
          "not those of the commit. A row that did not change keeps its commit, whatever happens "
          "to the branch or tag, until --update. docs/templates.md explains how they are "
          "used.\n\nAll rows are fetched before the first file is written. git asks for no "
          "password: it uses the credentials that it has.",
      .options = WithProjectOptions(
          {{.name = "update", .argument = {}, .help = "Take what the branches and tags are now"},
           {.name = "check",
            .argument = {},
            .help = "Write nothing; exit with 1 if a branch or tag is another commit now"}}),
      .examples = {{"wheelwright fetch", "After a row was added or changed"},
                   {"wheelwright fetch --check", "Are the templates behind?"},
                   {"wheelwright fetch --update", "Take what the branches and tags are now"}},
      .most_positional = 100,
      .run =
          [](const Arguments& arguments, Environment& environment) {
            const CommonOptions common = TakeCommonOptions(arguments);
            FetchOptions options{
                .names = {}, .update = arguments.Has("update"), .check = arguments.Has("check")};
            for (const std::string& name : arguments.positional) options.names.push_back(name);
            ProjectRun run(environment, common, "nothing was written");
            if (options.update && options.check) {
              run.diagnostics.Report({.code = "option-value",
                                      .message = "'--update' and '--check' exclude each other"});
            }
            return FetchRun(run, options).Run();
          },
  };
}

}  // namespace wheelwright
