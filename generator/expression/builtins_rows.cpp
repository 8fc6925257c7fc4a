// The functions that look into lists of rows.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/github_filter.h"
#include "base/text.h"
#include "generator/expression/builtins.h"
#include "generator/expression/values.h"

namespace wheelwright {

const Node* FirstFit(Call& call) {
  const Node& rows = *call.arguments[0];
  const auto column = call.String(1);
  if (!column) return nullptr;
  if (!rows.is_sequence()) {
    return call.Fail(fmt::format("expected a list of rows, found {}", Call::Kind(rows)), "", 0);
  }
  if (call.arguments.size() % 2 != 0) return call.Fail("a name has no value");
  std::vector<std::pair<std::string_view, std::string>> asked;
  for (std::size_t i = 2; i < call.arguments.size(); i += 2) {
    const auto name = call.String(i);
    const auto value = call.Part(*call.arguments[i + 1], i + 1);
    if (!name || !value) return nullptr;
    asked.emplace_back(*name, *value);
  }
  const auto fits = [](const Node* wanted, const std::string& value) {
    if (wanted == nullptr || wanted->is_null()) return true;
    std::vector<std::string> patterns;
    if (wanted->is_scalar()) patterns.emplace_back(wanted->text);
    for (const Node* item : wanted->items) patterns.emplace_back(item->text);
    return std::ranges::find(patterns, value) != patterns.end() ||
           MatchesGitHubFilter(patterns, value);
  };
  for (const Node* row : rows.items) {
    if (!call.Spend(asked.size())) return nullptr;
    const Node* when = Find(row, "when");
    const bool all = std::ranges::all_of(
        asked, [&](const auto& one) { return fits(Find(when, one.first), one.second); });
    if (!all) continue;
    const Node* value = Find(row, *column);
    if (value != nullptr) return value;
    return call.Fail(fmt::format("a row has no column '{}'", *column), "", 1);
  }
  return MakeNull(call.arena);
}

namespace {

// Whether a row has the values of the arguments behind the first.
bool HasValues(const Call& call, const Node* row) {
  for (std::size_t i = 1; i < call.arguments.size(); i += 2) {
    const Node* value = Find(row, call.arguments[i]->text);
    if (value == nullptr || !value->is_scalar()) return false;
    if (Compare(*value, *call.arguments[i + 1]) != Order::kEqual) return false;
  }
  return true;
}

// The arguments of where() and find().
bool CheckRows(Call& call) {
  const Node& rows = *call.arguments[0];
  if (rows.is_scalar()) {
    call.Fail(fmt::format("expected a list of rows, found {}", Call::Kind(rows)), "", 0);
    return false;
  }
  if (call.arguments.size() % 2 == 0) {
    call.Fail("a column has no value");
    return false;
  }
  for (std::size_t i = 1; i < call.arguments.size(); i += 2) {
    if (!call.String(i)) return false;
    if (call.arguments[i + 1]->is_scalar()) continue;
    call.Fail(fmt::format("expected a text or number to look for, found {}",
                          Call::Kind(*call.arguments[i + 1])),
              "", i + 1);
    return false;
  }
  return true;
}

}  // namespace

const Node* Where(Call& call) {
  if (!CheckRows(call)) return nullptr;
  const Node& rows = *call.arguments[0];
  std::vector<const Node*> items;
  for (const Node* row : rows.items) {
    if (HasValues(call, row)) items.push_back(row);
  }
  if (rows.is_sequence()) return call.List(items);
  std::vector<Entry> entries;
  for (const Entry& row : rows.entries) {
    if (HasValues(call, row.value)) entries.push_back(row);
  }
  return call.Spend(entries.size() * sizeof(Entry)) ? MakeMapping(call.arena, entries) : nullptr;
}

const Node* FindRow(Call& call) {
  if (!CheckRows(call)) return nullptr;
  const Node& rows = *call.arguments[0];
  for (const Node* row : rows.items) {
    if (HasValues(call, row)) return row;
  }
  for (const Entry& row : rows.entries) {
    if (HasValues(call, row.value)) return row.value;
  }
  return MakeNull(call.arena);
}

const Node* IndexOf(Call& call) {
  const Node& list = *call.arguments[0];
  const Node& item = *call.arguments[1];
  if (!list.is_sequence()) {
    return call.Fail(fmt::format("expected a list, found {}", Call::Kind(list)), "", 0);
  }
  if (!item.is_scalar()) {
    return call.Fail(
        fmt::format("expected a text or number to look for, found {}", Call::Kind(item)), "", 1);
  }
  const auto at = std::ranges::find_if(list.items, [&](const Node* one) {
    return one->is_scalar() && Compare(item, *one) == Order::kEqual;
  });
  return MakeNumber(call.arena,
                    at == list.items.end() ? -1 : static_cast<double>(at - list.items.begin()));
}

const Node* AsList(Call& call) {
  return call.arguments[0]->is_sequence() ? call.arguments[0] : call.List(call.arguments);
}

const Node* FirstMatch(Call& call) {
  const Node& patterns = *call.arguments[0];
  if (!patterns.is_sequence()) {
    return call.Fail(fmt::format("expected a list of patterns, found {}", Call::Kind(patterns)), "",
                     0);
  }
  const auto text = call.String(1);
  if (!text) return nullptr;
  const std::string lower = ToLower(*text);
  for (const Node* pattern : patterns.items) {
    if (MatchesStars(ToLower(pattern->text), lower)) return pattern;
  }
  return MakeNull(call.arena);
}

}  // namespace wheelwright
