#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <ostream>

#include "base/json.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/hip/code/wheel_code.h"
#include "runtime/hip/compile/compile_report.h"
#include "runtime/host/actions/job_files.h"
#include "runtime/host/actions/log.h"
#include "runtime/pytorch/build/triton.h"
#include "runtime/pytorch/sources/manifest.h"
#include "runtime/store/digest/sum.h"
#include "runtime/wheels/promotion/promotion_request.h"
#include "runtime/wheels/provenance/attestation.h"
#include "runtime/wheels/provenance/bill_of_materials.h"
#include "runtime/wheels/provenance/bundle.h"

namespace wheelwright {
namespace {

// A wheel, and its bill of materials.
struct WheelToAttest {
  AttestedWheel wheel;
  std::string bill;
};

std::string Here(const std::string& folder, std::string_view name) {
  return fmt::format("{}/{}", folder, name);
}

void ReportAttest(Diagnostics& diagnostics, std::string message, std::string note) {
  diagnostics.Report(
      {.code = "attest-input", .message = std::move(message), .notes = {std::move(note)}});
}

// The projects of the manifest beside the wheels.
std::vector<AttestedSource> TakeSources(const std::string& folder, const Plan& plan,
                                        const Host& host, Diagnostics& diagnostics) {
  std::vector<AttestedSource> sources;
  for (const std::string& name : host.files.List(folder + "/manifests")) {
    if (!name.ends_with(".json")) continue;
    const std::string path = fmt::format("{}/manifests/{}", folder, name);
    const auto entries = ReadManifest(host.files.Read(path).value_or(""), path, plan, diagnostics);
    if (!entries) continue;
    for (const ManifestEntry& entry : *entries) {
      sources.push_back({.project = entry.project,
                         .repository = entry.repository,
                         .commit = entry.commit,
                         .branch = entry.branch});
    }
  }
  if (sources.empty() && diagnostics.errors() == 0) {
    ReportAttest(diagnostics, fmt::format("there is no manifest in {}/manifests", folder),
                 "`wheelrun manifest` writes it: a provenance without sources proves little");
  }
  return sources;
}

// A word that `wheelrun hip compile` writes.
bool IsStatusName(std::string_view text) {
  using enum PairStatus;
  constexpr std::array kAll{kPass,        kFail,         kCrash,          kHang,
                            kOutOfMemory, kExpectedFail, kUnexpectedPass, kNotRun};
  return std::ranges::any_of(kAll, [&](PairStatus one) { return StatusName(one) == text; });
}

// The results of `wheelrun hip compile --json`.
void TakeCanaries(const std::string& path, const Host& host, AttestedBuild& build,
                  Diagnostics& diagnostics) {
  if (path.empty()) return;
  const Json report = ParseOrderedJson(host.files.Read(path).value_or(""));
  if (!report.is_object() || !report.contains("pairs") || !report["pairs"].is_array()) {
    ReportAttest(diagnostics, fmt::format("{} is no report", QuotedPath(path)),
                 "`wheelrun hip compile --json FILE` writes one");
    return;
  }
  // A build wrote it, and may have written anything.
  const auto text = [](const Json& object, const char* key) {
    constexpr std::size_t kMost = 200;
    const auto found = object.find(key);
    return found != object.end() && found->is_string()
               ? Shorten(OneLine(found->get<std::string>()), kMost)
               : std::string();
  };
  build.compiler = text(report, "compiler");
  std::map<std::string, std::size_t> numbers;
  for (const Json& pair : report["pairs"]) {
    const std::string status = pair.is_object() ? text(pair, "status") : "";
    ++numbers[IsStatusName(status) ? status : "unknown"];
  }
  build.canaries.assign(numbers.begin(), numbers.end());
}

class Attesting {
 public:
  Attesting(const Arguments& arguments, Host& host, const Plan& plan)
      : folder_(arguments.positional.front()),
        output_(arguments.Get("output-dir")),
        host_(host),
        plan_(plan) {}

