#include "runtime/wheels/provenance/bundle.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/quote.h"
#include "runtime/store/digest/digest.h"
#include "runtime/wheels/provenance/attestation.h"

namespace wheelwright {
namespace {

// Bundles of wheels have some 20 kB; a record of a hundred wheels has more.
constexpr std::size_t kMostBundle = 8 << 20;

// The value at a path of members and positions ("0"), or null.
const nlohmann::json& Below(const nlohmann::json& json,
                            std::initializer_list<std::string_view> path) {
  static const nlohmann::json kNothing;
  const nlohmann::json* at = &json;
  for (const std::string_view step : path) {
    if (at->is_array() && step == "0" && !at->empty()) {
      at = &at->front();
      continue;
    }
    if (!at->is_object()) return kNothing;
    const auto found = at->find(step);
    if (found == at->end()) return kNothing;
    at = &*found;
  }
  return *at;
}

std::string TextBelow(const nlohmann::json& json, std::initializer_list<std::string_view> path) {
  const nlohmann::json& found = Below(json, path);
  return found.is_string() ? found.get<std::string>() : std::string();
}

// Anybody can write a bundle: values that are nested too deep would overflow the stack when they
// are copied. Nothing for them, and for what is no JSON.
std::optional<nlohmann::json> ParseFlat(std::string_view text) {
  constexpr int kMostLevels = 64;
  bool deep = false;
  const auto look = [&](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    deep = deep || depth > kMostLevels;
    return !deep;
  };
  nlohmann::json json = nlohmann::json::parse(text, look, false);
  return deep || json.is_discarded() ? std::nullopt : std::optional(std::move(json));
}

// Replaces the payload by its only canonical text.
std::optional<nlohmann::json> PayloadOf(nlohmann::json& bundle, std::string& problem) {
  if (!bundle.is_object()) {
    problem = "it is no JSON object";
    return std::nullopt;
  }
  if (TextBelow(bundle, {"dsseEnvelope", "payloadType"}) != kPayloadType) {
    problem = "it has no signed statement (dsseEnvelope)";
    return std::nullopt;
  }
  const auto payload = DecodeBase64(TextBelow(bundle, {"dsseEnvelope", "payload"}));
  std::optional<nlohmann::json> statement = ParseFlat(payload.value_or(""));
  if (!statement || TextBelow(*statement, {"_type"}) != kStatementType) {
    problem = "what it signs is no in-toto statement of version 1";
    return std::nullopt;
  }
  bundle["dsseEnvelope"]["payload"] = Base64(*payload);
  return statement;
}

}  // namespace

std::string SignedStatement::SumOf(std::string_view name) const {
  const auto found =
      std::ranges::find_if(subjects, [&](const auto& one) { return one.first == name; });
  return found == subjects.end() ? std::string() : found->second;
}

std::string SignedStatement::BundleText() const { return DumpJson(bundle) + "\n"; }

std::optional<SignedStatement> ReadBundle(std::string_view text, std::string& problem) {
  if (text.size() > kMostBundle) {
    problem = "it is too large";
    return std::nullopt;
  }
  SignedStatement read{.bundle = ParseFlat(text).value_or(nullptr)};
  std::optional<nlohmann::json> statement = PayloadOf(read.bundle, problem);
  if (!statement) return std::nullopt;
  const nlohmann::json& subjects = Below(*statement, {"subject"});
  if (subjects.is_array()) {
    for (const nlohmann::json& one : subjects) {
      read.subjects.emplace_back(TextBelow(one, {"name"}), TextBelow(one, {"digest", "sha256"}));
    }
  }
  read.type = TextBelow(*statement, {"predicateType"});
  read.predicate = Below(*statement, {"predicate"});
  return read;
}

std::optional<StatedOrigin> OriginOf(const SignedStatement& provenance) {
  const nlohmann::json& definition = Below(provenance.predicate, {"buildDefinition"});
  const nlohmann::json& workflow = Below(definition, {"externalParameters", "workflow"});
  StatedOrigin origin{
      .signer = TextBelow(provenance.predicate, {"runDetails", "builder", "id"}),
      .repository = TextBelow(workflow, {"repository"}),
      .ref = TextBelow(workflow, {"ref"}),
      .commit = TextBelow(definition, {"resolvedDependencies", "0", "digest", "gitCommit"}),
      .event = TextBelow(definition, {"internalParameters", "github", "event_name"}),
      .workflow = TextBelow(workflow, {"path"}),
      .run = TextBelow(provenance.predicate, {"runDetails", "metadata", "invocationId"})};
  // "https://github.com/ROCm/TheRock".
  const std::size_t host = origin.repository.find("://");
  const std::size_t path = host == std::string::npos ? host : origin.repository.find('/', host + 3);
  origin.repository = path == std::string::npos ? "" : origin.repository.substr(path + 1);
  for (const std::string* one :
       {&origin.signer, &origin.repository, &origin.ref, &origin.commit, &origin.event}) {
    if (one->empty()) return std::nullopt;
  }
  return origin;
}

std::string IndexProvenance(const SignedStatement& provenance, const StatedOrigin& origin) {
  // Publishers are named by the file that the event started.
  const std::string workflow = origin.workflow.substr(origin.workflow.find_last_of('/') + 1);
  const nlohmann::json& bundle = provenance.bundle;
  const Json attestation{
      {"version", 1},
      {"verification_material",
       {{"certificate", TextBelow(bundle, {"verificationMaterial", "certificate", "rawBytes"})},
        {"transparency_entries", Below(bundle, {"verificationMaterial", "tlogEntries"})}}},
      {"envelope",
       {{"statement", TextBelow(bundle, {"dsseEnvelope", "payload"})},
        {"signature", TextBelow(bundle, {"dsseEnvelope", "signatures", "0", "sig"})}}}};
  const Json object{
      {"version", 1},
      {"attestation_bundles", Json::array({{{"publisher",
                                             {{"kind", "GitHub"},
                                              {"claims", nullptr},
                                              {"repository", origin.repository},
                                              {"workflow", workflow},
                                              {"environment", nullptr}}},
                                            {"attestations", Json::array({attestation})}}})}};
  return DumpJson(object) + "\n";
}

}  // namespace wheelwright
