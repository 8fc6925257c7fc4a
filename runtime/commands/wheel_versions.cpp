#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/host/actions/job_files.h"
#include "runtime/host/actions/log.h"
#include "runtime/pytorch/build/triton.h"
#include "runtime/wheels/wheel/wheel_check.h"

namespace wheelwright {
namespace {

int RunWheelVersions(const Arguments& arguments, Host& host) {
  const std::string& folder = arguments.positional.front();
  Log log(host);
  std::map<std::string, std::vector<WheelName>, std::less<>> wheels;
  bool good = true;
  bool windows = false;
  for (const std::string& file : host.files.List(folder)) {
    if (!file.ends_with(".whl")) continue;
    WheelNameReading reading = ReadWheelName(file);
    if (!reading.name) {
      log.Error(fmt::format("{}; {}", reading.problem, reading.hint),
                fmt::format("{} is no name of a wheel", Quoted(file)));
      good = false;
      continue;
    }
    windows = windows || std::ranges::any_of(reading.name->tags, [](const WheelTag& tag) {
                return tag.platform.starts_with("win");
              });
    wheels[reading.name->Project()].push_back(std::move(*reading.name));
  }
  std::vector<std::pair<std::string, std::string>> outputs;
  for (const std::string_view project : kPytorchProjects) {
    const std::string name = project == "triton"
                                 ? NormalizeProject(TritonWheelName({}, host.variables))
                                 : std::string(project);
    const auto found = wheels.find(name);
    const std::size_t count = found == wheels.end() ? 0 : found->second.size();
    // Windows has no triton and apex.
    const bool optional = windows && (project == "triton" || project == "apex");
    if (count == 0 && !optional) {
      log.Error(fmt::format("looked for {}-VERSION-....whl in {}", EscapeProject(name), folder),
                fmt::format("there is no wheel of {}", project));
      good = false;
    } else if (count > 1) {
      std::vector<std::string> names;
      for (const WheelName& wheel : found->second) names.push_back(wheel.file);
      log.Error(fmt::format("it is unclear which one was built: {}", JoinWords(names)),
                fmt::format("there are {} wheels of {}", count, project));
      good = false;
    }
    outputs.emplace_back(fmt::format("{}_version", project),
                         count == 1 ? found->second.front().version.ToString() : "");
  }
  if (!good) return kFound;
  JobFiles job(host);
  for (const auto& [name, version] : outputs) job.SetOutput(name, version);
  return kSuccess;
}

}  // namespace

Command WheelVersionsCommand() {
  return {
      .name = "wheel versions",
      .purpose = "Output the versions of the wheels in a folder",
      .usage = "DIR",
      .about =
          "Outputs: torch_version, torchaudio_version, torchvision_version, triton_version and "
          "apex_version, each in its normal form. For Windows the last two are empty: they are not "
          "built there. A missing or duplicate wheel is an error, and then there are no outputs.\n",
      .options = {},
      .examples = {{"wheelrun wheel versions dist", "The versions of the wheels in dist"},
                   {"wheelrun wheel versions ../downloads/dist", "The same in another folder"}},
      .least_positional = 1,
      .most_positional = 1,
      .outputs = {"torch_version", "torchaudio_version", "torchvision_version", "triton_version",
                  "apex_version"},
      .run_on_host = RunWheelVersions,
  };
}

}  // namespace wheelwright
