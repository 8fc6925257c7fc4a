#include "runtime/hip/compile/compile_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/json.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/hip/compile/compiler_messages.h"
#include "runtime/host/programs/runner.h"

namespace wheelwright {
namespace {

double Seconds(std::chrono::milliseconds duration) {
  return static_cast<double>(duration.count()) / 1000;
}

// The error of a failure without a message of the compiler.
ToolError BareError(PairStatus status) {
  switch (status) {
    case PairStatus::kHang:
      return {.message = "the compiler exceeded its time limit"};
    case PairStatus::kOutOfMemory:
      return {.message = "the compiler exceeded its memory limit"};
    default:
      return {.message = "the compiler failed"};
  }
}

void AddCause(const ToolError& error, std::size_t index, CompileReport& report) {
  const PairStatus status = report.pairs[index].status;
  const std::string key = CauseOf(error);
  const auto known = std::ranges::find_if(report.causes, [&](const CompileCause& cause) {
    return cause.status == status && CauseOf(cause.error) == key;
  });
  if (known == report.causes.end()) {
    report.causes.push_back({.error = error, .status = status, .pairs = {index}});
  } else if (known->pairs.back() != index) {
    known->pairs.push_back(index);
  }
}

std::string Cell(const Pair& pair) {
  std::string time =
      pair.cached ? std::string("cached") : fmt::format("{:.1f} s", Seconds(pair.duration));
  switch (pair.status) {
    case PairStatus::kPass:
      return time;
    case PairStatus::kExpectedFail:
      return fmt::format("[fails as expected]({})", pair.issue);
    case PairStatus::kUnexpectedPass:
      return fmt::format("**[passes unexpectedly]({})**", pair.issue);
    case PairStatus::kNotRun:
      return "not run";
    default:
      return fmt::format("**{}**", StatusName(pair.status));
  }
}

const Pair* FindPair(const CompileReport& report, std::size_t source, std::string_view target) {
  const auto found = std::ranges::find_if(report.pairs, [&](const Pair& pair) {
    return pair.source == source && pair.target == target;
  });
  return found == report.pairs.end() ? nullptr : &*found;
}

}  // namespace

std::size_t CompileReport::CountOf(PairStatus status) const {
  return static_cast<std::size_t>(std::ranges::count(pairs, status, &Pair::status));
}

std::size_t CompileReport::cached() const {
  return static_cast<std::size_t>(std::ranges::count(pairs, true, &Pair::cached));
}

bool CompileReport::good() const {
  return std::ranges::all_of(pairs, [](const Pair& pair) { return pair.good(); });
}

CompileReport MakeCompileReport(const CompileSettings& settings, std::vector<Pair> pairs) {
  CompileReport report{.sources = settings.sources, .pairs = std::move(pairs)};
  for (const GfxTarget& target : settings.targets) report.targets.push_back(target.ToString());
  if (settings.bundle) report.targets.emplace_back(kHostTarget);
  for (std::size_t i = 0; i < report.pairs.size(); ++i) {
    const Pair& pair = report.pairs[i];
    if (pair.good() || pair.status == PairStatus::kNotRun) continue;
    if (pair.status == PairStatus::kHang || pair.status == PairStatus::kOutOfMemory ||
        pair.errors.empty()) {
      AddCause(BareError(pair.status), i, report);
    } else {
      for (const ToolError& error : pair.errors) AddCause(error, i, report);
    }
  }
  std::ranges::stable_sort(report.causes, std::greater(),
                           [](const CompileCause& cause) { return cause.pairs.size(); });
  return report;
}

std::string_view StatusName(PairStatus status) {
  switch (status) {
    case PairStatus::kPass:
      return "pass";
    case PairStatus::kFail:
      return "fail";
    case PairStatus::kCrash:
      return "crash";
    case PairStatus::kHang:
      return "hang";
    case PairStatus::kOutOfMemory:
      return "out of memory";
    case PairStatus::kExpectedFail:
      return "expected fail";
    case PairStatus::kUnexpectedPass:
      return "unexpected pass";
    case PairStatus::kNotRun:
      break;
  }
  return "not run";
}

std::string CompileVerdict(const CompileReport& report) {
  std::string text = fmt::format("{} passed", report.CountOf(PairStatus::kPass));
  const auto add = [&](PairStatus status, std::string_view words) {
    const std::size_t count = report.CountOf(status);
    if (count > 0) text += fmt::format(", {} {}", count, words);
  };
  add(PairStatus::kExpectedFail, "failed as expected");
  add(PairStatus::kUnexpectedPass, "unexpectedly passed");
  add(PairStatus::kFail, "failed");
  add(PairStatus::kCrash, "crashed the compiler");
  add(PairStatus::kHang, "hung");
  add(PairStatus::kOutOfMemory, "ran out of memory");
  add(PairStatus::kNotRun, "not run");
  if (report.cached() > 0) text += fmt::format(" ({} cached)", report.cached());
  return fmt::format("{} in {}", text, DurationText(report.duration));
}

std::string WhereOf(const CompileReport& report, const CompileCause& cause) {
  std::vector<std::pair<std::size_t, std::vector<std::string>>> by_source;
  for (const std::size_t index : cause.pairs) {
    const Pair& pair = report.pairs[index];
    if (by_source.empty() || by_source.back().first != pair.source) {
      by_source.emplace_back(pair.source, std::vector<std::string>());
    }
    by_source.back().second.push_back(pair.target);
  }
  // Sources that fail for the same targets share one list of targets.
  std::vector<std::string> parts;
  const bool alike = std::ranges::all_of(
      by_source, [&](const auto& part) { return part.second == by_source.front().second; });
  for (const auto& [source, targets] : by_source) {
    parts.push_back(alike
                        ? report.sources[source].name
                        : fmt::format("{} on {}", report.sources[source].name, JoinWords(targets)));
  }
  std::string text = JoinWords(parts);
  if (alike) text += " on " + JoinWords(by_source.front().second);
  return text;
}

std::string CompileSummary(const CompileReport& report) {
  std::string out = fmt::format("### HIP: {}\n\n{}\n\n| source |", CompileVerdict(report),
                                EscapeMarkdown(report.compiler));
  for (const std::string& target : report.targets) out += fmt::format(" {} |", target);
  out += "\n| --- |";
  for (std::size_t i = 0; i < report.targets.size(); ++i) out += " --- |";
  out += '\n';
  for (std::size_t source = 0; source < report.sources.size(); ++source) {
    out += fmt::format("| {} |", EscapeMarkdown(report.sources[source].name));
    for (const std::string& target : report.targets) {
      const Pair* pair = FindPair(report, source, target);
      out += fmt::format(" {} |", pair == nullptr ? "" : Cell(*pair));
    }
    out += '\n';
  }
  for (const CompileCause& cause : report.causes) {
    const ToolError& error = cause.error;
    out += fmt::format("\n**{}**: {}\n\n", StatusName(cause.status),
                       EscapeMarkdown(WhereOf(report, cause)));
    if (!error.file.empty()) {
      out += fmt::format("    {}:{}:{}\n", OneLine(error.file), error.line, error.column);
    }
    out += fmt::format("    {}\n", OneLine(error.message));
    for (const std::string& line : error.lines) out += fmt::format("    {}\n", OneLine(line));
    std::vector<std::string> guards;
    for (const std::size_t index : cause.pairs) {
      const std::string& text = report.sources[report.pairs[index].source].guards;
      if (!text.empty() && std::ranges::find(guards, text) == guards.end()) guards.push_back(text);
    }
    for (const std::string& text : guards) {
      out += fmt::format("\nGuards {}.\n", EscapeMarkdown(text));
    }
  }
  return out;
}

std::string CompileJson(const CompileReport& report) {
  Json json{{"good", report.good()},
            {"compiler", report.compiler},
            {"seconds", Seconds(report.duration)},
            {"pairs", Json::array()},
            {"causes", Json::array()}};
  for (const Pair& pair : report.pairs) {
    Json row{{"source", report.sources[pair.source].name}, {"target", pair.target},
             {"status", StatusName(pair.status)},          {"cached", pair.cached},
             {"seconds", Seconds(pair.duration)},          {"memory", pair.memory}};
    if (!pair.issue.empty()) row["issue"] = pair.issue;
    json["pairs"].push_back(std::move(row));
  }
  for (const CompileCause& cause : report.causes) {
    Json where = Json::array();
    for (const std::size_t index : cause.pairs) {
      where.push_back({{"source", report.sources[report.pairs[index].source].name},
                       {"target", report.pairs[index].target}});
    }
    json["causes"].push_back({{"status", StatusName(cause.status)},
                              {"file", cause.error.file},
                              {"line", cause.error.line},
                              {"column", cause.error.column},
                              {"message", cause.error.message},
                              {"lines", cause.error.lines},
                              {"pairs", std::move(where)}});
  }
  return DumpJson(json, 2) + "\n";
}

}  // namespace wheelwright
