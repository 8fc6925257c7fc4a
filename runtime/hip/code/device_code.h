// The code for GPUs inside one file: a shared object, a program, an object file, a static archive
// of them, or a file of its own.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/hip/code/kpack.h"
#include "runtime/hip/code/offload_bundle.h"
#include "runtime/host/platform/byte_source.h"

namespace wheelwright {

struct DeviceObject {
  std::string name;  // of the file, and of the member of an archive: "lib/libx.a(y.o)"
  std::vector<OffloadBundle> bundles;   // in the order in which they stand
  std::optional<KpackReference> kpack;  // where its code was moved to
  // What could not be read, with the place.
  std::vector<BundleProblem> problems;

  bool empty() const { return bundles.empty() && !kpack && problems.empty(); }
  // What its bundles hold code for.
  std::set<GfxTarget> Targets() const;
};

// Containers that were already read while a file was unpacked from front to back, one behind the
// other with nothing but zeros between them.
struct BundleChain {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // of the zeros behind the last
  std::vector<OffloadBundle> bundles;
};

// Whether a file that begins with these bytes may hold code for GPUs. 8 bytes are enough.
bool MayHoldDeviceCode(std::span<const Byte> head);

// What the file holds: one object, or one for each member of an archive; those that hold nothing
// are left out. `chains` spare the reading of sections that they cover.
std::vector<DeviceObject> FindDeviceCode(const ByteSource& source, std::string_view name,
                                         UnpackBudget& budget,
                                         const std::vector<BundleChain>& chains = {});

}  // namespace wheelwright
