// Bundles of Sigstore: a signed statement with the certificate of its signer and the entry of the
// transparency log. Nothing here is checked by cryptography: wheel_verification.h does that, by a
// program of Sigstore.
//
// https://docs.sigstore.dev/about/bundle/
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wheelwright {

// Names of files beside a wheel.
inline constexpr std::string_view kProvenanceBundleSuffix = ".provenance.sigstore.json";
inline constexpr std::string_view kRecordBundleSuffix = ".record.sigstore.json";
inline constexpr std::string_view kBillSuffix = ".cdx.json";
// The form in which indexes publish it: https://peps.python.org/pep-0740/
inline constexpr std::string_view kIndexProvenanceSuffix = ".provenance";

// What a bundle says that was signed. Untrusted until verified.
struct SignedStatement {
  std::string type;                                           // of the predicate
  std::vector<std::pair<std::string, std::string>> subjects;  // name, SHA-256 or ""
  nlohmann::json predicate;
  nlohmann::json bundle;

  // The SHA-256 of the subject, or "".
  std::string SumOf(std::string_view name) const;
  // The bundle as it was understood here, written anew: no other reader can understand another
  // statement, as of a text with a member twice.
  std::string BundleText() const;
};

// Reads a bundle of a DSSE envelope with an in-toto statement. Nothing for others: `problem` says
// why.
std::optional<SignedStatement> ReadBundle(std::string_view text, std::string& problem);

// The workflow, repository, ref, commit and event of the run, as its provenance says. Nothing when
// one is missing.
struct StatedOrigin {
  std::string signer;  // "https://github.com/ROCm/TheRock/.github/workflows/x.yml@refs/heads/main"
  std::string repository;  // "ROCm/TheRock"
  std::string ref;
  std::string commit;
  std::string event;
  std::string workflow;  // that the event started
  std::string run;       // its address
};
std::optional<StatedOrigin> OriginOf(const SignedStatement& provenance);

// The provenance object of an index, with the bundle as its only attestation.
// https://packaging.python.org/specifications/index-hosted-attestations/
std::string IndexProvenance(const SignedStatement& provenance, const StatedOrigin& origin);

}  // namespace wheelwright
