// The functions' code, for Evaluate() only.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "generator/expression/functions.h"
#include "generator/yaml/node.h"

namespace wheelwright {

// A call. A function returns its value, or sets `message` and returns null.
struct Call {
  static constexpr std::size_t kWholeCall = ~std::size_t{0};

  std::span<const Node* const> arguments;  // as many as the function takes
  Arena& arena;
  std::size_t& budget;  // bytes that the expression may still produce

  std::string message;
  std::string hint;
  std::size_t argument = kWholeCall;  // the one that is wrong

  const Node* Fail(std::string why, std::string advice = {}, std::size_t which = kWholeCall);
  // Make a value; they fail when the budget is used up.
  const Node* Text(std::string_view text);
  const Node* List(std::span<const Node* const> items);
  const Node* Boolean(bool value);
  bool Spend(std::size_t bytes);
  // The text of an argument that must be a string, because YAML reads 3.10 as 3.1.
  std::optional<std::string_view> String(std::size_t which);
  // The text of a scalar of that argument, as a part of a longer text.
  std::optional<std::string> Part(const Node& value, std::size_t which);
  // "a list", "the number 3"; long texts are cut.
  static std::string Kind(const Node& value);
};

// `function` is one of TemplateFunctions(), except case(), which evaluates its arguments lazily.
const Node* CallBuiltin(const Function& function, Call& call);

using Builtin = const Node* (*)(Call& call);

// GitHub's.
const Node* Contains(Call& call);
const Node* StartsWith(Call& call);
const Node* EndsWith(Call& call);
const Node* FormatText(Call& call);
const Node* Join(Call& call);
const Node* ToJsonText(Call& call);
const Node* FromJsonText(Call& call);

// Wheelwright's own.
const Node* Slug(Call& call);
const Node* JobId(Call& call);
const Node* Length(Call& call);
const Node* Keys(Call& call);
const Node* Unique(Call& call);
const Node* FirstFit(Call& call);
const Node* Where(Call& call);
const Node* FindRow(Call& call);
const Node* IndexOf(Call& call);
const Node* AsList(Call& call);
const Node* FirstMatch(Call& call);
const Node* Lower(Call& call);
const Node* Upper(Call& call);
const Node* Replace(Call& call);
const Node* SplitText(Call& call);

}  // namespace wheelwright
