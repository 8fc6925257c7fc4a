#include "generator/commands/drift.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/arena.h"
#include "base/json.h"
#include "base/text.h"
#include "generator/output/diff.h"
#include "generator/yaml/read.h"

namespace wheelwright {
namespace {

constexpr std::size_t kMostFiles = 20;
constexpr std::size_t kMostLines = 2000;
constexpr std::size_t kMostOfWhole = 20;  // of a file that is missing or left over
constexpr std::size_t kMostStatements = 20;
// Reading both versions of more files again would take longer than making them.
constexpr std::size_t kMostSummarized = 500;

constexpr std::string_view kWanted = "what the matrix and templates give";

bool IsWorkflow(std::string_view name) { return !name.ends_with(".json"); }

void AddDiff(const std::string& folder, bool color, DriftingFile& file) {
  const std::string path = JoinPath(folder, file.name);
  const bool missing = file.state == DriftingFile::State::kMissing;
  const bool orphaned = file.state == DriftingFile::State::kOrphaned;
  file.diff = UnifiedDiff(file.before, file.after,
                          {.before_label = missing ? "/dev/null" : std::string_view(path),
                           .after_label = orphaned ? "/dev/null" : kWanted,
                           .color = color});
  bool hunk_seen = false;
  for (std::string_view line : Split(file.diff, '\n')) {
    if (line.starts_with('\x1b')) line.remove_prefix(std::min(line.find('m') + 1, line.size()));
    hunk_seen = hunk_seen || line.starts_with("@@ -");
    if (!hunk_seen) continue;
    if (line.starts_with('+')) ++file.added;
    if (line.starts_with('-')) ++file.removed;
  }
  std::size_t equal = 0;
  const std::vector<std::string_view> before = Split(file.before, '\n');
  const std::vector<std::string_view> after = Split(file.after, '\n');
  while (equal < before.size() && equal < after.size() && before[equal] == after[equal]) ++equal;
  file.first_line = std::min(equal + 1, std::max<std::size_t>(before.size(), 1));
}

ChangeSummary Summarize(const std::vector<DriftingFile>& files) {
  SourceManager sources;
  Arena arena;
  const auto read = [&](const DriftingFile& file, std::string_view text) -> const Node* {
    if (text.empty()) return nullptr;
    Diagnostics ignored;  // somebody broke the file by hand: the diff shows it
    return ReadYaml(sources, sources.Add(file.name, std::string(text)), arena, ignored).root;
  };
  std::vector<WorkflowPair> pairs;
  for (const DriftingFile& file : files) {
    if (!IsWorkflow(file.name)) continue;
    const WorkflowPair pair{file.name, read(file, file.before), read(file, file.after)};
    const bool broken = (pair.before == nullptr) != file.before.empty();
    if (!broken) pairs.push_back(pair);
  }
  return SummarizeChanges(pairs);
}

std::string_view Word(DriftingFile::State state) {
  switch (state) {
    case DriftingFile::State::kStale:
      return "differs";
    case DriftingFile::State::kMissing:
      return "missing";
    case DriftingFile::State::kOrphaned:
      return "left over";
  }
  return {};
}

std::string LineCounts(const DriftingFile& file, Paint paint) {
  std::string counts;
  if (file.added > 0) counts += paint.Green(fmt::format("+{}", WithThousands(file.added)));
  if (file.removed > 0) {
    counts +=
        (counts.empty() ? "" : " ") + paint.Red(fmt::format("-{}", WithThousands(file.removed)));
  }
  return counts;
}

std::string DescribeBump(const Bump& bump) {
  if (bump.old_version.empty()) {
    return fmt::format("{}  another digest, {}", bump.name, bump.new_pin);
  }
  return fmt::format("{}  {} -> {}", bump.name, bump.old_version, bump.new_version);
}

std::string BumpText(const Drift& drift) {
  if (drift.bumps.empty()) return {};
  std::string out =
      fmt::format("{} in {}/ {} newer than in matrix/pins.yml:\n", Count(drift.bumps.size(), "pin"),
                  drift.folder, drift.bumps.size() == 1 ? "is" : "are");
  for (const Bump& bump : drift.bumps) out += fmt::format("  {}\n", DescribeBump(bump));
  return out;
}

// The diff's first `most` lines, and how many more there are.
std::string Cut(const std::string& diff, std::size_t most) {
  const auto length = static_cast<std::size_t>(std::ranges::count(diff, '\n'));
  if (length <= most) return diff;
  std::size_t end = 0;
  for (std::size_t i = 0; i < most; ++i) end = diff.find('\n', end) + 1;
  return fmt::format("{}({}; see them with `wheelwright check --all`)\n", diff.substr(0, end),
                     Count(length - most, "more line"));
}

// As many diffs as the limits allow, and what was left out.
std::string Diffs(const Drift& drift, bool all) {
  std::string out;
  std::size_t lines = 0, shown = 0;
  for (const DriftingFile& file : drift.files) {
    const bool room = shown < kMostFiles && lines < kMostLines;
    if (!all && !room) break;
    // A whole file would bury the changes of the others.
    const bool whole = file.state != DriftingFile::State::kStale;
    const std::string part = all     ? file.diff
                             : whole ? Cut(file.diff, kMostOfWhole)
                                     : Cut(file.diff, kMostLines - lines);
    lines += static_cast<std::size_t>(std::ranges::count(part, '\n'));
    out += part;
    ++shown;
  }
  if (shown < drift.files.size()) {
    out += fmt::format("\n... and the diffs of {}: see them with `wheelwright check --all`\n",
                       Count(drift.files.size() - shown, "more file"));
  }
  return out;
}

std::string Repair(const Drift& drift, Paint paint) {
  if (drift.bumps.empty()) return fmt::format("To repair: {}\n", paint.Bold(drift.repair));
  return fmt::format(
      "To take the newer {} over and bring all files up to date: {}\nTo go back to those of the "
      "matrix: {}\n",
      drift.bumps.size() == 1 ? "pin" : "pins", paint.Bold("wheelwright pins --adopt"),
      paint.Bold(drift.repair));
}

std::string Headline(const Drift& drift) {
  return fmt::format("{}/ is not current: {}", drift.folder, Describe(*drift.difference));
}

}  // namespace

Drift DescribeDrift(const Difference& difference, const std::string& folder, std::string repair,
                    std::vector<Bump> bumps, bool color) {
  Drift drift{.folder = folder,
              .difference = &difference,
              .bumps = std::move(bumps),
              .repair = std::move(repair)};
  using State = DriftingFile::State;
  for (const Difference::Stale& file : difference.stale) {
    drift.files.push_back({State::kStale, file.name, file.before, file.after, {}});
  }
  std::ranges::stable_partition(drift.files,
                                [](const DriftingFile& file) { return IsWorkflow(file.name); });
  for (const GeneratedFile& file : difference.missing) {
    drift.files.push_back({State::kMissing, file.name, {}, file.text, {}});
  }
  for (const GeneratedFile& file : difference.orphaned) {
    drift.files.push_back({State::kOrphaned, file.name, file.text, {}, {}});
  }
  for (DriftingFile& file : drift.files) AddDiff(folder, color, file);
  if (drift.files.size() <= kMostSummarized) drift.summary = Summarize(drift.files);
  return drift;
}

std::string DriftAsText(const Drift& drift, bool all, Paint paint) {
  std::string out = paint.Bold(Headline(drift)) + "\n\n";
  if (drift.summary && !drift.summary->empty()) {
    out += Render(*drift.summary, all ? drift.summary->lines.size() : kMostStatements, paint.on) +
           '\n';
  }
  std::size_t widest = 0;
  const std::size_t listed =
      all ? drift.files.size() : std::min(drift.files.size(), 2 * kMostFiles);
  for (std::size_t i = 0; i < listed; ++i) widest = std::max(widest, drift.files[i].name.size());
  for (std::size_t i = 0; i < listed; ++i) {
    const DriftingFile& file = drift.files[i];
    out += fmt::format("  {:<9}  {:<{}}  {}\n", Word(file.state), file.name, widest,
                       LineCounts(file, paint));
  }
  if (listed < drift.files.size()) {
    out += fmt::format("  and {}\n", Count(drift.files.size() - listed, "more file"));
  }
  out += '\n' + Diffs(drift, all) + '\n';
  const std::string bumps = BumpText(drift);
  if (!bumps.empty()) out += bumps + '\n';
  return out + Repair(drift, paint);
}

std::string DriftAsWorkflowCommands(const Drift& drift, bool all) {
  std::string out;
  const std::string repair = Repair(drift, Paint{});
  for (const DriftingFile& file : drift.files) {
    const std::string_view says =
        file.state == DriftingFile::State::kStale     ? "is not what the matrix and templates give"
        : file.state == DriftingFile::State::kMissing ? "is not there"
                                                      : "is given by no template any more";
    const std::string message =
        fmt::format("{} {} ({})\n{}", file.name, says, LineCounts(file, Paint{}), Trim(repair));
    out += fmt::format("::error file={},line={},title=not current::{}\n",
                       EscapeWorkflowCommand(JoinPath(drift.folder, file.name), true),
                       file.first_line, EscapeWorkflowCommand(message, false));
  }
  // A generated file may hold a line that the runner reads as a command: the runner ignores
  // commands until a token that the text cannot contain.
  std::string text = DriftAsText(drift, all, Paint{});
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  const std::string word = fmt::format("{:016x}", hash);
  return out + fmt::format("::group::{}\n::stop-commands::{}\n{}::{}::\n::endgroup::\n{}",
                           Headline(drift), word, text, word, repair);
}

std::string DriftAsJson(const Drift& drift) {
  Json files = Json::array();
  for (const DriftingFile& file : drift.files) {
    files.push_back({{"name", file.name},
                     {"state", file.state == DriftingFile::State::kStale     ? "stale"
                               : file.state == DriftingFile::State::kMissing ? "missing"
                                                                             : "orphaned"},
                     {"added", file.added},
                     {"removed", file.removed},
                     {"diff", file.diff}});
  }
  Json changes = Json::array();
  if (drift.summary) {
    for (const ChangeSummary::Line& line : drift.summary->lines) {
      changes.push_back({{"mark", std::string(1, static_cast<char>(line.mark))},
                         {"count", line.count},
                         {"of", line.jobs ? "jobs" : "files"},
                         {"text", line.text}});
    }
  }
  Json bumps = Json::array();
  for (const Bump& bump : drift.bumps) {
    bumps.push_back({{"key", bump.key},
                     {"name", bump.name},
                     {"matrix", {{"pin", bump.old_pin}, {"version", bump.old_version}}},
                     {"files", {{"pin", bump.new_pin}, {"version", bump.new_version}}}});
  }
  const Json json{{"current", drift.files.empty()},
                  {"folder", drift.folder},
                  {"current_files", drift.difference->current},
                  {"files", std::move(files)},
                  {"changes", std::move(changes)},
                  {"newer_pins", std::move(bumps)},
                  {"repair", drift.files.empty()   ? Json()
                             : drift.bumps.empty() ? Json(drift.repair)
                                                   : Json("wheelwright pins --adopt")}};
  return DumpJson(json, 2) + "\n";
}

}  // namespace wheelwright
