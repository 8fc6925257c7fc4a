#include "runtime/wheels/provenance/release_evidence.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.h"
#include "runtime/store/digest/digest.h"

namespace wheelwright {
namespace {

// Programs of the verifier at once; each takes a second of a core.
constexpr std::size_t kVerifiers = 4;

// The SHA-256 of the bill of materials that the record names for the wheel, or "".
std::string BillSumOf(const SignedStatement& record, std::string_view file) {
  const auto wheels = record.predicate.find("wheels");
  if (wheels == record.predicate.end() || !wheels->is_array()) return {};
  for (const nlohmann::json& wheel : *wheels) {
    if (!wheel.is_object() || wheel.value("file", nlohmann::json()) != file) continue;
    const auto bill = wheel.find("bill_of_materials");
    if (bill == wheel.end() || !bill->is_object()) return {};
    const auto sum = bill->find("sha256");
    return sum != bill->end() && sum->is_string() ? sum->get<std::string>() : std::string();
  }
  return {};
}

}  // namespace

std::optional<SignerPolicy> SignerPolicyOf(const Plan& plan, const ReleaseTypeRow& type) {
  const auto signer = std::ranges::find(plan.signers, type.domain, &SignerRow::domain);
  if (signer == plan.signers.end()) return std::nullopt;
  SignerPolicy policy{
      .repository = signer->repository, .workflow = signer->workflow, .branches = signer->branches};
  const auto& domains = plan.selection.domains;
  const auto domain = std::ranges::find(domains, type.domain, &DomainRow::name);
  if (domain != domains.end()) policy.events = domain->triggers;
  return policy;
}

ReleaseEvidence VerifyEvidence(const std::vector<std::pair<std::string, std::string>>& wheels,
                               const std::string& folder, const SignerPolicy& policy,
                               WheelVerifier& verifier, FileSystem& files) {
  ReleaseEvidence evidence;
  if (std::string problem = verifier.Unready(); !problem.empty()) {
    evidence.problems.push_back(fmt::format("the wheels cannot be verified: {}", problem));
    return evidence;
  }
  const auto read = [&](const std::string& file, std::string_view suffix) {
    return folder.empty() ? std::nullopt : files.Read(fmt::format("{}/{}{}", folder, file, suffix));
  };
  std::vector<VerifiedWheel> results(wheels.size());
  ParallelFor(wheels.size(), kVerifiers, [&](std::size_t i) {
    const auto& [file, sha256] = wheels[i];
    results[i] = verifier.Verify({.file = file,
                                  .sha256 = sha256,
                                  .provenance = read(file, kProvenanceBundleSuffix),
                                  .record = read(file, kRecordBundleSuffix)},
                                 policy);
  });
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    const std::string& file = wheels[i].first;
    const VerifiedWheel& verified = results[i];
    if (!verified.problem.empty()) {
      evidence.problems.push_back(fmt::format("{}: {}; {}", file, verified.problem, verified.next));
      continue;
    }
    const std::optional<std::string> bill = read(file, kBillSuffix);
    if (!bill || Sha256Of(*bill) != BillSumOf(verified.record, file)) {
      evidence.problems.push_back(
          fmt::format("{}: its bill of materials {}{} {}; run the job that attests again", file,
                      file, kBillSuffix, bill ? "is not the one that was attested" : "is missing"));
      continue;
    }
    evidence.signers.push_back(verified.origin.signer);
    evidence.files[file + std::string(kProvenanceBundleSuffix)] = verified.provenance.BundleText();
    evidence.files[file + std::string(kRecordBundleSuffix)] = verified.record.BundleText();
    evidence.files[file + std::string(kBillSuffix)] = *bill;
    evidence.files[file + std::string(kIndexProvenanceSuffix)] =
        IndexProvenance(verified.provenance, verified.origin);
  }
  return evidence;
}

void WriteEvidence(Storage& storage, std::string_view folder, const ReleaseEvidence& evidence) {
  for (const auto& [name, text] : evidence.files) {
    const std::string key = std::string(folder) + name;
    if (storage.Read(key) == text) continue;
    storage.Write(key, text, {.content_type = "application/json", .cache_control = "no-cache"});
  }
}

}  // namespace wheelwright
