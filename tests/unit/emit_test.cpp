#include "generator/emit/emit.h"

#include <catch2/catch.hpp>
#include <random>

#include "generator/yaml/read.h"

namespace wheelwright {
namespace {

// Reads `text`, which must be YAML.
class Reader {
 public:
  Document Read(std::string_view text) {
    const FileId file = sources_.Add("test.yml", std::string(text));
    Diagnostics diagnostics;
    const Document document = ReadYaml(sources_, file, arena_, diagnostics);
    INFO("text:\n"
         << text << "\nmessages:\n"
         << Render(diagnostics, sources_, ReportFormat::kText, false));
    REQUIRE(document.root != nullptr);
    return document;
  }

  Arena& arena() { return arena_; }

 private:
  SourceManager sources_;
  Arena arena_;
};

std::string Emit(const Document& document, std::string_view header = {}) {
  return EmitYaml(*document.root, {.header = header, .comments_end = document.comments_end});
}

// The text after reading and emitting, which must then stay as it is.
std::string Normal(std::string_view text) {
  Reader reader;
  const Document document = reader.Read(text);
  const std::string emitted = Emit(document);
  const Document again = reader.Read(emitted);
  CHECK(SameContent(*document.root, *again.root));
  CHECK(Emit(again) == emitted);
  return emitted;
}

TEST_CASE("A workflow in the emitter's form stays as it is") {
  constexpr std::string_view kText = R"(# Explains the file.
name: Release PyTorch wheels | Linux | gfx94X-dcgpu

on:
  workflow_dispatch:
  push:
    branches: [main, release/therock-*]
  schedule:
    - cron: 0 2 * * *

permissions: {}

jobs:
  # Every git ref becomes one commit.
  # Before anything is built.
  resolve:
    uses: ./.github/workflows/resolve_versions.yml

  build_py312_torch210:
    name: Build | py 3.12 | torch release/2.10
    needs: [resolve]
    permissions:
      contents: read
      id-token: write # assumes the staging role
    steps:
      - uses: actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2
        with:
          persist-credentials: false

      # Long ones.
      - name: Build
        if: ${{ !cancelled() }}
        run: |
          set -e

          for x in a b; do
            echo "$x: # no comment"
          done
      - run: | # why
          a
          b
      - - nested
        - []
      - env:
          A: "3.10"
          B: 3.10
          C: "on"
          D: "null"
          E:
          F: "true"
          G: true
          H: '["a"]'
# The end.
)";
  // Comments behind the last node stand apart.
  std::string expected(kText);
  expected.insert(expected.find("# The end."), "\n");
  CHECK(Normal(kText) == expected);
}

TEST_CASE("Other layouts come into the one form") {
  CHECK(Normal("'on': {push: {branches: ['a', \"b\"]}}\n\n\nx:   'u'   # z\nw: [ ]\nv: { }\n") ==
        "on:\n  push:\n    branches: [a, b]\n\nx: u # z\n\nw: []\n\nv: {}\n");
  CHECK(Normal("a:\n- b\n-   c: d\n    e: f\n") == "a:\n  - b\n  - c: d\n    e: f\n");
  CHECK(Normal("a: >-\n  one\n  two\n") == "a: one two\n");
  CHECK(Normal("a: one\n  two\n") == "a: one two\n");
  CHECK(Normal("a: >\n  one\n\n  two\n") == "a: |\n  one\n  two\n");
  CHECK(Normal("a: \"b\\nc\"\n") == "a: |-\n  b\n  c\n");
  CHECK(Normal("a: |-\n  b: c\n") == "a: |-\n  b: c\n");
  CHECK(Normal("a: |-\n  b\n") == "a: b\n");
  CHECK(Normal("- a\n- [b, [c]]\n- {d: }\n") == "- a\n- - b\n  - [c]\n- d:\n");
  CHECK(Normal("a: ~\nb: [~, null]\nc:\n  -\n") == "a:\n\nb: [null, null]\n\nc:\n  - null\n");
  CHECK(Normal("") == "");
  CHECK(Normal("just text") == "just text\n");
  CHECK(Normal("[]") == "[]\n");
}

TEST_CASE("Brackets are kept while the line is short and nothing needs its own line") {
  const std::string item(20, 'x');
  const std::string five = "[" + item + ", " + item + ", " + item + ", " + item;
  CHECK(Normal("a: " + five + ", 1234567]\n") == "a: " + five + ", 1234567]\n");
  CHECK(Normal("a: " + five + ", 12345678]\n") == "a:\n  - " + item + "\n  - " + item + "\n  - " +
                                                      item + "\n  - " + item + "\n  - 12345678\n");
  CHECK(Normal("- " + five + ", 123456789]\n") ==
        "- - " + item + "\n  - " + item + "\n  - " + item + "\n  - " + item + "\n  - 123456789\n");
  CHECK(Normal("a: [b, # why\n  c]\n") == "a:\n  - b # why\n  - c\n");
  CHECK(Normal("a: [b, c] # why\n") == "a: [b, c] # why\n");
  CHECK(Normal("a: [b, c # why\n  ]\n") == "a:\n  - b\n  - c # why\n");
  CHECK(Normal("- [b, c] # why\n- d\n") == "- [b, c] # why\n- d\n");
  CHECK(Normal("- - [b] # why\n") == "- - [b] # why\n");
  CHECK(Normal("a: [[b], [c]] # why\n") == "a: # why\n  - [b]\n  - [c]\n");
  CHECK(Normal("a: {b: [c], d: } # why\n") == "a: # why\n  b: [c]\n  d:\n");
  CHECK(Normal("a: [b, 'c]', \"d\\\"]\", # ]\n  e] # why\n") ==
        "a: # why\n  - b\n  - c]\n  - d\"] # ]\n  - e\n");
  CHECK(Normal("a: [\"b\\nc\"]\n") == "a:\n  - |-\n    b\n    c\n");
  CHECK(Normal("a: [\"${{ x }}\"]\n") == "a: [\"${{ x }}\"]\n");
}

TEST_CASE("Blocks say how they end and how they are indented") {
  CHECK(Normal("a: \"b\\n\"\n") == "a: |\n  b\n");
  CHECK(Normal("a: \"b\\n\\n\"\nc: d\n") == "a: |+\n  b\n\nc: d\n");
  CHECK(Normal("x:\n  a: \"b\\n\\n\"\n  # c\n  c: d\n") == "x:\n  a: |+\n    b\n\n  # c\n  c: d\n");
  CHECK(Normal("a: \"  b\\nc\\n\"\n") == "a: |2\n    b\n  c\n");
  CHECK(Normal("- - \"\\tb\\n\\nc\"\n") == "- - |2-\n    \tb\n\n    c\n");
  CHECK(Normal("a: \"\\nb\\n\"\n") == "a: |\n\n  b\n");
  CHECK(Normal("a: \"b\\n  \\nc\\n\"\n") == "a: |\n  b\n    \n  c\n");
  CHECK(Normal("a: \"b\\n  \"\n") == "a: \"b\\n  \"\n");
  CHECK(Normal("a: \" \\nb\\n\"\n") == "a: \" \\nb\\n\"\n");
  CHECK(Normal("a: \"\\n\\n\"\n") == "a: \"\\n\\n\"\n");
  CHECK(Normal("a: \"b\\r\\nc\"\n") == "a: \"b\\r\\nc\"\n");
  CHECK(Normal("a: \"b\\e\\nc\"\n") == "a: \"b\\x1B\\nc\"\n");
  CHECK(Normal("\"a\\nb\": c\n") == "\"a\\nb\": c\n");
}

TEST_CASE("A key that is too long for a colon behind it is written apart") {
  const std::string key(1100, 'k');
  CHECK(Normal("a:\n  ? " + key + "\n  : b\n") == "a:\n  ? " + key + "\n  : b\n");
  CHECK(Normal("- ? " + key + "\n  :\n    - b\n") == "- ? " + key + "\n  :\n    - b\n");
}

TEST_CASE("Comments of an item and of its first key share a line") {
  CHECK(Normal("a:\n  # one\n  -\n    # two\n    b: c # three\n    # four\n    d: e\n") ==
        "a:\n  # one\n  # two\n  - b: c # three\n    # four\n    d: e\n");

  Reader reader;
  Arena& arena = reader.arena();
  const Comments of_item{{}, "# item", false};
  const Comments of_pin{{}, "# v6", true};
  Node pin = *MakeString(arena, "x@1");
  pin.comments = &of_pin;
  const Entry entry{MakeString(arena, "uses"), &pin};
  Node step = *MakeMapping(arena, std::span(&entry, 1));
  step.comments = &of_item;
  const Node* items[] = {&step};
  CHECK(EmitYaml(*MakeSequence(arena, items), {}) == "- uses: x@1 # v6 # item\n");
}

TEST_CASE("A comment never becomes content") {
  Reader reader;
  const std::string_view above[] = {"# a\nb: c", "d"};
  const Comments comments{above, "# e\r\nf: g", false};
  Node item = *MakeString(reader.arena(), "x");
  item.comments = &comments;
  const Node* items[] = {&item};
  CHECK(EmitYaml(*MakeSequence(reader.arena(), items), {}) == "# a b: c\n# d\n- x # e  f: g\n");
}

TEST_CASE("The header stands on top and apart from the first comment") {
  Reader reader;
  CHECK(Emit(reader.Read("a: b\n"), "# Generated.\n") == "# Generated.\na: b\n");
  CHECK(Emit(reader.Read("# c\na: b\n"), "# Generated.\n") == "# Generated.\n\n# c\na: b\n");
}

TEST_CASE("Each line knows its deepest node") {
  Reader reader;
  const Document document =
      reader.Read("a: b\nc:\n  - d: |\n      e\n      f\n    g: [h]\n  - i\n");
  std::vector<LineOrigin> lines;
  const std::string text = EmitYaml(*document.root, {.header = "# x\n", .lines = &lines});
  CHECK(text == "# x\na: b\n\nc:\n  - d: |\n      e\n      f\n    g: [h]\n  - i\n");
  std::string seen;
  for (const LineOrigin& line : lines) {
    seen += std::to_string(line.line) + ":" + std::string(line.key ? line.key->text : "-") + " ";
  }
  CHECK(seen == "2:a 4:c 5:d 8:g 9:- ");
  CHECK(lines.back().node == Find(document.root, "c")->items[1]);
}

// Trees of nasty strings.
class Generator {
 public:
  Generator(Arena& arena, std::uint32_t seed) : arena_(arena), random_(seed) {}