  // Reads everything. Reports what is wrong.
  void Read(const Arguments& arguments, Diagnostics& diagnostics) {
    run_ = ReadAttestedRun(host_, arguments.Get("signer"), diagnostics);
    sources_ = TakeSources(folder_, plan_, host_, diagnostics);
    build_.rocm = arguments.Get("rocm-version");
    TakeCanaries(std::string(arguments.Get("compile-report")), host_, build_, diagnostics);
    if (auto tests = ReadTestResults(arguments.Get("test-results"), diagnostics)) {
      build_.tests = *std::move(tests);
    }
    std::optional<std::vector<TestedWheel>> tested;
    if (arguments.Has("wheels") &&
        Require(arguments, "attest", "platform", "--platform linux", diagnostics)) {
      tested = ReadTestedWheels(arguments.Get("wheels"), arguments.Get("platform"), diagnostics);
      if (!tested) return;
    }
    ReadWheels(diagnostics);
    if (tested) CompareWithTested(*tested, diagnostics);
  }

  void Write() const {
    const Json provenance = ProvenancePredicate(run_, sources_);
    std::vector<AttestedWheel> all;
    std::string subjects;
    for (const WheelToAttest& one : wheels_) {
      const std::string folder = Here(output_, one.wheel.project);
      const std::string line = fmt::format("{}  {}\n", one.wheel.sha256, one.wheel.file);
      const auto write = [&](std::string_view name, std::string_view text) {
        host_.files.Write(Here(folder, name), text);
      };
      write("subject.txt", line);
      write("provenance.json", JsonText(provenance));
      write("provenance.statement.json",
            JsonText(Statement({one.wheel}, kProvenanceType, provenance)));
      host_.files.Write(Here(output_, one.wheel.file + std::string(kBillSuffix)), one.bill);
      subjects += line;
      all.push_back(one.wheel);
    }
    const Json record = RecordPredicate(run_, sources_, all, build_);
    host_.files.Write(Here(output_, "subjects.txt"), subjects);
    host_.files.Write(Here(output_, "record.json"), JsonText(record));
    host_.files.Write(Here(output_, "record.statement.json"),
                      JsonText(Statement(all, kRecordType, record)));
    JobFiles job(host_);
    job.SetOutput("record_type", kRecordType);
    job.AddSummary(Summary());
    Log(host_).Say(
        fmt::format("wrote what is attested of {} to {}", Count(wheels_.size(), "wheel"), output_));
  }

 private:
  void ReadWheels(Diagnostics& diagnostics) {
    std::vector<InspectedFile> files;
    for (const std::string& name : host_.files.List(folder_)) {
      if (!name.ends_with(".whl")) continue;
      InspectedFile file{.path = Here(folder_, name)};
      file.source = OpenFileSource(file.path, file.problem);
      files.push_back(std::move(file));
    }
    if (files.empty()) {
      ReportAttest(diagnostics, fmt::format("there is no wheel in {}", QuotedPath(folder_)),
                   "give the folder that has the wheels and the folder `manifests`");
      return;
    }
    for (const WheelCode& code : ReadWheelCode(files, host_.machine.cores)) {
      ReadOneWheel(code, diagnostics);
    }
  }

  void ReadOneWheel(const WheelCode& code, Diagnostics& diagnostics) {
    const std::string path = Here(folder_, code.file);
    std::string problem;
    const WheelContents contents = OpenWheel(path, OpenFileSource(path, problem), problem, texts_);
    const std::optional<std::string> sum = Sha256OfFile(path);
    if (!sum || !contents.is_archive || !contents.reading.name || !code.problems.empty()) {
      ReportAttest(diagnostics, fmt::format("{} cannot be read", Quoted(code.file)),
                   "`wheelrun wheel check` says why");
      return;
    }
    const WheelName& name = *contents.reading.name;
    AttestedWheel wheel{.file = code.file,
                        .project = ProjectOf(name),
                        .version = name.version.ToString(),
                        .sha256 = *sum,
                        .size = code.size};
    for (const TargetShare& share : SharesOf(code.objects)) {
      wheel.targets.push_back(share.target.ToString());
    }
    if (std::ranges::any_of(wheels_,
                            [&](const auto& one) { return one.wheel.project == wheel.project; })) {
      ReportAttest(diagnostics,
                   fmt::format("{} is a second wheel of {}", Quoted(code.file), wheel.project),
                   "attest the wheels of each Python alone");
      return;
    }
    std::string bill = JsonText(BillOfMaterials(contents, wheel, sources_));
    wheel.bill_sha256 = Sha256Of(bill);
    wheels_.push_back({.wheel = std::move(wheel), .bill = std::move(bill)});
  }

