#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "generator/yaml/read.h"

namespace wheelwright {
namespace {

class Reader {
 public:
  Document Read(std::string text) {
    return ReadYaml(sources_, sources_.Add("test.yml", std::move(text)), arena_, diagnostics_);
  }

  // What is said about a text that is refused.
  std::string Refuse(std::string text) {
    CHECK(Read(std::move(text)).root == nullptr);
    std::string report = "\n" + Render(diagnostics_, sources_, ReportFormat::kText, false);
    diagnostics_ = {};
    return report;
  }

  // "line:column+length".
  std::string PlaceOf(const Node* node) const {
    const Position at = sources_.PositionOf(node->where.begin);
    return std::to_string(at.line) + ":" + std::to_string(at.column) + "+" +
           std::to_string(node->where.length);
  }

  // "key above | above; trailing" for every commented key and item.
  std::string CommentsOf(std::string text) {
    const Document document = Read(std::move(text));
    REQUIRE(document.root != nullptr);
    std::string all;
    List(*document.root, all);
    for (const std::string_view comment : document.comments_end)
      all += "end " + std::string(comment) + "\n";
    return all;
  }

 private:
  static void ListAt(const Node& place, std::string_view name, std::string& all) {
    if (place.comments == nullptr) return;
    const Comments& comments = *place.comments;
    all += name;
    for (const std::string_view comment : comments.above) all.append(" ^").append(comment);
    if (!comments.trailing.empty()) all.append(" >").append(comments.trailing);
    if (comments.blank_line_before) all += " blank";
    all += "\n";
  }

  static void List(const Node& node, std::string& all) {
    for (const Entry& entry : node.entries) {
      ListAt(*entry.key, entry.key->text, all);
      List(*entry.value, all);
    }
    for (const Node* item : node.items) {
      ListAt(*item, item->is_scalar() ? item->text : "-", all);
      List(*item, all);
    }
  }

