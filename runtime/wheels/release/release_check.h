// Compares the files of a release with the set that the matrix declares.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/store/storage/storage.h"
#include "runtime/wheels/release/release_set.h"

namespace wheelwright {

struct ReleaseFinding {
  enum class Kind : std::uint8_t {
    kMissing,      // a member has no file
    kUnexpected,   // a file is no member
    kPlatform,     // a file for another platform
    kVersion,      // a file with another version, or without ROCm's label
    kPartial,      // a combo that was left out is there in part
    kRequirement,  // a member needs what is not in the set
    kExtra,        // a member asks for an extra that nothing provides
    kMetadata,     // a wheel without readable metadata
    kDependency,   // a warning: the index of dependencies does not have it
  };

  Kind kind = Kind::kMissing;
  std::string subject;  // the file, or the title of the member
  std::string message;  // "torch 2.10 ... is missing". No full stop.

  bool error() const { return kind != Kind::kDependency; }
};
std::string_view NameOf(ReleaseFinding::Kind kind);  // "missing"

struct ReleaseFile {
  std::string key;
  std::string file;
  std::uint64_t size = 0;
  Distribution distribution;
  std::string metadata;  // of wheels
  bool yanked = false;
};

struct ReleaseCheck {
  // The files of each member, as indexes of `files`; parallel to the members of the set. Usually
  // one.
  std::vector<std::vector<std::size_t>> of_member;
  std::vector<ReleaseFile> files;  // of this version of ROCm
  std::vector<ReleaseFinding> findings;

  bool whole() const;
};

// `folders` end with a slash; a file counts in the first that has it. Only files in the first
// folder can be unexpected. `dependencies`: the folder of third-party packages, "": none. Yanked
// files count as missing. Throws StorageError.
ReleaseCheck CheckRelease(Storage& storage, const std::vector<std::string>& folders,
                          std::string_view dependencies, const ReleaseSet& set);

// The versions of ROCm that have an archive `rocm` in the folders which is not yanked, each once,
// the newest last. Throws StorageError.
std::vector<PackageVersion> ListReleases(Storage& storage, const std::vector<std::string>& folders);

}  // namespace wheelwright
