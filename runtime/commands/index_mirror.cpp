#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>

#include "base/parallel.h"
#include "base/platform/folders.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/build_arguments.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/commands/input/places.h"
#include "runtime/host/actions/job_files.h"
#include "runtime/host/actions/log.h"
#include "runtime/host/environment/work_folder.h"
#include "runtime/store/open_storage.h"
#include "runtime/store/storage/keys.h"
#include "runtime/store/storage/known_sum.h"
#include "runtime/store/storage/transfer_meter.h"
#include "runtime/wheels/index/index_files.h"
#include "runtime/wheels/index/index_report.h"
#include "runtime/wheels/index/index_writer.h"
#include "runtime/wheels/index/stored_wheel.h"
#include "runtime/wheels/mirror/file_choice.h"
#include "runtime/wheels/mirror/remote_index.h"
#include "runtime/wheels/plan/plan.h"
#include "runtime/wheels/wheel/wheel_name.h"

namespace wheelwright {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kAtOnce = 8;

class Mirror {
 public:
  Mirror(const Arguments& arguments, const Plan& plan, const ReleaseTypeRow& release,
         std::unique_ptr<Storage> storage, Host& host)
      : plan_(plan),
        storage_(std::move(storage)),
        host_(host),
        log_(host),
        dry_run_(arguments.Has("dry-run")),
        prefix_(AsPrefix(release.dependencies_subdir)),
        url_(release.dependencies_url),
        source_(arguments.Has("source") ? std::string(arguments.Get("source"))
                                        : plan.mirror_source),
        index_(host, source_) {}

  int Run() {
    if (!Choose()) return kFound;
    for (const ObjectInfo& object : storage_->List(prefix_)) {
      there_.insert(object.key.substr(prefix_.size()));
    }
    if (dry_run_) return SayPlan();
    const WorkFolder folder(host_, "mirror");
    std::vector<std::string> problems(files_.size());
    ParallelFor(files_.size(), kAtOnce,
                [&](std::size_t i) { problems[i] = Bring(files_[i], folder.path()); });
    std::erase(problems, std::string());
    for (const std::string& problem : problems) log_.Error(problem);
    if (!problems.empty()) {
      log_.Say("the index was not written; it is safe to repeat");
      return kFound;
    }
    const IndexResult result = WriteIndex(*storage_, prefix_, {.sleep = host_.sleep});
    ReportIndex(result, *storage_, prefix_, false, host_);
    Tell();
    return kSuccess;
  }

 private:
  // False when a requested file is missing; then nothing is written.
  bool Choose() {
    std::map<std::string, std::vector<const DependencyRow*>> rows;  // by normalised name
    for (const DependencyRow& row : plan_.dependencies) {
      rows[NormalizeProject(row.name)].push_back(&row);
    }
    const std::vector<std::pair<std::string, std::vector<const DependencyRow*>>> projects(
        rows.begin(), rows.end());
    std::vector<FileChoice> choices(projects.size());
    ParallelFor(projects.size(), kAtOnce, [&](std::size_t i) {
      const auto& [project, wanted] = projects[i];
      std::string problem;
      const auto page = index_.Read(project, problem);
      if (!page) {
        choices[i].problems.push_back(problem);
        return;
      }
      for (const DependencyRow* row : wanted) {
        FileChoice choice = ChooseFiles(*row, page->files);
        std::ranges::move(choice.files, std::back_inserter(choices[i].files));
        std::ranges::move(choice.problems, std::back_inserter(choices[i].problems));
        std::ranges::move(choice.warnings, std::back_inserter(choices[i].warnings));
      }
    });
    bool good = true;
    std::map<std::string, std::string> sums;  // by file
    for (FileChoice& choice : choices) {
      for (const std::string& warning : choice.warnings) log_.Warning(warning);
      for (const std::string& problem : choice.problems) log_.Error(problem);
      good = good && choice.problems.empty();
      for (RemoteFile& file : choice.files) {
        const auto [known, is_new] = sums.emplace(file.file, file.sha256);
        if (is_new) {
          files_.push_back(std::move(file));
        } else if (known->second != file.sha256) {
          log_.Error(fmt::format("{} is on its page twice, with two checksums", file.file));
          good = false;
        }
      }
    }
    if (!good) log_.Say("nothing was written: the list and the index must agree first");
    return good;
  }

