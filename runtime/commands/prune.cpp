#include "runtime/wheels/release/prune.h"

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
#include "runtime/host/programs/runner.h"
#include "runtime/pytorch/sources/git.h"
#include "runtime/pytorch/sources/remote_refs.h"
#include "runtime/store/open_storage.h"
#include "runtime/store/storage/transfer_meter.h"
#include "runtime/wheels/index/index_report.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {
namespace {

// The text for `*` in the pattern; nothing if the name does not fit.
std::optional<std::string_view> StarOf(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return std::nullopt;
  const std::string_view before = pattern.substr(0, star), after = pattern.substr(star + 1);
  if (name.size() < before.size() + after.size()) return std::nullopt;
  if (!name.starts_with(before) || !name.ends_with(after)) return std::nullopt;
  return name.substr(before.size(), name.size() - before.size() - after.size());
}

class Pruning {
 public:
  Pruning(const Arguments& arguments, Host& host, const Plan& plan)
      : arguments_(arguments), host_(host), plan_(plan), log_(host) {}

  int Run() {
    const ReleaseTypeRow* type = TakeReleaseType(arguments_, "prune", plan_, diagnostics_);
    const auto place = TakeStoragePlace(arguments_, host_, diagnostics_);
    TakeKept();
    std::vector<ReleaseFolders> folders;
    if (type != nullptr) folders = TakeFolders(type->name);
    if (type == nullptr || !place || diagnostics_.errors() > 0) {
      return Refuse(diagnostics_, arguments_, host_);
    }
    const auto row = std::ranges::find(plan_.retention, type->name, &RetentionRow::release_type);
    if (row == plan_.retention.end()) {
      log_.Say(fmt::format("'retention' of the matrix has no row for {} releases: all files stay",
                           type->name));
      return kSuccess;
    }
    if (!row->tags.empty() && !AskForTags(row->tags)) return kFound;
    std::unique_ptr<Storage> storage;
    try {
      storage = OpenStorage(*place, host_);
    } catch (const StorageError& error) {
      log_.Error(error.what());
      return kFound;
    }
    const std::chrono::days days(row->days);
    for (const ReleaseFolders& one : folders) {
      const bool answers =
          Look(*storage, one.release, one, {row->newest, kept_, days}, one.index_url) &&
          Look(*storage, one.staging, one, {row->staging, kept_, days}, one.staging_index_url);
      if (!answers) break;
    }
    Tell(type->name);
    return failed_.empty() ? kSuccess : kFound;
  }

 private:
  void TakeKept() {
    for (const std::string& text : arguments_.All("keep")) {
      if (const auto version = ParsePackageVersion(text)) {
        kept_.emplace(*version, "--keep");
      } else {
        diagnostics_.Report({.code = "option-value",
                             .message = fmt::format("'--keep' does not take {}", Quoted(text)),
                             .hint = "it takes a version of ROCm, such as 7.12.0a20260101"});
      }
    }
  }

  // Of the family that was given, or of all with such releases.
  std::vector<ReleaseFolders> TakeFolders(const std::string& type) {
    Texts families;
    if (arguments_.Has("family")) {
      families.emplace_back(arguments_.Get("family"));
    } else {
      for (const PlannedSet& set : plan_.selection.combos) {
        for (const PlannedBuild& build : set.builds) {
          const bool released = std::ranges::any_of(build.combos, [&](const PlannedCombo& combo) {
            return HasText(combo.release_types, type);
          });
          if (released && !HasText(families, build.gfx)) families.push_back(build.gfx);
        }
      }
    }
    std::vector<ReleaseFolders> folders;
    for (const std::string& family : families) {
      Arguments one = arguments_;
      one.options["family"] = {family};
      auto found = TakeReleaseFolders(one, "prune", plan_, diagnostics_);
      if (found) folders.push_back(*std::move(found));
    }
    return folders;
  }

  bool AskForTags(std::string_view pattern) {
    std::string remote(arguments_.Get("tags-of"));
    if (remote.empty()) {
      remote = fmt::format("https://github.com/{}", TakeRepository(arguments_, host_, plan_));
    }
    Runner runner(host_, false);
    const auto output =
        runner.Ask(GitNetworkStep(fmt::format("ask {} for its tags", ShortRepository(remote)), {},
                                  {"ls-remote", "--quiet", "--tags", "--", remote}));
    if (!output) return false;
    constexpr std::string_view kTags = "refs/tags/";
    const auto refs = ParseLsRemote(*output);
    if (!refs) return false;
    for (const RemoteRef& ref : *refs) {
      if (!ref.name.starts_with(kTags)) continue;
      const std::string_view tag = std::string_view(ref.name).substr(kTags.size());
      const auto version = ParsePackageVersion(StarOf(pattern, tag).value_or(""));
      if (version) kept_.emplace(*version, fmt::format("the tag {}", tag));
    }
    return true;
  }

