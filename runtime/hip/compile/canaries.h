// The canaries: small HIP sources, each the distilled form of something that broke builds, or that
// every build leans on. They are part of this program; their sources stand in
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
// Null when none has that name, with or without its ending.
const Canary* FindCanary(std::string_view name);

// What stands behind "// Guards: " in a source, and below it up to the next such word; "" when
// nothing does.
std::string HeadComment(std::string_view source, std::string_view word);

}  // namespace wheelwright
