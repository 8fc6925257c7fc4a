#include "generator/matrix/schema_expression.h"

#include <catch2/catch.hpp>
#include <string>

#include "generator/yaml/read.h"

namespace wheelwright {
namespace {

// The value of a text of a schema, where `row` is { name: gcc, tags: [a, b] }; or what is wrong.
std::string Compute(const std::string& text) {
  SourceManager sources;
  Arena arena;
  Diagnostics diagnostics;
  const FileId schema = sources.Add("matrix/schema.yml", text + "\n");
  const FileId rows = sources.Add("matrix/rows.yml", "{ name: gcc, tags: [a, b] }\n");
  Scope scope;
  scope.name = "row";
  scope.value = ReadYaml(sources, rows, arena, diagnostics).root;
  const Node* value = ReadYaml(sources, schema, arena, diagnostics).root;
  auto expression = SchemaExpression::Read(*value, sources, arena, diagnostics);
  const Node* computed =
      expression ? expression->Evaluate(&scope, scope.value->where, sources, arena, diagnostics)
                 : nullptr;
  if (computed == nullptr) return Render(diagnostics, sources, ReportFormat::kText, false);
  return computed->is_scalar() ? std::string(computed->text) : DescribeKind(*computed);
}

TEST_CASE("texts of a schema are computed", "[schema_expression]") {
  CHECK(Compute("plain") == "plain");
  CHECK(Compute("$[[ row.name ]]") == "gcc");
  CHECK(Compute("cc-$[[ row.name ]]-$[[ length(row.tags) ]]") == "cc-gcc-2");
  CHECK(Compute("$[[ row.tags ]]") == "a list");
}

TEST_CASE("what is wrong in a computed text is shown where it stands", "[schema_expression]") {
  CHECK(Compute("x $[[ row. ]]") ==
        R"(error[schema-expression]: expected a property's name, found the end
  --> matrix/schema.yml:1:11
   |
 1 | x $[[ row. ]]
   |           ^
)");
  CHECK(Compute("$[[ row.nam ]]") == R"(error[schema-expression]: 'row' has no property 'nam'
  --> matrix/schema.yml:1:9
   |
 1 | $[[ row.nam ]]
   |         ^^^ did you mean 'name'?
  ::: matrix/rows.yml:1:1
   |
 1 | { name: gcc, tags: [a, b] }
   | ^ computed for this
)");
  CHECK(Compute("x$[[ row.tags ]]").starts_with("error[schema-expression]: a list is no text\n"));
  CHECK(Compute("$[[ lenth(row) ]]").starts_with("error[schema-expression]: "));
}

}  // namespace
}  // namespace wheelwright
