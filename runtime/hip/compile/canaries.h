// The canaries: small HIP sources, each a minimal form of code that once broke a build, or that
// every build depends on. They are compiled into this program; their sources are in
// runtime/hip/canaries/.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace wheelwright {

struct Canary {
  std::string_view name;  // "half_traits.hip"
  std::string_view text;

  // From the comment at its head.
  std::string Guards() const;
  std::string Since() const;
};

// By name.
std::span<const Canary> Canaries();
// By name, with or without ".hip"; null when there is none.
const Canary* FindCanary(std::string_view name);

// The text of a field of the comment at the head of a source, such as "// Guards: TEXT", with its
// continuation lines; "" when there is no such field.
std::string HeadComment(std::string_view source, std::string_view word);

}  // namespace wheelwright
