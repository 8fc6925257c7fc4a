#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/build_arguments.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/commands/input/places.h"
#include "runtime/host/actions/job_files.h"
#include "runtime/host/actions/log.h"
#include "runtime/pytorch/build/triton.h"
#include "runtime/store/open_storage.h"
#include "runtime/wheels/index/file_marks.h"
#include "runtime/wheels/index/index_report.h"
#include "runtime/wheels/index/index_writer.h"
#include "runtime/wheels/plan/plan.h"
#include "runtime/wheels/release/release_check.h"
#include "runtime/wheels/release/release_set.h"
#include "runtime/wheels/wheel/wheel_name.h"

namespace wheelwright {
namespace {

// Yanks all files of a version of ROCm, or removes their yanks.
class SetYank {
 public:
  SetYank(const Arguments& arguments, Host& host, const Plan& plan, bool rollback)
      : arguments_(arguments), host_(host), plan_(plan), rollback_(rollback) {}

  int Run() {
    const std::string_view command = rollback_ ? "release rollback" : "release yank";
    undo_ = arguments_.Has("undo");
    reason_ = arguments_.Get("reason");
    if (reason_.empty() && !undo_) {
      Require(arguments_, command, "reason", "--reason \"hangs on gfx1151\"", diagnostics_);
    }
    if (FindForeignByte(reason_) || reason_.find('\n') != std::string::npos) {
      diagnostics_.Report({.code = "option-value",
                           .message = fmt::format("'--reason' does not take {}", Quoted(reason_)),
                           .hint = "it takes one line of text"});
    }
    folders_ = TakeReleaseFolders(arguments_, command, plan_, diagnostics_);
    type_ = TakeReleaseType(arguments_, command, plan_, diagnostics_);
    const auto place = TakeStoragePlace(arguments_, host_, diagnostics_);
    if (!folders_ || !place || diagnostics_.errors() > 0) {
      return Refuse(diagnostics_, arguments_, host_);
    }
    try {
      const std::unique_ptr<Storage> storage = OpenStorage(*place, host_);
      const auto version = rollback_ ? Newest(*storage) : Given();
      if (!version) return Refuse(diagnostics_, arguments_, host_);
      return Change(*storage, *version);
    } catch (const StorageError& error) {
      Log(host_).Error(error.what());
      return kFound;
    }
  }

 private:
  std::optional<PackageVersion> Given() {
    const std::string& text = arguments_.positional.front();
    auto version = ParsePackageVersion(text);
    if (!version) {
      diagnostics_.Report({.code = "option-value",
                           .message = fmt::format("{} is no version", Quoted(text)),
                           .hint = "it takes a version of ROCm, such as 7.12.0a20260101"});
    }
    return version;
  }

  // The newest one, if an older one is left for installers.
  std::optional<PackageVersion> Newest(Storage& storage) {
    const std::vector<PackageVersion> versions = ListReleases(storage, {folders_->release});
    if (versions.size() >= 2) {
      before_ = versions[versions.size() - 2];
      return versions.back();
    }
    diagnostics_.Report({.code = "no-release",
                         .message = fmt::format(
                             "{} has {} of rocm that {} not yanked, so there is none to go back "
                             "to",
                             storage.NameOf(folders_->release), Count(versions.size(), "version"),
                             versions.size() == 1 ? "is" : "are"),
                         .notes = {"to withdraw it nevertheless: wheelrun release yank VERSION"}});
    return std::nullopt;
  }

  int Change(Storage& storage, const PackageVersion& version) {
    SetRequest request{.family = folders_->family,
                       .release_type = type_->name,
                       .rocm = version,
                       .triton = NormalizeProject(TritonWheelName({}, host_.variables))};
    const auto set = DeclareReleaseSet(plan_, request, diagnostics_);
    if (!set) return Refuse(diagnostics_, arguments_, host_);
    const FileMarks yanks = ReadMarks(storage, folders_->release, kYankedFile);
    std::vector<std::string> files;
    std::size_t members = 0;
    for (const ObjectInfo& object : storage.List(folders_->release)) {
      const std::string name = object.key.substr(folders_->release.size());
      const auto read = ReadDistributionName(name);
      if (!read || !set->Holds(*read)) continue;
      ++members;
      const auto yank = yanks.find(name);
      // What was yanked before keeps its own reason.
      const bool asked = undo_ ? yank != yanks.end() && (reason_.empty() || yank->second == reason_)
                               : yank == yanks.end();
      if (asked) files.push_back(name);
    }
    if (members == 0) {
      return Refuse({.code = "no-release",
                     .message = fmt::format("{} has no file of ROCm {}",
                                            storage.NameOf(folders_->release), version.ToString())},
                    arguments_, host_);
    }
    return Write(storage, version, files, members);
  }

