#include <catch2/catch.hpp>

#include "generator/expression/scope.h"
#include "generator/link/expressions.h"
#include "generator/yaml/read.h"

using namespace wheelwright;

namespace {

struct Settings {
  bool strict_scripts = true;
  bool both_sides = true;
  std::string_view callee = {};  // text of called.yml
};

// The report on a workflow, as people see it.
std::string Check(std::string_view text, const Settings& settings = {}) {
  SourceManager sources;
  Arena arena;
  Diagnostics reading;
  const auto read = [&](const char* name, std::string_view content, Workflow& workflow) {
    const Document document =
        ReadYaml(sources, sources.Add(name, std::string(content)), arena, reading);
    REQUIRE(document.root != nullptr);
    ReadWorkflow(*document.root, workflow);
  };
  InterfaceSet interfaces;
  Workflow callee;
  if (!settings.callee.empty()) {
    read("called.yml", settings.callee, callee);
    interfaces.Add(MakeInterface("called.yml", callee));
  }
  interfaces.Finish(reading);
  Workflow workflow;
  read("w.yml", text, workflow);
  REQUIRE(reading.empty());
  Diagnostics diagnostics;
  CheckExpressions(workflow, {sources, interfaces, settings.strict_scripts, settings.both_sides},
                   diagnostics);
  return "\n" + Render(diagnostics, sources, ReportFormat::kText, false);
}

// The report on the value of one key of a step, without its frame: "code: message; hint".
std::string CheckStep(std::string_view value, std::string_view key = "env") {
  const std::string report = Check(
      "on: {workflow_dispatch: {inputs: {flag: {type: boolean}, count: {type: number}, "
      "name: {type: string}}}}\n"
      "jobs:\n  a:\n    runs-on: x\n    steps:\n      - id: one\n      - " +
      std::string(key) + ": \"" + std::string(value) + "\"\n");
  if (report == "\n") return "fine";
  const std::size_t bracket = report.find('[');
  const std::size_t line = report.find('\n', bracket);
  std::string summary = report.substr(bracket + 1, line - bracket - 1);
  summary.replace(summary.find(']'), 1, "");
  const std::size_t carets = report.find('^', line);
  const std::size_t behind = report.find_first_not_of('^', carets);
  if (report[behind] == ' ') {
    summary += ";" + report.substr(behind, report.find('\n', behind) - behind);
  }
  if (report.find("\nerror[", line) != std::string::npos) summary += " (and more)";
  return summary;
}

struct Case {
  std::string_view value;
  std::string_view expected;
};

}  // namespace

