#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/parallel.h"
#include "base/platform/file_handle.h"
#include "base/platform/folders.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/archive_filter.h"
#include "runtime/commands/input/build_arguments.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/commands/input/places.h"
#include "runtime/host/actions/log.h"
#include "runtime/host/programs/runner.h"
#include "runtime/store/open_storage.h"
#include "runtime/store/storage/known_sum.h"
#include "runtime/store/storage/transfer_meter.h"
#include "runtime/wheels/index/distribution.h"
#include "runtime/wheels/plan/plan.h"
#include "runtime/wheels/transfer/run_lookup.h"
#include "runtime/wheels/transfer/unpack.h"
#include "runtime/wheels/transfer/upload_files.h"
#include "runtime/wheels/wheel/wheel_report.h"

namespace wheelwright {
namespace {

constexpr std::size_t kFilesAtOnce = 8;
constexpr std::string_view kSumSuffix = ".sha256sum";

enum class Wanted { kArtifacts, kPackages };

class Fetch {
 public:
  Fetch(const Arguments& arguments, const Plan& plan, StoragePlace store, Wanted wanted,
        const ArchiveFilter& filter, Host& host)
      : arguments_(arguments),
        plan_(plan),
        store_(std::move(store)),
        wanted_(wanted),
        filter_(filter),
        host_(host),
        log_(host),
        group_(arguments.Get("artifact-group")),
        folder_(AbsolutePath(wanted == Wanted::kArtifacts && arguments.Has("archives")
                                 ? arguments.Get("archives")
                                 : arguments.Get("output-dir"),
                             host)) {}

  // On failure logs an error and returns false.
  bool Run() {
    if (arguments_.Has("commit")) return FetchNewest();
    const std::string id(arguments_.Get("run-id"));
    if (id.empty()) return true;
    const std::vector<ObjectInfo> objects = Find(LookUpRun(Repository(), id, host_));
    if (!objects.empty()) return Take(objects);
    log_.Error(fmt::format("{} holds no {} of {}", storage_->NameOf(run_folder_),
                           wanted_ == Wanted::kArtifacts ? "archives" : "packages", group_));
    return false;
  }

  const std::string& folder() const { return folder_; }

 private:
  std::string Repository() const { return TakeRepository(arguments_, host_, plan_); }

  bool FetchNewest() {
    const std::string commit(arguments_.Get("commit"));
    std::string problem;
    const auto runs =
        GoodRunsOf(Repository(), commit, std::string(arguments_.Get("workflow")), host_, problem);
    if (!runs) {
      log_.Error(problem);
      return false;
    }
    for (const FoundRun& run : *runs) {
      const std::vector<ObjectInfo> objects = Find(run);
      if (objects.empty()) continue;
      log_.Say(
          fmt::format("run {} of {} is the newest successful one that has them", run.id, commit));
      return Take(objects);
    }
    log_.Error(fmt::format("of {} for {}, none has files of {}", Count(runs->size(), "good run"),
                           commit, group_));
    return false;
  }

  // The archives in the build's own folder, else in the folder of the run, where the former
  // hand-written workflows put those of all builds.
  std::vector<ObjectInfo> Find(const FoundRun& run) {
    const StoragePlace place =
        PlaceOfRun(store_, OriginOf(run, arguments_), run.id, arguments_, plan_, host_);
    storage_ = OpenStorage(place, host_);
    const std::string& folder = run_folder_ = place.prefix;
    if (wanted_ == Wanted::kPackages) {
      return FindIn(folder + PackageFolder(group_),
                    [](std::string_view name) { return ReadDistributionName(name).has_value(); });
    }
    for (const bool own_folder : {true, false}) {
      std::vector<ObjectInfo> found =
          FindIn(own_folder ? folder + ArchiveFolder(group_) : folder, [&](std::string_view name) {
            const std::optional<std::string> stem = ArchiveStem(ArchiveOf(name));
            return stem && filter_.IsOfBuild(*stem, own_folder);
          });
      if (!found.empty()) return found;
    }
    return {};
  }

  template <typename Predicate>
  std::vector<ObjectInfo> FindIn(const std::string& folder, Predicate wanted) {
    prefix_ = folder;
    std::vector<ObjectInfo> found;
    for (ObjectInfo& object : storage_->List(folder)) {
      const std::string name = NameOf(object);
      if (name.find('/') == std::string::npos && wanted(name)) found.push_back(std::move(object));
    }
    return found;
  }

  std::string NameOf(const ObjectInfo& object) const { return object.key.substr(prefix_.size()); }

  // The archive of a checksum file, or the name itself.
  static std::string_view ArchiveOf(std::string_view name) {
    return name.ends_with(kSumSuffix) ? name.substr(0, name.size() - kSumSuffix.size()) : name;
  }

