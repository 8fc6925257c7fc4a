#include "runtime/wheels/wheel/wheel_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>

#include "base/quote.h"
#include "base/text.h"
#include "cli/terminal.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/host/actions/job_files.h"
#include "runtime/host/actions/log.h"
#include "runtime/pytorch/publish/admission.h"
#include "runtime/wheels/index/distribution.h"
#include "runtime/wheels/plan/plan.h"
#include "runtime/wheels/wheel/wheel_report.h"

namespace wheelwright {
namespace {

// The given files and the wheels in given folders. `archives` gets source archives in them, which
// installers would use too.
std::vector<WheelFile> OpenWheels(const std::vector<std::string>& paths, Host& host,
                                  std::vector<std::string>& archives) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    if (path.ends_with(".whl")) {
      files.push_back(path);
      continue;
    }
    for (const std::string& name : host.files.List(path)) {
      if (name.ends_with(".whl")) {
        files.push_back(fmt::format("{}/{}", path, name));
      } else if (EndsLikeDistribution(name)) {
        archives.push_back(name);
      }
    }
  }
  std::vector<WheelFile> wheels;
  for (std::string& path : files) {
    WheelFile wheel{.path = std::move(path)};
    wheel.source = OpenFileSource(wheel.path, wheel.problem);
    wheels.push_back(std::move(wheel));
  }
  return wheels;
}

// What the plan says of other packages, and of where the wheels go. Without one, less is checked.
void TakePlan(const Arguments& arguments, Host& host, WheelExpectations& expected,
              Diagnostics& diagnostics) {
  const std::string_view store = arguments.Get("store");
  if (store.empty() && !HasPlan(arguments, host)) return;
  const std::optional<Plan> plan = ReadPlan(arguments, host, diagnostics);
  if (!plan) return;
  for (const PackageLibraryRow& row : plan->package_libraries) {
    expected.packages.push_back({NormalizeProject(row.project), row.libraries, row.folders});
  }
  std::vector<std::string_view> names;
  for (const WheelStoreRow& row : plan->wheel_stores) {
    names.push_back(row.name);
    if (store.empty() ? row.of_release : row.name == store) {
      expected.stores.push_back({row.name, row.bytes, row.source});
    }
  }
  if (store.empty() || !expected.stores.empty()) return;
  diagnostics.Report({.code = "option-value",
                      .message = fmt::format("the matrix has no store {}", Quoted(store)),
                      .hint = DidYouMean(store, names, "it has ")});
}

std::optional<WheelExpectations> ReadExpectations(const Arguments& arguments, Host& host,
                                                  SourceManager& sources,
                                                  Diagnostics& diagnostics) {
  WheelExpectations expected;
  const std::string_view platform = arguments.Get("platform");
  if (!platform.empty()) {
    expected.platform = platform == "linux" ? WheelPlatform::kLinux : WheelPlatform::kWindows;
  }
  if (const std::string_view text = arguments.Get("python"); !text.empty()) {
    expected.python = ParsePythonVersion(text);
    if (!expected.python) {
      diagnostics.Report({.code = "option-value",
                          .message = fmt::format("'--python' does not take {}", Quoted(text)),
                          .hint = "it takes a minor version, such as 3.12 or 3.13t"});
    }
  }
  expected.versions = TakeResolvedVersions(arguments, host, sources, diagnostics);
  // Single files need not be a complete set.
  expected.complete = std::ranges::any_of(
      arguments.positional, [](const std::string& path) { return !path.ends_with(".whl"); });
  TakePlan(arguments, host, expected, diagnostics);
  if (diagnostics.errors() > 0) return std::nullopt;
  return expected;
}

int RunWheelCheck(const Arguments& arguments, Host& host) {
  SourceManager sources;
  Diagnostics diagnostics;
  const bool color = UsesColor(TakeColor(arguments), host.err_is_terminal, host);
  const ReportFormat format = host.in_actions() ? ReportFormat::kGithub : ReportFormat::kText;
  const auto expected = ReadExpectations(arguments, host, sources, diagnostics);
  if (!expected) {
    Log(host).Report(Render(diagnostics, sources, format, color));
    return kWrongInput;
  }
  std::vector<std::string> archives;
  std::vector<WheelFile> wheels = OpenWheels(arguments.positional, host, archives);
  WheelCheckReport report = CheckWheels(std::move(wheels), *expected, host.machine.cores, sources);
  for (const std::string& name : archives) {
    report.together.Report(
        {.code = "source-archive",
         .message = fmt::format("{} is not a wheel, but an index would offer it", Quoted(name)),
         .hint = "nobody checks the code that runs when a source archive is installed"});
  }
  if (arguments.Get("format") == "json") {
    host.out << WheelJson(report, sources);
  } else {
    Log(host).Report(WheelFindingsText(report, sources, format, color));
    host.out << WheelTable(report) << WheelVerdict(report) << "\n";
  }
  if (host.in_actions()) JobFiles(host).AddSummary(WheelSummary(report, sources));
  return report.good() ? kSuccess : kFound;
}

}  // namespace

Command WheelCheckCommand() {
  return {
      .name = "wheel check",
      .purpose = "Check that wheels are intact, complete and in the resolved versions",
      .usage = "DIR|FILE...",
      .about =
          "Reads every byte of every wheel, and reports all errors: names, tags and versions that "
          "do not fit the run, archives that installers would read differently, files that are "
          "missing in RECORD or differ from it, METADATA and WHEEL that contradict the name or "
          "their standards, shared objects for another machine, or that need more of a system "
          "than the tag promises, files that are too large for their store, and missing wheels. "
          "What breaks no installation is a warning. The plan says which libraries other "
          "packages have. docs/wheels.md describes what is proved.\n\nThe exit status is 1 after "
          "an error. Large wheels are unpacked in memory, a piece at a time; nothing is "
          "written.\n",
      .options =
          {{.name = "platform",
            .argument = "NAME",
            .help = "The platform of the wheels",
            .values = {"linux", "windows"}},
           {.name = "python",
            .argument = "VERSION",
            .help = "The interpreter of the wheels: 3.12, 3.13t"},
           {.name = "versions",
            .argument = "JSON",
            .help =
                "The resolved versions, {\"torch\": \"2.10.0\"}: exactly these wheels must exist "
                "(default, for a folder: torch, torchaudio and torchvision, in any version)"},
           {.name = "store",
            .argument = "NAME",
            .help = "Where the wheels go, a row of wheel_stores: no wheel may be larger than it "
                    "takes (default: the stores of all release types)"},
           PlanOption(),
           {.name = "format",
            .argument = "FORMAT",
            .help = "The format of the report (default: text)",
            .values = {"text", "json"}}},
      .examples = {{"wheelrun wheel check dist --platform linux --python 3.12",
                    "Check wheels for Python 3.12"},
                   {"wheelrun wheel check torch-2.10.0-cp312-cp312-linux_x86_64.whl --format json",
                    "Check one wheel, with machine-readable output"}},
      .least_positional = 1,
      .most_positional = 1000,
      .run_on_host = RunWheelCheck,
  };
}

}  // namespace wheelwright
