// docs/template-reference.md, from the tables that the reading of templates works with.
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
  // YAML: the names that the example sees, a template's entries, what they give, and of `include`
  // the fragment.
  std::string_view names;
  std::string_view example;
  std::string_view gives;
  std::string_view fragment_path;
  std::string_view fragment;
};
std::span<const DirectiveHelp> DirectiveReference();

// A call for the reference, whose value is computed: `slug('Torch 2.10')`. Empty for a function
// that none was written for.
std::string_view ExampleCall(std::string_view function);

// The page, printed from the tables by which templates are read.
std::string TemplateReference();

}  // namespace wheelwright
