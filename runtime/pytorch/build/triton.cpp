#include "runtime/pytorch/build/triton.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.h"

namespace wheelwright {
namespace {

constexpr std::string_view kName = "TRITON_WHEEL_NAME";

}  // namespace

VariablePairs ReadTritonFile(FileSystem& files, const std::string& folder) {
  VariablePairs pairs;
  const auto text = files.Read(folder + "/build_env.json");
  if (!text) return pairs;
  const auto json = ParseJson(*text);
  if (!json.is_object()) return pairs;
  for (const auto& [key, value] : json.items()) {
    if (value.is_string()) pairs.emplace_back(key, value.get<std::string>());
  }
  return pairs;
}

std::string TritonWheelName(const VariablePairs& file, const Variables& own) {
  const auto in_file =
      std::ranges::find_if(file, [](const auto& pair) { return pair.first == kName; });
  if (in_file != file.end() && !in_file->second.empty()) return in_file->second;
  const auto in_own = own.find(kName);
  return in_own != own.end() && !in_own->second.empty() ? in_own->second : "triton";
}

}  // namespace wheelwright
