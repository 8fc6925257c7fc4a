// The functions that expressions may call.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "generator/expression/type.h"

namespace wheelwright {

// The types that an argument must not have. Unknown types are allowed.
struct ArgumentRule {
  TypeSet refused;
  std::string_view expected;  // "a text", for the message
};

// The places where GitHub allows a function.
enum class Availability : std::uint8_t { kEverywhere, kWithFiles, kInConditions };

struct Function {
  std::string_view name;
  std::size_t min_arguments;
  std::size_t max_arguments;  // kAnyNumber: no limit
  std::string_view usage;     // "contains(search, item)"
  std::string_view help;      // one line, for the reference
  TypeKind returns = TypeKind::kAny;
  ArgumentRule first = {};
  ArgumentRule others = {};  // each argument behind the first
  Availability available = Availability::kEverywhere;
};

inline constexpr std::size_t kAnyNumber = 255;

// GitHub's own: contains, startsWith, endsWith, format, join, toJSON, fromJSON, hashFiles, case,
// and the status checks success, failure, cancelled, always.
std::span<const Function> GithubFunctions();

// The functions for `$[[ ]]`: GitHub's pure ones, and Wheelwright's own such as slug and job_id.
std::span<const Function> TemplateFunctions();

// By name, ignoring case as GitHub does, or null.
const Function* FindFunction(std::span<const Function> functions, std::string_view name);

}  // namespace wheelwright
