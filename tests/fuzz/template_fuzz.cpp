// Any files are read as templates and expanded, within bounds; the result is emitted and read as
// the same tree. An input is several files: a line "=== PATH" starts the one at templates/PATH.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.h"
#include "generator/emit/emit.h"
#include "generator/expression/json.h"
#include "generator/template/template.h"
#include "generator/yaml/read.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/unit/memory_file_system.h"

namespace wheelwright {
namespace {

constexpr std::size_t kMostInstances = 20;  // all are alike

// A fake for the matrix.
constexpr std::string_view kNames = R"({
  "columns": {"region": "us-east-2", "bucket": "therock"},
  "combos": [{"id": "a", "python": "3.10", "runner": "linux-1"}, {"id": "b", "runner": null}],
  "family": {"name": "gfx94X", "python": "3.10", "minutes": 30, "flag": true, "none": null, "on": "on",
             "targets": ["gfx942", "gfx950"], "runner": {"label": "linux", "size": 4}},
  "linux": true,
  "list": [1],
  "pin": "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1",
  "platforms": [
    {"name": "linux", "title": "Linux",
     "families": [{"name": "gfx94X", "promotes": "tests"}, {"name": "gfx1150", "promotes": "never"}]},
    {"name": "windows", "title": "Windows", "families": [{"name": "gfx1151", "promotes": "tests"}]}
  ],
  "ten": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  "timeouts": {"checkout": 10}
})";

void ReadInput(std::string_view input, MemoryFileSystem& files) {
  std::string* text = nullptr;
  for (const std::string_view line : Split(input, '\n')) {
    if (line.starts_with("=== ")) {
      const std::string path = "templates/" + std::string(line.substr(4));
      const bool possible = path.find("//") == std::string::npos && !path.ends_with('/');
      text = possible ? &files.files[path] : nullptr;
    } else if (text != nullptr) {
      text->append(line).append("\n");
    }
  }
}

void RequireLocated(const Diagnostics& diagnostics, const SourceManager& sources) {
  for (const Diagnostics::Entry& entry : diagnostics.entries()) {
    const SourceRange& where = entry.diagnostic.where;
    const std::string name = std::string(entry.diagnostic.code) + ": " + entry.diagnostic.message;
    if (!where.known()) {
      if (entry.diagnostic.code == "no-templates") continue;
      Fail("a message without a place", name);
    }
    const std::string_view text = sources.Text(where.begin.file);
    if (where.begin.offset > text.size() || where.length > text.size() - where.begin.offset) {
      Fail("a message about a place outside of the text", name);
    }
  }
  Render(diagnostics, sources, ReportFormat::kText, false);
}

void RequireReadBack(const Expanded& expanded, Arena& arena) {
  const std::string text =
      EmitYaml(*expanded.root, {.header = {}, .comments_end = expanded.comments_end});
  SourceManager sources;
  Diagnostics diagnostics;
  const Document again = ReadYaml(sources, sources.Add("again.yml", text), arena, diagnostics);
  if (again.root == nullptr) {
    // Nested values may exceed the maximum depth of a file.
    if (diagnostics.entries()[0].diagnostic.code == "yaml-too-deep") return;
    Fail("what was expanded cannot be read", text);
  }
  if (!SameContent(*expanded.root, *again.root)) Fail("what was expanded reads differently", text);
}

const Fuzzer kTemplate("template", [](const std::uint8_t* data, std::size_t size) {
  MemoryFileSystem files;
  ReadInput({reinterpret_cast<const char*>(data), size}, files);
  SourceManager sources;
  Arena arena;
  Diagnostics diagnostics;
  const Scope* scope = nullptr;
  for (const Entry& entry : FromJson(kNames, arena).value->entries) {
    scope = arena.New<Scope>(Scope{scope, entry.key->text, entry.value, BindingKind::kMatrix, {}});
  }
  const auto set = ReadTemplates(files, "templates", NamesOf(scope), sources, arena, diagnostics);
  if (set.has_value() == (diagnostics.errors() > 0)) Fail("neither read nor refused");
  if (set) {
    const std::vector<Instance> instances = ListInstances(*set, scope, sources, arena, diagnostics);
    for (std::size_t i = 0; i < std::min(instances.size(), kMostInstances); ++i) {
      Arena own;
      Diagnostics problems;
      const Expanded expanded = Expand(instances[i], sources, own, problems);
      if ((expanded.root == nullptr) != (problems.errors() > 0)) {
        Fail("neither expanded nor refused", std::string(instances[i].file));
      }
      if (expanded.root != nullptr) RequireReadBack(expanded, own);
      RequireLocated(problems, sources);
    }
  }
  RequireLocated(diagnostics, sources);
});

}  // namespace
}  // namespace wheelwright
