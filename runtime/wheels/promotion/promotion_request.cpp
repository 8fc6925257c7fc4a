#include "runtime/wheels/promotion/promotion_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/characters.h"
#include "base/json.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/wheels/wheel/wheel_name.h"

namespace wheelwright {
namespace {

constexpr std::array<std::string_view, 4> kResults{"success", "failure", "cancelled", "skipped"};

std::nullopt_t Refuse(std::string_view option, std::string what, std::string_view hint,
                      Diagnostics& diagnostics) {
  diagnostics.Report({.code = "option-value",
                      .message = fmt::format("'--{}' {}", option, what),
                      .hint = std::string(hint)});
  return std::nullopt;
}

// triton before torch, which requires it; torch before the projects that require it.
int Rank(std::string_view project) {
  if (project == "triton") return 0;
  return project == "torch" ? 1 : 2;
}

bool IsFor(std::string_view platform, const WheelName& wheel) {
  const auto fits = [&](const WheelTag& tag) {
    const std::string_view name = tag.platform;
    if (name == "any") return true;
    return platform == "windows" ? name.starts_with("win") : name.find("linux") != name.npos;
  };
  return std::ranges::all_of(wheel.tags, fits);
}

std::string Cell(const std::vector<std::string>& values) {
  return values.empty() ? "any" : EscapeMarkdown(JoinWords(values));
}

std::string Cell(std::optional<bool> value) { return !value ? "any" : *value ? "yes" : "no"; }

}  // namespace

std::optional<std::vector<TestedWheel>> ReadTestedWheels(std::string_view text,
                                                         std::string_view platform,
                                                         Diagnostics& diagnostics) {
  constexpr std::string_view kHint = "pass on the output 'wheels' of the upload as it is";
  const Json json = ParseOrderedJson(text);
  if (!json.is_object()) return Refuse("wheels", "is no JSON object", kHint, diagnostics);
  if (json.empty()) return Refuse("wheels", "names no wheel", kHint, diagnostics);
  std::vector<std::pair<std::string, TestedWheel>> found;  // with the project
  const std::size_t errors = diagnostics.errors();
  for (const auto& [file, sum] : json.items()) {
    const WheelNameReading name = ReadWheelName(file);
    if (!name.name) {
      Refuse("wheels", fmt::format("names {}, which is no wheel: {}", Quoted(file), name.problem),
             kHint, diagnostics);
      continue;
    }
    if (!IsFor(platform, *name.name)) {
      Refuse("wheels", fmt::format("names {}, which is not for {}", Quoted(file), platform), "",
             diagnostics);
    }
    const std::string sha256 = sum.is_string() ? ToLower(sum.get<std::string>()) : std::string();
    if (!IsSha256(sha256)) {
      Refuse("wheels", fmt::format("has no SHA-256 for {}", Quoted(file)), kHint, diagnostics);
    }
    found.emplace_back(name.name->Project(), TestedWheel{file, sha256});
  }
  if (diagnostics.errors() > errors) return std::nullopt;
  std::ranges::sort(found, {}, [](const auto& pair) {
    return std::tuple(Rank(pair.first), pair.first, pair.second.file);
  });
  std::vector<TestedWheel> wheels;
  for (auto& [project, wheel] : found) wheels.push_back(std::move(wheel));
  return wheels;
}

std::string ReadManifestSum(std::string_view text, Diagnostics& diagnostics) {
  std::string sum = ToLower(Trim(text));
  if (!sum.empty() && !IsSha256(sum)) {
    Refuse("manifest-sha256", fmt::format("does not take {}", Quoted(text)),
           "pass on the output 'manifest_sha256' of the upload as it is", diagnostics);
  }
  return sum;
}

std::optional<JobResults> ReadTestResults(std::string_view text, Diagnostics& diagnostics) {
  constexpr std::string_view kHint = "it takes NAME=RESULT of each job, or nothing";
  JobResults results;
  text = Trim(text);
  if (text.starts_with('{')) {
    const Json json = ParseOrderedJson(text);
    if (!json.is_object()) return Refuse("test-results", "is no JSON object", kHint, diagnostics);
    for (const auto& [name, result] : json.items()) {
      results.emplace_back(name, result.is_string() ? ToLower(result.get<std::string>()) : "");
    }
  } else {
    std::string blanks(text);
    std::ranges::replace_if(
        blanks, [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
    for (const std::string_view word : Split(blanks, ' ')) {
      if (word.empty()) continue;
      const std::size_t equals = word.rfind('=');
      const bool named = equals != word.npos;
      results.emplace_back(named ? word.substr(0, equals) : "",
                           ToLower(named ? word.substr(equals + 1) : word));
    }
  }
  for (const auto& [name, result] : results) {
    if (std::ranges::find(kResults, result) != kResults.end()) continue;
    return Refuse("test-results",
                  fmt::format("has {} as the result of {}", Quoted(result),
                              name.empty() ? "the tests" : Quoted(name)),
                  DidYouMean(result, kResults, "a job ends as "), diagnostics);
  }
  return results;
}

std::string WorstResult(const JobResults& results) {
  if (results.empty()) return "skipped";
  for (const std::string_view worst : {"failure", "cancelled", "skipped"}) {
    if (std::ranges::any_of(results, [&](const auto& pair) { return pair.second == worst; })) {
      return std::string(worst);
    }
  }
  return "success";
}

PromotionVerdict Judge(std::span<const PromotionRow> policy, const PromotionCase& asked) {
  const PromotionRow* row = DecidePromotion(policy, asked);
  if (row == nullptr) return {.why = "No row of the policy fits"};
  PromotionVerdict verdict{.promote = row->promote,
                           .why = row->why,
                           .row = static_cast<std::size_t>(row - policy.data())};
  if (verdict.promote && asked.build != "success") {
    return {.why = "The build did not succeed, so nothing is promoted"};
  }
  return verdict;
}

std::string PolicyTable(std::span<const PromotionRow> policy, const PromotionVerdict& verdict) {
  std::string out =
      "| | branch | build | tests | a runner tests it | may go untested | verdict | why |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (std::size_t i = 0; i < policy.size(); ++i) {
    const PromotionRow& row = policy[i];
    out += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n",
                       verdict.row == i ? "**this one**" : "", Cell(row.branches), Cell(row.builds),
                       Cell(row.tests), Cell(row.runner), Cell(row.bypass),
                       row.promote ? "promote" : "hold", EscapeMarkdown(row.why));
  }
  return out;
}

}  // namespace wheelwright