  const Node* Tree(int depth) {
    const std::uint32_t kind = Below(depth == 0 ? 5 : 9);
    if (kind < 5) return Scalar();
    std::vector<const Node*> items;
    std::vector<Entry> entries;
    for (std::uint32_t i = Below(5); i > 0; --i) {
      if (kind < 7) {
        items.push_back(Commented(Tree(depth - 1)));
      } else {
        // The number keeps keys unique.
        const Node* key = MakeString(arena_, String() + std::to_string(i));
        entries.push_back({Commented(key), Tree(depth - 1)});
      }
    }
    Node* node =
        arena_.New<Node>(kind < 7 ? *MakeSequence(arena_, items) : *MakeMapping(arena_, entries));
    if (Below(2) == 0) node->style = NodeStyle::kFlow;
    return node;
  }

 private:
  std::uint32_t Below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }

  std::string String() {
    static constexpr std::string_view kPieces[] = {"a",
                                                   "-",
                                                   " ",
                                                   ":",
                                                   "#",
                                                   "\n",
                                                   "\n\n",
                                                   "'",
                                                   "\"",
                                                   "\\",
                                                   "{",
                                                   "}",
                                                   "[",
                                                   "]",
                                                   ",",
                                                   "&",
                                                   "*",
                                                   "!",
                                                   "|",
                                                   ">",
                                                   "%",
                                                   "@",
                                                   "`",
                                                   "?",
                                                   "\t",
                                                   "on",
                                                   "3.1",
                                                   "0x1",
                                                   "1e3",
                                                   "~",
                                                   "null",
                                                   "true",
                                                   "yes",
                                                   "=",
                                                   "<<",
                                                   "...",
                                                   "é",
                                                   "\r",
                                                   "---",
                                                   "  ",
                                                   "${{",
                                                   "}}",
                                                   ": ",
                                                   " #",
                                                   "\x7f",
                                                   "\v",
                                                   "\xC2\x85",
                                                   "日",
                                                   "x y",
                                                   "1_0",
                                                   "1:2",
                                                   ".5",
                                                   "2026-01-02",
                                                   "\xEF\xBB\xBF",
                                                   "\xE2\x80\xA8",
                                                   "\xF0\x9F\x8E\xA1"};
    std::string text;
    for (std::uint32_t i = Below(8); i > 0; --i) text += kPieces[Below(std::size(kPieces))];
    return text;
  }

