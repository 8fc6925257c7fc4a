// Archives of device code, the sections that name them, and the values in both: reading them ends,
// and returns no more than they contain, whatever sizes they declare.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/hip/code/kpack.h"
#include "runtime/hip/code/message_pack.h"
#include "tests/fuzz/fuzzer.h"

namespace wheelwright {
namespace {

const Fuzzer kKpack("kpack", [](const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const MemorySource source(bytes);
  BundleProblem problem;
  const auto archive = ReadKpack(source, problem);
  Require(archive.has_value() || !problem.message.empty(), "refused for no reason");
  if (archive) Require(archive->images.size() <= kMostBundles, "too many images");
  const auto reference = ReadKpackReference(source, 0, size);
  if (reference) {
    for (const std::string& path : reference->paths) Require(path.size() <= size, "a path grows");
    MayName(*reference, "_rocm_sdk_libraries/.kpack/torch_gfx942.kpack");
  }
  ReadKpackReference(source, size / 2, ~std::uint64_t{0});

  MessagePackReader values({data, size});
  std::size_t count = 0;
  while (const auto value = values.Next()) {
    ++count;
    Require(value->text.empty() ||
                (value->text.data() >= bytes.data() &&
                 value->text.data() + value->text.size() <= bytes.data() + bytes.size()),
            "a text outside of the bytes");
    if (value->kind == PackedValue::Kind::kList) {
      Require(value->number <= size, "a list with more items than bytes");
    }
  }
  Require(count <= size, "more values than bytes");
  MessagePackReader skipped({data, size});
  std::size_t skips = 0;
  while (skipped.Skip()) ++skips;
  Require(skips <= count, "more values are skipped than there are");
});

}  // namespace
}  // namespace wheelwright
