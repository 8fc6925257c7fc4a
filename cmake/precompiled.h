// What nearly every source includes, compiled once a build. A source still includes what it uses.
//
// clang loads of it what a source uses. g++ reads the whole for every source; with nlohmann/json it would be half as
// large again, for the sake of a tenth of the sources.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <memory_resource>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#ifdef __clang__
#include <nlohmann/json.hpp>
#endif
