// What proves the origin of released wheels: read and verified before a promotion, written beside
// the wheels before the index lists them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/store/storage/storage.h"
#include "runtime/wheels/plan/plan.h"
#include "runtime/wheels/provenance/wheel_verification.h"

namespace wheelwright {

// The policy for a release type, by the row of its domain in `signers`. Nothing: its wheels need no
// signature.
std::optional<SignerPolicy> SignerPolicyOf(const Plan& plan, const ReleaseTypeRow& type);

struct ReleaseEvidence {
  // A refused wheel with the reason, and what to do next.
  std::vector<std::string> problems;
  std::vector<std::string> signers;  // of the wheels, in their order
  // The files to write beside the wheels, by name.
  std::map<std::string, std::string> files;
};

// Verifies the bundles of all wheels (file, SHA-256) in the folder of `wheelrun attest collect`.
// Each bill of materials must be the one that the record names.
ReleaseEvidence VerifyEvidence(const std::vector<std::pair<std::string, std::string>>& wheels,
                               const std::string& folder, const SignerPolicy& policy,
                               WheelVerifier& verifier, FileSystem& files);

// Writes files that are not there yet or differ. Throws StorageError.
void WriteEvidence(Storage& storage, std::string_view folder, const ReleaseEvidence& evidence);

}  // namespace wheelwright
