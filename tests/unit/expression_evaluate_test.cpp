#include <catch2/catch.hpp>

#include "base/diagnostic.h"
#include "generator/expression/evaluate.h"
#include "generator/expression/json.h"
#include "generator/yaml/read.h"

using namespace wheelwright;

namespace {

constexpr std::string_view kData = R"(
family:
  id: gfx94x
  name: gfx94X-dcgpu
  targets: [gfx942]
  linux: {runner: linux-mi325, gpus: 8}
  windows: null
  label: GFX94x
combos:
  - {id: py310, python: "3.10", tags: [a, b], runner: r1}
  - {id: py312, python: "3.12", tags: [c]}
empty: []
number: 3.10
on: true
nested: [[1, 2], [3]]
)";

// Names over the entries of kData.
class DataNames {
 public:
  DataNames() {
    Diagnostics diagnostics;
    const Document document =
        ReadYaml(sources_, sources_.Add("data.yml", std::string(kData)), arena_, diagnostics);
    REQUIRE(diagnostics.empty());
    for (const Entry& entry : document.root->entries) {
      scope_ = arena_.New<Scope>(
          Scope{scope_, entry.key->text, entry.value, BindingKind::kLet, entry.key->where});
    }
  }

  Evaluated Evaluate(std::string_view text) {
    const ParsedExpression parsed = ParseExpression(arena_.Copy(text), arena_);
    REQUIRE(parsed.root != nullptr);
    return wheelwright::Evaluate(*parsed.root, scope_, arena_);
  }

  // The value as compact text, or the error: what stands at the caret, the message and the hint.
  std::string operator()(std::string_view text) {
    const Evaluated result = Evaluate(text);
    if (result.value == nullptr) {
      REQUIRE(result.error);
      const ExpressionError& error = *result.error;
      return "<" + std::string(text.substr(error.offset, error.length)) + "> " + error.message +
             (error.hint.empty() ? "" : "; " + error.hint);
    }
    CHECK_FALSE(result.error);
    const std::string json = ToJson(*result.value, 10'000'000).value();
    std::string compact;
    for (const char c : json) {
      if (c != '\n' && c != ' ') compact += c;
    }
    return compact;
  }

  const Scope* scope() const { return scope_; }

 private:
  SourceManager sources_;
  Arena arena_;
  const Scope* scope_ = nullptr;
};

struct Case {
  std::string_view text;
  std::string_view expected;
};

}  // namespace

TEST_CASE("values and their parts", "[expression]") {
  DataNames evaluate;
  const Case cases[] = {
      {"family.name", "\"gfx94X-dcgpu\""},
      {"family['name']", "\"gfx94X-dcgpu\""},
      {"family.linux.gpus", "8"},
      {"family.windows", "null"},
      {"combos[1].id", "\"py312\""},
      {"combos.*.id", "[\"py310\",\"py312\"]"},
      {"combos[*].tags", "[[\"a\",\"b\"],[\"c\"]]"},
      {"combos.*.tags.*", "[\"a\",\"b\",\"c\"]"},
      {"combos.*.tags[1]", "[\"b\"]"},
      {"combos.*.runner", "[\"r1\"]"},
      {"family.linux.*", "[\"linux-mi325\",8]"},
      {"empty.*.x", "[]"},
      {"nested[0][1]", "2"},
      {"nested.*[0]", "[1,3]"},
      {"number", "3.1"},
  };
  for (const Case& one : cases) CHECK(evaluate(one.text) == one.expected);
}

TEST_CASE("a value of the matrix keeps its place", "[expression]") {
  DataNames evaluate;
  CHECK(evaluate.Evaluate("family.windows || family.linux.runner").value->where.known());
}

TEST_CASE("operators follow GitHub's loose rules", "[expression]") {
  DataNames evaluate;
  const Case cases[] = {
      {"'ABC' == 'abc'", "true"},
      {"'abc' != 'ABC'", "false"},
      {"1 == '1'", "true"},
      {"1 == ' 1 '", "true"},
      {"'0x10' == 16", "true"},
      {"1 == 'one'", "false"},
      {"null == ''", "true"},
      {"null == 0", "true"},
      {"null == null", "true"},
      {"true == 1", "true"},
      {"true == 'true'", "false"},
      {"false == ''", "true"},
      {"NaN == NaN", "false"},
      {"NaN != NaN", "true"},
      {"'a' < 'B'", "true"},
      {"'b' > 'A'", "true"},
      {"'a' <= 'A'", "true"},
      {"'a' < 'ab'", "true"},
      {"2 < 10", "true"},
      {"'2' < '10'", "false"},
      {"'2' < 10", "true"},
      {"'x' < 1", "false"},
      {"'x' >= 1", "false"},
      {"!''", "true"},
      {"!0", "true"},
      {"!'0'", "false"},
      {"!empty", "false"},
      {"'' || 'b'", "\"b\""},
      {"'a' && 'b'", "\"b\""},
      {"null && 'b'", "null"},
      {"'' || null || 0", "0"},
      {"true && on && 'all'", "\"all\""},
      {"family.windows && family.windows.runner", "null"},
      {"on || nothing", "true"},
  };
  for (const Case& one : cases) CHECK(evaluate(one.text) == one.expected);
}