  // The problem if the stored file differs from the listed one, or "". A file that users may have
  // installed must not be replaced.
  std::string Compare(const RemoteFile& file, const ObjectInfo& there) const {
    if (there.sha256 == file.sha256) return {};
    return fmt::format("{} exists with the SHA-256 {}, but {} has one with {}",
                       storage_->NameOf(there.key), there.sha256, source_, file.sha256);
  }

  // Copies a file. Returns the problem, or "".
  std::string Bring(const RemoteFile& file, const std::string& folder) {
    const std::string key = prefix_ + file.file;
    std::optional<ObjectInfo> there;
    if (there_.contains(file.file)) there = storage_->Head(key);
    if (there && !there->sha256.empty()) return Compare(file, *there);

    const std::string path = folder + "/" + file.file;
    std::string problem = index_.Download(file, path);
    if (!problem.empty()) return problem;
    problem = there ? CompareBytes(*there, path) : Put(file, path, key);
    std::error_code error;
    RemoveFile(path, error);
    return problem;
  }

  // For a stored file without a sum.
  std::string CompareBytes(const ObjectInfo& there, const std::string& path) const {
    if (HoldsSame(there, path).value_or(false)) return {};
    return fmt::format("{} exists, and cannot be compared with the file of {}",
                       storage_->NameOf(there.key), source_);
  }

  std::string Put(const RemoteFile& file, const std::string& path, const std::string& key) {
    std::string problem;
    const auto source = OpenFileSource(path, problem);
    if (!source) return problem;
    const WheelMetadata metadata = ReadStoredMetadata(*source, file.file);
    if (!metadata.problem.empty()) return fmt::format("{}: {}", file.file, metadata.problem);
    PutOptions options{.content_type = std::string(ContentTypeOf(file.file)), .if_absent = true};
    if (!file.upload_time.empty()) options.metadata[std::string(kUploadTime)] = file.upload_time;
    storage_->Upload(path, key, options, file.sha256, [](std::uint64_t) {});
    storage_->Write(key + std::string(kMetadataSuffix), metadata.text,
                    MetadataOptions(file.sha256));
    const std::scoped_lock lock(mutex_);
    log_.Say(fmt::format("{} ({})", file.file, SizeText(source->size())));
    brought_.insert(file.file);
    return {};
  }

  int SayPlan() {
    for (const RemoteFile& file : files_) {
      if (there_.contains(file.file)) continue;
      log_.Say(fmt::format("would copy {} from {}{}", file.file, file.url,
                           file.size > 0 ? fmt::format(" ({})", SizeText(file.size)) : ""));
    }
    const auto known = static_cast<std::size_t>(std::ranges::count_if(
        files_, [&](const RemoteFile& file) { return there_.contains(file.file); }));
    log_.Say(fmt::format("{}: {} of the list, {} there already", storage_->NameOf(prefix_),
                         Count(files_.size(), "file"), known));
    return kSuccess;
  }

  void Tell() {
    log_.Say(fmt::format("{} of the list are there, {} new", Count(files_.size(), "file"),
                         brought_.size()));
    JobFiles job(host_);
    job.SetOutput("dependencies_url", url_ + "/");
    std::string table;
    for (const RemoteFile& file : files_) {
      if (!brought_.contains(file.file)) continue;
      table += fmt::format("| {} | `{}` |\n", EscapeMarkdown(file.file), file.sha256);
    }
    if (!table.empty()) table = "\n| New | SHA-256 |\n| --- | --- |\n" + table;
    job.AddSummary(fmt::format("### Dependencies\n\n{} of {} projects in <{}/>\n{}",
                               Count(files_.size(), "file"), Projects(), url_, table));
  }