  // Takes those archives of the build that the patterns allow.
  bool Take(const std::vector<ObjectInfo>& of_build) {
    if (wanted_ == Wanted::kPackages) return Get(of_build);
    std::vector<ObjectInfo> objects;
    std::set<std::string> stems;
    for (const ObjectInfo& object : of_build) {
      const std::string stem = ArchiveStem(ArchiveOf(NameOf(object))).value_or("");
      if (const std::string why = ProblemOfStem(stem); !why.empty()) {
        log_.Error(fmt::format("{} names no archive: {}", Quoted(NameOf(object)), why),
                   storage_->NameOf(prefix_));
        return false;
      }
      stems.insert(stem);
      if (filter_.Matches(stem)) objects.push_back(object);
    }
    const Texts names(stems.begin(), stems.end());
    const std::string problem = filter_.ProblemWith(names);
    if (!problem.empty()) log_.Error(problem, storage_->NameOf(prefix_));
    return problem.empty() && Get(objects);
  }

  bool Get(const std::vector<ObjectInfo>& objects) {
    std::vector<char> there(objects.size());
    ParallelFor(objects.size(), kFilesAtOnce,
                [&](std::size_t i) { there[i] = IsThere(objects[i], objects); });
    std::vector<const ObjectInfo*> missing;
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < objects.size(); ++i) {
      if (there[i]) continue;
      missing.push_back(&objects[i]);
      bytes += objects[i].size;
    }
    if (arguments_.Has("dry-run")) {
      for (const ObjectInfo* object : missing) {
        log_.Say(fmt::format("would fetch {} to {} ({})", storage_->NameOf(object->key),
                             PathOf(*object), SizeText(object->size)));
      }
      return true;
    }
    std::ranges::stable_sort(missing, std::ranges::greater(), &ObjectInfo::size);
    std::chrono::milliseconds time{};
    {
      TransferMeter meter(host_, "fetched", bytes, missing.size());
      ParallelFor(missing.size(), kFilesAtOnce, [&](std::size_t i) {
        storage_->Download(*missing[i], PathOf(*missing[i]),
                           [&](std::uint64_t piece) { meter.Add(piece); });
        meter.FileDone();
      });
      time = meter.elapsed();
    }
    if (!CheckSums(objects)) return false;
    log_.Say(fmt::format("{}: {} ({}) in {}, {}; {} there already", storage_->NameOf(prefix_),
                         Count(missing.size(), "file"), SizeText(bytes), DurationText(time),
                         Rate(bytes, time), objects.size() - missing.size()));
    return true;
  }

  std::string PathOf(const ObjectInfo& object) const {
    return fmt::format("{}/{}", folder_, NameOf(object));
  }

  // Compares size and sum. If the store has no sum, CheckSums() checks the file later.
  bool IsThere(const ObjectInfo& object, const std::vector<ObjectInfo>& objects) {
    const std::string path = PathOf(object);
    const std::optional<FileFacts> facts = LookAtFile(path);
    if (!facts || facts->size != object.size) return false;
    const std::optional<ObjectInfo> now = storage_->Head(object.key);
    if (!now) return false;
    const std::string sum_key = object.key + std::string(kSumSuffix);
    return HoldsSame(*now, path)
        .value_or(std::ranges::any_of(
            objects, [&](const ObjectInfo& other) { return other.key == sum_key; }));
  }

  // Checks archives against the checksum files beside them.
  bool CheckSums(const std::vector<ObjectInfo>& objects) {
    bool good = true;
    for (const ObjectInfo& object : objects) {
      if (!object.key.ends_with(kSumSuffix)) continue;
      const std::string path = PathOf(object);
      const std::string archive = path.substr(0, path.size() - kSumSuffix.size());
      if (!IsFile(archive)) continue;
      const std::string told = ToLower(Trim(host_.files.Read(path).value_or("")));
      const std::string sum = Sha256OfFile(archive).value_or("");
      if (told.substr(0, told.find(' ')) == sum) continue;
      log_.Error(fmt::format("{} has the SHA-256 {}, but {} has another; fetch it again", archive,
                             sum, path));
      std::error_code ignored;
      RemoveFile(archive, ignored);
      good = false;
    }
    return good;
  }

