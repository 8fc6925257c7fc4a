// The bundle that a host object embeds holds what its source compiled to, and nothing else.
#include "runtime/hip/compile/host_bundle.h"

#include <catch2/catch.hpp>

#include "runtime/hip/code/bundle_reader.h"
#include "tests/unit/memory_file_system.h"

namespace wheelwright {
namespace {

TEST_CASE("a bundle holds the objects of one source", "[hip]") {
  MemoryFileSystem files;
  files.Write("/0.o", "first");
  files.Write("/2.o", std::string(5000, 'x'));
  const std::vector<Pair> pairs{{.target = "gfx942", .object = "/0.o"},
                                {.target = "gfx1030"},
                                {.target = "gfx1100", .object = "/2.o"},
                                {.target = "host", .object = "/0.o"},
                                {.source = 1, .target = "gfx950", .object = "/0.o"}};
  const std::string bytes = BundleOf(pairs, 0, files);
  UnpackBudget budget;
  const MemorySource source(bytes);
  const auto bundle = BundleReader(source, budget).ReadAt(0, bytes.size());
  REQUIRE(bundle);
  CHECK(bundle->size == bytes.size());
  REQUIRE(bundle->images.size() == 3);
  CHECK_FALSE(bundle->images[0].target);  // the host's entry, which is empty
  CHECK(bundle->images[1].target->ToString() == "gfx942");
  CHECK(bundle->images[1].size == 5);
  CHECK(bundle->images[2].size == 5000);
  // The HIP runtime maps images.
  CHECK(bytes.substr(4096, 5) == "first");
  CHECK(bytes.substr(8192) == std::string(5000, 'x'));
}

}  // namespace
}  // namespace wheelwright
