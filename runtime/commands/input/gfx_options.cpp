#include "runtime/commands/input/gfx_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/quote.h"
#include "base/text.h"

namespace wheelwright {
namespace {

void AddTargets(std::string_view list, std::vector<GfxTarget>& targets, Diagnostics& diagnostics) {
  for (const std::string_view word : Split(list, ',')) {
    const std::string_view text = Trim(word);
    if (text.empty()) continue;
    if (auto target = ParseGfxTarget(text)) {
      targets.push_back(*std::move(target));
    } else {
      diagnostics.Report({.code = "option-value",
                          .message = fmt::format("'--target' does not take {}", Quoted(text)),
                          .hint = "it takes targets such as gfx942 or gfx90a:xnack-"});
    }
  }
}

void AddFamily(std::string_view family, AskedTargets& asked, Diagnostics& diagnostics) {
  const Plan& plan = *asked.plan;
  const Texts names = plan.TargetsOf(family, asked.platform);
  for (const std::string& name : names) AddTargets(name, asked.targets, diagnostics);
  if (!names.empty()) return;
  std::vector<std::string_view> known;
  for (const auto& [group, targets] : plan.target_groups) known.push_back(group);
  diagnostics.Report(
      {.code = "unknown-family",
       .message = fmt::format("no family of {} is called {}", asked.platform, Quoted(family)),
       .hint = DidYouMean(family, known)});
}

}  // namespace

std::vector<OptionSpec> WithGfxOptions(std::vector<OptionSpec> own) {
  std::vector<OptionSpec> options = {
      {.name = "family",
       .argument = "NAME",
       .help =
           "The GPUs of a family or an artifact group, such as gfx110X-all; read from the plan"},
      {.name = "target",
       .argument = "GFX,...",
       .help = "GPUs by name, such as gfx942 or gfx90a:xnack-; may be given several times"},
      {.name = "platform",
       .argument = "NAME",
       .help = "The platform of the family (default: that of this machine)",
       .values = {"linux", "windows"}},
      PlanOption()};
  options.insert(options.end(), own.begin(), own.end());
  return options;
}

std::optional<AskedTargets> ReadGfxOptions(const Arguments& arguments, Host& host,
                                           Diagnostics& diagnostics) {
  AskedTargets asked;
  asked.platform = arguments.Get("platform");
  if (asked.platform.empty()) asked.platform = host.machine.windows ? "windows" : "linux";
  const std::string_view family = arguments.Get("family");
  if (!family.empty() || !arguments.Get("plan").empty()) {
    asked.plan = ReadPlan(arguments, host, diagnostics);
    if (!asked.plan) return std::nullopt;
  } else {
    Diagnostics ignored;  // without a family, nothing depends on it
    asked.plan = ReadPlan(arguments, host, ignored);
  }
  if (!family.empty()) AddFamily(family, asked, diagnostics);
  for (const std::string& list : arguments.All("target")) {
    AddTargets(list, asked.targets, diagnostics);
  }
  if (diagnostics.errors() > 0) return std::nullopt;
  std::ranges::sort(asked.targets);
  const auto repeated = std::ranges::unique(asked.targets);
  asked.targets.erase(repeated.begin(), repeated.end());
  return asked;
}

}  // namespace wheelwright
