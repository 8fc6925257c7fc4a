// The search for device code in any file ends, within the limit for unpacked bytes.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/hip/code/device_code.h"
#include "tests/fuzz/fuzzer.h"

namespace wheelwright {
namespace {

const Fuzzer kDeviceCode("device_code", [](const std::uint8_t* data, std::size_t size) {
  const MemorySource source({reinterpret_cast<const char*>(data), size});
  UnpackBudget budget{.left = 8 << 20};
  for (const DeviceObject& object : FindDeviceCode(source, "input", budget)) {
    Require(!object.empty(), "an object with nothing in it");
    for (const OffloadBundle& bundle : object.bundles) {
      const std::size_t most = bundle.kind == BundleKind::kKpack ? kMostBundles : kMostImages;
      Require(bundle.size <= size && bundle.images.size() <= most,
              "a container is larger than its file, or holds too many images");
    }
  }
});

}  // namespace
}  // namespace wheelwright
