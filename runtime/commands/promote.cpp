#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/build_arguments.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/commands/input/places.h"
#include "runtime/commands/input/resolution.h"
#include "runtime/host/actions/job_files.h"
#include "runtime/host/actions/log.h"
#include "runtime/pytorch/publish/admission.h"
#include "runtime/store/open_storage.h"
#include "runtime/wheels/index/distribution.h"
#include "runtime/wheels/index/index_report.h"
#include "runtime/wheels/index/index_writer.h"
#include "runtime/wheels/plan/plan.h"
#include "runtime/wheels/promotion/planned_release.h"
#include "runtime/wheels/promotion/promotion_request.h"
#include "runtime/wheels/promotion/wheel_promotion.h"
#include "runtime/wheels/provenance/release_evidence.h"
#include "runtime/wheels/resolve/resolver.h"

namespace wheelwright {
namespace {

// The request, for messages.
struct Asked {
  std::string branch;
  std::string build;
  JobResults tests;
  std::string tests_together;
  bool bypass = false;

  PromotionCase Case() const {
    return {.branch = branch,
            .build = build,
            .tests = tests_together,
            .runner = !tests.empty(),
            .bypass = bypass};
  }
};

// The exact branch: not a tag of that name, and case-sensitive, because branch protection uses
// exact names.
std::string BranchOf(const Arguments& arguments, const Host& host) {
  if (arguments.Has("branch")) return std::string(arguments.Get("branch"));
  const std::string type = host.Variable("GITHUB_REF_TYPE");
  return type.empty() || type == "branch" ? host.Variable("GITHUB_REF_NAME") : std::string();
}

std::optional<Asked> TakeAsked(const Arguments& arguments, const Host& host,
                               Diagnostics& diagnostics) {
  Require(arguments, "promote", "build-result", "--build-result success", diagnostics);
  std::optional<JobResults> tests = ReadTestResults(arguments.Get("test-results"), diagnostics);
  if (!tests || diagnostics.errors() > 0) return std::nullopt;
  Asked asked{.branch = BranchOf(arguments, host),
              .build = std::string(arguments.Get("build-result")),
              .tests = *std::move(tests),
              .bypass = arguments.Get("bypass-tests") == "true"};
  asked.tests_together = WorstResult(asked.tests);
  return asked;
}

std::string_view WordFor(PromotedWheel::State state, bool refused) {
  switch (state) {
    case PromotedWheel::State::kCopied:
      return "promoted";
    case PromotedWheel::State::kThere:
      return "was there already";
    case PromotedWheel::State::kWaiting:
      break;
  }
  return refused ? "not promoted" : "would be promoted";
}

std::string FactsAsMarkdown(const Asked& asked) {
  std::string tests;
  for (const auto& [name, result] : asked.tests) {
    tests +=
        fmt::format("{}{}{}", tests.empty() ? "" : ", ", name.empty() ? "" : name + " ", result);
  }
  return fmt::format(
      "Build: {}. Tests: {}. May go untested: {}. Branch: {}.\n\n", EscapeMarkdown(asked.build),
      tests.empty() ? "no runner" : EscapeMarkdown(tests), asked.bypass ? "yes" : "no",
      asked.branch.empty() ? "none" : EscapeMarkdown(asked.branch));
}

// The warning about wheels that are promoted without passed tests, or "".
std::string UntestedText(const Asked& asked, const PromotionVerdict& verdict) {
  if (asked.tests_together == "success") return {};
  std::string failed;
  for (const auto& [name, result] : asked.tests) {
    if (result == "success") continue;
    failed +=
        fmt::format("{}{}{}", failed.empty() ? "" : ", ", name.empty() ? "" : name + " ", result);
  }
  return fmt::format("{}; the policy says: {}",
                     asked.tests.empty() ? "no runner tested these wheels"
                                         : fmt::format("the tests did not pass ({})", failed),
                     verdict.why);
}

std::string WheelsAsMarkdown(const PromotionResult& result) {
  std::string out = "| wheel | SHA-256 | |\n| --- | --- | --- |\n";
  for (const PromotedWheel& wheel : result.wheels) {
    out += fmt::format("| {} | `{}` | {} |\n", EscapeMarkdown(wheel.file), wheel.sha256,
                       WordFor(wheel.state, !result.good()));
  }
  for (const auto* problems : {&result.problems, &result.unmet}) {
    for (const std::string& problem : *problems) {
      out += fmt::format("\nRefused: {}.\n", EscapeMarkdown(problem));
    }
  }
  return out + "\n";
}

// Logs the result. False when something was refused.
bool Report(const PromotionResult& result, Host& host) {
  Log log(host);
  for (const PromotedWheel& wheel : result.wheels) {
    log.Say(fmt::format("{:<17} {}", WordFor(wheel.state, !result.good()), wheel.file));
  }
  for (const std::string& problem : result.problems) log.Error(problem, "not promoted");
  for (const std::string& problem : result.unmet) log.Error(problem, "could not be installed");
  for (const std::string& warning : result.warnings) log.Warning(warning, "missing dependency");
  const bool partly = std::ranges::any_of(result.wheels, [](const PromotedWheel& wheel) {
    return wheel.state == PromotedWheel::State::kCopied;
  });
  if (!result.good()) {
    log.Say(partly ? "Some of the wheels were copied, but no index lists them yet."
                   : "Nothing was copied.");
    if (!result.unmet.empty()) log.Say("Publish what is missing, then run this job again.");
  }
  return result.good();
}

// Staged wheels are untrusted: the release index takes only projects of the matrix.
void CheckAdmission(const std::vector<TestedWheel>& wheels, const Arguments& arguments,
                    const Plan& plan, const Host& host, SourceManager& sources,
                    Diagnostics& diagnostics) {
  const Admission admission =
      TakeAdmission(arguments, arguments.Get("platform"), true, plan, host, sources, diagnostics);
  for (const TestedWheel& wheel : wheels) {
    const auto read = ReadDistributionName(wheel.file);
    const std::string problem =
        read ? admission.Problem(read->project, read->version, read->wheel) : "it has no name";
    if (problem.empty()) continue;
    diagnostics.Report(
        {.code = "surplus-wheel",
         .message = fmt::format("{} is not promoted: {}", Quoted(wheel.file), problem)});
  }
}

// Wheels are published by now, so the error of a failed summary or output says that the promotion
// is done.
template <typename Write>
bool Tell(Log& log, const Write& write) {
  try {
    write();
    return true;
  } catch (const FileError& error) {
    log.Error(fmt::format("{}; the wheels were promoted, and the command is safe to repeat",
                          error.what()));
    return false;
  }
}

// Verifies what is attested of the wheels, if the matrix demands it of the release type. Nothing
// when wheels are refused.
std::optional<ReleaseEvidence> TakeEvidence(const std::vector<TestedWheel>& wheels,
                                            const Arguments& arguments, const Plan& plan,
                                            Host& host, std::string& summary) {
  Diagnostics known;  // the type was checked with the folders
  const ReleaseTypeRow* type = TakeReleaseType(arguments, "promote", plan, known);
  std::optional<SignerPolicy> policy;
  if (type != nullptr) policy = SignerPolicyOf(plan, *type);
  if (!policy) return ReleaseEvidence{};
  policy->commit =
      arguments.Has("commit") ? std::string(arguments.Get("commit")) : host.Variable("GITHUB_SHA");
  std::vector<std::pair<std::string, std::string>> sums;
  for (const TestedWheel& wheel : wheels) sums.emplace_back(wheel.file, wheel.sha256);
  WheelVerifier verifier(host, TakeTrustRoot(arguments, host));
  ReleaseEvidence evidence = VerifyEvidence(sums, std::string(arguments.Get("attestations")),
                                            *policy, verifier, host.files);
  Log log(host);
  for (const std::string& problem : evidence.problems) {
    log.Error(problem, "not verified");
    summary += fmt::format("Refused: {}.\n\n", EscapeMarkdown(problem));
  }
  if (!evidence.problems.empty()) {
    log.Say("Nothing was copied.");
    return std::nullopt;
  }
  log.Say(fmt::format("verified {}: signed by {}", Count(wheels.size(), "wheel"),
                      evidence.signers.front()));
  summary += fmt::format("Signed by {}.\n\n", EscapeMarkdown(evidence.signers.front()));
  return evidence;
}

int RunPromote(const Arguments& arguments, Host& host) {
  Diagnostics diagnostics;
  Require(arguments, "promote", "platform", "--platform linux", diagnostics);
  const std::optional<Plan> plan = ReadPlan(arguments, host, diagnostics);
  const std::optional<Asked> asked = TakeAsked(arguments, host, diagnostics);
  const std::optional<StoragePlace> store = TakeStoragePlace(arguments, host, diagnostics);
  std::optional<ReleaseFolders> folders;
  if (plan) folders = TakeReleaseFolders(arguments, "promote", *plan, diagnostics);
  if (!asked || !store || !folders || diagnostics.errors() > 0) {
    return Refuse(diagnostics, arguments, host);
  }

  const PromotionVerdict verdict = Judge(plan->selection.promotion, asked->Case());
  std::optional<std::vector<TestedWheel>> wheels;
  if (verdict.promote &&
      Require(arguments, "promote", "wheels", "--wheels \"$WHEELS\"", diagnostics)) {
    wheels = ReadTestedWheels(arguments.Get("wheels"), arguments.Get("platform"), diagnostics);
  }
  const std::string manifest = ReadManifestSum(arguments.Get("manifest-sha256"), diagnostics);
  SourceManager sources;
  if (wheels) CheckAdmission(*wheels, arguments, *plan, host, sources, diagnostics);
  std::optional<std::string> uv;
  if (wheels && arguments.Has("resolve")) uv = FindUv(host, diagnostics);
  if (diagnostics.errors() > 0) return Refuse(diagnostics, arguments, host, sources);

  Log log(host);
  JobFiles job(host);
  std::string summary = fmt::format("### {}: {}\n\n", verdict.promote ? "Promote" : "Hold",
                                    EscapeMarkdown(verdict.why)) +
                        FactsAsMarkdown(*asked);
  const std::string policy = PolicyTable(plan->selection.promotion, verdict);
  if (!wheels) {
    log.Notice(verdict.why, "held in staging");
    job.AddSummary(summary + policy + "\n");
    job.SetOutput("verdict", "hold");
    return kSuccess;
  }

  log.Say(fmt::format("promote: {}", verdict.why));
  const bool dry_run = arguments.Has("dry-run");
  const auto evidence = TakeEvidence(*wheels, arguments, *plan, host, summary);
  if (!evidence) {
    job.AddSummary(summary);
    return kFound;
  }
  try {
    const std::unique_ptr<Storage> storage = OpenStorage(*store, host);
    if (uv && !ResolveBeforePublishing(*storage, *folders, *wheels, arguments, *plan, *uv, host,
                                       summary)) {
      job.AddSummary(summary);
      log.Say("Nothing was copied. Publish what is missing, then run this job again.");
      return kFound;
    }
    ReleaseView view(*storage, folders->release, folders->dependencies, plan->OwnProjects(),
                     arguments.Get("platform") == "windows");
    const PromotionResult result = PromoteWheels(*storage, folders->staging, folders->release,
                                                 *wheels, manifest, &view, dry_run);
    const std::string untested = result.good() ? UntestedText(*asked, verdict) : std::string();
    const std::string_view title = dry_run ? "would publish untested" : "published untested";
    if (!untested.empty()) {
      summary += fmt::format("> [!WARNING]\n> {}: {}\n\n", title, EscapeMarkdown(untested));
    }
    const bool told =
        Tell(log, [&] { job.AddSummary(summary + WheelsAsMarkdown(result) + policy + "\n"); });
    if (!Report(result, host) || !told) return kFound;
    if (!dry_run) WriteEvidence(*storage, folders->release, *evidence);
    if (!untested.empty()) log.Warning(untested, title);
    if (!arguments.Has("no-index")) {
      // A dry run makes the index of a view of the future release.
      std::optional<PlannedRelease> planned;
      if (dry_run) planned.emplace(*storage, folders->staging, folders->release, result.wheels);
      const IndexResult index =
          WriteIndex(planned ? static_cast<Storage&>(*planned) : *storage, folders->release,
                     {.url = folders->index_url, .dry_run = dry_run, .sleep = host.sleep});
      ReportIndex(index, *storage, folders->release, dry_run, host);
    }
  } catch (const StorageError& error) {
    log.Error(error.what(), "not promoted");
    log.Say("Some of the wheels may have been copied. A repetition resumes there.");
    return kFound;
  }
  return Tell(log, [&] { job.SetOutput("verdict", "promote"); }) ? kSuccess : kFound;
}

}  // namespace

Command PromoteCommand() {
  return {
      .name = "promote",
      .purpose = "Release the tested wheels, if the policy allows it",
      .usage =
          "--platform NAME --family FAMILY --bucket BUCKET --wheels JSON --build-result RESULT",
      .about =
          "Decides by the policy in plan.json; the step summary shows the row that decided. "
          "Holding wheels back is not a failure.\n\nA promotion copies exactly these wheels, by "
          "name and SHA-256, within the store from the family's staging folder to its release "
          "folder, and then writes the index. All wheels are checked before the first is copied: "
          "if one is missing, has changed since its test, or exists in the release with other "
          "content, or requires a package of ROCm or of the matrix that the release will not have, "
          "none is copied and the exit status is 1. The command is safe to repeat. "
          "docs/indexes.md has the policy and the order.\n\nWheels of projects that the matrix "
          "does not build for the platform, or that --versions does not list, are "
          "rejected.\n\nWith --manifest-sha256, the manifest beside each wheel is copied too, if "
          "it has that checksum.\n\nWhere the matrix names a signer for the release type, each "
          "wheel must be attested by it, in a run of the same commit: `sigstore` verifies the "
          "bundles of --attestations, which are published beside the wheels. "
          "docs/provenance.md says what that proves.\n\nWith --resolve, `uv` must be able to "
          "install them from the release as it would be. Packages of others come from the index "
          "of dependencies.\n\nOutputs: verdict, promote or hold.\n",
      .options =
          Joined(WithStorage(
                     {{.name = "platform",
                       .argument = "NAME",
                       .help = "The platform of the wheels",
                       .values = {"linux", "windows"}},
                      FamilyOption(),
                      {.name = "wheels",
                       .argument = "JSON",
                       .help = "The tested wheels: SHA-256 by file name, the output of the upload"},
                      {.name = "manifest-sha256",
                       .argument = "SUM",
                       .help = "The SHA-256 of the wheels' manifest, the output of the upload"},
                      {.name = "attestations",
                       .argument = "DIR",
                       .help = "The signed bundles: the folder of `wheelrun attest collect`"},
                      {.name = "commit",
                       .argument = "SHA",
                       .help = "The commit of the run (default: the variable GITHUB_SHA)"},
                      TrustRootOption(),
                      {.name = "build-result",
                       .argument = "RESULT",
                       .help = "The result of the build",
                       .values = {"success", "failure", "cancelled", "skipped"}},
                      {.name = "test-results",
                       .argument = "RESULTS",
                       .help = "NAME=RESULT of each job that tested the wheels, separated by "
                               "blanks, or JSON; empty if no runner can test them"},
                      {.name = "bypass-tests",
                       .argument = "BOOLEAN",
                       .help = "Whether wheels that no runner can test may be promoted",
                       .values = {"true", "false"}},
                      {.name = "branch",
                       .argument = "NAME",
                       .help = "The branch that was built (default: the variable GITHUB_REF_NAME)"},
                      {.name = "resolve",
                       .argument = {},
                       .help = "Refuse wheels that installers could not resolve: see `wheelrun "
                               "release resolve`"},
                      {.name = "no-index",
                       .argument = {},
                       .help = "Leave the index to a job after all promotions"},
                      VersionsOption(),
                      ReleaseTypeOption(),
                      {.name = "dry-run",
                       .argument = {},
                       .help = "Check all wheels and print what would be done; write nothing"}}),
                 {PlanOption()}),
      .examples = {{"wheelrun promote --platform linux --family gfx94X-dcgpu --bucket "
                    "therock-nightly-python --wheels \"$WHEELS\" --build-result success "
                    "--test-results gfx94X-dcgpu=success",
                    "As called by a job"},
                   {"wheelrun promote --platform linux --family gfx94X-dcgpu --bucket "
                    "therock-nightly-python --wheels \"$WHEELS\" --build-result success "
                    "--test-results gfx94X-dcgpu=success --dry-run",
                    "What would be copied, and by which rule"}},
      .outputs = {"verdict"},
      .run_on_host = RunPromote,
  };
}

}  // namespace wheelwright
