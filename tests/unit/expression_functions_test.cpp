#include <catch2/catch.hpp>

#include "generator/expression/evaluate.h"
#include "generator/expression/format_text.h"
#include "generator/expression/functions.h"
#include "generator/expression/json.h"

using namespace wheelwright;

namespace {

// The value as compact JSON, or the error: what stands at the caret, the message and the hint.
std::string Run(std::string_view text) {
  Arena arena;
  const ParsedExpression parsed = ParseExpression(text, arena);
  REQUIRE(parsed.root != nullptr);
  const Evaluated result = Evaluate(*parsed.root, nullptr, arena);
  if (result.value == nullptr) {
    const ExpressionError& error = *result.error;
    return "<" + std::string(text.substr(error.offset, error.length)) + "> " + error.message +
           (error.hint.empty() ? "" : "; " + error.hint);
  }
  if (result.value->is_string()) return "'" + std::string(result.value->text) + "'";
  const std::string json = ToJson(*result.value, 10'000'000).value();
  std::string compact;
  for (const char c : json) {
    if (c != '\n' && c != ' ') compact += c;
  }
  return compact;
}

struct Case {
  std::string_view text;
  std::string_view expected;
};

}  // namespace

TEST_CASE("GitHub's functions", "[expression]") {
  const Case cases[] = {
      {"contains('Hello', 'ELL')", "true"},
      {"contains('Hello', '')", "true"},
      {"contains(null, 'x')", "false"},
      {"contains(123, 2)", "true"},
      {"contains(fromJSON('[\"push\", 1]'), 'PUSH')", "true"},
      {"contains(fromJSON('[\"push\", 1]'), '1')", "true"},
      {"contains(fromJSON('[]'), 'x')", "false"},
      {"contains(fromJSON('{}'), 'x')",
       "<fromJSON('{}')> expected a text, found a mapping; write "
       "contains(keys(mapping), item)"},
      {"contains('x', fromJSON('[]'))", "<fromJSON('[]')> expected a text, found a list"},
      {"startsWith('release/2.10', 'Release/')", "true"},
      {"startsWith('a', 'ab')", "false"},
      {"endsWith('gfx94X-dcgpu', 'DCGPU')", "true"},
      {"endsWith('gfx94X', 'dcgpu')", "false"},
      {"format('{0} is {1}', 'a', 3.50)", "'a is 3.5'"},
      {"format('{1}{0}{1}', 'a', 'b')", "'bab'"},
      {"format('{{ {0} }}', true)", "'{ true }'"},
      {"format('plain')", "'plain'"},
      {"format('{1}', 'a')", "<'{1}'> no value is given for {1}; 1 value given"},
      {"format('{x}', 'a')",
       "<'{x}'> '{x}' is no place for an argument; write {0}, {1} and so on, or "
       "'{{' for a brace"},
      {"format('{', 'a')", "<'{'> a single '{' in the text of format(); write '{{' for a brace"},
      {"format('}', 'a')", "<'}'> a single '}' in the text of format(); write '}}' for a brace"},
      {"format('{0}', null)", "<null> null has no text"},
      {"format('{0}', fromJSON('[1]'))",
       "<fromJSON('[1]')> a list has no text; write join(list, ',') or toJSON(list)"},
      {"join(fromJSON('[\"a\", 1, true]'), ';')", "'a;1;true'"},
      {"join(fromJSON('[\"a\", \"b\"]'))", "'a,b'"},
      {"join(fromJSON('[]'), ', ')", "''"},
      {"join('a', ', ')", "'a'"},
      {"join(fromJSON('[[1]]'), ', ')",
       "<fromJSON('[[1]]')> a list has no text; write join(list, ',') "
       "or toJSON(list)"},
      {"toJSON(fromJSON('{\"b\":[1,2.50,null],\"a\":{}}'))",
       "'{\n  \"b\": [\n    1,\n    2.5,\n    null\n  ],\n  \"a\": {}\n}'"},
      {"toJSON('q\"\\ and ä')", "'\"q\\\"\\\\ and ä\"'"},
      {"fromJSON('true')", "true"},
      {"fromJSON('[1, {\"x\": \"y\"}]')[1].x", "'y'"},
      {"fromJSON('[1,')", "<'[1,'> the JSON text ends early"},
      {"fromJSON('[1 2]')", "<'[1 2]'> not JSON at byte 4, near '2'"},
      {"fromJSON('')", "<''> the JSON text ends early"},
      {"fromJSON('{\"a\":1,\"a\":2}')",
       "<'{\"a\":1,\"a\":2}'> the key 'a' stands twice in an object"},
      {"fromJSON(1)",
       "<1> expected a string, found the number 1; put it in quotes where it is "
       "defined"},
      {"case(false, 'a', true, 'b', 'c')", "'b'"},
      {"case(1 > 2, nothing, 'c')", "'c'"},
      {"case('yes', 'a', 'b')",
       "<'yes'> expected a condition that is true or false, found the string 'yes'"},
      {"case(true, 'a', false, 'b')",
       "<case> case() needs a value for each condition, and one "
       "otherwise; write case(condition, value, ..., otherwise)"},
      {"CONTAINS('a', 'a')", "true"},
  };
  for (const Case& one : cases) CHECK(Run(one.text) == one.expected);
  CHECK(Run("fromJSON('" + std::string(200, '[') + "')").find("nested more than 100 levels") !=
        std::string::npos);
}

