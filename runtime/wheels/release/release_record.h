// The record of a release: its files, what they were built from, how they were tested, who signed
// and who published them. One JSON object beside the files, docs/release-record.schema.json.
//
// It is made of the files in the store, so writing it again after a crash is safe. It proves
// nothing: the bundles that it names do (provenance/). Which files are yanked is not in it, because
// `yanked.json` says so.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "runtime/host/environment/host.h"
#include "runtime/store/storage/storage.h"
#include "runtime/wheels/release/release_check.h"

namespace wheelwright {

// "v2/gfx94X-dcgpu/release-7.12.0a20260219.json" for the folder "v2/gfx94X-dcgpu/".
std::string ReleaseRecordKey(std::string_view folder, const PackageVersion& rocm);

// Writes the record of a whole release, with this job as its author. Replaces the part of each
// platform of the set and keeps those of others, whose jobs may write at the same time. Returns
// the record. Throws StorageError, also for a record that only a newer program understands.
nlohmann::ordered_json RecordRelease(Storage& storage, std::string_view folder,
                                     const ReleaseSet& set, const ReleaseCheck& check,
                                     const Host& host);

// A table of the platforms' builds, in Markdown: combo, commits, tests, run.
std::string RecordSummary(const nlohmann::ordered_json& record);

}  // namespace wheelwright
