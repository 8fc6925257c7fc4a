// What is checked of the indexes that the matrix names, and of what it takes from elsewhere.

#include <catch2/catch.hpp>

#include "tests/unit/combo_matrix.h"

namespace wheelwright {
namespace {

TEST_CASE("an index is not called like a release type", "[matrix]") {
  ComboMatrix m;
  m.Replace("release", "domains:\n",
            "indexes:\n"
            "  dev: { url: https://example.org/whl, doc: x }\n"
            "  old: { url: https://example.org/old, doc: x }\n"
            "domains:\n");
  const std::string errors = m.Problems();
  CHECK(
      errors.starts_with("error[duplicate-name]: 'dev' is also a release type\n"
                         "   --> matrix/release.yml:"));
  CHECK(errors.find("the release type") != std::string::npos);
  CHECK(errors.find("old") == std::string::npos);
}

TEST_CASE("what is built here is no dependency", "[matrix]") {
  ComboMatrix m;
  m.Set("dependencies",
        "mirror: { pythons: [\"3.12\"] }\n"
        "dependencies:\n"
        "  - { name: numpy, versions: [\">=2.1,<2.3\", \"2.3.5\"] }\n"
        "  - { name: Rocm_SDK.core, versions: [\"7.0\"] }\n");
  CHECK(m.Problems() ==
        R"(error[own-dependency]: 'Rocm_SDK.core' is built here and cannot be taken from elsewhere
  --> matrix/dependencies.yml:4:13
   |
 4 |   - { name: Rocm_SDK.core, versions: ["7.0"] }
   |             ^^^^^^^^^^^^^
   = installers read the index of dependencies next to that of a release, and would choose between two packages of this name
)");
  ComboMatrix torch;
  torch.Set("dependencies", "dependencies:\n  - { name: Torch, versions: [\"2.9\"] }\n");
  CHECK(torch.Problems().starts_with("error[own-dependency]: 'Torch' is built here"));
}

TEST_CASE("versions of dependencies are versions or bounds", "[matrix]") {
  for (const char* good : {"1", "1.2.3", ">=1,<2", "==1.*", "~=1.4", "1!2.0", "!=1.5,>1.2rc1"}) {
    ComboMatrix m;
    m.Set("dependencies",
          std::string("dependencies:\n  - { name: numpy, versions: [\"") + good + "\"] }\n");
    INFO(good);
    CHECK(m.Errors().empty());
  }
  for (const char* bad : {"", "latest", ">= 1", "=1", "1,", "1;2", ">=*"}) {
    ComboMatrix m;
    m.Set("dependencies",
          std::string("dependencies:\n  - { name: numpy, versions: [\"") + bad + "\"] }\n");
    INFO(bad);
    CHECK(m.Errors().starts_with("error[bad-value]"));
  }
}

}  // namespace
}  // namespace wheelwright
