#include "base/columns.h"

#include <algorithm>
#include <numeric>

#include "base/text.h"

namespace wheelwright {
namespace {

// A name may be parted behind these, where a cell is too narrow for it.
constexpr std::string_view kMarks = "/#:_-";

// Whether that is the colon of "families.yml:12", which belongs together.
bool IsOfPlace(std::string_view word, std::size_t at) {
  return at + 1 < word.size() && word[at] == ':' && IsDigit(word[at + 1]);
}

// A word's pieces, each with the mark at its end.
std::vector<std::string_view> PiecesOf(std::string_view word) {
  std::vector<std::string_view> pieces;
  while (!word.empty()) {
    std::size_t mark = word.find_first_of(kMarks);
    while (mark != std::string_view::npos && IsOfPlace(word, mark)) {
      mark = word.find_first_of(kMarks, mark + 1);
    }
    const std::size_t length = mark == std::string_view::npos ? word.size() : mark + 1;
    pieces.push_back(word.substr(0, length));
    word.remove_prefix(length);
  }
  return pieces;
}

std::size_t LongestPiece(std::string_view text) {
  std::size_t longest = 0;
  for (const std::string_view word : Split(text, ' ')) {
    for (const std::string_view piece : PiecesOf(word)) {
      longest = std::max(longest, CountCharacters(piece));
    }
  }
  return longest;
}

std::vector<std::string> WrapCell(std::string_view text, std::size_t width) {
  if (CountCharacters(text) <= width) return {std::string(text)};
  std::vector<std::string> lines(1);
  for (const std::string_view word : Split(text, ' ')) {
    const std::size_t used = CountCharacters(lines.back());
    if (used > 0 && used + 1 + CountCharacters(word) <= width) {
      lines.back().append(" ").append(word);
      continue;
    }
    if (used > 0) lines.emplace_back();
    for (const std::string_view piece : PiecesOf(word)) {
      const bool fits = CountCharacters(lines.back()) + CountCharacters(piece) <= width;
      if (!fits && !lines.back().empty()) lines.emplace_back();
      lines.back() += piece;
    }
  }
  return lines;
}

std::vector<std::size_t> WidthsOf(const std::vector<std::vector<std::string>>& rows,
                                  std::size_t width) {
  std::vector<std::size_t> widths, least;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    least.resize(widths.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], CountCharacters(row[i]));
      least[i] = std::max(least[i], LongestPiece(row[i]));
    }
  }
  if (width == 0 || widths.empty()) return widths;
  std::size_t total = std::accumulate(widths.begin(), widths.end(), 2 * (widths.size() - 1));
  for (; total > width; --total) {
    std::size_t* widest = nullptr;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] > least[i] && (widest == nullptr || widths[i] > *widest)) widest = &widths[i];
    }
    if (widest == nullptr) break;
    --*widest;
  }
  return widths;
}

}  // namespace

std::string InColumns(const std::vector<std::vector<std::string>>& rows, std::size_t width,
                      const PaintLine& paint) {
  const std::vector<std::size_t> widths = WidthsOf(rows, width);
  std::string text;
  for (std::size_t number = 0; number < rows.size(); ++number) {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (std::size_t i = 0; i < rows[number].size(); ++i) {
      cells.push_back(WrapCell(rows[number][i], widths[i]));
      height = std::max(height, cells.back().size());
    }
    for (std::size_t at = 0; at < height; ++at) {
      std::string line;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string cell = at < cells[i].size() ? cells[i][at] : std::string();
        line += cell;
        line.append(widths[i] - CountCharacters(cell) + 2, ' ');
      }
      line.erase(line.find_last_not_of(' ') + 1);
      text += (paint ? paint(number, line) : line) + '\n';
    }
  }
  return text;
}

}  // namespace wheelwright
