#include "runtime/commands/input/build_arguments.h"

#include <fmt/format.h>

#include <charconv>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/commands/input/checked_input.h"

namespace wheelwright {

OptionSpec FamilyOption() {
  return {.name = "family",
          .argument = "FAMILY",
          .help = "The GPUs: a family, its artifact group, or a gfx target"};
}

OptionSpec PlatformOption() {
  return {.name = "platform",
          .argument = "NAME",
          .help = "The platform (default: that of this machine)",
          .values = {"linux", "windows"}};
}

std::string TakePlatform(const Arguments& arguments, const Host& host) {
  if (arguments.Has("platform")) return std::string(arguments.Get("platform"));
  return host.machine.windows ? "windows" : "linux";
}

std::optional<Texts> TakeTargets(const Arguments& arguments, std::string_view command,
                                 std::string_view platform, const Plan& plan,
                                 Diagnostics& diagnostics) {
  if (!Require(arguments, command, "family", "--family gfx94X-dcgpu", diagnostics)) {
    return std::nullopt;
  }
  const std::string_view family = arguments.Get("family");
  Texts targets = plan.TargetsOf(family, platform);
  if (!targets.empty()) return targets;
  // The artifact group of a variant: "gfx94X-dcgpu-asan".
  for (const PlatformRow& row : plan.selection.platforms) {
    for (const VariantRow& variant : row.variants) {
      const std::string ending = "-" + variant.suffix;
      if (row.name != platform || variant.suffix.empty() || !family.ends_with(ending)) continue;
      targets = plan.TargetsOf(family.substr(0, family.size() - ending.size()), platform);
    }
  }
  if (!targets.empty()) return targets;
  const bool elsewhere = plan.selection.FindFamily(family) != nullptr;
  const std::vector<std::string_view> names = plan.selection.FamilyNames();
  diagnostics.Report(
      {.code = "unknown-family",
       .message = elsewhere ? fmt::format("{} is not built on {}", Quoted(family), platform)
                            : fmt::format("no family is called {}", Quoted(family)),
       .hint = elsewhere ? std::string() : DidYouMean(family, names)});
  return std::nullopt;
}

std::size_t TakeNumber(const Arguments& arguments, std::string_view option) {
  std::size_t number = 0;
  const std::string_view text = arguments.Get(option);
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace wheelwright
