#include "runtime/wheels/promotion/wheel_promotion.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/parallel.h"
#include "base/quote.h"
#include "runtime/store/digest/digest.h"
#include "runtime/wheels/index/index_files.h"
#include "runtime/wheels/index/stored_wheel.h"

namespace wheelwright {
namespace {

constexpr std::size_t kWheelsAtOnce = 8;

class Promotion {
 public:
  Promotion(Storage& storage, std::string_view staging, std::string_view release,
            std::string_view manifest_sha256)
      : storage_(storage),
        staging_(staging),
        release_(release),
        manifest_sha256_(manifest_sha256) {}

  // A wheel to promote, with its objects in the store.
  struct Candidate {
    PromotedWheel wheel;
    ObjectInfo staged;
    std::string metadata;
    std::string manifest;
    std::string problem;
  };

  Candidate Look(const TestedWheel& tested) const {
    Candidate found = LookAtWheel(tested);
    if (found.problem.empty() && !manifest_sha256_.empty()) ReadManifest(found);
    return found;
  }

  // Copies the wheel. Returns the problem, or "".
  std::string Place(Candidate& candidate) const {
    PromotedWheel& wheel = candidate.wheel;
    const std::string to = release_ + wheel.file;
    PlaceMetadata(candidate);
    PlaceManifest(candidate);
    if (wheel.state == PromotedWheel::State::kThere) return {};
    try {
      storage_.Copy(candidate.staged, to,
                    {.content_type = candidate.staged.content_type,
                     .cache_control = candidate.staged.cache_control,
                     .metadata = candidate.staged.metadata,
                     .if_absent = true});
    } catch (const StorageError& error) {
      // Another promotion of the same wheel may have been faster; the check below decides.
      if (error.kind() != StorageError::Kind::kConflict) throw;
    }
    const std::optional<ObjectInfo> there = storage_.Head(to);
    if (!there) {
      return fmt::format("{} changed after it was checked", storage_.NameOf(candidate.staged.key));
    }
    if (const std::string sum = SumOf(*there); sum != wheel.sha256) {
      return fmt::format("{} is not what was copied: its SHA-256 is {}, not {}",
                         storage_.NameOf(to), sum, wheel.sha256);
    }
    wheel.state = PromotedWheel::State::kCopied;
    return {};
  }

 private:
  Candidate LookAtWheel(const TestedWheel& tested) const {
    Candidate found{.wheel = {.file = tested.file, .sha256 = tested.sha256}};
    const std::string to = release_ + tested.file, from = staging_ + tested.file;
    if (const std::optional<ObjectInfo> there = storage_.Head(to)) {
      const std::string sum = SumOf(*there);
      if (sum != tested.sha256) {
        found.problem =
            fmt::format("{} exists already with other content: its SHA-256 is {}, not {}",
                        storage_.NameOf(to), sum, tested.sha256);
        return found;
      }
      found.wheel.state = PromotedWheel::State::kThere;
      found.wheel.size = there->size;
      ReadMetadata(*there, found);
      return found;
    }
    std::optional<ObjectInfo> staged = storage_.Head(from);
    if (!staged) {
      found.problem = fmt::format("{} is not there any more", storage_.NameOf(from));
      return found;
    }
    // From the bytes, because the stored sum is only the uploader's claim.
    if (const std::string sum = SumOfBytes(*staged); sum != tested.sha256) {
      found.problem = fmt::format("{} is not what was tested: its SHA-256 is {}, and was {}",
                                  storage_.NameOf(from), sum, tested.sha256);
      return found;
    }
    found.staged = *std::move(staged);
    found.staged.sha256 = tested.sha256;
    found.wheel.size = found.staged.size;
    ReadMetadata(found.staged, found);
    return found;
  }

  // Reads the manifest beside the wheel; for a promoted wheel without one, the manifest in staging.
  void ReadManifest(Candidate& found) const {
    const std::string name = found.wheel.file + std::string(kManifestSuffix);
    std::optional<std::string> text;
    if (found.wheel.state == PromotedWheel::State::kThere) text = storage_.Read(release_ + name);
    if (!text) text = storage_.Read(staging_ + name);
    if (!text) {
      found.problem = fmt::format("{} is not there", storage_.NameOf(staging_ + name));
    } else if (const std::string sum = Sha256Of(*text); sum != manifest_sha256_) {
      found.problem = fmt::format("{} is not what was uploaded: its SHA-256 is {}, and was {}",
                                  storage_.NameOf(staging_ + name), sum, manifest_sha256_);
    } else {
      found.manifest = *std::move(text);
    }
  }

