#include "base/json.h"

namespace wheelwright {
namespace {

template <typename Value>
std::string Dump(const Value& json, int indent) {
  return json.dump(indent, ' ', /*ensure_ascii=*/false, Value::error_handler_t::replace);
}

}  // namespace

nlohmann::json ParseJson(std::string_view text) {
  return nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
}

Json ParseOrderedJson(std::string_view text) {
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

std::string DumpJson(const nlohmann::json& json, int indent) { return Dump(json, indent); }
std::string DumpJson(const Json& json, int indent) { return Dump(json, indent); }

}  // namespace wheelwright
