#include <fmt/format.h>

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
#include "runtime/wheels/plan/plan.h"
#include "runtime/wheels/release/release_record.h"
#include "runtime/wheels/release/release_report.h"
#include "runtime/wheels/wheel/wheel_name.h"

namespace wheelwright {
namespace {

class ReleaseChecking {
 public:
  ReleaseChecking(const Arguments& arguments, Host& host, const Plan& plan)
      : arguments_(arguments), host_(host), plan_(plan) {}

  int Run() {
    const auto folders = TakeReleaseFolders(arguments_, "release check", plan_, diagnostics_);
    const auto place = TakeStoragePlace(arguments_, host_, diagnostics_);
    if (!folders || !place || !TakeRequest()) return Refuse(diagnostics_, arguments_, host_);
    Texts searched{folders->release};
    // What a release will have once everything staged is promoted.
    if (arguments_.Has("staging")) searched.insert(searched.begin(), folders->staging);
    try {
      const std::unique_ptr<Storage> storage = OpenStorage(*place, host_);
      if (!TakeVersion(*storage, searched)) return Refuse(diagnostics_, arguments_, host_);
      const auto set = DeclareReleaseSet(plan_, request_, diagnostics_);
      if (!set) return Refuse(diagnostics_, arguments_, host_);
      const ReleaseCheck check = CheckRelease(*storage, searched, folders->dependencies, *set);
      Tell(*set, check);
      if (arguments_.Has("record") && check.whole()) {
        Keep(RecordRelease(*storage, folders->release, *set, check, host_),
             storage->UrlOf(ReleaseRecordKey(folders->release, set->rocm)));
      }
      return check.whole() ? kSuccess : kFound;
    } catch (const StorageError& error) {
      Log(host_).Error(error.what());
      return kFound;
    }
  }

 private:
  bool TakeRequest() {
    const ReleaseTypeRow* type = TakeReleaseType(arguments_, "release check", plan_, diagnostics_);
    if (type != nullptr) request_.release_type = type->name;
    if (arguments_.Has("record") && arguments_.Has("staging")) {
      diagnostics_.Report({.code = "option-value",
                           .message = "'--record' and '--staging' exclude each other",
                           .hint = "what is recorded is published"});
    }
    request_.combo_set = arguments_.Get("set");
    request_.family = arguments_.Get("family");
    request_.platform = arguments_.Get("platform");
    request_.triton = NormalizeProject(TritonWheelName({}, host_.variables));
    auto versions = ReadComboVersions(arguments_.Get("versions"), request_.triton, diagnostics_);
    auto verdicts = ReadComboVerdicts(arguments_.Get("verdicts"), diagnostics_);
    if (diagnostics_.errors() > 0) return false;
    request_.versions = *std::move(versions);
    request_.verdicts = *std::move(verdicts);
    return true;
  }

  bool TakeVersion(Storage& storage, const Texts& folders) {
    const std::string_view given = arguments_.Get("rocm-version");
    std::optional<PackageVersion> version;
    if (!given.empty()) {
      version = ParsePackageVersion(given);
    } else if (const auto all = ListReleases(storage, folders); !all.empty()) {
      version = all.back();
    }
    if (version) {
      request_.rocm = *version;
    } else if (given.empty()) {
      diagnostics_.Report({.code = "missing-argument",
                           .message = fmt::format(
                               "'release check' needs '--rocm-version': {} has no version of rocm",
                               storage.NameOf(folders.back()))});
    } else {
      diagnostics_.Report(
          {.code = "option-value",
           .message = fmt::format("'--rocm-version' does not take {}", Quoted(given)),
           .hint = "it takes a version, such as 7.12.0a20260101"});
    }
    return version.has_value();
  }

  void Tell(const ReleaseSet& set, const ReleaseCheck& check) {
    Log log(host_);
    host_.out << ReleaseTable(set, check);
    for (const ReleaseFinding& finding : check.findings) {
      if (finding.error()) {
        log.Error(finding.message, fmt::format("{}: not whole", set.family));
      } else {
        log.Warning(finding.message, "missing dependency");
      }
    }
    host_.out << ReleaseVerdict(set, check) << "\n";
    if (const std::string path(arguments_.Get("json")); !path.empty()) {
      host_.files.Write(path, ReleaseJson(set, check));
    }
    JobFiles job(host_);
    if (host_.in_actions()) job.AddSummary(ReleaseSummary(set, check));
  }

  void Keep(const nlohmann::ordered_json& record, const std::string& url) {
    host_.out << fmt::format("recorded in {}\n", url);
    if (!host_.in_actions()) return;
    JobFiles(host_).AddSummary(fmt::format("[Record]({})\n\n{}", url, RecordSummary(record)));
  }

  const Arguments& arguments_;
  Host& host_;
  const Plan& plan_;
  Diagnostics diagnostics_;
  SetRequest request_;
};

}  // namespace

Command ReleaseCheckCommand() {
  return {
      .name = "release check",
      .purpose = "Compare a release with the set that the matrix declares",
      .usage = "--family FAMILY --bucket BUCKET",
      .about =
          "The set of a version of ROCm for a family: the wheels of each combo, with that version "
          "in their local label, and the packages of `release_packages`. Finds what is missing or "
          "unexpected, wheels for another platform or of another version, requirements that no "
          "member meets (`Requires-Dist`, with all extras), and extras that nothing provides. What "
          "others publish must be in the index of dependencies, or is a warning.\n\nVersions that "
          "only the build can name are taken from `--versions`; without it, each wheel must fit "
          "the torch of its combo. A combo that `--verdicts` does not promote must be there as a "
          "whole or not at all. Yanked files count as missing.\n\nThe exit status is 1 if the set "
          "is not whole. Only `--record` writes: what belongs to a whole release, its commits, "
          "tests "
          "and signatures, into `release-VERSION.json` beside the files. docs/indexes.md has the "
          "details.\n",
      .options = Joined(
          WithStorage(
              {FamilyOption(),
               ReleaseTypeOption(),
               {.name = "rocm-version",
                .argument = "VERSION",
                .help = "The version whose set to check (default: the newest there)"},
               {.name = "platform",
                .argument = "NAME",
                .help = "Only members for this platform (default: all)",
                .values = {"linux", "windows"}},
               {.name = "set",
                .argument = "NAME",
                .help = "The set of combos in the matrix (default: the first)"},
               {.name = "versions",
                .argument = "JSON",
                .help = "The resolved versions by combo: the output of `wheelrun resolve`"},
               {.name = "verdicts",
                .argument = "PAIRS",
                .help = "COMBO=VERDICT, with blanks between: promote or hold, or the result of the "
                        "job that promotes (default: all were promoted)"},
               {.name = "staging",
                .argument = {},
                .help = "Check what the release will have once all that is staged is promoted"},
               {.name = "record",
                .argument = {},
                .help = "Write the record of the release, if it is whole"},
               {.name = "json", .argument = "FILE", .help = "Also write the result to this file"}}),
          {PlanOption()}),
      .examples = {{"wheelrun release check --bucket therock-nightly-python --family gfx94X-dcgpu",
                    "Is the newest release of a family whole?"},
                   {"wheelrun release check --bucket therock-nightly-python --family gfx94X-dcgpu "
                    "--rocm-version 7.12.0a20260219 --platform linux --json release.json",
                    "Check one platform of an older one"}},
      .run_on_host = RunByPlan<ReleaseChecking>,
  };
}

}  // namespace wheelwright
