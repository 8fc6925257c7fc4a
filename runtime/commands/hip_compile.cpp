#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <utility>

#include "base/platform/files.h"
#include "base/platform/folders.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/commands/input/gfx_options.h"
#include "runtime/hip/compile/canaries.h"
#include "runtime/hip/compile/compile_commands.h"
#include "runtime/hip/compile/compile_pairs.h"
#include "runtime/hip/compile/compile_report.h"
#include "runtime/host/actions/job_files.h"
#include "runtime/host/actions/log.h"
#include "runtime/host/environment/work_folder.h"
#include "runtime/pytorch/python/interpreter.h"

namespace wheelwright {
namespace {

constexpr std::size_t kDefaultTimeLimit = 300;  // seconds

std::string CacheFolder(const Arguments& arguments, const Host& host) {
  if (arguments.Has("cache-dir")) return std::string(arguments.Get("cache-dir"));
  const std::string base = host.Variable("XDG_CACHE_HOME");
  if (!base.empty()) return base + "/wheelrun/hip";
  for (const char* variable : {"HOME", "LOCALAPPDATA"}) {
    const std::string home = host.Variable(variable);
    if (!home.empty()) return home + "/.cache/wheelrun/hip";
  }
  return PathText(SystemPath(host.folder) / ".wheelrun-hip");
}

// Writes a canary to a path that is the same in every run.
HipSource TakeCanary(const Canary& canary, const std::string& cache, Host& host, bool dry_run) {
  const std::string path = fmt::format("{}/canaries/{}", cache, canary.name);
  if (!dry_run && host.files.Read(path) != canary.text) {
    host.files.Write(path, canary.text);
  }
  return {
      .name = std::string(canary.name), .path = path, .guards = canary.Guards(), .canary = true};
}

std::vector<HipSource> TakeSources(const Arguments& arguments, const std::string& cache, Host& host,
                                   Diagnostics& diagnostics) {
  const bool dry_run = arguments.Has("dry-run");
  std::vector<HipSource> sources;
  if (arguments.positional.empty()) {
    for (const Canary& canary : Canaries()) {
      sources.push_back(TakeCanary(canary, cache, host, dry_run));
    }
  }
  for (const std::string& given : arguments.positional) {
    if (IsFile(given)) {
      const std::string name = PathText(SystemPath(given).filename());
      const std::string text = host.files.Read(given).value_or("");
      const Canary* const canary = FindCanary(name);
      sources.push_back({.name = name,
                         .path = given,
                         .guards = HeadComment(text, "Guards"),
                         .canary = canary != nullptr && canary->text == text});
    } else if (const Canary* canary = FindCanary(given)) {
      sources.push_back(TakeCanary(*canary, cache, host, dry_run));
    } else {
      std::vector<std::string_view> known;
      for (const Canary& row : Canaries()) known.push_back(row.name);
      diagnostics.Report({.code = "no-source",
                          .message = fmt::format("there is no source {}", QuotedPath(given)),
                          .hint = DidYouMean(given, known),
                          .notes = {"give a file, or a canary: `wheelrun hip compile --list`"}});
    }
  }
  return sources;
}

std::vector<KnownFailure> KnownFailuresOf(const AskedTargets& asked) {
  std::vector<KnownFailure> known;
  if (!asked.plan) return known;
  for (const HipKnownFailure& row : asked.plan->build_rules.hip_known_failures) {
    if (!row.platforms.empty() && !HasText(row.platforms, asked.platform)) continue;
    known.push_back({.source = row.source,
                     .targets = row.targets,
                     .with_header = row.with_header,
                     .issue = row.issue});
  }
  return known;
}

int ListCanaries(const AskedTargets& asked, Host& host) {
  for (const Canary& canary : Canaries()) {
    host.out << fmt::format("{}\n  guards {}\n  since {}\n", canary.name, canary.Guards(),
                            canary.Since());
    for (const KnownFailure& row : KnownFailuresOf(asked)) {
      if (row.source != canary.name) continue;
      host.out << fmt::format("  known to fail{}: {}\n",
                              row.targets.empty() ? "" : " on " + JoinWords(row.targets),
                              row.issue);
    }
  }
  return kSuccess;
}

// The folder of the ROCm packages of the selected Python; "" when it has none.
std::string AskForRocm(Runner& runner) {
  Diagnostics ignored;
  const auto python = SelectedInterpreter(runner, ignored);
  if (!python) return {};
  const auto root = runner.Try({.title = "where ROCm is",
                                .arguments = {python->path, "-m", "rocm_sdk", "path", "--root"},
                                .limit = std::chrono::seconds(60)});
  return root ? std::string(Trim(*root)) : std::string();
}

std::vector<std::string> LauncherOf(const Arguments& arguments, const Host& host) {
  const std::string_view asked = arguments.Get("launcher");
  // A launcher would prevent that canaries share a parsed header.
  if (asked == "none" || (asked.empty() && arguments.positional.empty())) return {};
  for (const std::string_view name : {"sccache", "ccache"}) {
    if (!asked.empty() && asked != name) continue;
    const std::string program = FindProgram(name, host.variables);
    if (!program.empty()) return {program};
  }
  return {};
}

std::size_t NumberOr(const Arguments& arguments, std::string_view option, std::size_t otherwise) {
  const std::string_view text = arguments.Get(option);
  return text.empty() ? otherwise : std::stoul(std::string(text));
}

CompileSettings SettingsOf(const Arguments& arguments, const AskedTargets& asked,
                           const Host& host) {
  constexpr std::uint64_t kMegabyte = 1 << 20;
  CompileSettings settings{.targets = asked.targets, .known_failures = KnownFailuresOf(asked)};
  // As PyTorch; hipcc's default is older.
  settings.flags = {"-std=c++17"};
  for (const std::string& flag : arguments.All("flag")) settings.flags.push_back(flag);
  settings.bundle = arguments.Has("bundle");
  settings.keep_going = !arguments.Has("fail-fast");
  settings.jobs = std::max<std::size_t>(1, NumberOr(arguments, "jobs", host.machine.cores));
  // The rest is for other processes.
  settings.memory = host.machine.memory / 10 * 8;
  settings.time_limit = std::chrono::seconds(NumberOr(arguments, "time-limit", kDefaultTimeLimit));
  settings.memory_limit =
      NumberOr(arguments, "memory-limit", host.machine.memory / kMegabyte) * kMegabyte;
  settings.launcher = LauncherOf(arguments, host);
  return settings;
}

void TellCauses(const CompileReport& report, Host& host) {
  Log log(host);
  for (const CompileCause& cause : report.causes) {
    const ToolError& error = cause.error;
    log.Error(error.message,
              fmt::format("{}: {}", StatusName(cause.status), WhereOf(report, cause)),
              {.file = error.file, .line = error.line, .column = error.column});
    const CommandsDisabled disabled(host);
    for (const std::string& line : error.lines) log.Say("  " + line);
    std::vector<std::string> told;
    for (const std::size_t index : cause.pairs) {
      const std::string& guards = report.sources[report.pairs[index].source].guards;
      if (guards.empty() || std::ranges::find(told, guards) != told.end()) continue;
      told.push_back(guards);
      log.Say("  guards: " + guards);
    }
  }
  for (const Pair& pair : report.pairs) {
    if (pair.status != PairStatus::kUnexpectedPass) continue;
    log.Warning(fmt::format("{} compiles for {}: remove the row of {} from matrix/hip.yml",
                            report.sources[pair.source].name, pair.target, pair.issue),
                "unexpected pass");
  }
}

// Copies the objects to `folder`.
void KeepObjects(const CompileReport& report, const std::string& folder, bool bundle, Host& host) {
  for (const Pair& pair : report.pairs) {
    const bool is_bundle = pair.target == "host";
    if (pair.object.empty() || bundle != is_bundle) continue;
    const auto bytes = host.files.Read(pair.object);
    if (!bytes) continue;
    const std::string stem = PathText(SystemPath(report.sources[pair.source].name).stem());
    std::string target = pair.target;
    std::ranges::replace(target, ':', '_');  // file names on Windows cannot have a colon
    host.files.Write(is_bundle ? fmt::format("{}/{}.o", folder, stem)
                               : fmt::format("{}/{}-{}.co", folder, stem, target),
                     *bytes);
  }
}

void CheckOptions(const Arguments& arguments, const AskedTargets* asked, Diagnostics& diagnostics) {
  const auto clash = [&](std::string_view a, std::string_view b) {
    if (!arguments.Has(a) || !arguments.Has(b)) return;
    diagnostics.Report({.code = "option-value",
                        .message = fmt::format("'--{}' and '--{}' exclude each other", a, b)});
  };
  clash("bundle", "apart");
  clash("keep-going", "fail-fast");
  for (const std::string_view option : {"bundle", "apart"}) {
    if (!arguments.Has(option) || !arguments.Get("output-dir").empty()) continue;
    diagnostics.Report({.code = "missing-argument",
                        .message = fmt::format("'--{}' needs '--output-dir'", option),
                        .hint = "such as --output-dir objects"});
  }
  if (asked != nullptr && asked->targets.empty() && !arguments.Has("list")) {
    diagnostics.Report({.code = "missing-argument",
                        .message = "'hip compile' needs '--family' or '--target'",
                        .hint = "such as --family gfx110X-all, or --target gfx942,gfx1100"});
  }
}

int RunHipCompile(const Arguments& arguments, Host& host) {
  Diagnostics diagnostics;
  const std::optional<AskedTargets> asked = ReadGfxOptions(arguments, host, diagnostics);
  CheckOptions(arguments, asked ? &*asked : nullptr, diagnostics);
  if (!asked || diagnostics.errors() > 0) return Refuse(diagnostics, arguments, host);
  if (arguments.Has("list")) return ListCanaries(*asked, host);

  const auto started = std::chrono::steady_clock::now();
  const std::string cache_folder = CacheFolder(arguments, host);
  const bool dry_run = arguments.Has("dry-run");
  Runner runner(host, dry_run);
  CompileSettings settings = SettingsOf(arguments, *asked, host);
  settings.sources = TakeSources(arguments, cache_folder, host, diagnostics);
  CompilerSearch search{.chosen = std::string(arguments.Get("compiler")), .cache = cache_folder};
  if (search.chosen.empty()) search.rocm_root = AskForRocm(runner);
  const auto compiler = FindHipCompiler(search, runner, diagnostics);
  if (!compiler || diagnostics.errors() > 0) return Refuse(diagnostics, arguments, host);

  const WorkFolder work(host, "hip");
  settings.work = work.path();
  SourceSums sums;
  CompileCache cache(cache_folder, host.files, sums);
  const CompileCommands commands(*compiler, settings.flags);
  PairCompiler pairs(settings, commands, host, cache, sums);
  if (dry_run) {
    PrintCompileCommands(settings, commands, host);
    return kSuccess;
  }
  if (!settings.launcher.empty() && settings.launcher.front().ends_with("sccache")) {
    // Otherwise its server would inherit the limits of the first compile.
    runner.Try(
        {.title = "start sccache", .arguments = {settings.launcher.front(), "--start-server"}});
  }

  Log log(host);
  const std::size_t total =
      settings.sources.size() * (settings.targets.size() + (settings.bundle ? 1 : 0));
  log.Say(fmt::format(
      "compiling {} x {} with {} ({}), {} at a time{}", Count(settings.sources.size(), "source"),
      Count(settings.targets.size(), "target"), compiler->version, compiler->found_by,
      settings.jobs,
      settings.launcher.empty()
          ? ""
          : ", through " + PathText(SystemPath(settings.launcher.front()).filename())));
  const std::size_t width = std::to_string(total).size();
  const auto tell = [&](const Pair& pair, std::size_t ended) {
    if (pair.cached && pair.good()) return;  // cache hits are not logged
    log.Say(fmt::format(
        "[{:>{}}/{}] {} {}  {}{}", ended, width, total, settings.sources[pair.source].name,
        pair.target, pair.cached ? "cached" : DurationText(pair.duration),
        pair.status == PairStatus::kPass ? std::string()
                                         : fmt::format("  {}", StatusName(pair.status))));
  };
  const auto tell_wait = [&] {
    log.Say("another wheelrun compiles the same for this cache: waiting for its results");
  };
  CompileReport report = MakeCompileReport(settings, pairs.Run(tell, tell_wait));
  report.compiler = compiler->version;
  report.duration = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - started);