  // A folder that fails holds no other back. False when the store itself does not answer.
  bool Look(Storage& storage, const std::string& folder, const ReleaseFolders& folders,
            const PruneRules& rules, const std::string& url) {
    try {
      const PrunePlan plan = PlanPrune(storage, folder, folders.release, plan_, rules, host_.now());
      if (arguments_.Has("apply") && plan.Changes()) {
        const IndexResult index =
            Prune(storage, folder, plan, {.url = url, .sleep = host_.sleep}, host_.now());
        ReportIndex(index, storage, folder, false, host_);
      }
      for (const PrunedVersion& version : plan.versions) AddRows(storage.NameOf(folder), version);
      for (const Fate fate :
           {Fate::kStays, Fate::kReturns, Fate::kRetires, Fate::kWaits, Fate::kLeaves}) {
        counts_[fate] += plan.Count(fate);
        sizes_[fate] += plan.Size(fate);
      }
    } catch (const StorageError& error) {
      log_.Error(error.what());
      failed_.push_back(storage.NameOf(folder));
      return error.kind() != StorageError::Kind::kUnreached &&
             error.kind() != StorageError::Kind::kDenied;
    }
    return true;
  }

  // A line for the files of a version with the same fate. Of what stays the version with its
  // reason.
  void AddRows(const std::string& folder, const PrunedVersion& version) {
    std::map<Fate, std::pair<std::size_t, std::uint64_t>> fates;
    for (const PrunedFile& file : version.files) {
      ++fates[file.fate].first;
      fates[file.fate].second += file.size;
    }
    const std::string rocm = version.rocm ? version.rocm->ToString() : "no version of ROCm";
    for (const auto& [fate, total] : fates) {
      const auto& [files, size] = total;
      std::string why = version.why;
      if (why.empty() && fate == Fate::kStays && version.rocm) why = "in a record that stays";
      if (fate != Fate::kStays) {
        log_.Say(fmt::format("{:8} {} in {}: {}, {}", NameOf(fate), rocm, folder,
                             Count(files, "file"), SizeText(size)));
      }
      (fate == Fate::kStays ? staying_ : changing_) += fmt::format(
          "| {} | {} | {} | {} | {} | {} |\n", EscapeMarkdown(folder), EscapeMarkdown(rocm),
          NameOf(fate), EscapeMarkdown(why), files, SizeText(size));
    }
  }

  void Tell(std::string_view type) {
    const auto part = [&](Fate fate) {
      return fmt::format("{} ({})", Count(counts_[fate], "file"), SizeText(sizes_[fate]));
    };
    std::string said = fmt::format(
        "{} releases: {} stay, {} leave the pages, {} wait, {} are removed{}", type,
        part(Fate::kStays), part(Fate::kRetires), part(Fate::kWaits), part(Fate::kLeaves),
        arguments_.Has("apply") ? "" : "; nothing was changed: --apply does it");
    if (!failed_.empty()) said += fmt::format("; {} failed", Count(failed_.size(), "folder"));
    log_.Say(said);
    if (!host_.in_actions()) return;
    constexpr std::string_view kHead =
        "| Folder | ROCm | What | Why | Files | Size |\n| --- | --- | --- | --- | ---: | ---: |\n";
    std::string summary = fmt::format("### {}\n\n", EscapeMarkdown(said));
    for (const std::string& folder : failed_) {
      summary += fmt::format("- **failed**: {}; see the log\n", EscapeMarkdown(folder));
    }
    if (!failed_.empty()) summary += "\n";
    if (!changing_.empty()) summary += fmt::format("{}{}\n", kHead, changing_);
    if (!staying_.empty()) {
      summary += fmt::format("<details><summary>What stays</summary>\n\n{}{}\n</details>\n\n",
                             kHead, staying_);
    }
    JobFiles(host_).AddSummary(summary);
  }

  const Arguments& arguments_;
  Host& host_;
  const Plan& plan_;
  Log log_;
  Diagnostics diagnostics_;
  std::map<PackageVersion, std::string> kept_;
  std::map<Fate, std::size_t> counts_;
  std::map<Fate, std::uint64_t> sizes_;
  std::vector<std::string> failed_;  // folders
  std::string changing_, staying_;   // rows of the summary
};

}  // namespace

Command PruneCommand() {
  return {
      .name = "prune",
      .purpose = "Take old versions of ROCm off the pages of an index, and out of the store",
      .usage = "--bucket BUCKET",
      .about =
          "Of each family's release folder and staging folder the newest versions of ROCm stay, as "
          "many as `retention` of the matrix says, and those that a tag of the repository or "
          "`--keep` names, with all files that their records name. All others leave in two steps: "
          "first off the pages, then, days later, out of the store. So nothing is removed that a "
          "page lists, and who has read a page finds its files.\n\nWithout `--apply` it only says "
          "what it would do. It is safe to repeat, and to run while others publish. "
          "docs/indexes.md "
          "has the details.\n",
      .options = Joined(
          WithStorage(
              {{.name = "family",
                .argument = "FAMILY",
                .help = "The GPU family whose folders to prune (default: all)"},
               ReleaseTypeOption(),
               {.name = "keep",
                .argument = "VERSION",
                .help = "A version of ROCm that stays; may be repeated"},
               {.name = "tags-of",
                .argument = "URL",
                .help = "The repository whose tags name versions that stay (default: that of the "
                        "job, else of the matrix)"},
               {.name = "apply", .argument = {}, .help = "Do it"}}),
          {PlanOption()}),
      .examples = {{"wheelrun prune --bucket therock-nightly-python --family gfx94X-dcgpu",
                    "What would leave?"},
                   {"wheelrun prune --bucket therock-nightly-python --apply",
                    "Take old nights of all families away"}},
      .run_on_host = RunByPlan<Pruning>,
  };
}

}  // namespace wheelwright
