// Moves wheels from the folder where they were tested to the one where people install from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/store/storage/storage.h"
#include "runtime/wheels/promotion/promotion_request.h"

namespace wheelwright {

struct PromotedWheel {
  enum class State : std::uint8_t {
    kWaiting,  // nothing was done yet, or would be with a dry run
    kThere,    // the release has it already
    kCopied,
  };

  std::string file;
  std::string sha256;
  std::uint64_t size = 0;
  State state = State::kWaiting;
};

struct PromotionResult {
  std::vector<PromotedWheel> wheels;  // in the order in which they are put in place
  std::vector<std::string> problems;  // what was refused, and why; empty when all is well

  bool good() const { return problems.empty(); }
};

// Looks at all wheels before it touches one. Each has to lie in `staging` with the SHA-256 that was
// tested, or in `release` already; the release may have no other of that name. What lies in staging
// is read for that, every byte: the sum that an object carries is only what its writer said. Then
// each is copied
// inside the store, on the condition that it is still what was looked at, and looked at again; its
// metadata is written beside it first, out of the wheel itself. To do it again is safe.
//
// With `manifest_sha256`, the file {wheel}.manifest.json that lies beside each wheel has to have
// it, and goes along; "" leaves manifests where they are.
//
// Both folders end with a slash. Throws StorageError when the store fails; then a part may be in
// place, which no index names yet.
PromotionResult PromoteWheels(Storage& storage, std::string_view staging, std::string_view release,
                              const std::vector<TestedWheel>& wheels,
                              std::string_view manifest_sha256, bool dry_run);

}  // namespace wheelwright
