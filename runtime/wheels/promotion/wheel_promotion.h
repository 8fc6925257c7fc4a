// Promotes wheels: copies them from the staging folder, where they were tested, to the release
// folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/store/storage/storage.h"
#include "runtime/wheels/promotion/promotion_request.h"
#include "runtime/wheels/promotion/release_view.h"

namespace wheelwright {

struct PromotedWheel {
  enum class State : std::uint8_t {
    kWaiting,  // not copied yet, or a dry run
    kThere,    // already in the release
    kCopied,
  };

  std::string file;
  std::string sha256;
  std::uint64_t size = 0;
  State state = State::kWaiting;
};

struct PromotionResult {
  std::vector<PromotedWheel> wheels;  // in the order of promotion
  std::vector<std::string> problems;  // refused wheels with reasons; empty on success
  std::vector<std::string> unmet;     // requirements of own projects; such wheels are refused too
  std::vector<std::string> warnings;  // requirements that the index of dependencies does not meet

  bool good() const { return problems.empty() && unmet.empty(); }
};

// Checks all wheels before it copies one. Each must be in `staging` with the SHA-256 that was
// tested, or already in `release`, which must have no other file of that name. Reads every byte of
// staged wheels, because the sum stored with an object is only the uploader's claim. Then copies
// each within the store, on the condition that it has not changed since, and verifies it; writes
// its metadata file, extracted from the wheel, first. Safe to repeat.
//
// With `view`, all that the wheels require of own projects must be in the release afterwards.
//
// With `manifest_sha256`, the file {wheel}.manifest.json of each wheel must have this sum and is
// copied too; "" copies no manifests.
//
// Both folders end with a slash. Throws StorageError when the store fails; some wheels may then be
// in the release folder, but in no index.
PromotionResult PromoteWheels(Storage& storage, std::string_view staging, std::string_view release,
                              const std::vector<TestedWheel>& wheels,
                              std::string_view manifest_sha256, ReleaseView* view, bool dry_run);

}  // namespace wheelwright
