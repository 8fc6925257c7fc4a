// Parsed texts with `${{ }}`.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/arena.h"
#include "generator/expression/ast.h"
#include "generator/expression/parse.h"
#include "generator/expression/possible_values.h"

namespace wheelwright {

// The parts of a context that expressions read.
struct ContextUse {
  bool all = false;                     // the context as a whole: `needs.*`, toJSON(needs)
  std::vector<std::string_view> names;  // of `needs.build` and needs['build'], as written

  bool any() const { return all || !names.empty(); }
};

struct GithubText {
  struct Expression {
    Embedded at;
    std::string_view text;  // between the brackets
    ParsedExpression parsed;
    std::vector<PossibleValue> values;  // anything after a syntax error
  };
  std::vector<Expression> expressions;
  std::optional<ExpressionError> error;  // a bracket that is not closed
  bool whole = false;                    // it is one expression and nothing else
  bool valid = true;                     // no syntax errors
  // Bytes of the expression that GitHub converts the text to (a call of format() if there is text
  // around `${{ }}`); 0 without expressions.
  std::size_t length = 0;
  ContextUse needs, inputs;
  Condition when;               // necessary for the whole text to be true, if it is one expression
  bool depends_on_job = false;  // it reads contexts of one job: needs, steps, matrix

  // The tree if the whole text is one valid expression, else null.
  const Expr* sole() const { return whole ? expressions[0].parsed.root : nullptr; }
};

// A cache of parsed texts for several threads, with a limit on its size. Known texts are found
// without a lock: with one, threads that look up the same few texts mostly wait for its cache line.
class SharedGithubTexts {
 public:
  // Parses a new text; null when the cache is full.
  const GithubText* Find(std::string_view text, bool condition);

 private:
  static constexpr std::size_t kMostInShard = 4096;
  struct Item {
    std::string_view text;
    GithubText parsed;
    const Item* next = nullptr;
  };
  struct alignas(64) Shard {
    std::array<std::atomic<const Item*>, 1024> heads{};
    std::mutex mutex;  // guards what follows, and changes of heads
    Arena arena;
    std::deque<Item> items;
  };
  std::array<Shard, 16> shards_;
};

// The texts of one workflow. For one thread.
class GithubTexts {
 public:
  explicit GithubTexts(SharedGithubTexts* shared = nullptr) : shared_(shared) {}

  // `text` must stay in place until Clear(). With `condition`, a text without brackets is an
  // expression, as in `if`.
  const GithubText& Of(std::string_view text, bool condition = false);
  void Clear();

 private:
  // A cache by address: unrolled jobs share the texts of their template.
  struct Slot {
    const char* begin = nullptr;
    std::size_t size = 0;
    const GithubText* parsed = nullptr;
  };
  Slot& SlotOf(std::string_view text);
  void Grow();

  SharedGithubTexts* shared_;
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  std::unique_ptr<Arena> arena_;
  std::unordered_map<std::string_view, GithubText> own_;
};

}  // namespace wheelwright