TEST_CASE("a slip is never silent", "[expression]") {
  DataNames evaluate;
  const Case cases[] = {
      {"famly.name", "<famly> nothing is called 'famly' here; did you mean 'family'?"},
      {"xyz",
       "<xyz> nothing is called 'xyz' here; known here: nested, on, number, empty, combos and "
       "family"},
      {"True", "<True> nothing is called 'True' here; write 'true'"},
      {"needs.x",
       "<needs> 'needs' is not known while files are generated; write ${{ }} for what "
       "GitHub knows"},
      {"family.nam", "<nam> 'family' has no property 'nam'; did you mean 'name'?"},
      {"family.Name", "<Name> 'family' has no property 'Name'; did you mean 'name'?"},
      {"family['zzz']",
       "<'zzz'> 'family' has no property 'zzz'; it has id, name, targets, linux, "
       "windows and label"},
      {"family.windows.runner", "<runner> 'family.windows' is null and has no property 'runner'"},
      {"family.name.x", "<x> 'family.name' is the string 'gfx94X-dcgpu' and has no property 'x'"},
      {"combos.id",
       "<id> 'combos' is a list and has no property 'id'; write combos[0], or "
       "combos.*.id"},
      {"combos.*.idd", "<idd> no item of 'combos.*' has a property 'idd'; did you mean 'id'?"},
      {"combos[2]", "<2> 'combos' has no item 2; it has 2 items, counted from 0"},
      {"empty[0]", "<0> 'empty' has no item 0; the list is empty"},
      {"combos[-1]", "<-1> a list is indexed by a whole number, found the number -1"},
      {"combos['0']", "<'0'> a list is indexed by a whole number, found the string '0'"},
      {"family[null]", "<null> expected a key, found null"},
      {"nested.*[7]", "<7> no item of 'nested.*' has an item 7"},
      {"family.name.*", "<*> 'family.name' is the string 'gfx94X-dcgpu' and has no items"},
      {"empty == 'x'", "<==> a list cannot be compared; contains(list, item) looks into a list"},
      {"family < 1", "<<> a mapping cannot be compared"},
      {"fromat('x')", "<fromat> no function is called 'fromat'; did you mean 'format'?"},
      {"success()",
       "<success> 'success' is not known while files are generated; write ${{ }} for "
       "what GitHub computes"},
      {"contains('a')",
       "<contains> too few arguments for contains(): 1 given; write contains(search, item)"},
      {"slug('a', 'b')", "<slug> too many arguments for slug(): 2 given; write slug(text)"},
  };
  for (const Case& one : cases) CHECK(evaluate(one.text) == one.expected);
}

TEST_CASE("what an expression computes is bounded", "[expression]") {
  DataNames evaluate;
  std::string text = "'abcdefgh'";
  for (int i = 0; i < 45; ++i) text = "format('{0}{0}', " + text + ")";
  CHECK(evaluate(text).find("> the expression computes too much text") != std::string::npos);
  std::string quoted = "'\\'";
  for (int i = 0; i < 45; ++i) quoted = "toJSON(" + quoted + ")";
  CHECK(evaluate(quoted).find("> the JSON text is too long") != std::string::npos);
}

TEST_CASE("text of scalars", "[expression]") {
  Arena arena;
  const auto text = [&](double number) { return *TextOf(*MakeNumber(arena, number)); };
  CHECK(text(0) == "0");
  CHECK(text(-0.0) == "0");
  CHECK(text(3.10) == "3.1");
  CHECK(text(0.1 + 0.2) == "0.3");
  CHECK(text(123456789012) == "123456789012");
  CHECK(text(-2.5) == "-2.5");
  CHECK(*TextOf(*MakeBoolean(arena, true)) == "true");
  CHECK(*TextOf(*MakeString(arena, "a b")) == "a b");
  CHECK_FALSE(TextOf(*MakeNull(arena)));
  CHECK_FALSE(TextOf(*MakeSequence(arena, {})));
}

TEST_CASE("an instance is described from the outside in", "[expression]") {
  DataNames names;
  const Scope* data = names.scope();
  const Node* family = Lookup(data, "family")->value;
  const Node* combo = Lookup(data, "combos")->value->items[0];
  Arena arena;
  const Scope platform{data, "platform", MakeString(arena, "linux"), BindingKind::kInstance, {}};
  const Scope bound{&platform, "family", family, BindingKind::kInstance, {}};
  const Scope let{&bound, "runner", MakeString(arena, "x"), BindingKind::kLet, {}};
  const Scope loop{&let, "combo", combo, BindingKind::kFor, {}};
  CHECK(DescribeInstance(&loop) == "platform=linux family=gfx94x combo=py310");
  CHECK(DescribeInstance(data).empty());
  CHECK(DescribeInstance(nullptr).empty());
  CHECK(Lookup(&loop, "family") == &bound);
  CHECK(Lookup(&loop, "nobody") == nullptr);
}
