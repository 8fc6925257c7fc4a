// Whatever a file claims to hold, looking for code in it ends, within what it may unpack.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/hip/device_code.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wheelwright;  // NOLINT(google-build-using-namespace): of a test alone
  const MemorySource source({reinterpret_cast<const char*>(data), size});
  UnpackBudget budget{.left = 8 << 20};
  for (const DeviceObject& object : FindDeviceCode(source, "input", budget)) {
    if (object.empty()) std::abort();
    for (const OffloadBundle& bundle : object.bundles) {
      if (bundle.size > size || bundle.images.size() > kMostImages) std::abort();
    }
  }
  return 0;
}
