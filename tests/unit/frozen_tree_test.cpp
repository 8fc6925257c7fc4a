#include "generator/yaml/frozen_tree.h"

#include <catch2/catch.hpp>
#include <string>

#include "generator/yaml/read.h"

namespace wheelwright {
namespace {

// Everything of a tree that FrozenTree keeps, as text.
void Dump(const Node& node, std::string& all) {
  all += std::to_string(static_cast<int>(node.kind)) + std::to_string(static_cast<int>(node.style));
  all += "@" + std::to_string(node.where.begin.file) + ":" +
         std::to_string(node.where.begin.offset) + "+" + std::to_string(node.where.length);
  all += "<" + std::string(node.text) + ">";
  if (node.comments != nullptr) {
    all += node.comments->blank_line_before ? "#b" : "#";
    all += node.comments->of_value ? "v" : "";
    for (const std::string_view line : node.comments->above) all += "|" + std::string(line);
    all += ";" + std::string(node.comments->trailing);
  }
  all += "\n";
  for (const Node* item : node.items) Dump(*item, all);
  for (const Entry& entry : node.entries) {
    Dump(*entry.key, all);
    Dump(*entry.value, all);
  }
}

constexpr const char* kTexts[] = {
    "",
    "~",
    "just a text",
    "on: push\njobs:\n  a:\n    steps:\n      - run: ls # trailing\n      - {uses: x, i: [1, b]}\n",
    "# above\n# twice\na: 'it''s' # 1\n\nb: \"tab\\t and \\u00e4\"\nc:\nd: []\ne: {}\nf: 0x10\n",
    "script: |\n  one\n    two\n\n  three\nfolded: >-\n  a\n  b\nlast: |+\n  x\n\n",
    "base: &one {a: b}\nagain: *one\nlist:\n  - &two x\n  - *two\n",
    "? key\n: value\n\"quoted key\": \xC3\xA4\n",
};

}  // namespace

TEST_CASE("a frozen tree thaws as it was") {
  for (const char* text : kTexts) {
    CAPTURE(text);
    SourceManager sources;
    Arena first, second;
    Diagnostics diagnostics;
    const FileId file = sources.Add("test.yml", text);
    const Node* root = ReadYaml(sources, file, first, diagnostics).root;
    REQUIRE(root != nullptr);
    const FrozenTree frozen(*root, sources.Text(file));
    CHECK_FALSE(frozen.empty());
    std::string before, after;
    Dump(*root, before);
    Dump(*frozen.Thaw(file, sources.Text(file), second), after);
    CHECK(after == before);
  }
}

TEST_CASE("a frozen tree of a long text needs less memory than the text") {
  std::string text = "jobs:\n";
  for (int i = 0; i < 1000; ++i) {
    text +=
        "  job_" + std::to_string(i) + ":\n    runs-on: ubuntu-24.04\n    needs: [job_1, job_2]\n";
  }
  SourceManager sources;
  Arena arena;
  Diagnostics diagnostics;
  const FileId file = sources.Add("test.yml", text);
  const FrozenTree frozen(*ReadYaml(sources, file, arena, diagnostics).root, sources.Text(file));
  CHECK(frozen.size() < text.size());
}

}  // namespace wheelwright
