// An arena: memory that is allocated in pieces and freed all at once.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <memory_resource>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace wheelwright {

// Objects live as long as the arena. It runs no destructors, so it takes trivially destructible
// types only. Pointers to its objects are borrowed, never owned.
class Arena {
 public:
  explicit Arena(std::size_t first_block = 16 * 1024) : memory_(first_block) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // A new arena that another thread may fill; it lives as long as this one.
  Arena& Part() { return *parts_.emplace_back(std::make_unique<Arena>()); }

  template <typename T, typename... Arguments>
  T* New(Arguments&&... arguments) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (memory_.allocate(sizeof(T), alignof(T))) T{std::forward<Arguments>(arguments)...};
  }

  template <typename T>
  std::span<T> Copy(std::span<const T> items) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (items.empty()) return {};
    T* copy = static_cast<T*>(memory_.allocate(items.size_bytes(), alignof(T)));
    std::copy(items.begin(), items.end(), copy);
    return {copy, items.size()};
  }

  std::string_view Copy(std::string_view text) {
    if (text.empty()) return {};
    char* copy = static_cast<char*>(memory_.allocate(text.size(), 1));
    std::memcpy(copy, text.data(), text.size());
    return {copy, text.size()};
  }

 private:
  std::pmr::monotonic_buffer_resource memory_;
  std::vector<std::unique_ptr<Arena>> parts_;
};

}  // namespace wheelwright
