// Reads and writes JSON. The library's parser and writer are templates: here they are compiled
// once, and not in each source that uses them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace wheelwright {

// What the programs write keeps the order of its members.
using Json = nlohmann::ordered_json;

// The value of the text; is_discarded() where the text is no JSON.
nlohmann::json ParseJson(std::string_view text);
Json ParseOrderedJson(std::string_view text);

// With `indent` blanks a level; on one line where it is negative. U+FFFD stands for malformed
// UTF-8.
std::string DumpJson(const nlohmann::json& json, int indent = -1);
std::string DumpJson(const Json& json, int indent = -1);

}  // namespace wheelwright
