// What is attested of wheels: in-toto statements with SLSA's provenance, and with the record of the
// build, a predicate of our own.
//
// https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md,
// https://slsa.dev/spec/v1.0/provenance,
// https://slsa-framework.github.io/github-actions-buildtypes/workflow/v1,
// docs/build-record.schema.json
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "runtime/host/environment/host.h"

namespace wheelwright {

inline constexpr std::string_view kPayloadType = "application/vnd.in-toto+json";
inline constexpr std::string_view kStatementType = "https://in-toto.io/Statement/v1";
inline constexpr std::string_view kProvenanceType = "https://slsa.dev/provenance/v1";
inline constexpr std::string_view kRecordType =
    "https://github.com/ROCm/wheelwright/build-record/v1";

// The run of a job, from the runner's variables.
struct AttestedRun {
  std::string server;         // "https://github.com"
  std::string repository;     // "ROCm/TheRock"
  std::string repository_id;  // a number, which no rename changes
  std::string owner_id;
  std::string ref;       // "refs/heads/main"
  std::string commit;    // of the repository
  std::string workflow;  // the file that the event started: ".github/workflows/release.yml"
  std::string event;     // "schedule"
  std::string run;       // "https://github.com/ROCm/TheRock/actions/runs/1/attempts/1"
  std::string runner;    // "github-hosted"
  nlohmann::ordered_json inputs;  // of a manual start; else empty
  std::string builder;            // the workflow that signs, as its certificate names it
};

// Reads the variables GITHUB_* and the payload of the event. `signer` is the path of the file with
// the job that signs, in the same repository and at the same ref. Reports missing variables.
AttestedRun ReadAttestedRun(const Host& host, std::string_view signer, Diagnostics& diagnostics);

// A project that wheels were built from.
struct AttestedSource {
  std::string project;     // "torch"
  std::string repository;  // "https://github.com/ROCm/pytorch"
  std::string commit;
  std::string branch;  // "": not known
};

struct AttestedWheel {
  std::string file;
  std::string project;
  std::string version;
  std::string sha256;
  std::uint64_t size = 0;
  std::vector<std::string> targets;  // of the GPUs for which code was found inside
  std::string bill_sha256;           // of the bill of materials
};

// The facts of a build that no run knows. All may be empty.
struct AttestedBuild {
  std::string rocm;                                           // "7.12.0a20260219"
  std::string compiler;                                       // of the canaries
  std::vector<std::pair<std::string, std::size_t>> canaries;  // status, number: "pass", 140
  std::vector<std::pair<std::string, std::string>> tests;     // name of the job, result
};

nlohmann::ordered_json ProvenancePredicate(const AttestedRun& run,
                                           const std::vector<AttestedSource>& sources);

nlohmann::ordered_json RecordPredicate(const AttestedRun& run,
                                       const std::vector<AttestedSource>& sources,
                                       const std::vector<AttestedWheel>& wheels,
                                       const AttestedBuild& build);

nlohmann::ordered_json Statement(const std::vector<AttestedWheel>& wheels, std::string_view type,
                                 const nlohmann::ordered_json& predicate);

// Indented, with a line feed at the end. Invalid UTF-8 is replaced.
std::string JsonText(const nlohmann::ordered_json& json);

}  // namespace wheelwright