  void PlaceManifest(const Candidate& candidate) const {
    const std::string key = release_ + candidate.wheel.file + std::string(kManifestSuffix);
    if (candidate.manifest.empty() || storage_.Read(key) == candidate.manifest) return;
    storage_.Write(key, candidate.manifest, ManifestOptions());
  }

  void ReadMetadata(const ObjectInfo& object, Candidate& found) const {
    const StoredSource source(storage_, object.key, object.size);
    WheelMetadata metadata = ReadStoredMetadata(source, found.wheel.file);
    found.metadata = std::move(metadata.text);
    if (metadata.problem.empty()) return;
    found.problem =
        fmt::format("{} is no wheel to install: {}", storage_.NameOf(object.key), metadata.problem);
  }

  // Extracts the metadata from the wheel, because the file in staging may be of an older wheel.
  void PlaceMetadata(const Candidate& candidate) const {
    const std::string key = release_ + candidate.wheel.file + std::string(kMetadataSuffix);
    if (storage_.Read(key) == candidate.metadata) return;
    storage_.Write(key, candidate.metadata, MetadataOptions(candidate.wheel.sha256));
  }

  // The stored SHA-256, else computed from the bytes.
  std::string SumOf(const ObjectInfo& object) const {
    return object.sha256.empty() ? SumOfBytes(object) : object.sha256;
  }

  std::string SumOfBytes(const ObjectInfo& object) const {
    constexpr std::uint64_t kRange = 8 << 20;
    Digest digest(DigestKind::kSha256);
    for (std::uint64_t at = 0; at < object.size; at += kRange) {
      const std::optional<std::string> piece = storage_.ReadRange(object.key, at, kRange);
      if (!piece || piece->empty()) return "unknown, because it changed meanwhile";
      digest.Add(*piece);
    }
    const std::optional<ObjectInfo> after = storage_.Head(object.key);
    if (!after || after->version != object.version) return "unknown, because it changed meanwhile";
    return Hexadecimal(digest.Finish());
  }

  Storage& storage_;
  std::string staging_;
  std::string release_;
  std::string manifest_sha256_;  // "": manifests stay behind
};

}  // namespace

PromotionResult PromoteWheels(Storage& storage, std::string_view staging, std::string_view release,
                              const std::vector<TestedWheel>& wheels,
                              std::string_view manifest_sha256, ReleaseView* view, bool dry_run) {
  const Promotion promotion(storage, staging, release, manifest_sha256);
  std::vector<Promotion::Candidate> candidates(wheels.size());
  ParallelFor(wheels.size(), kWheelsAtOnce,
              [&](std::size_t i) { candidates[i] = promotion.Look(wheels[i]); });
  PromotionResult result;
  for (const Promotion::Candidate& candidate : candidates) {
    if (!candidate.problem.empty()) result.problems.push_back(candidate.problem);
  }
  if (view != nullptr) {
    for (const TestedWheel& wheel : wheels) view->Add(wheel.file);
    for (const Promotion::Candidate& candidate : candidates) {
      const std::string& file = candidate.wheel.file;
      const UnmetRequirements unmet = view->UnmetBy(file, candidate.metadata);
      const auto add = [&](const std::vector<std::string>& from, std::vector<std::string>& to) {
        for (const std::string& one : from) to.push_back(fmt::format("{} requires {}", file, one));
      };
      add(unmet.own, result.unmet);
      add(unmet.others, result.warnings);
    }
  }
  // In order, so that the release is installable at any moment.
  for (Promotion::Candidate& candidate : candidates) {
    if (result.good() && !dry_run) {
      std::string problem = promotion.Place(candidate);
      if (!problem.empty()) result.problems.push_back(std::move(problem));
    }
    result.wheels.push_back(std::move(candidate.wheel));
  }
  return result;
}

}  // namespace wheelwright