TEST_CASE("a workflow in which everything resolves", "[link]") {
  CHECK(Check(R"(
name: Fine
run-name: ${{ github.workflow }} by ${{ github.actor }}
on:
  workflow_call:
    inputs: {family: {type: string}, dry: {type: boolean, default: "${{ github.ref == 'x' }}"}}
    secrets: {KEY: {required: true}}
    outputs: {version: {value: "${{ jobs.build.outputs.version }}"}}
env: {A: "${{ secrets.KEY }}${{ secrets.github_token }}"}
concurrency: ${{ github.workflow }}-${{ github.event.pull_request.number || github.sha }}
jobs:
  build:
    if: ${{ !cancelled() && inputs.dry }}
    runs-on: ${{ matrix.runner }}
    strategy: {matrix: {runner: [x], include: [{python: "3.12"}]}}
    environment: {name: "${{ matrix.python }}", url: "${{ steps.b.outputs.url }}"}
    container: {image: "${{ vars.IMAGE }}", env: {T: "${{ runner.temp }}"}}
    env: {B: "${{ strategy.job-index == 1 }}"}
    outputs: {version: "${{ steps.b.outputs.version }}", hash: "${{ steps.a.outcome }}"}
    steps:
      - {id: a, run: echo, env: {X: "${{ hashFiles('**/x') }}"}}
      - id: b
        if: success() && steps.a.conclusion == 'success'
        run: echo $FAMILY
        env: {FAMILY: "${{ inputs.family }}", J: "${{ toJSON(needs) }} ${{ job.container.id }}"}
  called:
    needs: build
    if: always() && needs.build.result == 'success' && contains(needs.*.result, 'failure')
    uses: ./.github/workflows/called.yml
    with: {v: "${{ needs.build.outputs.version }}", w: "${{ needs['BUILD'].outputs.Hash }}"}
    secrets: {K: "${{ secrets.KEY }}"}
  after:
    needs: [called, build]
    runs-on: x
    steps:
      - {run: echo, env: {A: "${{ needs.called.outputs.any }} ${{ fromJSON(vars.X).y.z }}"}}
)") == "\n");
}

TEST_CASE("what is no expression", "[link]") {
  CHECK(Check("jobs:\n  a:\n    if: github.ref = 'x'\n    name: ${{ github.ref }\n    env:\n"
              "      A: a ${{ \"x\" }} b\n      B: ${{ contains( }}\n") == R"(
error[expression-syntax]: expected '==', found '='
  --> w.yml:3:20
   |
 3 |     if: github.ref = 'x'
   |                    ^ write '==' to compare

error[expression-syntax]: '${{' is not closed
  --> w.yml:4:11
   |
 4 |     name: ${{ github.ref }
   |           ^^^ expected '}}'

error[expression-syntax]: unexpected '"'
  --> w.yml:6:16
   |
 6 |       A: a ${{ "x" }} b
   |                ^ write strings in single quotes

error[expression-syntax]: expected an expression, found the end
  --> w.yml:7:22
   |
 7 |       B: ${{ contains( }}
   |                      ^
)");
}

TEST_CASE("where GitHub evaluates nothing", "[link]") {
  CHECK(
      Check("name: CI ${{ github.ref }}\njobs:\n  a:\n    steps:\n      - shell: ${{ env.S }}\n") ==
      R"(
error[expression-not-allowed]: GitHub evaluates no expressions here
  --> w.yml:1:10
   |
 1 | name: CI ${{ github.ref }}
   |          ^^^^^^^^^^^^^^^^^ write the value itself

error[expression-not-allowed]: GitHub evaluates no expressions here
  --> w.yml:5:16
   |
 5 |       - shell: ${{ env.S }}
   |                ^^^^^^^^^^^^ write the value itself
)");
}

TEST_CASE("contexts that do not exist or are not available", "[link]") {
  CHECK(Check("env:\n  A: ${{ gihub.ref }}\n  B: ${{ runner.os }}\n  C: ${{ True }}\n"
              "jobs:\n  a:\n    if: secrets.X != '' && env.Y\n    name: ${{ Linux }}\n") == R"(
error[unknown-context]: there is no context 'gihub'
  --> w.yml:2:10
   |
 2 |   A: ${{ gihub.ref }}
   |          ^^^^^ did you mean 'github'?

error[context-not-available]: 'runner' is not available in env
  --> w.yml:3:10
   |
 3 |   B: ${{ runner.os }}
   |          ^^^^^^ available: github, inputs, vars and secrets

error[unknown-context]: there is no context 'True'
  --> w.yml:4:10
   |
 4 |   C: ${{ True }}
   |          ^^^^ write 'true'

error[context-not-available]: 'secrets' is not available in jobs.<job_id>.if
  --> w.yml:7:9
   |
 7 |     if: secrets.X != '' && env.Y
   |         ^^^^^^^ available: github, inputs, vars and needs

error[context-not-available]: 'env' is not available in jobs.<job_id>.if
  --> w.yml:7:28
   |
 7 |     if: secrets.X != '' && env.Y
   |                            ^^^ available: github, inputs, vars and needs

error[unknown-context]: there is no context 'Linux'
  --> w.yml:8:15
   |
 8 |     name: ${{ Linux }}
   |               ^^^^^ write strings in single quotes
)");
}

TEST_CASE("functions", "[link]") {
  CHECK(Check("env:\n  A: ${{ fromat('x') }}\n  B: ${{ hashFiles('x') }}\n  C: ${{ success() }}\n"
              "  D: ${{ slug(github.ref) }}\n  E: ${{ contains(github.ref) }}\n"
              "jobs:\n  a:\n    steps:\n      - if: failure('a')\n") == R"(
error[unknown-function]: GitHub has no function 'fromat'
  --> w.yml:2:10
   |
 2 |   A: ${{ fromat('x') }}
   |          ^^^^^^ did you mean 'format'?

error[function-not-available]: hashFiles() is not available in env
  --> w.yml:3:10
   |
 3 |   B: ${{ hashFiles('x') }}
   |          ^^^^^^^^^ only steps can read files

error[function-not-available]: success() is not available in env
  --> w.yml:4:10
   |
 4 |   C: ${{ success() }}
   |          ^^^^^^^ it is only available in 'if'

error[unknown-function]: GitHub has no function 'slug'
  --> w.yml:5:10
   |
 5 |   D: ${{ slug(github.ref) }}
   |          ^^^^ write $[[ ]] for what is computed while files are generated

error[function-arguments]: too few arguments for contains(): 1 given
  --> w.yml:6:10
   |
 6 |   E: ${{ contains(github.ref) }}
   |          ^^^^^^^^ write contains(search, item)

error[function-arguments]: too many arguments for failure() in a step: 1 given
   --> w.yml:10:13
    |
 10 |       - if: failure('a')
    |             ^^^^^^^ write failure()
)");
}

TEST_CASE("properties of contexts", "[link]") {
  CHECK(
      Check("env:\n  A: ${{ github.refname }}\n  B: ${{ github.sha.short }}\n"
            "jobs:\n  a:\n    env:\n      C: ${{ strategy.jobindex }}\n    steps:\n      - id: x\n"
            "      - name: ${{ steps.x.output.y }}\n        if: job.container.image\n") == R"(
error[unknown-property]: 'github' has no property 'refname'
  --> w.yml:2:17
   |
 2 |   A: ${{ github.refname }}
   |                 ^^^^^^^ did you mean 'ref_name'?

error[unknown-property]: 'github.sha' is a text and has no properties
  --> w.yml:3:21
   |
 3 |   B: ${{ github.sha.short }}
   |                     ^^^^^

error[unknown-property]: 'strategy' has no property 'jobindex'
  --> w.yml:7:23
   |
 7 |       C: ${{ strategy.jobindex }}
   |                       ^^^^^^^^ did you mean 'job-index'?

error[unknown-property]: 'steps.x' has no property 'output'
   --> w.yml:10:27
    |
 10 |       - name: ${{ steps.x.output.y }}
    |                           ^^^^^^ did you mean 'outputs'?

error[unknown-property]: 'job.container' has no property 'image'
   --> w.yml:11:27
    |
 11 |         if: job.container.image
    |                           ^^^^^ it has id and network
)");
}

TEST_CASE("outputs that no job declares", "[link]") {
  const std::string_view callee =
      "on: {workflow_call: {outputs: {torch_version: {value: x}}}}\njobs: {}\n";
  CHECK(Check("on: {workflow_call: {outputs: {v: {value: \"${{ jobs.bild.result }}\"}}}}\n"
              "jobs:\n  build:\n    uses: ./.github/workflows/called.yml\n"
              "  plain:\n    outputs:\n      hash: x\n"
              "  bare: {}\n"
              "  test:\n    needs: [build, plain, bare]\n    env:\n"
              "      A: ${{ needs.build.outputs.torch_verison }}\n"
              "      B: ${{ needs.plain.outputs.hsh }}\n"
              "      C: ${{ needs.bare.outputs.hash }}\n"
              "      D: ${{ needs.bare.output.hash }}\n",
              {.callee = callee}) == R"(
error[unknown-job]: there is no job 'bild'
  --> w.yml:1:53
   |
 1 | on: {workflow_call: {outputs: {v: {value: "${{ jobs.bild.result }}"}}}}
   |                                                     ^^^^ did you mean 'build'?

error[undeclared-output]: job 'build' has no output 'torch_verison'
   --> w.yml:12:34
    |
 12 |       A: ${{ needs.build.outputs.torch_verison }}
    |                                  ^^^^^^^^^^^^^ did you mean 'torch_version'?
   ::: called.yml:1:32
    |
  1 | on: {workflow_call: {outputs: {torch_version: {value: x}}}}
    |                                ^^^^^^^^^^^^^ outputs of called.yml are declared here

error[undeclared-output]: job 'plain' has no output 'hsh'
   --> w.yml:13:34
    |
 13 |       B: ${{ needs.plain.outputs.hsh }}
    |                                  ^^^ did you mean 'hash'?
   ::: w.yml:6:5
    |
  6 |     outputs:
    |     ^^^^^^^ outputs of job 'plain' are declared here

error[undeclared-output]: job 'bare' has no output 'hash'
   --> w.yml:14:33
    |
 14 |       C: ${{ needs.bare.outputs.hash }}
    |                                 ^^^^
   ::: w.yml:8:3
    |
  8 |   bare: {}
    |   ^^^^ job 'bare' declares no outputs

error[unknown-property]: 'needs.bare' has no property 'output'
   --> w.yml:15:25
    |
 15 |       D: ${{ needs.bare.output.hash }}
    |                         ^^^^^^ did you mean 'outputs'?
)");
}

TEST_CASE("steps are known to later ones", "[link]") {
  CHECK(Check("jobs:\n  a:\n    outputs:\n      x: ${{ steps.frist.outputs.x }}\n    steps:\n"
              "      - id: first\n        name: ${{ steps.second.outcome }}\n"
              "      - id: second\n        name: ${{ steps.second.outputs.x }}\n"
              "      - name: ${{ steps.third.outputs.x }}\n") == R"(
error[unknown-step]: no step of job 'a' has the id 'frist'
  --> w.yml:4:20
   |
 4 |       x: ${{ steps.frist.outputs.x }}
   |                    ^^^^^ did you mean 'first'?

error[unknown-step]: step 'second' runs later
  --> w.yml:7:25
   |
 7 |         name: ${{ steps.second.outcome }}
   |                         ^^^^^^
  ::: w.yml:8:13
   |
 8 |       - id: second
   |             ^^^^^^ it is here

error[unknown-step]: step 'second' reads its own results
  --> w.yml:9:25
   |
 9 |         name: ${{ steps.second.outputs.x }}
   |                         ^^^^^^
  ::: w.yml:8:13
   |
 8 |       - id: second
   |             ^^^^^^ it is here

error[unknown-step]: no step of job 'a' has the id 'third'
   --> w.yml:10:25
    |
 10 |       - name: ${{ steps.third.outputs.x }}
    |                         ^^^^^ earlier steps: first and second
)");
}

TEST_CASE("jobs are known to those that need them", "[link]") {
  CHECK(Check("jobs:\n  setup: {}\n  build:\n    needs: setup\n  test:\n    needs: build\n"
              "    env:\n      A: ${{ needs.setup.result }}\n      B: ${{ needs.bild.result }}\n"
              "  last:\n    if: needs.setup.result == 'success'\n") == R"(
error[unknown-need]: job 'test' does not need 'setup'
  --> w.yml:8:20
   |
 8 |       A: ${{ needs.setup.result }}
   |                    ^^^^^ add it to 'needs'
  ::: w.yml:6:5
   |
 6 |     needs: build
   |     ^^^^^ its needs

error[unknown-need]: there is no job 'bild'
  --> w.yml:9:20
   |
 9 |       B: ${{ needs.bild.result }}
   |                    ^^^^ did you mean 'build'?

error[unknown-need]: job 'last' does not need 'setup'
   --> w.yml:11:15
    |
 11 |     if: needs.setup.result == 'success'
    |               ^^^^^ add it to 'needs'
   ::: w.yml:10:3
    |
 10 |   last:
    |   ^^^^ it has no 'needs'
)");
}

TEST_CASE("inputs", "[link]") {
  CHECK(
      Check("on:\n  workflow_call:\n    inputs:\n      family: {type: string}\n      "
            "both: {type: string}\n  workflow_dispatch:\n    inputs:\n      both: {type: string}\n"
            "      only: {type: string}\n"
            "env:\n  A: ${{ inputs.famly }}\n  B: ${{ inputs.family }}\n  C: ${{ inputs.only }}\n"
            "  D: ${{ inputs.both }}\n") == R"(
error[undeclared-input]: no input 'famly' is declared
   --> w.yml:11:17
    |
 11 |   A: ${{ inputs.famly }}
    |                 ^^^^^ did you mean 'family'?
   ::: w.yml:2:3
    |
  2 |   workflow_call:
    |   ^^^^^^^^^^^^^ inputs are declared here
   ::: w.yml:6:3
    |
  6 |   workflow_dispatch:
    |   ^^^^^^^^^^^^^^^^^ inputs are declared here

error[undeclared-input]: workflow_dispatch declares no input 'family'
   --> w.yml:12:17
    |
 12 |   B: ${{ inputs.family }}
    |                 ^^^^^^ it is empty when the workflow is dispatched
   ::: w.yml:4:7
    |
  4 |       family: {type: string}
    |       ^^^^^^ declared for workflow_call only

error[undeclared-input]: workflow_call declares no input 'only'
   --> w.yml:13:17
    |
 13 |   C: ${{ inputs.only }}
    |                 ^^^^ it is empty when the workflow is called
   ::: w.yml:9:7
    |
  9 |       only: {type: string}
    |       ^^^^ declared for workflow_dispatch only
)");
  CHECK(Check("on: push\nenv:\n  A: ${{ inputs.x }}\n") == R"(
error[undeclared-input]: no input 'x' is declared
  --> w.yml:3:17
   |
 3 |   A: ${{ inputs.x }}
   |                 ^
   = inputs are declared by the triggers workflow_call and workflow_dispatch
)");
  CHECK(Check("on: {workflow_dispatch: {inputs: {name: {}}}}\nenv:\n"
              "  A: ${{ github.event.inputs.nam }}\n") == R"(
error[undeclared-input]: workflow_dispatch declares no input 'nam'
  --> w.yml:3:30
   |
 3 |   A: ${{ github.event.inputs.nam }}
   |                              ^^^ did you mean 'name'?
  ::: w.yml:1:6
   |
 1 | on: {workflow_dispatch: {inputs: {name: {}}}}
   |      ^^^^^^^^^^^^^^^^^ inputs are declared here
)");
}

TEST_CASE("secrets of a called workflow", "[link]") {
  CHECK(Check("on:\n  workflow_call:\n    secrets:\n      TOKEN: {}\n"
              "env:\n  A: ${{ secrets.TOKN }}\n  B: ${{ secrets.GITHUB_TOKEN }}\n") == R"(
error[undeclared-secret]: workflow_call declares no secret 'TOKN'
  --> w.yml:6:18
   |
 6 |   A: ${{ secrets.TOKN }}
   |                  ^^^^ did you mean 'TOKEN'?
  ::: w.yml:4:7
   |
 4 |       TOKEN: {}
   |       ^^^^^ secrets are declared here
)");
}

TEST_CASE("keys of a matrix", "[link]") {
  CHECK(
      Check("jobs:\n  a:\n    strategy:\n      matrix:\n        python: [\"3.12\"]\n"
            "        include:\n          - ref: main\n"
            "    name: ${{ matrix.pyton }} ${{ matrix.ref }}\n"
            "  b:\n    name: ${{ matrix.x }}\n"
            "  c:\n    strategy: {matrix: \"${{ fromJSON(vars.M) }}\"}\n    name: ${{ matrix.x }}\n"
            "  d:\n    strategy: {matrix: {include: \"${{ fromJSON(vars.M) }}\"}}\n"
            "    name: ${{ matrix.x }}\n") == R"(
error[unknown-matrix-key]: the matrix of job 'a' has no key 'pyton'
  --> w.yml:8:22
   |
 8 |     name: ${{ matrix.pyton }} ${{ matrix.ref }}
   |                      ^^^^^ did you mean 'python'?
  ::: w.yml:4:7
   |
 4 |       matrix:
   |       ^^^^^^ its matrix

error[unknown-matrix-key]: job 'b' has no matrix
   --> w.yml:10:22
    |
 10 |     name: ${{ matrix.x }}
    |                      ^
)");
}

TEST_CASE("scripts that strangers write", "[link]") {
  const std::string_view text =
      "jobs:\n  a:\n    steps:\n      - run: |\n          echo hello\n"
      "          echo '${{ github.event.pull_request.title }}'\n"
      "          echo ${{ github.sha }}\n"
      "      - uses: actions/github-script@v7\n        with:\n"
      "          script: log('${{ format('{0}', github.head_ref) }}', ${{ github.sha }})\n"
      "      - run: echo ${{ github.event.issue.title == 'x' }}\n";
  CHECK(Check(text) == R"(
error[script-injection]: whoever controls 'github.event.pull_request.title' controls a part of this script
  --> w.yml:6:17
   |
 6 |           echo '${{ github.event.pull_request.title }}'
   |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ pass it through 'env'
   = GitHub inserts the text before the script is parsed; an environment variable remains data

error[expression-in-script]: a script contains an expression
  --> w.yml:7:16
   |
 7 |           echo ${{ github.sha }}
   |                ^^^^^^^^^^^^^^^^^ pass it through 'env'
   = its value becomes code; an environment variable remains data

error[script-injection]: whoever controls 'github.head_ref' controls a part of this script
   --> w.yml:10:24
    |
 10 |           script: log('${{ format('{0}', github.head_ref) }}', ${{ github.sha }})
    |                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ pass it through 'env'
    = GitHub inserts the text before the script is parsed; an environment variable remains data

error[expression-in-script]: a script contains an expression
   --> w.yml:11:19
    |
 11 |       - run: echo ${{ github.event.issue.title == 'x' }}
    |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ pass it through 'env'
    = its value becomes code; an environment variable remains data
)");
  CHECK(Check(text, {.strict_scripts = false}) == R"(
error[script-injection]: whoever controls 'github.event.pull_request.title' controls a part of this script
  --> w.yml:6:17
   |
 6 |           echo '${{ github.event.pull_request.title }}'
   |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ pass it through 'env'
   = GitHub inserts the text before the script is parsed; an environment variable remains data

error[script-injection]: whoever controls 'github.head_ref' controls a part of this script
   --> w.yml:10:24
    |
 10 |           script: log('${{ format('{0}', github.head_ref) }}', ${{ github.sha }})
    |                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ pass it through 'env'
    = GitHub inserts the text before the script is parsed; an environment variable remains data
)");
}

TEST_CASE("a comparison that never holds", "[link]") {
  CHECK(Check(R"(on: {workflow_call: {inputs: {flag: {type: boolean}}}}
jobs:
  a:
    if: inputs.flag == 'true'
    runs-on: x
    steps: [{run: echo, env: {LABELS: "${{ github.event.labels.*.name }}"}}]
)") == R"(
error[expression-type]: 'inputs.flag' is a boolean, which never equals the text 'true'
  --> w.yml:4:21
   |
 4 |     if: inputs.flag == 'true'
   |                     ^^ write inputs.flag

error[expression-type]: 'github.event.labels.*.name' is a list and has no text
  --> w.yml:6:44
   |
 6 |     steps: [{run: echo, env: {LABELS: "${{ github.event.labels.*.name }}"}}]
   |                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^ write join(list, ',') or toJSON(list)
)");
}

TEST_CASE("what an expression gives cannot be used so", "[link]") {
  const Case cases[] = {
      {"${{ inputs.flag == 'true' }}",
       "expression-type: 'inputs.flag' is a boolean, which never equals the text 'true'; write "
       "inputs.flag"},
      {"${{ 'false' != inputs.flag }}",
       "expression-type: 'inputs.flag' is a boolean, which never equals the text 'false'; write "
       "inputs.flag"},
      {"${{ inputs.flag == true }}", "fine"},
      {"${{ inputs.count == '3' }}", "fine"},
      {"${{ inputs.count == 'three' }}",
       "expression-type: 'inputs.count' is a number, which never equals the text 'three'"},
      {"${{ inputs.name == true }}",
       "expression-type: 'inputs.name' is a text, which never equals the boolean true; write "
       "'true'"},
      {"${{ steps.one.outputs.x == true }}",
       "expression-type: 'steps.one.outputs.x' is a text, which never equals the boolean true; "
       "write 'true'"},
      {"${{ steps.one.outputs.x == inputs.flag }}",
       "expression-type: 'steps.one.outputs.x' is a text, which never equals the boolean "
       "inputs.flag"},
      {"${{ github.event.x == true }}", "fine"},
      {"${{ github == 'x' }}", "expression-type: 'github' is an object and cannot be compared"},
      {"${{ github.event.labels.*.name == 'x' }}",
       "expression-type: 'github.event.labels.*.name' is a list and cannot be compared; write "
       "contains(list, item)"},
      {"${{ github.event == null }}", "fine"},
      {"${{ contains(3, 'x') }}",
       "expression-type: contains() expects a text or a list, and '3' is a number"},
      {"${{ contains(needs, 'x') }}",
       "expression-type: contains() expects a text or a list, and 'needs' is an object"},
      {"${{ contains('x', github.event.labels.*) }}",
       "expression-type: contains() expects a text to look for, and 'github.event.labels.*' is a "
       "list"},
      {"${{ startsWith(github, 'x') }}",
       "expression-type: startsWith() expects a text, and 'github' is an object"},
      {"${{ join(inputs.flag) }}",
       "expression-type: join() expects a list, and 'inputs.flag' is a boolean"},
      {"${{ fromJSON(github.event) }}",
       "expression-type: fromJSON() expects a text, and 'github.event' is an object"},
      {"${{ format('{0} {1}', 'a') }}",
       "function-arguments: format() is given no value for {1}; 1 value given"},
      {"${{ format('{0}', 'a', 'b') }}",
       "function-arguments: format() does not use 'b'; the text has no {1}"},
      {"${{ format('{0', 'a') }}",
       "function-arguments: a single '{' in the text of format(); write '{{' for a brace"},
      {"${{ format('it''s {1}', 'a', 'b') }}",
       "function-arguments: format() does not use 'a'; the text has no {0}"},
      {"${{ format('{0}', github.event) }}",
       "expression-type: format() expects a value with a text, and 'github.event' is an object"},
      {"${{ case(true, 'a', false, 'b') }}",
       "function-arguments: case() needs a value for each condition, and one otherwise; write "
       "case(condition, value, ..., otherwise)"},
      {"${{ case(inputs.name, 'a', 'b') }}",
       "expression-type: case() expects a condition, and 'inputs.name' is a text"},
      {"${{ case(inputs.flag, 'a', 'b') }}", "fine"},
      {"${{ fromJSON('[1,') }}", "function-arguments: the JSON text ends early; expected JSON"},
      {"${{ fromJSON('[1]')[0] }}", "fine"},
      {"${{ github.event }}",
       "expression-type: 'github.event' is an object and has no text; write toJSON(github.event)"},
      {"a ${{ github.event.labels.*.name }}",
       "expression-type: 'github.event.labels.*.name' is a list and has no text; write join(list, "
       "',') or toJSON(list)"},
      {"${{ inputs.name.x }}",
       "unknown-property: 'inputs.name' is a text and has no properties; if it is JSON, write "
       "fromJSON(inputs.name)"},
      {"${{ matrix.x[steps.two.outcome] }}",
       "unknown-step: no step of job 'a' has the id 'two'; earlier steps: one (and more)"},
  };
  for (const Case& one : cases) CHECK(CheckStep(one.value) == one.expected);
}

TEST_CASE("an expanded expression is blamed where its template is written", "[link]") {
  SourceManager sources;
  Arena arena;
  Diagnostics diagnostics;
  const std::string_view line = "      v: ${{ needs.build_$[[ combo.id ]].outputs.verison }}\n";
  const FileId file = sources.Add("release.yml", std::string(line));
  const Document before = ReadYaml(sources, sources.Add("w.yml", R"(
jobs:
  build_py312: {outputs: {version: x}}
  test: {needs: build_py312}
)"),
                                   arena, diagnostics);
  const auto text = [&](std::string_view content) { return MakeString(arena, content); };
  const auto mapping = [&](std::vector<Entry> entries) { return MakeMapping(arena, entries); };
  Node value = *text("${{ needs.build_py312.outputs.verison }}");
  value.where = {{file, 9}, static_cast<std::uint32_t>(line.size() - 10)};
  const Scope combo{nullptr, "combo", text("py312"), BindingKind::kFor};
  value.scope = &combo;
  const Node* jobs = Find(before.root, "jobs");
  const Node* root = mapping(
      {{text("jobs"),
        mapping({jobs->entries[0],
                 {text("test"), mapping({jobs->entries[1].value->entries[0],
                                         {text("env"), mapping({{text("v"), &value}})}})}})}});
  Workflow workflow;
  ReadWorkflow(*root, workflow);
  InterfaceSet interfaces;
  interfaces.Finish(diagnostics);
  CheckExpressions(workflow, {sources, interfaces}, diagnostics);
  CHECK("\n" + Render(diagnostics, sources, ReportFormat::kText, false) == R"(
error[undeclared-output]: job 'build_py312' has no output 'verison'
  --> release.yml:1:50
   |
 1 |       v: ${{ needs.build_$[[ combo.id ]].outputs.verison }}
   |                                                  ^^^^^^^ did you mean 'version'?
  ::: w.yml:3:17
   |
 3 |   build_py312: {outputs: {version: x}}
   |                 ^^^^^^^ outputs of job 'build_py312' are declared here
   = in combo=py312
)");
}
