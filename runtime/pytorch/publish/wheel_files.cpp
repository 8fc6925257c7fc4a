#include "runtime/pytorch/publish/wheel_files.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/json.h"
#include "base/platform/byte_source.h"
#include "base/quote.h"
#include "runtime/wheels/index/distribution.h"
#include "runtime/wheels/index/stored_wheel.h"

namespace wheelwright {
namespace {

// The manifest of the wheels: the only file below `manifests`, if any.
std::string FindManifest(const std::string& folder, Host& host,
                         std::vector<std::string>& problems) {
  std::vector<UploadFile> manifests = FilesBelow(folder + "/manifests", false, folder);
  std::erase_if(manifests, [](const UploadFile& file) { return !file.name.ends_with(".json"); });
  if (manifests.empty()) return {};
  if (manifests.size() > 1) {
    problems.push_back(fmt::format("{} and {} are two manifests: upload the wheels of each alone",
                                   QuotedPath(manifests[0].path), QuotedPath(manifests[1].path)));
    return {};
  }
  std::string text = host.files.Read(manifests.front().path).value_or("");
  if (!ParseJson(text).is_object()) {
    problems.push_back(fmt::format("{} is no manifest", QuotedPath(manifests.front().path)));
  }
  return text;
}

}  // namespace

std::vector<UploadFile> FindWheels(const std::string& folder, std::string_view prefix, bool of_run,
                                   const Admission& admission, Host& host,
                                   std::vector<std::string>& problems) {
  std::vector<UploadFile> packages;
  const std::string manifest = FindManifest(folder, host, problems);
  bool any_wheel = false;
  for (UploadFile& file : FilesBelow(folder, false)) {
    if (!EndsLikeDistribution(file.name)) continue;
    const std::optional<Distribution> read = ReadDistributionName(file.name);
    if (!read) {
      problems.push_back(fmt::format("{}: no installer would know its name", Quoted(file.name)));
      continue;
    }
    if (const std::string problem = admission.Problem(read->project, read->version, read->wheel);
        !problem.empty()) {
      problems.push_back(fmt::format("{}: {}", Quoted(file.name), problem));
    }
    file.key = std::string(prefix) + file.name;
    file.of_run = of_run;
    if (read->wheel) {
      any_wheel = true;
      file.manifest = manifest;
      std::string problem;
      const std::unique_ptr<ByteSource> source = OpenFileSource(file.path, problem);
      WheelMetadata metadata;
      if (source) metadata = ReadStoredMetadata(*source, file.name);
      if (!metadata.problem.empty()) problem = metadata.problem;
      if (!problem.empty()) problems.push_back(fmt::format("{}: {}", Quoted(file.name), problem));
      file.metadata = std::move(metadata.text);
    }
    packages.push_back(std::move(file));
  }
  if (!any_wheel) problems.push_back(fmt::format("there is no wheel in {}", QuotedPath(folder)));
  return packages;
}

}  // namespace wheelwright
