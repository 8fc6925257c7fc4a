#include "generator/template/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/arena.h"
#include "base/text.h"
#include "generator/expression/evaluate.h"
#include "generator/expression/functions.h"
#include "generator/expression/json.h"
#include "generator/expression/parse.h"
#include "generator/matrix/context.h"
#include "generator/template/head.h"

namespace wheelwright {
namespace {

constexpr std::string_view kIntroduction =
    R"(# The template language, word by word

What may stand in a file below `templates/`: the keys of its head, directives, names and functions. The
[guide](templates.md) explains how they work together. This page is printed from the tables by which
templates are read, and the values in it are computed.

)";

constexpr std::array kDirectives{
    DirectiveHelp{"for", "for NAME in LIST",
                  "Iterates over a list. `for INDEX, ITEM in LIST` counts from 0, and `for KEY, "
                  "VALUE in MAPPING` iterates over a mapping in its order.",
                  "builds: [{ id: gcc14, compiler: gcc-14 }, { id: gcc15, compiler: gcc-15 }]\n",
                  "jobs:\n"
                  "  $[[ for build in builds ]]:\n"
                  "    build_$[[ build.id ]]:\n"
                  "      name: Build | $[[ build.compiler ]]\n",
                  "jobs:\n"
                  "  build_gcc14:\n"
                  "    name: Build | gcc-14\n"
                  "  build_gcc15:\n"
                  "    name: Build | gcc-15\n",
                  "", ""},
    DirectiveHelp{
        "if", "if CONDITION",
        "Keeps its body if the condition is true. `false`, `null`, `0` and `''` are false.",
        "runner: linux-mi325\n",
        "steps:\n"
        "  - run: build\n"
        "  - $[[ if runner ]]:\n"
        "      - run: test on $[[ runner ]]\n",
        "steps:\n"
        "  - run: build\n"
        "  - run: test on linux-mi325\n",
        "", ""},
    DirectiveHelp{"elif", "elif CONDITION",
                  "Follows an `if` or `elif`, and applies if those before it did not. Nothing may "
                  "be between them.",
                  "platform: windows\n",
                  "defaults:\n"
                  "  $[[ if platform == 'linux' ]]:\n"
                  "    run: { shell: bash }\n"
                  "  $[[ elif platform == 'windows' ]]:\n"
                  "    run: { shell: pwsh }\n",
                  "defaults:\n"
                  "  run: { shell: pwsh }\n",
                  "", ""},
    DirectiveHelp{"else", "else",
                  "Follows an `if` or `elif`, and applies if those before it did not.",
                  "platform: linux\n",
                  "$[[ if platform == 'windows' ]]:\n"
                  "  shell: pwsh\n"
                  "$[[ else ]]:\n"
                  "  shell: bash\n",
                  "shell: bash\n", "", ""},
    DirectiveHelp{"let", "let NAME",
                  "Names a value (a text, a list or a mapping) for the following entries and "
                  "everything below them. It gives no entry itself.",
                  "combo: { id: py3.12 }\n",
                  "jobs:\n"
                  "  $[[ let job ]]: $[[ job_id(format('build_{0}', combo.id)) ]]\n"
                  "  $[[ job ]]:\n"
                  "    name: The job $[[ job ]]\n",
                  "jobs:\n"
                  "  build_py312:\n"
                  "    name: The job build_py312\n",
                  "", ""},
    DirectiveHelp{"include", "include PATH",
                  "Inserts a fragment: items of a list or entries of a mapping. The value has its "
                  "arguments; the path starts at `templates/`.",
                  "{}\n",
                  "steps:\n"
                  "  - $[[ include fragments/setup.yml ]]: { timeout: 5 }\n"
                  "  - run: build\n",
                  "steps:\n"
                  "  - uses: ./.github/actions/setup\n"
                  "    timeout-minutes: 5\n"
                  "  - run: build\n",
                  "fragments/setup.yml",
                  "- $[[ fragment ]]:\n"
                  "    arguments: [timeout]\n"
                  "- uses: ./.github/actions/setup\n"
                  "  timeout-minutes: $[[ timeout ]]\n"},
};

constexpr std::array kCalls{
    std::pair<std::string_view, std::string_view>{"contains", "contains('linux-arm64', 'ARM')"},
    std::pair<std::string_view, std::string_view>{"startsWith",
                                                  "startsWith('release/2.10', 'release/')"},
    std::pair<std::string_view, std::string_view>{"endsWith", "endsWith('linux-arm64', '-arm64')"},
    std::pair<std::string_view, std::string_view>{"format", "format('{0}-{1}', 'gcc14', 'linux')"},
    std::pair<std::string_view, std::string_view>{
        "join", "join(fromJSON('[\"linux\", \"windows\"]'), ';')"},
    std::pair<std::string_view, std::string_view>{"toJSON", "toJSON('3.10')"},
    std::pair<std::string_view, std::string_view>{"fromJSON", "fromJSON('{\"a\": [1, true]}').a"},
    std::pair<std::string_view, std::string_view>{"case",
                                                  "case(1 > 2, 'one', 2 > 1, 'two', 'none')"},
    std::pair<std::string_view, std::string_view>{"slug", "slug('Release 2.10 (nightly)')"},
    std::pair<std::string_view, std::string_view>{"job_id", "job_id('build gcc-14.2')"},
    std::pair<std::string_view, std::string_view>{"length", "length(fromJSON('[4, 5, 6]'))"},
    std::pair<std::string_view, std::string_view>{"keys", "keys(fromJSON('{\"a\": 1, \"b\": 2}'))"},
    std::pair<std::string_view, std::string_view>{"unique", "unique(fromJSON('[1, 2, 1]'))"},
    std::pair<std::string_view, std::string_view>{
        "first_fit",
        "first_fit(fromJSON('[{\"when\": {\"os\": \"win*\"}, \"use\": \"dll\"}, "
        "{\"use\": \"so\"}]'), 'use', 'os', 'linux')"},
    std::pair<std::string_view, std::string_view>{
        "where", "where(fromJSON('[{\"os\": \"linux\"}, {\"os\": \"windows\"}]'), 'os', 'linux')"},
    std::pair<std::string_view, std::string_view>{
        "find", "find(fromJSON('[{\"os\": \"linux\", \"bits\": 64}]'), 'os', 'linux').bits"},
    std::pair<std::string_view, std::string_view>{"index_of", "index_of(split('a b c', ' '), 'b')"},
    std::pair<std::string_view, std::string_view>{"list", "list('all')"},
    std::pair<std::string_view, std::string_view>{
        "first_match", "first_match(split('docs/* *.md', ' '), 'README.md')"},
    std::pair<std::string_view, std::string_view>{"lower", "lower('Linux')"},
    std::pair<std::string_view, std::string_view>{"upper", "upper('Linux')"},
    std::pair<std::string_view, std::string_view>{"replace", "replace('release/2.10', '/', '-')"},
    std::pair<std::string_view, std::string_view>{"split", "split('linux windows', ' ')"},
};

// Operators, the ones that bind strongest first.
constexpr std::array kOperators{
    std::pair<std::string_view, std::string_view>{"a.b, a['b'], a[0], a.*",
                                                  "fromJSON('{\"b\": [7, 8]}').b[1]"},
    std::pair<std::string_view, std::string_view>{"(a)", "('a' == 'A')"},
    std::pair<std::string_view, std::string_view>{"!a", "!''"},
    std::pair<std::string_view, std::string_view>{"<, <=, >, >=", "2 <= 10"},
    std::pair<std::string_view, std::string_view>{"==, !=", "'Linux' == 'linux'"},
    std::pair<std::string_view, std::string_view>{"&&", "true && 'this'"},
    std::pair<std::string_view, std::string_view>{"||", "null || 'that'"},
};

// The value of an expression that needs no names, as JSON on one line.
std::string ValueOf(std::string_view expression) {
  Arena arena;
  const ParsedExpression parsed = ParseExpression(expression, arena);
  if (parsed.root == nullptr) return {};
  const Evaluated result = Evaluate(*parsed.root, nullptr, arena);
  if (result.value == nullptr) return {};
  std::string line;
  bool starts = false;
  for (const char c : ToJson(*result.value, 1000).value_or("")) {
    if (c == '\n') {
      starts = true;
    } else if (!starts || c != ' ') {
      if (starts && line.ends_with(',')) line += ' ';
      starts = false;
      line += c;
    }
  }
  return line;
}

void PrintKeys(std::string& page, std::span<const template_tree::HeadKey> keys) {
  page += "| key | value |\n| --- | --- |\n";
  for (const template_tree::HeadKey& key : keys) {
    page += fmt::format("| `{}` | {} |\n", key.name, key.help);
  }
}

void PrintHeads(std::string& page) {
  page +=
      "## Heads\n\nThe first entry of a template is `$[[ template ]]:`, a mapping with these "
      "keys:\n\n";
  PrintKeys(page, template_tree::TemplateHeadKeys());
  page +=
      "\nThe first entry of a fragment, or the first item of one that is a list, is "
      "`$[[ fragment ]]:`. It may have these keys:\n\n";
  PrintKeys(page, template_tree::FragmentHeadKeys());
}

void PrintExample(std::string& page, std::string_view title, std::string_view yaml) {
  if (!yaml.empty()) page += fmt::format("\n{}:\n\n```yaml\n{}```\n", title, yaml);
}

void PrintDirectives(std::string& page) {
  page +=
      "\n## Directives\n\nEach is a key in `$[[ ]]`. In a mapping it gives entries; in a list it "
      "is an item with only that key, and gives items.\n";
  for (const DirectiveHelp& directive : kDirectives) {
    page += fmt::format("\n### {}\n\n`$[[ {} ]]:` — {}\n", directive.keyword, directive.usage,
                        directive.help);
    PrintExample(page, fmt::format("`{}`", directive.fragment_path), directive.fragment);
    PrintExample(page,
                 directive.names == "{}\n"
                     ? std::string("A template")
                     : fmt::format("Where `{}` is known", Trim(directive.names)),
                 directive.example);
    PrintExample(page, "gives", directive.gives);
  }
}

void PrintNames(std::string& page, std::span<const ContextName> names, std::string_view title) {
  page += fmt::format("\n| {} | what it is |\n| --- | --- |\n", title);
  for (const ContextName& name : names)
    page += fmt::format("| `{}` | {} |\n", name.name, name.help);
}

void PrintContext(std::string& page) {
  page +=
      "\n## Names\n\nThe names of the matrix in every template and fragment. A missing column of a "
      "row has its default.\n";
  PrintNames(page, ContextNames(), "name");
  for (const ContextRow& row : ContextRows()) {
    page += fmt::format("\n### {}\n\nIt is {}.", row.title, row.where);
    page += row.written.empty() ? "\n" : fmt::format(" It also has {}.\n", row.written);
    PrintNames(page, row.columns, "column");
  }
}

void PrintExpressions(std::string& page) {
  page += R"(
## Expressions

[GitHub's own](https://docs.github.com/actions/reference/workflows-and-actions/expressions): `null`, `true`,
`false`, numbers, and strings in single quotes, where `''` is one quote. Texts are compared without
regard to case, values of different types as numbers. Unlike GitHub, a name or column that is not there is an
error, as is an index past the end.

Every expression has a type before it is computed: a loop's name that of the rows it runs over, a column that of
the schema, an argument of a fragment what its includes give. What the type does not have or a function does not
take is an error when the template is read, once, whether or not an instance comes by. `row[platform.name]` is
what the row has for any of the platforms, `a || b` either of the two. Where the schema leaves the type open
(`any`, `scalar`, `others`, `x or y`), nothing is said before there is a value.

| operator | for example | gives |
| --- | --- | --- |
)";
  for (const auto& [operators, example] : kOperators) {
    page += fmt::format("| `{}` | `{}` | `{}` |\n", EscapeBars(operators), EscapeBars(example),
                        EscapeBars(ValueOf(example)));
  }
  page +=
      "\n## Functions\n\n| function | gives | for example | value |\n| --- | --- | --- | --- |\n";
  for (const Function& function : TemplateFunctions()) {
    const std::string_view call = ExampleCall(function.name);
    page += fmt::format("| `{}` | {} | `{}` | `{}` |\n", function.usage, EscapeBars(function.help),
                        EscapeBars(call), EscapeBars(ValueOf(call)));
  }
}

}  // namespace

std::span<const DirectiveHelp> DirectiveReference() { return kDirectives; }

std::string_view ExampleCall(std::string_view function) {
  const auto found = std::find_if(kCalls.begin(), kCalls.end(),
                                  [&](const auto& call) { return call.first == function; });
  return found == kCalls.end() ? std::string_view{} : found->second;
}

std::string TemplateReference() {
  std::string page(kIntroduction);
  PrintHeads(page);
  PrintDirectives(page);
  PrintContext(page);
  PrintExpressions(page);
  return page;
}

}  // namespace wheelwright
