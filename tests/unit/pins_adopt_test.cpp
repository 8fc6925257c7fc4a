#include <catch2/catch.hpp>

#include "generator/pins/adopt.h"
#include "generator/yaml/read.h"

namespace wheelwright {
namespace {

const std::string kA(40, 'a');
const std::string kB(40, 'b');
const std::string kC(40, 'c');
const std::string kImage1 = "sha256:" + std::string(64, '1');
const std::string kImage2 = "sha256:" + std::string(64, '2');
const std::string kImage3 = "sha256:" + std::string(64, '3');

const std::string kPins =
    "# Pins.\n"
    "actions:\n"
    "  checkout: { uses: actions/checkout,   sha: " +
    kA +
    ", version: v6.0.2 } # ours\n"
    "  init:     { uses: codeql/action/init, sha: &q " +
    kA +
    ", version: \"4.9\" }\n"
    "  analyze:  { uses: codeql/action/analyze, sha: *q, version: '4.9' }\n"
    "images:\n"
    "  build: # of everything\n"
    "    image: ghcr.io/rocm/build\n"
    "    digest: " +
    kImage1 +
    "\n"
    "  test:\n"
    "    image: ghcr.io/rocm/test\n"
    "    digest: " +
    kImage1 +
    "\n"
    "  other_test:\n"
    "    image: ghcr.io/rocm/test\n"
    "    digest: " +
    kImage2 + "\n";

class Set {
 public:
  Set() {
    file_ = sources_.Add("matrix/pins.yml", kPins);
    root_ = ReadYaml(sources_, file_, arena_, diagnostics_).root;
    REQUIRE(root_ != nullptr);
  }
  void Add(std::string name, std::string before, std::string after = "") {
    stale_.push_back({std::move(name), std::move(before), std::move(after)});
  }
  std::vector<Bump> Find() {
    return FindBumps(wheelwright::Find(root_, "actions"), wheelwright::Find(root_, "images"),
                     stale_, diagnostics_);
  }
  std::string Adopt() {
    return AdoptBumps(Find(), file_, sources_, diagnostics_).value_or("refused");
  }
  // What was said.
  std::string Report() const {
    return "\n" + Render(diagnostics_, sources_, ReportFormat::kText, false);
  }

