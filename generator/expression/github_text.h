// Texts with `${{ }}` in them, parsed.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/arena.h"
#include "generator/expression/ast.h"
#include "generator/expression/parse.h"

namespace wheelwright {

// What expressions read of a context.
struct ContextUse {
  bool all = false;                     // the context as a whole: `needs.*`, toJSON(needs)
  std::vector<std::string_view> names;  // of `needs.build` and needs['build'], as they are written

  bool any() const { return all || !names.empty(); }
};

struct GithubText {
  struct Expression {
    Embedded at;
    std::string_view text;  // between the brackets
    ParsedExpression parsed;
  };
  std::vector<Expression> expressions;
  std::optional<ExpressionError> error;  // a bracket that is not closed
  bool whole = false;                    // it is one expression and nothing else
  bool valid = true;                     // all of it could be parsed
  // Bytes of the expression that GitHub makes of it, which for text around `${{ }}` is a call of
  // format(); 0 where it holds none.
  std::size_t length = 0;
  ContextUse needs, inputs;
  bool depends_on_job = false;  // it reads what is known of one job: needs, steps, matrix

  // The tree where the text is one valid expression as a whole, or null.
  const Expr* sole() const { return whole ? expressions[0].parsed.root : nullptr; }
};

// Texts that several threads have parsed so far, each text once. Bounded: a project may hold any
// number of different texts.
class SharedGithubTexts {
 public:
  // Null when it is not there and there is no room for it.
  const GithubText* Find(std::string_view text, bool condition);

 private:
  static constexpr std::size_t kMostInShard = 4096;
  struct Shard {
    std::mutex mutex;
    Arena arena;
    std::unordered_map<std::string_view, GithubText> texts;
  };
  std::array<Shard, 16> shards_;
};

// The texts of one workflow. For one thread.
class GithubTexts {
 public:
  explicit GithubTexts(SharedGithubTexts* shared = nullptr) : shared_(shared) {}

  // `text` must live, and stay where it is, until Clear(). With `condition`, a text without
  // brackets is one expression, as GitHub reads `if`.
  const GithubText& Of(std::string_view text, bool condition = false);
  void Clear();

 private:
  // Unrolled jobs share the texts of their template, so that most are found by their address.
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
