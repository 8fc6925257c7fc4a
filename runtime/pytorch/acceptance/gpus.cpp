#include "runtime/pytorch/acceptance/gpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/text.h"

namespace wheelwright {
namespace {

constexpr std::string_view kAsk =
    "import json, torch\n"
    "count = torch.cuda.device_count()\n"
    "print(json.dumps([torch.cuda.get_device_properties(i).gcnArchName for i in range(count)]))";

constexpr std::chrono::minutes kLimit{3};  // a broken driver may never answer

}  // namespace

std::vector<Gpu> NameGpus(const Texts& names, std::string_view visible) {
  const std::vector<std::string_view> devices = Split(visible, ',');
  std::vector<Gpu> gpus;
  for (std::size_t i = 0; i < names.size(); ++i) {
    Gpu gpu{.target = names[i].substr(0, names[i].find(':')), .device = std::to_string(i)};
    if (!visible.empty() && i < devices.size()) gpu.device = Trim(devices[i]);
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

std::vector<Gpu> ChooseGpus(const std::vector<Gpu>& gpus, const Texts& targets) {
  std::vector<Gpu> chosen;
  for (const Gpu& gpu : gpus) {
    const bool wanted = std::ranges::any_of(targets, [&](const std::string& target) {
      return target.substr(0, target.find(':')) == gpu.target;
    });
    const bool there = std::ranges::find(chosen, gpu.target, &Gpu::target) != chosen.end();
    if (wanted && !there) chosen.push_back(gpu);
  }
  return chosen;
}

std::optional<std::vector<Gpu>> FindGpus(const std::string& python, Runner& runner) {
  const auto answer = runner.Ask({.title = "look for GPUs",
                                  .arguments = {python, "-c", std::string(kAsk)},
                                  .variables = {{"PYTHONUTF8", "1"}},
                                  .limit = kLimit},
                                 "[]");
  if (!answer) return std::nullopt;
  // Libraries may print text before it.
  const std::string_view text = Trim(*answer);
  const std::size_t line = text.rfind('\n');
  const auto json = ParseJson(text.substr(line == std::string_view::npos ? 0 : line + 1));
  if (!json.is_array()) {
    runner.log().Error(fmt::format("it answered '{}'", Shorten(text, 200)), "cannot look for GPUs");
    return std::nullopt;
  }
  Texts names;
  for (const auto& name : json) {
    if (name.is_string()) names.push_back(name.get<std::string>());
  }
  return NameGpus(names, runner.host().Variable("HIP_VISIBLE_DEVICES"));
}

}  // namespace wheelwright
