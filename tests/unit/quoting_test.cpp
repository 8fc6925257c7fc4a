#include "generator/emit/quoting.h"

#include <catch2/catch.hpp>
#include <utility>
#include <vector>

namespace wheelwright {
namespace {

using Table = std::vector<std::pair<std::string_view, std::string_view>>;

void CheckTable(const Table& table, ScalarPlace place) {
  for (const auto& [text, written] : table) {
    CHECK(QuoteScalar(text, place) == written);
    CHECK(IsPlainString(text, place) == (text == written));
  }
}

TEST_CASE("Ordinary words stay as they are") {
  for (const std::string_view text : {"gfx94X-dcgpu",
                                      "actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd",
                                      "2.10.0",
                                      "1.2.3",
                                      "${{ inputs.python_version }}",
                                      "${{ fromJSON(needs.a.outputs.b).c }}",
                                      "pip install a",
                                      "a:b",
                                      "a#b",
                                      "--find-links",
                                      "-x",
                                      "$[[ combo.id ]]",
                                      "https://rocm.github.io/x?y=1#z",
                                      "release/2.10",
                                      "it's",
                                      "say \"hi\"",
                                      "C:\\Windows",
                                      "nowhere",
                                      "yesterday",
                                      "2026-01-02-nightly",
                                      "./.github/workflows/x.yml",
                                      "grüße",
                                      "日本語",
                                      "a, b",
                                      "x [y] {z}",
                                      "nulls",
                                      "1st",
                                      "0xyz",
                                      "e5",
                                      "1e",
                                      "1:x",
                                      "...x",
                                      "---x",
                                      "a & b",
                                      "~/x",
                                      "=x",
                                      "<x",
                                      "12ab",
                                      ".x",
                                      "+",
                                      "0b",
                                      "a !b"}) {
    CHECK(QuoteScalar(text, ScalarPlace::kBlock) == text);
  }
}

TEST_CASE("What some reader takes for another type is quoted") {
  for (const std::string_view text : {"",
                                      "~",
                                      "null",
                                      "Null",
                                      "NULL",
                                      "true",
                                      "False",
                                      "yes",
                                      "No",
                                      "on",
                                      "OFF",
                                      "y",
                                      "N",
                                      "=",
                                      "<<",
                                      "3.10",
                                      "3.",
                                      ".5",
                                      "0",
                                      "-1",
                                      "+12",
                                      "007",
                                      "0o14",
                                      "0x1F",
                                      "0b11",
                                      "1_000",
                                      "1e3",
                                      "1.5E-7",
                                      ".inf",
                                      "-.Inf",
                                      ".nan",
                                      "12:30",
                                      "1:30:00",
                                      "190:20:30.15",
                                      "2026-01-31",
                                      "2026-1-2",
                                      "2026-01-31T10:00:00Z",
                                      "2026-01-31 10:00:00",
                                      "---",
                                      "...",
                                      "--- a",
                                      "-",
                                      "- a"}) {
    CHECK(QuoteScalar(text, ScalarPlace::kBlock) == "\"" + std::string(text) + "\"");
    CHECK_FALSE(IsPlainString(text, ScalarPlace::kFlowItem));
  }
}

TEST_CASE("What YAML reads as structure is quoted") {
  CheckTable({{"a: b", "\"a: b\""},
              {"a:", "\"a:\""},
              {"a #b", "\"a #b\""},
              {"#a", "\"#a\""},
              {" a", "\" a\""},
              {"a ", "\"a \""},
              {"a\tb", "\"a\\tb\""},
              {"a\nb", "\"a\\nb\""},
              {"a\rb", "\"a\\rb\""},
              {"[a]", "\"[a]\""},
              {"{a}", "\"{a}\""},
              {"*.whl", "\"*.whl\""},
              {"&a", "\"&a\""},
              {"!a", "\"!a\""},
              {"!cancelled() && x", "\"!cancelled() && x\""},
              {"|", "\"|\""},
              {">a", "\">a\""},
              {"@a", "\"@a\""},
              {"`a`", "\"`a`\""},
              {"%a", "\"%a\""},
              {"?a", "\"?a\""},
              {":a", "\":a\""},
              {",a", "\",a\""},
              {"'a'", "\"'a'\""},
              {"${{ format('a: {0}', x) }}", "\"${{ format('a: {0}', x) }}\""},
              {"${{ x }} # y", "\"${{ x }} # y\""}},
             ScalarPlace::kBlock);
}

TEST_CASE("Single quotes save escapes") {
  CheckTable({{"[\"a\", \"b\"]", "'[\"a\", \"b\"]'"},
              {"\"a\"", "'\"a\"'"},
              {"C:\\ x: y", "'C:\\ x: y'"},
              {"{\"it's\": 1}", "\"{\\\"it's\\\": 1}\""},
              {"\"a\"\n", "\"\\\"a\\\"\\n\""}},
             ScalarPlace::kBlock);
}

TEST_CASE("Inside brackets more characters separate") {
  CheckTable({{"a", "a"},
              {"3.10t", "3.10t"},
              {"a,b", "\"a,b\""},
              {"a]", "\"a]\""},
              {"a:b", "\"a:b\""},
              {"a?", "\"a?\""},
              {"${{ x }}", "\"${{ x }}\""},
              {"release/therock-*", "release/therock-*"}},
             ScalarPlace::kFlowItem);
}

TEST_CASE("Keys are plain where they can be, and `on` always") {
  CheckTable({{"on", "on"},
              {"runs-on", "runs-on"},
              {"build:pytorch", "build:pytorch"},
              {"On", "\"On\""},
              {"off", "\"off\""},
              {"yes", "\"yes\""},
              {"3.10", "\"3.10\""},
              {"", "\"\""},
              {"<<", "\"<<\""},
              {"$[[ if a ]]", "$[[ if a ]]"},
              {"a: b", "\"a: b\""}},
             ScalarPlace::kKey);
}

TEST_CASE("What is not printable is escaped") {
  CheckTable({{std::string_view("\0", 1), "\"\\x00\""},
              {"\x1b[0m", "\"\\x1B[0m\""},
              {"\x7f", "\"\\x7F\""},
              {"a\xC2\x85z", "\"a\\x85z\""},
              {"\xE2\x80\xA8", "\"\\u2028\""},
              {"\xEF\xBB\xBF", "\"\\uFEFF\""},
              {"\xEF\xBF\xBF", "\"\\uFFFF\""},
              {"\xFFé", "\"\\xFFé\""},
              {"\xC3", "\"\\xC3\""},
              {"\xF0\x9F\x8E\xA1", "\xF0\x9F\x8E\xA1"}},
             ScalarPlace::kBlock);
}

}  // namespace
}  // namespace wheelwright
