// Text that is read as YAML and emitted must be read as the same tree, and be emitted as the same
// text again. Every node is inside of the text.
#include <cstdint>
#include <string>

#include "generator/emit/emit.h"
#include "generator/yaml/read.h"
#include "tests/fuzz/fuzzer.h"

namespace wheelwright {
namespace {

void RequireInside(const Node& node, std::string_view text) {
  if (node.where.begin.offset > text.size() ||
      node.where.length > text.size() - node.where.begin.offset) {
    Fail("a node stands outside of the text", std::string(text));
  }
  for (const Entry& entry : node.entries) {
    RequireInside(*entry.key, text);
    RequireInside(*entry.value, text);
  }
  for (const Node* item : node.items) RequireInside(*item, text);
}

const Fuzzer kYaml("yaml", [](const std::uint8_t* data, std::size_t size) {
  SourceManager sources;
  Arena arena;
  Diagnostics diagnostics;
  const FileId file =
      sources.Add("input.yml", std::string(reinterpret_cast<const char*>(data), size));
  const Document document = ReadYaml(sources, file, arena, diagnostics);
  if (document.root == nullptr) return;
  RequireInside(*document.root, sources.Text(file));

  const std::string emitted = EmitYaml(*document.root, {.comments_end = document.comments_end});
  const Document again = ReadYaml(sources, sources.Add("emitted.yml", emitted), arena, diagnostics);
  if (again.root == nullptr) Fail("what was emitted cannot be read", emitted);
  if (!SameContent(*document.root, *again.root))
    Fail("what was emitted means something else", emitted);
  const std::string twice = EmitYaml(*again.root, {.comments_end = again.comments_end});
  if (twice != emitted)
    Fail("what was emitted is emitted differently", emitted + "=====\n" + twice);
});

}  // namespace
}  // namespace wheelwright
