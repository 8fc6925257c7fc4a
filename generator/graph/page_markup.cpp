#include "generator/graph/page_markup.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/characters.h"
#include "base/markup.h"

namespace wheelwright {

std::string TableCell(std::string_view label, std::string_view html, std::string_view more) {
  return fmt::format("<td{} data-label=\"{}\">{}</td>", more, EscapeMarkup(label), html);
}

std::string_view CellsWord(const Schema& schema) {
  return schema.sets.size() == 1 ? schema.sets[0].plural : "cells";
}

std::string HeadingOf(std::string_view name) {
  std::string heading(name);
  std::ranges::replace(heading, '_', ' ');
  if (!heading.empty() && IsLowerLetter(heading[0])) heading[0] -= 'a' - 'A';
  return heading;
}

std::string LinesOf(const std::vector<std::string>& items) {
  constexpr std::size_t kMost = 6;
  std::string text;
  for (std::size_t i = 0; i < items.size() && i < kMost; ++i) {
    text += (i > 0 ? "<br>" : "") + items[i];
  }
  if (items.size() > kMost) text += fmt::format("<br>and {} more", items.size() - kMost);
  return text;
}

}  // namespace wheelwright