TEST_CASE("functions of this field", "[expression]") {
  const Case cases[] = {
      {"slug('Release/2.10 (RC)')", "'release-2-10-rc'"},
      {"slug('--a__b--')", "'a-b'"},
      {"slug('gfx94X-dcgpu')", "'gfx94x-dcgpu'"},
      {"slug('///')", "<'///'> nothing is left of '///' as a slug; it keeps a-z and 0-9 alone"},
      {"format('cp{0}-cp{1}', replace(replace('3.13t', '.', ''), 't', ''), replace('3.13t', '.', "
       "''))",
       "'cp313-cp313t'"},
      {"job_id('py3.12 torch release/2.10')", "'py312_torch_release_210'"},
      {"job_id('a(/)b-c')", "'a_b-c'"},
      {"job_id('3.12')", "'_312'"},
      {"job_id('-x')", "'_-x'"},
      {"job_id('__x')", "'_x'"},
      {"job_id('...')", "<'...'> nothing is left of '...' as a job's id"},
      {"length('größe')", "5"},
      {"length(fromJSON('[1,2]'))", "2"},
      {"length(fromJSON('{}'))",
       "<fromJSON('{}')> expected a list or a string, found a mapping; write "
       "length(keys(mapping))"},
      {"keys(fromJSON('{\"b\":1,\"a\":2}'))", "[\"b\",\"a\"]"},
      {"keys('x')", "<'x'> expected a mapping, found the string 'x'"},
      {"unique(fromJSON('[1,\"1\",1,{\"a\":1,\"b\":2},{\"b\":2,\"a\":1},[1],[1]]'))",
       "[1,\"1\",{\"a\":1,\"b\":2},[1]]"},
      {"unique('x')", "<'x'> expected a list, found the string 'x'"},
      {"first_fit(fromJSON('[{\"when\":{\"a\":[\"x\",\"y*\"],\"b\":null},\"v\":1},{\"v\":2}]'), "
       "'v', 'a', "
       "'yes', 'b', true)",
       "1"},
      {"first_fit(fromJSON('[{\"when\":{\"a\":\"x\",\"b\":false},\"v\":1},{\"v\":2}]'), 'v', 'a', "
       "'x', "
       "'b', true)",
       "2"},
      {"first_fit(fromJSON('[{\"when\":{\"a\":\"x\"},\"v\":1}]'), 'v', 'a', 'y')", "null"},
      {"first_fit(fromJSON('[{}]'), 'v')", "<'v'> a row has no column 'v'"},
      {"first_fit(fromJSON('[{}]'), 'v', 'a')", "<first_fit> a name has no value"},
      {"first_fit('x', 'v')", "<'x'> expected a list of rows, found the string 'x'"},
      {"where(fromJSON('[{\"a\":1,\"b\":\"X\"},{\"a\":1},3,{\"a\":2,\"b\":\"x\"}]'), 'a', 1, 'b', "
       "'x')",
       "[{\"a\":1,\"b\":\"X\"}]"},
      {"where(fromJSON('{\"x\":{\"a\":1},\"y\":{\"a\":2}}'), 'a', 2)", "{\"y\":{\"a\":2}}"},
      {"where('x', 'a', 1)", "<'x'> expected a list of rows, found the string 'x'"},
      {"where(fromJSON('[]'), 'a', 1, 'b')", "<where> a column has no value"},
      {"where(fromJSON('[]'), 'a', fromJSON('[]'))",
       "<fromJSON('[]')> expected a text or number to look for, found a list"},
      {"find(fromJSON('[{\"a\":1},{\"a\":2,\"b\":3}]'), 'a', 2)", "{\"a\":2,\"b\":3}"},
      {"find(fromJSON('[{\"a\":1}]'), 'a', 2)", "null"},
      {"index_of(fromJSON('[\"a\",\"B\"]'), 'b')", "1"},
      {"index_of(fromJSON('[]'), 'b')", "-1"},
      {"index_of('x', 'b')", "<'x'> expected a list, found the string 'x'"},
      {"index_of(fromJSON('[]'), fromJSON('{}'))",
       "<fromJSON('{}')> expected a text or number to look for, found a mapping"},
      {"list('x')", "[\"x\"]"},
      {"list(fromJSON('[1]'))", "[1]"},
      {"first_match(fromJSON('[\"a*\",\"*\"]'), 'Abc')", "'a*'"},
      {"first_match(fromJSON('[\"a*\"]'), 'b')", "null"},
      {"first_match('x', 'b')", "<'x'> expected a list of patterns, found the string 'x'"},
      {"lower('GFX94X')", "'gfx94x'"},
      {"upper('gfx94x')", "'GFX94X'"},
      {"replace('a.b.c', '.', '')", "'abc'"},
      {"replace('aaa', 'aa', 'b')", "'ba'"},
      {"replace('a', '', 'b')", "<''> expected a text to replace, found ''"},
      {"split('a;b;;', ';')", "[\"a\",\"b\",\"\",\"\"]"},
      {"split('', ';')", "[\"\"]"},
      {"split('a', '')", "<''> expected a separator, found ''"},
  };
  for (const Case& one : cases) CHECK(Run(one.text) == one.expected);
  const std::string id(99, 'a');
  CHECK(Run("job_id('" + id + "')") == "'" + id + "'");
  CHECK(Run("job_id('" + id + "b')") ==
        "<'" + id + "b'> the job's id '" + id + "b' has 100 characters; GitHub allows 99");
}

TEST_CASE("functions are found by name in any case", "[expression]") {
  CHECK(FindFunction(GithubFunctions(), "hashfiles")->name == "hashFiles");
  CHECK(FindFunction(GithubFunctions(), "slug") == nullptr);
  CHECK(FindFunction(TemplateFunctions(), "SLUG")->name == "slug");
  CHECK(FindFunction(TemplateFunctions(), "hashFiles") == nullptr);
  for (const Function& function : TemplateFunctions()) {
    CHECK(function.usage.starts_with(std::string(function.name) + "("));
    CHECK(function.min_arguments <= function.max_arguments);
  }
}

TEST_CASE("the pieces of a format", "[expression]") {
  std::vector<FormatPiece> pieces;
  REQUIRE_FALSE(ParseFormat("a {0}{{b}} {12}", pieces));
  std::string shown;
  for (const FormatPiece& piece : pieces) {
    shown += piece.argument == FormatPiece::kNoArgument
                 ? std::string(piece.text)
                 : "<" + std::to_string(piece.argument) + ">";
  }
  CHECK(shown == "a <0>{b} <12>");
  CHECK(ParseFormat("{99999999999999999999999}", pieces)->message ==
        "'{99999999999999999999999}' is no place for an argument");
}
