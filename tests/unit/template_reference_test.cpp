#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <set>
#include <string>

#include "base/file_system.h"
#include "generator/emit/emit.h"
#include "generator/expression/evaluate.h"
#include "generator/expression/functions.h"
#include "generator/expression/parse.h"
#include "generator/template/names.h"
#include "generator/template/reference.h"
#include "generator/template/template.h"
#include "generator/yaml/read.h"
#include "tests/unit/memory_file_system.h"
#include "tests/unit/source_path.h"

namespace wheelwright {
namespace {

TEST_CASE("the committed reference of templates is current", "[template]") {
  const std::string path = SourcePath("docs/template-reference.md");
  if (std::getenv("UPDATE_GOLDEN") != nullptr) RealFileSystem().Write(path, TemplateReference());
  INFO("to renew docs/template-reference.md: UPDATE_GOLDEN=1 unit_tests '[template]'");
  CHECK(RealFileSystem().Read(path).value_or("(no such file)") == TemplateReference());
}

TEST_CASE("every directive is in the reference", "[template]") {
  std::set<std::string_view> keywords;
  for (const DirectiveHelp& directive : DirectiveReference()) {
    CHECK(template_tree::IsKeyword(directive.keyword));
    CHECK(directive.usage.starts_with(directive.keyword));
    keywords.insert(directive.keyword);
  }
  CHECK(keywords == std::set<std::string_view>{"for", "if", "elif", "else", "let", "include"});
}

TEST_CASE("the examples of directives give what the reference says", "[template]") {
  for (const DirectiveHelp& directive : DirectiveReference()) {
    INFO(directive.keyword);
    SourceManager sources;
    Arena arena;
    Diagnostics diagnostics;
    const Document names = ReadYaml(
        sources, sources.Add("matrix/names.yml", std::string(directive.names)), arena, diagnostics);
    REQUIRE(names.root != nullptr);
    const Scope* scope = nullptr;
    for (const Entry& entry : names.root->entries) {
      scope = arena.New<Scope>(
          Scope{scope, entry.key->text, entry.value, BindingKind::kMatrix, entry.key->where});
    }
    MemoryFileSystem files;
    files.files["templates/workflows/example.yml"] =
        "$[[ template ]]: { file: example.yml }\n" + std::string(directive.example);
    if (!directive.fragment.empty()) {
      files.files["templates/" + std::string(directive.fragment_path)] = directive.fragment;
    }
    std::string text;
    if (const auto set =
            ReadTemplates(files, "templates", NamesOf(scope), sources, arena, diagnostics)) {
      for (const Instance& instance : ListInstances(*set, scope, sources, arena, diagnostics)) {
        const Expanded tree = Expand(instance, sources, arena, diagnostics);
        if (tree.root != nullptr) text += EmitYaml(*tree.root, {.header = {}, .comments_end = {}});
      }
    }
    CHECK(Render(diagnostics, sources, ReportFormat::kText, false) == "");
    // Style is the emitter's; the tree is what counts.
    const auto read = [&](std::string_view yaml) {
      return ReadYaml(sources, sources.Add("x.yml", std::string(yaml)), arena, diagnostics).root;
    };
    const Node* made = read(text);
    const Node* said = read(directive.gives);
    REQUIRE(made != nullptr);
    REQUIRE(said != nullptr);
    INFO(text);
    CHECK(SameContent(*made, *said));
  }
}

TEST_CASE("every function has an example that can be computed", "[template]") {
  for (const Function& function : TemplateFunctions()) {
    INFO(function.name);
    const std::string_view call = ExampleCall(function.name);
    CHECK(call.starts_with(std::string(function.name) + "("));
    Arena arena;
    const ParsedExpression parsed = ParseExpression(call, arena);
    REQUIRE(parsed.root != nullptr);
    CHECK(Evaluate(*parsed.root, nullptr, arena).value != nullptr);
  }
}

}  // namespace
}  // namespace wheelwright