  // Triton's wheel may have another name than its project.
  std::string ProjectOf(const WheelName& name) const {
    std::string project = name.Project();
    const bool triton = project == NormalizeProject(TritonWheelName({}, host_.variables));
    return triton ? "triton" : project;
  }

  void CompareWithTested(const std::vector<TestedWheel>& tested, Diagnostics& diagnostics) const {
    for (const TestedWheel& one : tested) {
      const auto found = std::ranges::find_if(
          wheels_, [&](const WheelToAttest& have) { return have.wheel.file == one.file; });
      if (found != wheels_.end() && found->wheel.sha256 == one.sha256) continue;
      ReportAttest(diagnostics,
                   found == wheels_.end()
                       ? fmt::format("{} was uploaded, and is not in {}", Quoted(one.file), folder_)
                       : fmt::format("{} is not what was uploaded: its SHA-256 is {}, not {}",
                                     Quoted(one.file), found->wheel.sha256, one.sha256),
                   "only what was uploaded and tested is attested");
    }
    for (const WheelToAttest& one : wheels_) {
      if (std::ranges::find(tested, one.wheel.file, &TestedWheel::file) != tested.end()) continue;
      ReportAttest(diagnostics, fmt::format("{} was not uploaded", Quoted(one.wheel.file)),
                   "only what was uploaded and tested is attested");
    }
  }

  std::string Summary() const {
    std::string out = fmt::format(
        "### Attested\n\nBy {}, from {} at `{}`.\n\n| wheel | SHA-256 | GPUs |\n| --- | --- | --- "
        "|\n",
        EscapeMarkdown(run_.builder), EscapeMarkdown(run_.repository), EscapeMarkdown(run_.commit));
    for (const WheelToAttest& one : wheels_) {
      out += fmt::format("| {} | `{}` | {} |\n", EscapeMarkdown(one.wheel.file), one.wheel.sha256,
                         one.wheel.targets.empty() ? "-" : JoinWords(one.wheel.targets));
    }
    return out + "\n";
  }

