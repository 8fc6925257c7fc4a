// What is known of HIP sources before PyTorch is built.
#include "generator/matrix/column_builders.h"
#include "generator/matrix/tables.h"

namespace wheelwright::tables {

using namespace types;
using namespace formats;

FileSchema Hip() {
  Type failure =
      Row("a known failure",
          {{"source", Of(kName), kRequired, "The source that does not compile, a canary as a rule",
            "buffer_resource.hip"},
           {"targets", ListOf(Of(kGfxTarget)), "null", "The GPUs, by how they begin; none: all",
            "[gfx101]"},
           {"platforms", ListOf(NameOf(kPlatforms)), "null", "Platforms; none: all", "[windows]"},
           {"with_header", Text(), "null",
            "Only where the source reads a header whose path ends so: a part of ROCm that may be "
            "missing; none: everywhere",
            "ck/ck.hpp"},
           {"why", Text(), kRequired, "The reason", "It has no buffer resource word for them"},
           {"issue", IssueLink(), kRequired, "Where it is discussed",
            "https://github.com/ROCm/TheRock/issues/1926"}});
  return {.stem = "hip",
          .help = "Which HIP sources are known not to compile; `wheelrun hip compile` reads it",
          .tables = Row("the file", {{"hip_known_failures", ListOf(std::move(failure)), "[]",
                                      "Sources that fail as expected: they must fail, and when "
                                      "one passes, its row can go",
                                      ""}})};
}

}  // namespace wheelwright::tables