  const Node* Scalar() {
    static constexpr std::string_view kNumbers[] = {"0",   "3.10", "-1",   "0x1F",
                                                    "0o7", "1e3",  ".inf", "-.5"};
    Node* node = arena_.New<Node>();
    switch (Below(8)) {
      case 0:
        return node;
      case 1:
        return MakeBoolean(arena_, Below(2) == 0);
      case 2:
        node->kind = NodeKind::kNumber;
        node->text = kNumbers[Below(std::size(kNumbers))];
        return node;
      default:
        *node = *MakeString(arena_, String());
        node->style = static_cast<NodeStyle>(Below(4));
        return node;
    }
  }

  const Node* Commented(const Node* node) {
    if (Below(3) != 0) return node;
    static constexpr std::string_view kComments[] = {"# one", "# two: 'three", "#"};
    Comments* comments = arena_.New<Comments>();
    comments->blank_line_before = Below(2) == 0;
    if (Below(2) == 0) {
      comments->above = arena_.Copy(std::span(kComments).subspan(Below(3)));
    }
    if (Below(2) == 0) comments->trailing = kComments[Below(3)];
    Node* copy = arena_.New<Node>(*node);
    copy->comments = comments;
    return copy;
  }

  Arena& arena_;
  std::mt19937 random_;
};

TEST_CASE("What is emitted is read back as it was, and emitted again as it is") {
  for (std::uint32_t seed = 0; seed < 10'000; ++seed) {
    Reader reader;
    const Node* tree = Generator(reader.arena(), seed).Tree(4);
    const std::string text = EmitYaml(*tree, {});
    INFO("seed " << seed << "\n" << text);
    const Document again = reader.Read(text);
    REQUIRE(SameContent(*tree, *again.root));
    REQUIRE(Emit(again) == text);
  }
}

}  // namespace
}  // namespace wheelwright