  const Arguments& arguments_;
  const Plan& plan_;
  StoragePlace store_;
  Wanted wanted_;
  const ArchiveFilter& filter_;
  Host& host_;
  Log log_;
  std::string group_, folder_, run_folder_;
  std::unique_ptr<Storage> storage_;
  std::string prefix_;
};

template <Wanted kWanted>
int RunFetch(const Arguments& arguments, Host& host) {
  constexpr std::string_view kName =
      kWanted == Wanted::kArtifacts ? "fetch artifacts" : "fetch packages";
  Diagnostics diagnostics;
  const std::optional<Plan> plan = ReadPlan(arguments, host, diagnostics);
  const std::optional<StoragePlace> place = TakeRunStore(arguments, host, diagnostics);
  Require(arguments, kName, "artifact-group", "--artifact-group gfx94X-dcgpu", diagnostics);
  Require(arguments, kName, "output-dir", "--output-dir artifacts", diagnostics);
  if (arguments.Has("run-id") && arguments.Has("commit")) {
    diagnostics.Report({.code = "two-places",
                        .message = "'--run-id' and '--commit' give two runs",
                        .hint = "remove one of them"});
  }
  if (kWanted == Wanted::kPackages && !arguments.Has("commit")) {
    Require(arguments, kName, "run-id", "--run-id 1234567", diagnostics);
  }
  std::optional<ArchiveFilter> filter;
  if (plan) {
    filter.emplace(arguments, *plan, arguments.Get("artifact-group"), TakePlatform(arguments, host),
                   diagnostics);
  }
  if (!filter || !place || diagnostics.errors() > 0) return Refuse(diagnostics, arguments, host);
  try {
    Fetch fetch(arguments, *plan, *place, kWanted, *filter, host);
    if (!fetch.Run()) return kFound;
    if (kWanted == Wanted::kPackages) return kSuccess;
    const auto wanted = [&](std::string_view stem) {
      return filter->IsOfBuild(stem, true) && filter->Matches(stem);
    };
    return UnpackAll(fetch.folder(), AbsolutePath(arguments.Get("output-dir"), host), wanted,
                     arguments.Has("dry-run"), host)
               ? kSuccess
               : kFound;
  } catch (const StorageError& error) {
    Log(host).Error(fmt::format("{}; it is safe to repeat", error.what()));
    return kFound;
  }
}

std::vector<OptionSpec> FetchOptions(std::vector<OptionSpec> own) {
  own.insert(own.begin(),
             {PlatformOption(),
              {.name = "artifact-group",
               .argument = "NAME",
               .help = "The build: its family, with the suffix of the variant if it has one"},
              {.name = "run-id", .argument = "ID", .help = "The run whose files to download"},
              {.name = "commit",
               .argument = "SHA",
               .help = "Instead: the newest successful run for this commit that has them"},
              {.name = "workflow",
               .argument = "FILE",
               .help = "With --commit: only runs of this workflow, such as ci_nightly.yml"},
              RepositoryOption()});
  return Joined(
      std::move(own),
      Joined(RunStoreOptions(), {{.name = "dry-run",
                                  .argument = {},
                                  .help = "Print what would be downloaded, and download nothing"},
                                 PlanOption()}));
}

}  // namespace

Command FetchArtifactsCommand() {
  return {
      .name = "fetch artifacts",
      .purpose = "Download the archives of a build, and unpack them",
      .usage = "--artifact-group NAME --output-dir DIR [--run-id ID | --commit SHA]",
      .about =
          "Downloads the archives of one build of ROCm, in parallel and verified, and unpacks each "
          "into a folder of its name. Archives that `--archives` contains are not downloaded "
          "again; without a run, only these are unpacked. An archive with files outside of its "
          "folder is rejected. Public buckets need no credentials.\n\nThe command takes archives "
          "for all GPUs, for the family, and, if device code is split by target, for the GPUs of "
          "the family: fft_lib_generic and fft_lib_gfx942. In patterns, `*` matches any text; a "
          "pattern of --include without a match is an error.\n",
      .options = FetchOptions(Joined(
          ArchiveFilterOptions(),
          {{.name = "archives",
            .argument = "DIR",
            .help = "The folder of the archives (default: --output-dir)"},
           {.name = "output-dir", .argument = "DIR", .help = "The folder to unpack them into"}})),
      .examples = {{"wheelrun fetch artifacts --artifact-group gfx94X-dcgpu --run-id 19000000000 "
                    "--output-dir artifacts",
                    "Use the artifacts of a CI run"},
                   {"wheelrun fetch artifacts --artifact-group gfx94X-dcgpu --run-id 19000000000 "
                    "--output-dir artifacts --include 'blas_*' --include 'base_*' --exclude "
                    "'*_dbg_*' --dry-run",
                    "List the archives of two components, without debug symbols"}},
      .run_on_host = RunFetch<Wanted::kArtifacts>,
  };
}

Command FetchPackagesCommand() {
  return {
      .name = "fetch packages",
      .purpose = "Download the wheels of a run",
      .usage = "--artifact-group NAME --output-dir DIR (--run-id ID | --commit SHA)",
      .about =
          "Downloads the wheels that `upload` stored in the folder of a run, in parallel and "
          "verified.\n",
      .options = FetchOptions(
          {{.name = "output-dir", .argument = "DIR", .help = "The folder for the wheels"}}),
      .examples = {{"wheelrun fetch packages --artifact-group gfx94X-dcgpu --commit "
                    "8f3c1b2a9d4e5f60718293a4b5c6d7e8f9012345 --output-dir dist",
                    "The wheels of the newest successful run for a commit"},
                   {"wheelrun fetch packages --artifact-group gfx94X-dcgpu --run-id 19000000000 "
                    "--output-dir dist",
                    "The wheels of one run"}},
      .run_on_host = RunFetch<Wanted::kPackages>,
  };
}

}  // namespace wheelwright
