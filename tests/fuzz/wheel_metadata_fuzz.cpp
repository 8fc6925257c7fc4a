// METADATA of a wheel, and its version bounds and requirements. A parsed value has the same
// meaning after it is written and read again.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/pytorch/acceptance/installation.h"
#include "runtime/wheels/index/stored_wheel.h"
#include "runtime/wheels/version/version_specifier.h"
#include "tests/fuzz/fuzzer.h"

namespace wheelwright {
namespace {

const Fuzzer kWheelMetadata("wheel_metadata", [](const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const WheelMetadata metadata =
      ReadMetadataText(text, "torch-2.10.0+rocm7-cp312-cp312-linux_x86_64.whl");
  Require(metadata.text.empty() == !metadata.problem.empty() || text.empty(),
          "metadata with a problem");
  if (metadata.problem.empty()) Require(metadata.text == text, "another text");

  if (const auto bounds = ParseVersionSpecifier(text)) {
    const auto again = ParseVersionSpecifier(bounds->text);
    Require(again && again->text == bounds->text, "bounds change when they are read again");
    if (const auto& one = bounds->exact; one && bounds->clauses.size() == 1) {
      Require(bounds->Allows(*one), "the one version is not allowed");
    }
    for (const VersionClause& clause : bounds->clauses) {
      Require(bounds->Allows(clause.version) == again->Allows(clause.version), "other bounds");
    }
  }
  const std::string own = OwnRequirement(text, {"rocm", "torch"});
  Require(own.empty() || own.starts_with("rocm") || own.starts_with("torch") ||
              own.find("==") != std::string::npos,
          "a requirement of another project");
  Require(own.find_first_of(" ;\n") == std::string::npos || text.find('\n') != std::string::npos,
          "more than a requirement");
});

}  // namespace
}  // namespace wheelwright