  TellCauses(report, host);
  const std::string folder(arguments.Get("output-dir"));
  if (!folder.empty()) KeepObjects(report, folder, settings.bundle, host);
  if (const std::string json(arguments.Get("json")); !json.empty()) {
    host.files.Write(json, CompileJson(report));
  }
  if (host.in_actions()) JobFiles(host).AddSummary(CompileSummary(report));
  log.Say(CompileVerdict(report));
  return report.good() ? kSuccess : kFound;
}

}  // namespace

Command HipCompileCommand() {
  return {
      .name = "hip compile",
      .purpose = "Compile HIP sources for each GPU, as a quick test before a long build",
      .usage = "[SOURCE...]",
      .about =
          "Compiles each source for each GPU, several at a time, the longest first. Without "
          "sources it compiles the canaries: small sources that are part of this program, each a "
          "minimal form of code that once broke builds. The compiler is that of the ROCm packages "
          "that `wheelrun rocm install` installed, else of ROCM_PATH, else hipcc, amdclang++ or "
          "clang++ on the PATH. Unchanged sources are not compiled again. docs/hip.md has "
          "more.\n\nAn error is reported once, at its place, with all of its sources and GPUs. A "
          "known failure (matrix/hip.yml) is expected to fail; if it passes, that is a warning. "
          "The exit status is 1 after any other failure: an error, a crash of the compiler, a "
          "hang, or lack of memory.\n",
      .options = WithDryRun(WithGfxOptions(
          {{.name = "list", .argument = {}, .help = "List the canaries and what they guard"},
           {.name = "compiler", .argument = "PATH", .help = "The compiler"},
           {.name = "flag",
            .argument = "FLAG",
            .help =
                "A flag for the compiler, such as --flag=-Iinclude; may be given several times"},
           {.name = "jobs",
            .argument = "N",
            .help = "How many compilers run at a time (default: one for each core)",
            .number = true},
           {.name = "time-limit",
            .argument = "SECONDS",
            .help = "The time limit of one compilation (default: 300)",
            .number = true},
           {.name = "memory-limit",
            .argument = "MB",
            .help = "The memory limit of one compilation (default: the memory of the machine)",
            .number = true},
           {.name = "keep-going",
            .argument = {},
            .help = "Compile all pairs, even after failures (the default)"},
           {.name = "fail-fast",
            .argument = {},
            .help = "Start no further compilation after a failure"},
           {.name = "output-dir",
            .argument = "DIR",
            .help = "The folder for the code objects (default: they are not kept)"},
           {.name = "bundle",
            .argument = {},
            .help = "Write one object for each source, with the code for all GPUs"},
           {.name = "apart",
            .argument = {},
            .help = "Write a code object for each source and GPU (the default)"},
           {.name = "json", .argument = "FILE", .help = "Also write the results to this file"},
           {.name = "cache-dir",
            .argument = "DIR",
            .help = "The folder of the cache (default: wheelrun/hip in the user's cache folder)"},
           {.name = "launcher",
            .argument = "NAME",
            .help = "The program that starts the compiler (default: sccache or ccache, if "
                    "installed; none for the canaries)",
            .values = {"sccache", "ccache", "none"}}})),
      .examples = {{"wheelrun hip compile --family gfx110X-all",
                    "Do the canaries compile for the family?"},
                   {"wheelrun hip compile kernel.hip --target gfx942,gfx1100 --bundle --output-dir "
                    "objects",
                    "One object with code for two GPUs"}},
      .most_positional = 10000,
      .one_of = {{"family", "target", "list"}},
      .run_on_host = RunHipCompile,
  };
}

}  // namespace wheelwright