  SourceManager sources_;
  Arena arena_;
  Diagnostics diagnostics_;
};

TEST_CASE("Plain scalars get the types of YAML 1.2") {
  Reader reader;
  const auto kind = [&](const std::string& scalar) { return reader.Read(scalar).root->kind; };
  for (const char* text : {"true", "True", "FALSE"}) CHECK(kind(text) == NodeKind::kBoolean);
  for (const char* text : {"", "~", "null", "Null", "NULL"}) CHECK(kind(text) == NodeKind::kNull);
  for (const char* text : {"0", "-12", "+3", "3.10", "1.", ".5", "1e3", "1.5E-7", "0x1F", "0o17",
                           ".inf", "-.INF", ".NaN"}) {
    INFO(text);
    CHECK(kind(text) == NodeKind::kNumber);
  }
  for (const char* text : {"on", "yes", "1_000", "12:30", "2026-01-02", "0x", "0o8", "1e", ".",
                           "+.nan", "3.10.1", "tRUE", "nULL", "'1'", "\"true\"", "!!str 1"}) {
    INFO(text);
    CHECK(kind(text) == NodeKind::kString);
  }
  CHECK(reader.Read("TRUE").root->text == "true");
  CHECK(reader.Read("0x1F").root->text == "0x1F");
}

TEST_CASE("Nodes know where they were written") {
  Reader reader;
  const Node* root =
      reader.Read("a: b c # d\n'e': \"f\\\"g\"\nh: &x [i, {j: k}]\nl: |2-\n    m\n   n\n\no: *x\n")
          .root;
  CHECK(reader.PlaceOf(root) == "1:1+1");
  CHECK(reader.PlaceOf(Find(root, "a")) == "1:4+3");
  CHECK(reader.PlaceOf(FindEntry(root, "e")->key) == "2:1+3");
  CHECK(reader.PlaceOf(Find(root, "e")) == "2:6+6");
  CHECK(reader.PlaceOf(Find(root, "h")) == "3:7+1");
  CHECK(reader.PlaceOf(Find(root, "h")->items[1]) == "3:11+1");
  CHECK(reader.PlaceOf(Find(root, "l")) == "4:4+14");
  CHECK(Find(root, "l")->text == "  m\n n");
  CHECK(reader.PlaceOf(Find(root, "o")) == "3:7+1");
}

TEST_CASE("What an anchor or a tag belongs to may stand right behind it") {
  Reader reader;
  const Node* root = reader.Read("a: ![b, &c, *c]\nd: !\"e\"\nf: [&g, !!str h, {i: &j}]\n").root;
  CHECK(reader.PlaceOf(Find(root, "a")) == "1:5+1");
  CHECK(reader.PlaceOf(Find(root, "a")->items[0]) == "1:6+1");
  CHECK(reader.PlaceOf(Find(root, "d")) == "2:5+3");
  CHECK(reader.PlaceOf(Find(root, "f")->items[1]) == "3:15+1");
  CHECK(reader.PlaceOf(reader.Read("![,&*a]\n ").root) == "1:2+1");
}

TEST_CASE("A value that is not there is behind its colon or its dash") {
  Reader reader;
  const Node* root =
      reader.Read("a: # why\n\nb:\n  -\n  # none\n  - # two\nc:\n  null\nnull: ~\nd: {e: , f}\n")
          .root;
  CHECK(reader.PlaceOf(Find(root, "a")) == "1:3+0");
  CHECK(reader.PlaceOf(Find(root, "b")->items[0]) == "4:4+0");
  CHECK(reader.PlaceOf(Find(root, "b")->items[1]) == "6:4+0");
  CHECK(reader.PlaceOf(Find(root, "c")) == "8:3+4");
  CHECK(reader.PlaceOf(root->entries[3].key) == "9:1+4");
  CHECK(reader.PlaceOf(root->entries[3].value) == "9:7+1");
  CHECK(reader.PlaceOf(Find(Find(root, "d"), "e")) == "10:7+0");
}

TEST_CASE("Comments hang on the key or the item that they are about") {
  Reader reader;
  CHECK(reader.CommentsOf("# one\n# two\na: b # three\n\n# four\nc: |  # five\n  # text\nd: 'x # "
                          "y' # six\n# seven\n") ==
        "a ^# one ^# two ># three\nc ^# four ># five blank\nd ># six\nend # seven\n");
  CHECK(reader.CommentsOf("- a # one\n# two\n- b: c # three\n  # four\n  d: e\n") ==
        "a ># one\n- ^# two\nb ># three\nd ^# four\n");
  SECTION("behind brackets") {
    CHECK(reader.CommentsOf("a: [b, c] # one\n") == "a ># one\n");
    CHECK(reader.CommentsOf("- [b, c] # one\n") == "- ># one\n");
    CHECK(reader.CommentsOf("a: [b, # one\n    {c: [], d: } # two\n   ] # three\ne: f\n") ==
          "a ># three\nb ># one\n- ># two\n");
  }
  SECTION("behind a dash") {
    CHECK(reader.CommentsOf("- a: b\n- # one\n  c: d\n") == "- ^# one\n");
    CHECK(reader.CommentsOf("- # one\n- a\n") == " ># one\n");
    CHECK(reader.CommentsOf("- -- # one\n- a\n") == "-- ># one\n");
  }
  SECTION("two on one key") {
    CHECK(reader.CommentsOf("a: # one\n  [b] # two\n") == "a ># one # two\n");
  }
  SECTION("an alias has its own") {
    CHECK(reader.CommentsOf("- &x a # one\n- *x # two\n- *x\n") == "a ># one\na ># two\n");
    CHECK(reader.CommentsOf("- &x [a] # one\n# two\n- *x # three\n") ==
          "- ># one\n- ^# two ># three\n");
  }
  SECTION("behind a block without text") {
    CHECK(reader.CommentsOf("- a: |\n  b: c # one\n") == "b ># one\n");
  }
}

TEST_CASE("What is no part of the language is refused") {
  Reader reader;
  CHECK(reader.Refuse("a: b\nc: d\na: e\n") == R"(
error[duplicate-key]: the key 'a' occurs twice
  --> test.yml:3:1
   |
 3 | a: e
   | ^
  ::: test.yml:1:1
   |
 1 | a: b
   | ^ first defined here
)");
  CHECK(reader.Refuse("$[[ else ]]: b\n$[[ else ]]: c\n") == R"(
error[duplicate-key]: the key '$[[ else ]]' occurs twice
  --> test.yml:2:1
   |
 2 | $[[ else ]]: c
   | ^^^^^^^^^^^ YAML has each key once: write a second else as an if with the opposite condition
  ::: test.yml:1:1
   |
 1 | $[[ else ]]: b
   | ^^^^^^^^^^^ first defined here
)");
  CHECK(reader.Refuse("[a]: b\n") == R"(
error[yaml-key]: a mapping's key must be a plain word
  --> test.yml:1:1
   |
 1 | [a]: b
   | ^ put quotes around it if it is meant as text
)");
  CHECK(reader.Refuse("a: &x [*x]\n") == R"(
error[yaml-alias]: an alias is inside the node to which it refers
  --> test.yml:1:8
   |
 1 | a: &x [*x]
   |        ^ write the value out
)");
  CHECK(reader.Refuse("a: &x {b: c}\nd:\n  <<: *x\n") == R"(
error[merge-key]: the merge key '<<' is not part of the language
  --> test.yml:3:3
   |
 3 |   <<: *x
   |   ^^ write the entries out: GitHub refuses merge keys
)");
  CHECK(reader.Refuse("a: b\n---\nc: d\n") == R"(
error[yaml-documents]: the file holds more than one YAML document
  --> test.yml:2:1
   |
 2 | ---
   | ^^^ leave the '---' out
)");
  CHECK(reader.Refuse("a: !b c\n") == R"(
error[yaml-tag]: the YAML tag '!b' is not understood
  --> test.yml:1:7
   |
 1 | a: !b c
   |       ^ leave the tag out
)");
  CHECK(reader.Refuse("a: b\x01\n") == R"(
error[yaml-encoding]: the text has a control character (0x01)
  --> test.yml:1:5
   |
 1 | a: b�
   |     ^
)");
  CHECK(reader.Refuse("a: \xff\n") == R"(
error[yaml-encoding]: the text is not UTF-8
  --> test.yml:1:4
   |
 1 | a: �
   |    ^
)");
  CHECK(reader.Refuse(std::string(101, '[') + std::string(101, ']')) == R"(
error[yaml-too-deep]: nested more than 100 levels deep
  --> test.yml:1:101
   |
 1 | [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
   |                                                                                                     ^
)");
}

TEST_CASE("Aliases that unfold to very much are refused") {
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 7; ++i) {
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 10; ++j) laughs += "*a" + std::to_string(i - 1) + ", ";
    laughs += "x]\n";
  }
  CHECK(Reader().Refuse(laughs) == R"(
error[yaml-too-large]: unfolds to more than 1,000,000 nodes
  --> test.yml:5:9
   |
 5 | a4: &a4 [*a3, *a3, *a3, *a3, *a3, *a3, *a3, *a3, *a3, *a3, x]
   |         ^
)");
}

TEST_CASE("many files are read as one after the other", "[yaml]") {
  SourceManager sources;
  std::vector<FileId> files;
  for (int i = 0; i < 20; ++i) {
    files.push_back(sources.Add("file" + std::to_string(i) + ".yml",
                                i == 7 ? "a: [" : "number: " + std::to_string(i) + "\n"));
  }
  for (const std::size_t threads : {1UL, 4UL}) {
    Arena arena;
    const std::vector<ReadResult> results = ReadYamlFiles(sources, files, threads, arena);
    REQUIRE(results.size() == files.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      CHECK(results[i].diagnostics.errors() == (i == 7 ? 1U : 0U));
      if (i == 7) {
        CHECK(results[i].document.root == nullptr);
      } else {
        CHECK(FindText(results[i].document.root, "number") == std::to_string(i));
      }
    }
  }
}

}  // namespace
}  // namespace wheelwright
