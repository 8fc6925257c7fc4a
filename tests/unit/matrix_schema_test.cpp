#include "generator/matrix/schema.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/file_system.h"
#include "generator/matrix/formats.h"
#include "generator/matrix/limits.h"

namespace wheelwright {
namespace {

// Compares with a committed file, or with UPDATE_GOLDEN=1 writes it.
void CheckCommitted(const std::string& path, const std::string& text) {
  const std::string full = std::string(SOURCE_ROOT "/") + path;
  if (std::getenv("UPDATE_GOLDEN") != nullptr) RealFileSystem().Write(full, text);
  INFO("to renew " << path << ": UPDATE_GOLDEN=1 unit_tests '[matrix]'");
  CHECK(RealFileSystem().Read(full).value_or("(no such file)") == text);
}

TEST_CASE("the committed JSON Schemas are current", "[matrix]") {
  for (const FileSchema& file : MatrixFiles()) {
    CheckCommitted("docs/schemas/" + std::string(file.stem) + ".schema.json", JsonSchema(file));
  }
}

TEST_CASE("the committed reference is current", "[matrix]") {
  CheckCommitted("docs/matrix-reference.md", MatrixReference());
}

}  // namespace
}  // namespace wheelwright
