#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "base/file_system.h"
#include "generator/matrix/formats.h"
#include "generator/matrix/schema.h"
#include "tests/unit/source_path.h"

namespace wheelwright {
namespace {

// Compares with a committed file, or with UPDATE_GOLDEN=1 writes it.
void CheckCommitted(const std::string& path, const std::string& text) {
  const std::string full = SourcePath(path);
  if (std::getenv("UPDATE_GOLDEN") != nullptr) RealFileSystem().Write(full, text);
  INFO("to renew " << path << ": UPDATE_GOLDEN=1 unit_tests '[matrix]'");
  CHECK(RealFileSystem().Read(full).value_or("(no such file)") == text);
}

// Calls visit(type) for a type and all that it is made of.
template <typename Visit>
void ForEachType(const Type& type, const Visit& visit) {
  visit(type);
  for (const Type& part : type.parts) ForEachType(part, visit);
  for (const Column& column : type.columns) ForEachType(column.type, visit);
}

TEST_CASE("the committed JSON Schemas are current", "[matrix]") {
  for (const FileSchema& file : MatrixFiles()) {
    CheckCommitted("docs/schemas/" + std::string(file.stem) + ".schema.json", JsonSchema(file));
  }
}

TEST_CASE("the committed reference is current", "[matrix]") {
  CheckCommitted("docs/matrix-reference.md", MatrixReference());
}

TEST_CASE("an example is a valid value", "[matrix]") {
  for (const FileSchema& file : MatrixFiles()) {
    ForEachType(file.tables, [](const Type& type) {
      if (type.kind == Type::Kind::kFormat) {
        std::string_view example = type.format->example;
        if (example.starts_with('"')) example = example.substr(1, example.size() - 2);
        INFO(type.format->noun);
        CHECK(formats::Fits(*type.format, example));
      }
      for (const Column& column : type.columns) {
        if (column.type.kind != Type::Kind::kFormat) continue;
        std::string_view example = column.example;
        if (example.starts_with('"')) example = example.substr(1, example.size() - 2);
        INFO(column.name);
        CHECK(formats::Fits(*column.type.format, example));
      }
    });
  }
}

TEST_CASE("names are defined in the file that messages tell", "[matrix]") {
  for (const FileSchema& file : MatrixFiles()) {
    ForEachType(file.tables, [](const Type& type) {
      if (type.kind != Type::Kind::kName) return;
      const FileSchema* defining = FindMatrixFile(type.names->file);
      REQUIRE(defining != nullptr);
      const std::string_view path = type.names->paths.front();
      const std::string_view table = path.substr(0, path.find('.'));
      INFO(path);
      CHECK(std::any_of(defining->tables.columns.begin(), defining->tables.columns.end(),
                        [&](const Column& column) { return column.name == table; }));
    });
  }
}

TEST_CASE("every column is explained", "[matrix]") {
  for (const FileSchema& file : MatrixFiles()) {
    ForEachType(file.tables, [](const Type& type) {
      for (const Column& column : type.columns) {
        INFO(column.name);
        CHECK_FALSE(column.help.empty());
        CHECK(column.help.back() != '.');
      }
    });
  }
}

TEST_CASE("a schema is JSON that refuses what it does not know", "[matrix]") {
  const auto schema = nlohmann::json::parse(JsonSchema(*FindMatrixFile("families")));
  CHECK(schema["$schema"] == "http://json-schema.org/draft-07/schema#");
  CHECK(schema["additionalProperties"] == false);
  const auto& family = schema["definitions"]["a-family-on-one-platform"];
  CHECK(family["additionalProperties"] == false);
  CHECK(family["required"] == nlohmann::json{"family", "targets"});
  CHECK(family["properties"]["variants"]["default"] == nlohmann::json{"release"});
  CHECK(family["properties"]["sanity_check_only"]["type"] == "boolean");
}

TEST_CASE("formats", "[matrix]") {
  using namespace formats;
  const auto fits = [](const Format& format, std::initializer_list<const char*> good,
                       std::initializer_list<const char*> bad) {
    for (const char* text : good) {
      INFO(format.noun << ": " << text);
      CHECK(Fits(format, text));
    }
    for (const char* text : bad) {
      INFO(format.noun << ": " << text);
      CHECK_FALSE(Fits(format, text));
    }
  };
  fits(kPythonVersion, {"3.10", "3.9", "3.0", "3.13t"},
       {"3", "3.", "3.09", "10.1", "3.12.1", "3.12 ", ""});
  fits(kGfxTarget, {"gfx942", "gfx90a", "gfx1100", "gfx942:xnack+", "gfx90a:sramecc+:xnack-"},
       {"942", "gfx", "GFX942", "gfx94X", "gfx942:xnack", "gfx942 "});
  fits(kCron, {"0 2 * * *", "*/15 0-6,22 1 JAN MON", "5 4 31 12 6"},
       {"60 2 * * *", "0 24 * * *", "0 2 * *", "0 2 32 * *", "0 2 * 13 *", "@daily", "0  2 * * *"});
  fits(kIssueLink, {"https://github.com/ROCm/TheRock/issues/1926", "https://github.com/a/b/pull/3"},
       {"#1926", "ROCm/TheRock#1926", "https://github.com/ROCm/TheRock/issues/",
        "http://github.com/ROCm/TheRock/issues/1"});
  fits(kFolder, {"src", "a/b", "B:/src", ".tools/x"},
       {"/abs", "..", "a/../b", "a//b", "a/", "", "a b"});
  fits(kSha, {"3d3c42e5aac5ba805825da76410c181273ba90b1"},
       {"3d3c42e", "3D3C42E5AAC5BA805825DA76410C181273BA90B1", "v4"});
  fits(kAction, {"actions/checkout", "github/codeql-action/init"},
       {"actions/checkout@v4", "checkout"});
  fits(kFamilyKey, {"gfx94x", "gfx1151"}, {"gfx94X", "gfx94x-dcgpu", "94x", ""});
  CHECK_FALSE(Fits(kGlob, std::string(1001, 'a')));
}

}  // namespace
}  // namespace wheelwright