  std::string folder_, output_;
  Host& host_;
  const Plan& plan_;
  SourceManager texts_;
  AttestedRun run_;
  std::vector<AttestedSource> sources_;
  AttestedBuild build_;
  std::vector<WheelToAttest> wheels_;
};

int RunAttest(const Arguments& arguments, Host& host) {
  Diagnostics diagnostics;
  Require(arguments, "attest", "output-dir", "--output-dir attestations", diagnostics);
  Require(arguments, "attest", "signer", "--signer .github/workflows/attest_wheels.yml",
          diagnostics);
  const std::optional<Plan> plan = ReadPlan(arguments, host, diagnostics);
  if (!plan || diagnostics.errors() > 0) return Refuse(diagnostics, arguments, host);
  Attesting attesting(arguments, host, *plan);
  attesting.Read(arguments, diagnostics);
  if (diagnostics.errors() > 0) return Refuse(diagnostics, arguments, host);
  attesting.Write();
  return kSuccess;
}

// Puts the bundles that the signing action wrote beside the bills, named by wheel and kind.
int RunAttestCollect(const Arguments& arguments, Host& host) {
  const std::string& folder = arguments.positional.front();
  Log log(host);
  std::map<std::string, std::string> files;  // by path
  bool good = true;
  for (const std::string_view word : Split(arguments.Get("bundles"), ' ')) {
    const std::string path(Trim(word));
    if (path.empty()) continue;
    std::string problem = "there is no such file";
    const std::optional<std::string> text = host.files.Read(path);
    const std::optional<SignedStatement> read = text ? ReadBundle(*text, problem) : std::nullopt;
    if (!read) {
      log.Error(fmt::format("{}; the signing action's output bundle-path names one", problem),
                fmt::format("{} is no bundle", QuotedPath(path)));
      good = false;
      continue;
    }
    const std::string_view suffix =
        read->type == kProvenanceType ? kProvenanceBundleSuffix : kRecordBundleSuffix;
    for (const auto& [name, sum] : read->subjects) {
      // A name becomes a path.
      if (!ReadWheelName(name).name) continue;
      files[fmt::format("{}/{}{}", folder, name, suffix)] = *text;
    }
  }
  std::size_t wheels = 0;
  for (const std::string& name : host.files.List(folder)) {
    if (!name.ends_with(kBillSuffix)) continue;
    ++wheels;
    const std::string wheel = name.substr(0, name.size() - kBillSuffix.size());
    for (const std::string_view suffix : {kProvenanceBundleSuffix, kRecordBundleSuffix}) {
      if (files.contains(fmt::format("{}/{}{}", folder, wheel, suffix))) continue;
      log.Error("name the bundles of all signing steps with --bundles",
                fmt::format("no bundle {} is of {}", suffix, Quoted(wheel)));
      good = false;
    }
  }
  if (wheels == 0) {
    log.Error("`wheelrun attest --output-dir` writes there",
              fmt::format("{} has no attested wheel", QuotedPath(folder)));
    good = false;
  }
  if (!good) return kFound;
  for (const auto& [path, text] : files) host.files.Write(path, text);
  log.Say(fmt::format("{} of {}", Count(files.size(), "bundle"), Count(wheels, "wheel")));
  return kSuccess;
}

}  // namespace

Command AttestCommand() {
  return {
      .name = "attest",
      .purpose = "Write what is attested of wheels, for the step that signs it",
      .usage = "DIR --output-dir DIR --signer PATH",
      .about =
          "For each wheel in DIR: the provenance (SLSA v1), and a bill of materials (CycloneDX). "
          "For all together: the record of the build, with commits, targets of the device code, "
          "compiler, canaries and test results. They describe the run by the runner's variables, "
          "the sources by the manifest in DIR/manifests, and the wheels by reading them. Nothing "
          "is signed here: actions/attest does that, in the same job. docs/provenance.md has the "
          "formats.\n\nWrites PROJECT/subject.txt, PROJECT/provenance.json, record.json and "
          "subjects.txt for the action, statements of both (*.statement.json) for other signers, "
          "and WHEEL.cdx.json.\n\nOutputs: record_type, the type of the record.\n",
      .options =
          {{.name = "output-dir", .argument = "DIR", .help = "The folder to write to"},
           {.name = "signer",
            .argument = "PATH",
            .help = "The workflow file of the job that signs: .github/workflows/attest_wheels.yml"},
           {.name = "wheels",
            .argument = "JSON",
            .help = "The uploaded wheels: SHA-256 by file name; any other wheel is an error"},
           {.name = "platform",
            .argument = "NAME",
            .help = "The platform of these wheels",
            .values = {"linux", "windows"}},
           {.name = "rocm-version",
            .argument = "VERSION",
            .help = "The ROCm packages of the build"},
           {.name = "compile-report",
            .argument = "FILE",
            .help = "The results of the canaries: what `wheelrun hip compile --json` wrote"},
           {.name = "test-results",
            .argument = "RESULTS",
            .help = "NAME=RESULT of each job that tested the wheels, separated by blanks, or JSON"},
           PlanOption()},
      .examples = {{"wheelrun attest dist --output-dir attestations --signer "
                    ".github/workflows/attest_pytorch_wheels.yml",
                    "What a release attests of the wheels in dist"},
                   {"wheelrun attest dist --output-dir attestations --signer "
                    ".github/workflows/attest_pytorch_wheels.yml --test-results "
                    "gfx94X-dcgpu=success",
                    "The same with the result of a test"}},
      .least_positional = 1,
      .most_positional = 1,
      .outputs = {"record_type"},
      .run_on_host = RunAttest,
  };
}

Command AttestCollectCommand() {
  return {
      .name = "attest collect",
      .purpose = "Put the signed bundles beside the bills of materials",
      .usage = "DIR --bundles FILES",
      .about =
          "DIR is the folder that `wheelrun attest` wrote. Each bundle is copied as "
          "WHEEL.provenance.sigstore.json or WHEEL.record.sigstore.json for each of its subjects. "
          "A wheel without both is an error. `wheelrun promote --attestations DIR` verifies "
          "them.\n",
      .options = {{.name = "bundles",
                   .argument = "FILES",
                   .help = "The bundles of the signing action, separated by blanks"}},
      .examples = {{"wheelrun attest collect attestations --bundles \"$BUNDLES\"",
                    "Behind the steps that sign"},
                   {"wheelrun attest collect attestations --bundles \"torch.json record.json\"",
                    "The same by hand"}},
      .least_positional = 1,
      .most_positional = 1,
      .run_on_host = RunAttestCollect,
  };
}

}  // namespace wheelwright
