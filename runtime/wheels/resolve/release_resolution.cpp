#include "runtime/wheels/resolve/release_resolution.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "base/text.h"
#include "runtime/host/actions/log.h"
#include "runtime/store/http/local_server.h"
#include "runtime/wheels/resolve/conflict.h"
#include "runtime/wheels/resolve/install_view.h"
#include "runtime/wheels/resolve/resolver.h"

namespace wheelwright {
namespace {

// What is wrong with one cell.
std::vector<std::string> WrongWith(InstallView& view, const InstallCell& cell,
                                   const CellAnswer& answer, const RunVersions& run,
                                   const ReleaseQuestion& question) {
  if (answer.refusal.empty()) {
    return FaultsOfChoice(view, cell, answer.chosen, run, question.platform);
  }
  const bool others = !question.dependencies_url.empty();
  std::vector<std::string> wrong = ExplainConflicts(view, cell, question.platform, others);
  if (wrong.empty()) wrong.push_back(answer.refusal);
  return wrong;
}

}  // namespace

ReleaseAnswer ResolveRelease(Storage& storage, const ReleaseQuestion& question,
                             const std::string& uv, Host& host) {
  const auto start = std::chrono::steady_clock::now();
  InstallView view(storage, question.release, question.dependencies, question.staged);
  const LocalServer server([&](std::string_view path) { return view.Answer(path); });
  std::string others = question.dependencies_url;
  if (others.empty() && !question.dependencies.empty()) {
    others = server.url() + std::string(kDependenciesPath);
  }
  const UvResolver resolver(host, uv, server.url() + std::string(kReleasePath), others,
                            UvPlatform(question.wheels, question.platform));

  ReleaseAnswer answer;
  std::vector<PythonVersion> pythons;
  for (PythonVersion& python : PythonsOf(question.wheels)) pythons.push_back(std::move(python));
  if (pythons.empty()) pythons = question.pythons;
  std::erase_if(pythons, [&](const PythonVersion& python) {
    if (python.free_threaded) answer.skipped.push_back(python.Text());
    return python.free_threaded;
  });
  for (const PythonVersion& python : pythons) answer.pythons.push_back(python.Text());
  const std::vector<InstallCell> cells = CellsOf(view, question.wheels, pythons, question.platform);
  const RunVersions run = VersionsOf(question.wheels);
  answer.cells = cells.size();
  std::vector<std::vector<std::string>> wrong(cells.size());
  std::vector<std::string> failures(cells.size());
  const auto resolve = [&](std::size_t i) {
    CellAnswer found = resolver.Resolve(cells[i], i);
    failures[i] = std::move(found.failure);
    if (failures[i].empty()) wrong[i] = WrongWith(view, cells[i], found, run, question);
  };
  // The first fills uv's cache for all others.
  if (!cells.empty()) resolve(0);
  if (!cells.empty() && failures[0].empty()) {
    ParallelFor(cells.size() - 1, host.machine.cores + 1, [&](std::size_t i) { resolve(i + 1); });
  }
  if (const std::string failure = view.failure(); !failure.empty()) {
    throw StorageError(StorageError::Kind::kUnreached, failure);
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (answer.failure.empty() && !failures[i].empty()) {
      answer.failure = fmt::format("{}: {}", cells[i].Label(), failures[i]);
    }
    for (std::string& why : wrong[i]) {
      auto same = std::ranges::find(answer.refusals, why, &ReleaseAnswer::Refusal::why);
      if (same == answer.refusals.end()) {
        same = answer.refusals.insert(same, {.why = std::move(why), .cells = {}});
      }
      same->cells.push_back(cells[i].Label());
    }
  }
  answer.duration = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - start);
  return answer;
}

bool ReportResolution(const ReleaseAnswer& answer, Host& host, std::string& summary) {
  Log log(host);
  const std::string what =
      fmt::format("{} of Python {}", Count(answer.cells, "cell"), fmt::join(answer.pythons, ", "));
  log.Say(fmt::format("resolved {} in {} ms", what, answer.duration.count()));
  for (const std::string& python : answer.skipped) {
    log.Warning(fmt::format("Python {} was not resolved: uv needs such an interpreter", python),
                "not resolved");
  }
  for (const ReleaseAnswer::Refusal& refusal : answer.refusals) {
    const std::size_t more = refusal.cells.size() - 1;
    const std::string text =
        fmt::format("{}\n  for {}{}", refusal.why, refusal.cells.front(),
                    more == 0 ? "" : fmt::format(", and {}", Count(more, "other cell")));
    log.Error(text, "could not be installed");
    summary += "Refused:\n\n";
    for (const std::string_view line : Split(text, '\n')) {
      summary += fmt::format("    {}\n", Printable(line));
    }
    summary += "\n";
  }
  if (!answer.failure.empty()) {
    log.Error(fmt::format("uv could not resolve {}", answer.failure), "not resolved");
    log.Say("Run this job again; `uv` has to reach the index of dependencies.");
    summary += "The release could not be resolved.\n\n";
  }
  if (answer.good()) summary += fmt::format("Installable: uv resolved {}.\n\n", what);
  return answer.good();
}

}  // namespace wheelwright