 private:
  SourceManager sources_;
  Arena arena_;
  Diagnostics diagnostics_;
  FileId file_ = kNoFile;
  const Node* root_ = nullptr;
  std::vector<Difference::Stale> stale_;
};

std::string Replaced(std::string text,
                     const std::vector<std::pair<std::string, std::string>>& all) {
  for (const auto& [from, to] : all) text.replace(text.find(from), from.size(), to);
  return text;
}

TEST_CASE("Versions are compared by their numbers") {
  CHECK(CompareVersions("v6.0.2", "v6.0.10") == -1);
  CHECK(CompareVersions("6", "v6.0.0") == 0);
  CHECK(CompareVersions("v10", "v9.9") == 1);
  CHECK(CompareVersions("v6.0.0-rc1", "v6") == -1);
  CHECK(CompareVersions("v6.0.0+build", "v6") == 0);
  CHECK(CompareVersions("v6-rc9", "v6-rc10") == std::nullopt);
  for (const std::string_view word :
       {"", "main", "v", "1..2", "1.x", "1-\"", "99999999999999999999"}) {
    CHECK(CompareVersions(word, "v1") == std::nullopt);
  }
}

TEST_CASE("A bot's bump is found in all files and carried into the matrix") {
  Set set;
  const std::string step = "    - uses: actions/checkout@" + kB + " # v7.0.0\n";
  set.Add("a.yml", step + step);
  set.Add("b.yml", "      - name: x\n        uses: 'actions/checkout@" + kB + "' # v7.0.0 # why\n");
  set.Add("plan.json", "\"actions/checkout@" + kC + "\"");
  const std::vector<Bump> bumps = set.Find();
  REQUIRE(bumps.size() == 1);
  CHECK(bumps[0].key == "actions.checkout");
  CHECK(bumps[0].old_pin == kA);
  CHECK(bumps[0].new_pin == kB);
  CHECK(bumps[0].old_version == "v6.0.2");
  CHECK(bumps[0].new_version == "v7.0.0");
  CHECK(bumps[0].files == std::vector<std::string>{"a.yml", "b.yml"});
  CHECK(set.Adopt() == Replaced(kPins, {{kA + ", version: v6.0.2", kB + ", version: v7.0.0"}}));
  CHECK(set.Report() == "\n");
}

TEST_CASE("Quotes and anchors of the matrix stay") {
  Set set;
  set.Add("a.yml", "- uses: codeql/action/init@" + kB + " # 4.10\n- uses: codeql/action/analyze@" +
                       kB + " # 4.10\n");
  CHECK(set.Adopt() ==
        Replaced(kPins, {{"&q " + kA, "&q " + kB}, {"\"4.9\"", "\"4.10\""}, {"'4.9'", "'4.10'"}}));
}

TEST_CASE("Half of an anchor's rows cannot be bumped") {
  Set set;
  set.Add("a.yml", "- uses: codeql/action/init@" + kB + " # 4.10\n- uses: codeql/action/analyze@" +
                       kC + " # 4.10\n");
  CHECK(set.Adopt() == "refused");
  CHECK(set.Report() == R"(
error[pin-place]: actions.analyze cannot be changed from 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' to 'cccccccccccccccccccccccccccccccccccccccc' here
  --> matrix/pins.yml:4:49
   |
 4 |   init:     { uses: codeql/action/init, sha: &q aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, version: "4.9" }
   |                                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   = write the value into the row by hand
)");
}

TEST_CASE("What is older is left alone") {
  Set set;
  set.Add("a.yml",
          "- uses: actions/checkout@" + kB + " # v6.0.1\n- uses: unknown/x@" + kC + " # v9\n");
  CHECK(set.Find().empty());
  CHECK(set.Report() == "\n");
  CHECK(set.Adopt() == kPins);
}

TEST_CASE("What cannot be trusted is refused") {
  SECTION("a moved tag") {
    Set set;
    set.Add("a.yml", "uses: actions/checkout@" + kB + " # v6.0.2\n");
    CHECK(set.Find().empty());
    CHECK(set.Report() == R"(
error[pin-moved]: a.yml has actions/checkout v6.0.2 at another commit than the matrix
  --> matrix/pins.yml:3:46
   |
 3 |   checkout: { uses: actions/checkout,   sha: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, version: v6.0.2 } # ours
   |                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   = a version does not change its commit: find out which is right before bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb is used
)");
  }
  SECTION("no version") {
    Set set;
    set.Add("a.yml", "uses: actions/checkout@" + kB + "\n");
    CHECK(set.Find().empty());
    CHECK(set.Report() == R"(
error[pin-version]: a.yml has actions/checkout at another commit, but 'v6.0.2' and '' cannot be compared
  --> matrix/pins.yml:3:46
   |
 3 |   checkout: { uses: actions/checkout,   sha: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, version: v6.0.2 } # ours
   |                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   = a pin is followed by a comment with its version, such as '# v6.0.2'
)");
  }
  SECTION("two different ones") {
    Set set;
    set.Add("a.yml", "uses: actions/checkout@" + kB + " # v7\n");
    set.Add("b.yml", "uses: actions/checkout@" + kC + " # v8\n");
    CHECK(set.Find().empty());
    CHECK(set.Report() == R"(
error[pin-conflict]: a.yml and b.yml have different new pins of actions/checkout
  --> matrix/pins.yml:3:46
   |
 3 |   checkout: { uses: actions/checkout,   sha: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, version: v6.0.2 } # ours
   |                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   = they are bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb v7 and cccccccccccccccccccccccccccccccccccccccc v8: take one of them in all files
)");
  }
  SECTION("no pin at all") {
    Set set;
    set.Add("a.yml", "uses: actions/checkout@v7\nuses: actions/checkout@" + kB + "b # v7\nx@");
    CHECK(set.Find().empty());
    CHECK(set.Report() == "\n");
  }
}

TEST_CASE("Images are followed by their digests") {
  Set set;
  set.Add("a.yml", "image: ghcr.io/rocm/build@" + kImage2 + "\n");
  CHECK(set.Adopt() == Replaced(kPins, {{kImage1, kImage2}}));
}

TEST_CASE("An image that two keys name is told apart by its place") {
  const std::string expected =
      "image: ghcr.io/rocm/test@" + kImage1 + "\nimage: ghcr.io/rocm/test@" + kImage2 + "\n";
  Set set;
  set.Add("a.yml", Replaced(expected, {{kImage2, kImage3}}), expected);
  CHECK(set.Adopt() == Replaced(kPins, {{kImage2, kImage3}}));

  Set unclear;
  unclear.Add("a.yml", "image: ghcr.io/rocm/test@" + kImage3 + "\n", expected);
  CHECK(unclear.Find().empty());
  CHECK(unclear.Report() == R"(
error[pin-unclear]: a.yml has a new pin of ghcr.io/rocm/test, which images.test and images.other_test name
   --> matrix/pins.yml:11:5
    |
 11 |     image: ghcr.io/rocm/test
    |     ^
    = write sha256:3333333333333333333333333333333333333333333333333333333333333333 into its place by hand
)");
}

}  // namespace
}  // namespace wheelwright
