// Writes docs/template-reference.md from the tables of the template reader.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace wheelwright {

// A directive, with an example that the tests expand.
struct DirectiveHelp {
  std::string_view keyword;
  std::string_view usage;  // "for NAME in LIST"
  std::string_view help;   // Markdown
  // YAML: the example's names, its template, its result, and for `include` the fragment.
  std::string_view names;
  std::string_view example;
  std::string_view gives;
  std::string_view fragment_path;
  std::string_view fragment;
};
std::span<const DirectiveHelp> DirectiveReference();

// An example call whose value is computed: `slug('Release 2.10')`; empty if there is none.
std::string_view ExampleCall(std::string_view function);

// The text of the page.
std::string TemplateReference();

}  // namespace wheelwright
