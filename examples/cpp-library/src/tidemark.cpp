#include "tidemark.h"

#include <functional>

namespace tidemark {

bool Marks::raise(std::string_view name, long value) {
  auto [mark, first] = marks_.try_emplace(std::string(name), value);
  const bool higher = first || value > mark->second;
  if (higher) mark->second = value;
  return higher;
}

long Marks::of(std::string_view name) const {
  const auto mark = marks_.find(name);
  return mark == marks_.end() ? 0 : mark->second;
}

std::string set_command(std::string_view name, long value) {
  std::string command = "*3\r\n";
  for (const auto& word : {std::string("SET"), std::string(name), std::to_string(value)}) {
    command += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
  }
  return command;
}

}  // namespace tidemark