  std::size_t Projects() const {
    std::set<std::string> names;
    for (const DependencyRow& row : plan_.dependencies) names.insert(NormalizeProject(row.name));
    return names.size();
  }

  const Plan& plan_;
  std::unique_ptr<Storage> storage_;
  Host& host_;
  Log log_;
  bool dry_run_;
  std::string prefix_;
  std::string url_;
  std::string source_;
  RemoteIndex index_;
  std::vector<RemoteFile> files_;
  std::set<std::string> there_;
  std::mutex mutex_;
  std::set<std::string> brought_;
};

int RunIndexMirror(const Arguments& arguments, Host& host) {
  Diagnostics diagnostics;
  const std::optional<Plan> plan = ReadPlan(arguments, host, diagnostics);
  if (!plan) return Refuse(diagnostics, arguments, host);
  const auto place = TakeStoragePlace(arguments, host, diagnostics);
  const ReleaseTypeRow* release = TakeReleaseType(arguments, "index mirror", *plan, diagnostics);
  if (release != nullptr && release->dependencies_subdir.empty()) {
    diagnostics.Report({.code = "no-dependencies",
                        .message = fmt::format("the release type {} has no index of dependencies",
                                               Quoted(release->name)),
                        .hint = "its column 'dependencies' in the matrix defines it"});
  }
  if (plan->dependencies.empty()) {
    diagnostics.Report({.code = "no-dependencies",
                        .message = "the matrix lists no dependencies",
                        .hint = "write a row for each into matrix/dependencies.yml"});
  }
  HttpUrl url;
  if (arguments.Has("source") && !ReadHttpUrl(arguments.Get("source"), url)) {
    diagnostics.Report(
        {.code = "option-value",
         .message = fmt::format("'--source' does not take {}", Quoted(arguments.Get("source"))),
         .hint = "it takes the URL of an index, such as https://pypi.org/simple"});
  }
  if (!place || release == nullptr || diagnostics.errors() > 0) {
    return Refuse(diagnostics, arguments, host);
  }
  try {
    return Mirror(arguments, *plan, *release, OpenStorage(*place, host), host).Run();
  } catch (const StorageError& error) {
    Log(host).Error(fmt::format("{}; it is safe to repeat", error.what()));
  } catch (const fs::filesystem_error& error) {
    Log(host).Error(error.what());
  }
  return kFound;
}

}  // namespace

Command IndexMirrorCommand() {
  return {
      .name = "index mirror",
      .purpose = "Fill the index of third-party dependencies",
      .usage = "--bucket BUCKET | --output-dir DIR --release-type NAME",
      .about =
          "Copies the wheels that matrix/dependencies.yml lists from another index, for each "
          "Python and platform, into the folder of dependencies of a release type, and writes that "
          "folder's index. Each file must have the SHA-256 of its page, and be the wheel that its "
          "name says.\n\nExisting files are never removed, yanked or replaced: an existing file "
          "with other content is an error. If the other index lacks a file of the list, nothing is "
          "written. The command is safe to repeat.\n\nOutput: dependencies_url.\n",
      .options = Joined(
          WithStorage({ReleaseTypeOption(),
                       {.name = "source",
                        .argument = "URL",
                        .help = "The index to copy files from (default: the one in the matrix)"}}),
          {{.name = "dry-run",
            .argument = {},
            .help = "Print what would be copied, and copy nothing"},
           PlanOption()}),
      .examples = {{"wheelrun index mirror --bucket therock-nightly-python",
                    "As called by the job of the mirror"},
                   {"wheelrun index mirror --release-type nightly --output-dir mirror --dry-run",
                    "Show what the list resolves to today"}},
      .outputs = {"dependencies_url"},
      .run_on_host = RunIndexMirror,
  };
}

}  // namespace wheelwright
