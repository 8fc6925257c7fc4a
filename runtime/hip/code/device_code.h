// Finds the GPU code in a file: a shared object, a program, an object file, a static archive of
// object files, or a container by itself.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/platform/byte_source.h"
#include "runtime/hip/code/bundle_reader.h"
#include "runtime/hip/code/kpack.h"

namespace wheelwright {

struct DeviceObject {
  std::string name;                     // of the file; of a member of an archive: "lib/libx.a(y.o)"
  std::vector<OffloadBundle> bundles;   // in the order of the file
  std::optional<KpackReference> kpack;  // where its code was moved to
  // The parts that could not be read.
  std::vector<BundleProblem> problems;

  bool empty() const { return bundles.empty() && !kpack && problems.empty(); }
  // The targets that its bundles have code for.
  std::set<GfxTarget> Targets() const;
};

// Consecutive containers, padded with zeros, that were read while a file was decompressed.
struct BundleChain {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // with the padding of the last
  std::vector<OffloadBundle> bundles;
};

// Whether a file may contain GPU code, by its first 8 bytes.
bool MayHoldDeviceCode(std::span<const Byte> head);

// The GPU code of a file: one object, or one for each member of an archive; without those that have
// none. Sections that `chains` cover are not read again.
std::vector<DeviceObject> FindDeviceCode(const ByteSource& source, std::string_view name,
                                         UnpackBudget& budget,
                                         const std::vector<BundleChain>& chains = {});

}  // namespace wheelwright
