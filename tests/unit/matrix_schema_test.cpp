#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "base/file_system.h"
#include "base/json.h"
#include "generator/matrix/formats.h"
#include "generator/matrix/limits.h"
#include "generator/matrix/read_schema.h"
#include "generator/matrix/validate.h"
#include "generator/yaml/read.h"
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

// This project's own schema.
struct Own {
  SourceManager sources;
  Arena arena;
  Diagnostics diagnostics;
  Schema schema = [this] {
    const auto read =
        LoadSchema(RealFileSystem(), SourcePath("matrix"), sources, arena, diagnostics);
    INFO(Render(diagnostics, sources, ReportFormat::kText, false));
    REQUIRE(read);
    return *read;
  }();
};

TEST_CASE("the committed JSON Schemas are current", "[matrix]") {
  const Own own;
  std::vector<FileSchema> files = own.schema.files;
  files.push_back(SchemaLanguage());
  for (const FileSchema& file : files) {
    CheckCommitted("docs/schemas/" + std::string(file.stem) + ".schema.json", JsonSchema(file));
  }
}

TEST_CASE("the committed references are current", "[matrix]") {
  CheckCommitted("docs/matrix-reference.md", MatrixReference(Own().schema));
  CheckCommitted("docs/schema-reference.md", SchemaReference());
}

TEST_CASE("what is built in is without fault", "[matrix]") {
  // Read as a project's own file, with the checks that the compiler spares itself.
  for (const char* name : {"built_in_schema", "schema_language"}) {
    INFO(name);
    SourceManager sources;
    Arena arena;
    Diagnostics diagnostics;
    const std::string path = fmt::format("generator/matrix/{}.yml", name);
    const FileId id = sources.Add(path, RealFileSystem().Read(SourcePath(path)).value());
    const MatrixFile file{.schema = &SchemaLanguage(),
                          .root = ReadYaml(sources, id, arena, diagnostics).root};
    ValidateMatrix(std::span(&file, 1), diagnostics);
    CHECK(Render(diagnostics, sources, ReportFormat::kText, false) == "");
  }
  for (const Format& format : *BuiltInSchema().formats) {
    std::string_view example = format.example;
    if (example.starts_with('"')) example = example.substr(1, example.size() - 2);
    INFO(format.noun);
    CHECK(formats::Fits(format, example));
  }
  const auto check = [](const Type& type) {
    for (const Column& column : type.columns) {
      for (const Node* value : {column.example, column.absent}) {
        const bool nothing =
            value == nullptr || value->is_null() || (value->is_string() && value->text.empty());
        if (nothing) continue;
        Diagnostics diagnostics;
        ValidateValue(*value, column.type, column.name, diagnostics);
        INFO(column.name);
        CHECK(diagnostics.errors() == 0);
      }
    }
  };
  for (const FileSchema& file : BuiltInSchema().files) ForEachType(file.tables, check);
  ForEachType(SchemaLanguage().tables, check);

  const FileSchema* limits = BuiltInSchema().File("limits");
  REQUIRE(limits != nullptr);
  const Type& row = limits->tables.columns[0].type;
  REQUIRE(row.columns.size() == kLimitFields.size());
  for (std::size_t i = 0; i < kLimitFields.size(); ++i) {
    CHECK(row.columns[i].name == kLimitFields[i].name);
  }
}

TEST_CASE("every column is explained", "[matrix]") {
  const Own own;
  for (const FileSchema& file : own.schema.files) {
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
  const Own own;
  const auto schema = ParseJson(JsonSchema(*own.schema.File("families")));
  CHECK(schema["$schema"] == "http://json-schema.org/draft-07/schema#");
  CHECK(schema["additionalProperties"] == false);
  const auto& family = schema["definitions"]["a-family-on-one-platform"];
  CHECK(family["additionalProperties"] == false);
  CHECK(family["required"] == nlohmann::json{"family", "targets"});
  CHECK(family["properties"]["variants"]["default"] == nlohmann::json{"release"});
  CHECK(family["properties"]["sanity_check_only"]["type"] == "boolean");
}

TEST_CASE("formats", "[matrix]") {
  const Own own;
  const auto fits = [&](std::string_view noun, std::initializer_list<const char*> good,
                        std::initializer_list<const char*> bad) {
    const auto format = std::ranges::find(*own.schema.formats, noun, &Format::noun);
    REQUIRE(format != own.schema.formats->end());
    for (const char* text : good) {
      INFO(format->noun << ": " << text);
      CHECK(formats::Fits(*format, text));
    }
    for (const char* text : bad) {
      INFO(format->noun << ": " << text);
      CHECK_FALSE(formats::Fits(*format, text));
    }
  };
  fits("a Python version", {"3.10", "3.9", "3.0", "3.13t"},
       {"3", "3.", "3.09", "10.1", "3.12.1", "3.12 ", ""});
  fits("a gfx target", {"gfx942", "gfx90a", "gfx1100", "gfx942:xnack+", "gfx90a:sramecc+:xnack-"},
       {"942", "gfx", "GFX942", "gfx94X", "gfx942:xnack", "gfx942 "});
  fits("a cron line", {"0 2 * * *", "*/15 0-6,22 1 JAN MON", "5 4 31 12 6"},
       {"60 2 * * *", "0 24 * * *", "0 2 * *", "0 2 32 * *", "0 2 * 13 *", "@daily", "0  2 * * *"});
  fits("an issue's link",
       {"https://github.com/ROCm/TheRock/issues/1926", "https://github.com/a/b/pull/3"},
       {"#1926", "ROCm/TheRock#1926", "https://github.com/ROCm/TheRock/issues/",
        "http://github.com/ROCm/TheRock/issues/1"});
  fits("a folder", {"src", "a/b", "B:/src", ".tools/x"},
       {"/abs", "..", "a/../b", "a//b", "a/", "", "a b"});
  fits("a commit", {"3d3c42e5aac5ba805825da76410c181273ba90b1"},
       {"3d3c42e", "3D3C42E5AAC5BA805825DA76410C181273BA90B1", "v4"});
  fits("an action", {"actions/checkout", "github/codeql-action/init"},
       {"actions/checkout@v4", "checkout"});
  fits("a family's key", {"gfx94x", "gfx1151"}, {"gfx94X", "gfx94x-dcgpu", "94x", ""});
  const std::string long_text(1001, 'a');
  fits("a pattern", {"a"}, {long_text.c_str()});
}

}  // namespace
}  // namespace wheelwright
