#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/build_arguments.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/commands/input/places.h"
#include "runtime/host/actions/job_files.h"
#include "runtime/host/actions/log.h"
#include "runtime/store/open_storage.h"
#include "runtime/wheels/index/file_marks.h"
#include "runtime/wheels/index/index_report.h"
#include "runtime/wheels/index/index_writer.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {
namespace {

std::optional<std::vector<std::string>> TakeOwn(const Arguments& arguments, Host& host,
                                                Diagnostics& diagnostics) {
  std::vector<std::string> own = arguments.All("own");
  if (!own.empty() || !arguments.Has("split")) return own;
  const std::optional<Plan> plan = ReadPlan(arguments, host, diagnostics);
  if (!plan) return std::nullopt;
  return plan->OwnProjects();
}

int RunIndex(const Arguments& arguments, Host& host) {
  Diagnostics diagnostics;
  const std::string folder = arguments.positional.empty() ? "" : arguments.positional.front();
  const std::optional<StoragePlace> place =
      TakeIndexPlace(arguments, "index", folder, host, diagnostics);
  const auto own = TakeOwn(arguments, host, diagnostics);
  if (!place || !own || diagnostics.errors() > 0) return Refuse(diagnostics, arguments, host);

  const bool dry_run = arguments.Has("dry-run");
  try {
    const std::unique_ptr<Storage> storage = OpenStorage(*place, host);
    const IndexResult result =
        WriteIndex(*storage, place->prefix,
                   {.own = *own, .url = place->url, .dry_run = dry_run, .sleep = host.sleep});
    ReportIndex(result, *storage, place->prefix, dry_run, host);
  } catch (const StorageError& error) {
    Log(host).Error(error.what());
    return kFound;
  }
  return kSuccess;
}

// The names of packages in the folder.
std::vector<std::string> FilesIn(Storage& storage, std::string_view prefix) {
  std::vector<std::string> files;
  for (const ObjectInfo& object : storage.List(prefix)) {
    const std::string name = object.key.substr(prefix.size());
    if (name.find('/') == std::string::npos && !name.ends_with(kMetadataSuffix)) {
      files.push_back(name);
    }
  }
  return files;
}

int RunYank(const Arguments& arguments, Host& host) {
  Diagnostics diagnostics;
  const bool undo = arguments.Has("undo");
  const std::string reason(arguments.Get("reason"));
  if (undo == arguments.Has("reason")) {
    diagnostics.Report(
        {.code = undo ? "option-value" : "missing-argument",
         .message = undo ? "'--undo' removes a yank, and takes no '--reason'"
                         : "'index yank' needs '--reason' or '--undo'",
         .hint = "installers show the reason, such as --reason \"hangs on gfx1151\""});
  }
  if (FindForeignByte(reason) || reason.find('\n') != std::string::npos) {
    diagnostics.Report({.code = "option-value",
                        .message = fmt::format("'--reason' does not take {}", Quoted(reason)),
                        .hint = "it takes one line of text"});
  }
  const std::optional<StoragePlace> place =
      TakeIndexPlace(arguments, "index yank", "", host, diagnostics);
  if (!place || diagnostics.errors() > 0) return Refuse(diagnostics, arguments, host);

  const std::string& file = arguments.positional.front();
  const bool dry_run = arguments.Has("dry-run");
  Log log(host);
  try {
    const std::unique_ptr<Storage> opened = OpenStorage(*place, host);
    Storage& storage = *opened;
    if (!undo && !storage.Head(place->prefix + file)) {
      const std::vector<std::string> names = FilesIn(storage, place->prefix);
      const std::vector<std::string_view> candidates(names.begin(), names.end());
      return Refuse(
          {.code = "unknown-file",
           .message = fmt::format("{} has no file {}", storage.NameOf(place->prefix), Quoted(file)),
           .hint = DidYouMean(file, candidates)},
          arguments, host);
    }
    if (dry_run) {
      log.Say(fmt::format("would {} {}", undo ? "remove the yank of" : "yank", Quoted(file)));
      return kSuccess;
    }
    const bool changed =
        ChangeMarks(storage, place->prefix, kYankedFile, {file},
                    undo ? std::nullopt : std::optional<std::string>(reason), host.sleep) > 0;
    log.Say(fmt::format("{} {}", Quoted(file),
                        !changed ? "was like that before"
                        : undo   ? "is back"
                                 : "is yanked"));
    const IndexResult result =
        WriteIndex(storage, place->prefix, {.url = place->url, .sleep = host.sleep});
    ReportIndex(result, storage, place->prefix, false, host);
  } catch (const StorageError& error) {
    log.Error(error.what());
    return kFound;
  }
  return kSuccess;
}

}  // namespace

Command IndexCommand() {
  return {
      .name = "index",
      .purpose = "Update the package index of a folder, or of a folder in a bucket",
      .usage = "DIR | --bucket BUCKET --family FAMILY",
      .about =
          "Writes pages for installers beside the wheels and source archives of one folder: a page "
          "for `pip --find-links`, and an index for `--index-url`, in HTML and JSON, with the "
          "SHA-256, size, metadata and required Python of each file. docs/indexes.md describes the "
          "files and how installers use them.\n\nUnchanged files that are on the pages are not "
          "read again. Of a new wheel only the metadata is read, a few kilobytes. Several of these "
          "commands may run at once, while files arrive, without losing entries.\n",
      .options = WithIndexPlace(
          {{.name = "split",
            .argument = {},
            .help = "Also write two indexes of the same files: _own/ with the projects that are "
                    "built here, _dependencies/ with all others"},
           {.name = "own",
            .argument = "PATTERN",
            .help = "With --split: projects that are built here; `*` matches any text; may be "
                    "given several times (default: those of the matrix, rocm and rocm-*)"},
           {.name = "dry-run",
            .argument = {},
            .help = "Print what would be written, and write nothing"}}),
      .examples = {{"wheelrun index dist", "For `pip install --find-links dist/find-links.html`"},
                   {"wheelrun index --bucket therock-nightly-python --family gfx94X-dcgpu",
                    "As called by the job after all promotions"}},
      .most_positional = 1,
      .run_on_host = RunIndex,
  };
}

Command IndexYankCommand() {
  return {
      .name = "index yank",
      .purpose = "Yank a file: installers only use it if exactly its version is requested",
      .usage = "FILE --reason TEXT | --undo",
      .about =
          "Records the reason in yanked.json beside the pages, and writes the index. An installer "
          "skips the file unless exactly its version is requested, and then shows the reason (PEP "
          "592). The file is not removed.\n",
      .options = WithIndexPlace({{.name = "reason",
                                  .argument = "TEXT",
                                  .help = "The reason, for people who have it installed"},
                                 {.name = "undo", .argument = {}, .help = "Remove the yank"},
                                 {.name = "dry-run",
                                  .argument = {},
                                  .help = "Print what would be done, and do nothing"}}),
      .examples =
          {{"wheelrun index yank torch-2.10.0-cp312-cp312-linux_x86_64.whl --reason \"hangs "
            "on gfx1151\" --bucket therock-nightly-python --family gfx1151",
            "Withdraw a wheel"},
           {"wheelrun index yank torch-2.10.0-cp312-cp312-linux_x86_64.whl --undo --bucket "
            "therock-nightly-python --family gfx1151",
            "Remove the yank again"}},
      .least_positional = 1,
      .most_positional = 1,
      .one_of = {{"reason", "undo"}},
      .run_on_host = RunYank,
  };
}

}  // namespace wheelwright