  int Write(Storage& storage, const PackageVersion& version, const std::vector<std::string>& files,
            std::size_t members) {
    Log log(host_);
    const bool dry_run = arguments_.Has("dry-run");
    for (const std::string& file : files) {
      log.Say(fmt::format("{} {}",
                          dry_run ? undo_ ? "would bring back" : "would yank"
                          : undo_ ? "brings back"
                                  : "yanks",
                          file));
    }
    const std::string done = fmt::format(
        "{}, ROCm {}: {} {} of {}", folders_->family, version.ToString(),
        undo_ ? "the yank is removed from" : "yanked", files.size(), Count(members, "file"));
    if (dry_run) {
      log.Say(done + ", in a dry run");
      return kSuccess;
    }
    ChangeMarks(storage, folders_->release, kYankedFile, files,
                undo_ ? std::nullopt : std::optional<std::string>(reason_), host_.sleep);
    const IndexResult index =
        WriteIndex(storage, folders_->release, {.url = folders_->index_url, .sleep = host_.sleep});
    ReportIndex(index, storage, folders_->release, false, host_);
    log.Say(done);
    std::string summary = fmt::format("### {}\n\n", EscapeMarkdown(done));
    if (!reason_.empty()) summary += fmt::format("Reason: {}.\n\n", EscapeMarkdown(reason_));
    if (before_) {
      const std::string now = fmt::format("the newest version is {} again", before_->ToString());
      log.Say(now);
      summary += EscapeMarkdown(now) + ".\n\n";
    }
    if (host_.in_actions()) JobFiles(host_).AddSummary(summary);
    return kSuccess;
  }

  const Arguments& arguments_;
  Host& host_;
  const Plan& plan_;
  const bool rollback_;
  Diagnostics diagnostics_;
  bool undo_ = false;
  std::string reason_;
  std::optional<ReleaseFolders> folders_;
  const ReleaseTypeRow* type_ = nullptr;
  std::optional<PackageVersion> before_;  // of a rollback
};

struct YankOfSet : SetYank {
  YankOfSet(const Arguments& arguments, Host& host, const Plan& plan)
      : SetYank(arguments, host, plan, false) {}
};
struct RollbackOfSet : SetYank {
  RollbackOfSet(const Arguments& arguments, Host& host, const Plan& plan)
      : SetYank(arguments, host, plan, true) {}
};

std::vector<OptionSpec> SetYankOptions(std::vector<OptionSpec> own) {
  own.insert(own.begin(), {FamilyOption(), ReleaseTypeOption()});
  own.push_back(
      {.name = "dry-run", .argument = {}, .help = "Print what would be done, and do nothing"});
  return Joined(WithStorage(std::move(own)), {PlanOption()});
}

OptionSpec SetReason() {
  return {
      .name = "reason", .argument = "TEXT", .help = "The reason, for people who have it installed"};
}

}  // namespace

Command ReleaseYankCommand() {
  return {
      .name = "release yank",
      .purpose = "Yank all files of a version of ROCm in the index of a family",
      .usage = "VERSION --reason TEXT | --undo",
      .about =
          "Yanks the packages of ROCm and all wheels with that version in their local label, for "
          "all Pythons and platforms, by one write of yanked.json, and writes the index. "
          "Installers use an older version unless exactly this one is requested (PEP 592). No file "
          "is removed. Files that were yanked before keep their reasons.\n\nWith --undo the yanks "
          "are removed: all of them, or with --reason only those with this reason.\n",
      .options = SetYankOptions(
          {SetReason(), {.name = "undo", .argument = {}, .help = "Remove the yanks"}}),
      .examples = {{"wheelrun release yank 7.12.0a20260219 --reason \"hangs on gfx1151\" --bucket "
                    "therock-nightly-python --family gfx1151",
                    "Withdraw a night"},
                   {"wheelrun release yank 7.12.0a20260219 --undo --bucket therock-nightly-python "
                    "--family gfx1151",
                    "Bring it back"}},
      .least_positional = 1,
      .most_positional = 1,
      .one_of = {{"reason", "undo"}},
      .run_on_host = RunByPlan<YankOfSet>,
  };
}

Command ReleaseRollbackCommand() {
  return {
      .name = "release rollback",
      .purpose = "Yank the newest version of ROCm in the index of a family",
      .usage = "--reason TEXT",
      .about =
          "Does what `release yank` does for the newest version that is not yanked, so that the "
          "version before it is the newest again. Fails if there is none before it.\n",
      .options = SetYankOptions({SetReason()}),
      .examples = {{"wheelrun release rollback --reason \"hangs on gfx1151\" --bucket "
                    "therock-nightly-python --family gfx1151 --dry-run",
                    "What would be yanked?"},
                   {"wheelrun release rollback --reason \"hangs on gfx1151\" --bucket "
                    "therock-nightly-python --family gfx1151",
                    "Go back to the night before"}},
      .run_on_host = RunByPlan<RollbackOfSet>,
  };
}

}  // namespace wheelwright
