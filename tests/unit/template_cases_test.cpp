// Runs tests/cases/template/*.txt: files in two parts, what goes in and what has to come out.
//
// A part starts with a line "=== NAME". `names` is a mapping whose entries every template sees, as
// it would the tables of the matrix; in `typed names` they have the types of their values. A path
// is a file below templates/. Behind them stand `gives FILE`, the text of each generated file, and
// `says`, all that is reported. UPDATE_GOLDEN=1 writes these anew.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "base/file_system.h"
#include "base/parallel.h"
#include "generator/emit/emit.h"
#include "generator/expression/type_pool.h"
#include "generator/template/template.h"
#include "generator/yaml/read.h"
#include "tests/unit/memory_file_system.h"
#include "tests/unit/source_path.h"

namespace wheelwright {
namespace {

struct Part {
  std::string name;
  std::string text;
};

std::vector<Part> SplitParts(const std::string& text) {
  std::vector<Part> parts{{"", ""}};
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string line = text.substr(at, end - at);
    if (line.starts_with("=== ")) {
      parts.push_back({line.substr(4, line.size() - 5), ""});
    } else {
      parts.back().text += line;
    }
    at = end;
  }
  return parts;
}

bool IsInput(const Part& part) { return !part.name.starts_with("gives ") && part.name != "says"; }

// What the inputs give, in the form of the second half.
std::vector<Part> RunCase(const std::vector<Part>& parts) {
  MemoryFileSystem files;
  SourceManager sources;
  Arena arena;
  Diagnostics diagnostics;
  const Scope* scope = nullptr;
  TypePool pool;
  std::vector<Property> types;
  for (const Part& part : parts) {
    if (part.name == "names" || part.name == "typed names") {
      const Document names =
          ReadYaml(sources, sources.Add("matrix/names.yml", part.text), arena, diagnostics);
      REQUIRE(names.root != nullptr);
      for (const Entry& entry : names.root->entries) {
        scope = arena.New<Scope>(
            Scope{scope, entry.key->text, entry.value, BindingKind::kMatrix, entry.key->where});
        const bool typed = part.name == "typed names";
        types.push_back({entry.key->text, typed ? pool.OfNode(*entry.value) : TypeKind::kAny});
      }
    } else if (IsInput(part) && !part.name.empty()) {
      files.files["templates/" + part.name] = part.text;
    }
  }

  std::vector<Part> results;
  if (const auto set = ReadTemplates(files, "templates", types, sources, arena, diagnostics)) {
    for (const Instance& instance : ListInstances(*set, scope, sources, arena, diagnostics)) {
      Arena own;
      const Expanded tree = Expand(instance, sources, own, diagnostics);
      if (tree.root == nullptr) continue;
      const std::string text =
          EmitYaml(*tree.root, {.header = {}, .comments_end = tree.comments_end});
      // Reading it again gives the same tree.
      Diagnostics unreadable;
      SourceManager again;
      const Document read = ReadYaml(again, again.Add("again.yml", text), own, unreadable);
      INFO(text);
      REQUIRE(read.root != nullptr);
      CHECK(SameContent(*read.root, *tree.root));
      results.push_back({"gives " + std::string(instance.file), text});
    }
  }
  if (!diagnostics.empty()) {
    results.push_back({"says", Render(diagnostics, sources, ReportFormat::kText, false)});
  }
  return results;
}

std::string Join(const std::vector<Part>& parts) {
  std::string text;
  for (const Part& part : parts) {
    if (!part.name.empty()) text += "=== " + part.name + "\n";
    text += part.text;
  }
  return text;
}

TEST_CASE("templates give what their case files say", "[template][cases]") {
  const std::string folder = SourcePath("tests/cases/template");
  const std::vector<std::string> names = RealFileSystem().List(folder);
  REQUIRE(names.size() > 10);
  for (const std::string& name : names) {
    DYNAMIC_SECTION(name) {
      const std::string path = folder + "/" + name;
      const std::string text = RealFileSystem().Read(path).value();
      std::vector<Part> parts = SplitParts(text);
      std::vector<Part> wanted;
      std::erase_if(parts, [](const Part& part) { return !IsInput(part); });
      for (Part& part : RunCase(parts)) parts.push_back(std::move(part));
      const std::string result = Join(parts);
      if (std::getenv("UPDATE_GOLDEN") != nullptr) {
        if (result != text) RealFileSystem().Write(path, result);
      } else {
        INFO("to renew the files, and review them: UPDATE_GOLDEN=1 unit_tests '[cases]'");
        CHECK(result == text);
      }
    }
  }
}

}  // namespace
}  // namespace wheelwright
