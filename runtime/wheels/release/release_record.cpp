#include "runtime/wheels/release/release_record.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/quote.h"
#include "runtime/store/digest/digest.h"
#include "runtime/wheels/index/index_writer.h"
#include "runtime/wheels/provenance/attestation.h"
#include "runtime/wheels/provenance/bundle.h"

namespace wheelwright {
namespace {

using Record = nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr std::size_t kRecordReaders = 16;

// A file as the store has it, with the bundles beside it.
struct RecordedFile {
  Record row;
  Record build;  // what the signed record says of the build; null: it is not signed
};

RecordedFile ReadRecordedFile(Storage& storage, const ReleaseFile& file) {
  RecordedFile read{.row = {{"file", file.file},
                            {"project", file.distribution.project},
                            {"version", file.distribution.version.ToString()},
                            {"size", file.size}}};
  if (const auto object = storage.Head(file.key); object && !object->sha256.empty()) {
    read.row["sha256"] = object->sha256;
  }
  for (const std::string_view suffix : {kProvenanceBundleSuffix, kRecordBundleSuffix}) {
    const auto text = storage.Read(file.key + std::string(suffix));
    if (!text) continue;
    read.row["attestations"].push_back(
        {{"file", file.file + std::string(suffix)}, {"sha256", Sha256Of(*text)}});
    std::string problem;
    const auto statement = ReadBundle(*text, problem);
    if (!statement || statement->type != kRecordType) continue;
    for (const char* name : {"builder", "run", "projects", "tests"}) {
      if (statement->predicate.contains(name)) read.build[name] = statement->predicate[name];
    }
  }
  return read;
}

// The part of one platform.
Record PartOf(const ReleaseSet& set, const ReleaseCheck& check,
              const std::vector<RecordedFile>& files, std::string_view platform,
              const Record& author) {
  Record part{{"recorded", author}, {"files", Record::array()}, {"builds", Record::object()}};
  for (std::size_t i = 0; i < set.members.size(); ++i) {
    const ReleaseMember& member = set.members[i];
    if (!member.platform.empty() && member.platform != platform) continue;
    for (const std::size_t at : check.of_member[i]) {
      Record row = files[at].row;
      if (!member.combo.empty()) {
        row["combo"] = member.combo;
        if (!files[at].build.is_null()) part["builds"][member.combo] = files[at].build;
      }
      part["files"].push_back(std::move(row));
    }
  }
  return part;
}

Record ReadRecord(Storage& storage, const std::string& key) {
  const auto text = storage.Read(key);
  if (!text) return Record::object();
  Record record = Record::parse(*text, nullptr, false);
  const auto format = record.is_object() ? record.find("format") : record.end();
  const bool known = record.is_object() && format != record.end() && *format == kFormat &&
                     record.contains("platforms") && record["platforms"].is_object();
  if (known) return record;
  throw StorageError(
      StorageError::Kind::kDamaged,
      fmt::format("{} is no record that this program understands: a newer wheelrun may have "
                  "written it; use that, or remove the file",
                  storage.NameOf(key)));
}

// "" for anything else than a text: the store may have been changed by others.
std::string TextOf(const Record& object, std::string_view name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  return object.is_object() && found != object.end() && found->is_string()
             ? found->get<std::string>()
             : std::string();
}

const Record& MemberOf(const Record& object, std::string_view name) {
  static const Record kNothing = Record::object();
  const auto found = object.is_object() ? object.find(name) : object.end();
  return object.is_object() && found != object.end() && found->is_object() ? *found : kNothing;
}

std::string TestsOf(const Record& build) {
  std::string text;
  for (const auto& [name, result] : MemberOf(build, "tests").items()) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", name,
                        TextOf(MemberOf(build, "tests"), name));
  }
  return text;
}

}  // namespace

std::string ReleaseRecordKey(std::string_view folder, const PackageVersion& rocm) {
  return fmt::format("{}release-{}.json", folder, rocm.ToString());
}

nlohmann::ordered_json RecordRelease(Storage& storage, std::string_view folder,
                                     const ReleaseSet& set, const ReleaseCheck& check,
                                     const Host& host) {
  const std::string key = ReleaseRecordKey(folder, set.rocm);
  std::vector<RecordedFile> files(check.files.size());
  ParallelFor(files.size(), kRecordReaders,
              [&](std::size_t i) { files[i] = ReadRecordedFile(storage, check.files[i]); });
  Record author{{"at", TimeText(host.now())}};
  if (const std::string actor = host.Variable("GITHUB_TRIGGERING_ACTOR"); !actor.empty()) {
    author["by"] = actor;
  }
  if (const std::string run = RunUrl(host); !run.empty()) author["run"] = run;
  for (Retry retry(kConflictRetries, host.sleep);;) {
    const std::optional<ObjectInfo> before = storage.Head(key);
    Record record = ReadRecord(storage, key);
    Record parts = record.value("platforms", Record::object());
    for (const std::string& platform : set.platforms) {
      parts[platform] = PartOf(set, check, files, platform, author);
    }
    record = {{"format", kFormat},
              {"family", set.family},
              {"release_type", set.release_type},
              {"rocm_version", set.rocm.ToString()},
              {"platforms", std::move(parts)}};
    PutOptions put{.content_type = "application/json", .cache_control = "no-cache"};
    put.if_absent = !before;
    if (before) put.if_version = before->version;
    try {
      storage.Write(key, JsonText(record), put);
      return record;
    } catch (const StorageError& error) {
      if (error.kind() != StorageError::Kind::kConflict || !retry.Again()) throw;
    }
  }
}

std::string RecordSummary(const nlohmann::ordered_json& record) {
  std::string out =
      "| Platform | Build | Commit of torch | Tests | Files |\n| --- | --- | --- | --- | ---: |\n";
  for (const auto& [platform, part] : MemberOf(record, "platforms").items()) {
    std::map<std::string, std::size_t> files;
    for (const Record& row : part["files"]) ++files[TextOf(row, "combo")];
    for (const auto& [combo, build] : MemberOf(part, "builds").items()) {
      const std::string commit = TextOf(MemberOf(MemberOf(build, "projects"), "torch"), "commit");
      const std::string run = TextOf(build, "run"), name = EscapeMarkdown(combo);
      out += fmt::format("| {} | {} | {} | {} | {} |\n", EscapeMarkdown(platform),
                         run.empty() ? name : fmt::format("[{}]({})", name, run),
                         EscapeMarkdown(commit.substr(0, 10)), EscapeMarkdown(TestsOf(build)),
                         files[combo]);
    }
  }
  return out + "\n";
}

}  // namespace wheelwright
