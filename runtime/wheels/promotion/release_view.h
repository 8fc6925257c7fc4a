// What installers find in a release, to tell before a promotion whether they could install its
// wheels.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/store/storage/storage.h"
#include "runtime/wheels/index/distribution.h"
#include "runtime/wheels/version/requirement.h"

namespace wheelwright {

// Requirements that no file meets: "rocm[libraries]==7.12.0: for Python 3.12 there is rocm 7.11.0".
struct UnmetRequirements {
  std::vector<std::string> own;     // of projects that the release has to have
  std::vector<std::string> others;  // which an index elsewhere may have
};

class ReleaseView {
 public:
  // Lists the folders of the release and of its dependencies ("": none), which end with a slash.
  // Without a release there is only what Add() adds.
  // `own`: patterns of the names of own projects, `*` for any text. Throws StorageError.
  ReleaseView(Storage& storage, std::string_view release, std::string_view dependencies,
              std::vector<std::string> own, bool windows);

  // A file that is about to be promoted.
  void Add(std::string_view file);

  // Compares the METADATA of a wheel with the files, for each Python that its tags name. Of the
  // wheel's own extras only the given ones count. Requirements and markers that cannot be read do
  // not. A yanked file counts only for its exact version.
  UnmetRequirements UnmetBy(std::string_view file, std::string_view metadata,
                            const std::vector<std::string>& extras = {}) const;

 private:
  struct File {
    std::string name;
    Distribution distribution;
    bool yanked = false;
  };

  // Why no file meets the requirement, or "".
  std::string Lacks(const Requirement& wanted, std::string_view project,
                    const MarkerEnvironment& environment) const;
  void List(Storage& storage, std::string_view folder);

  std::map<std::string, std::vector<File>, std::less<>> projects_;
  std::vector<std::string> own_;
  bool has_dependencies_ = false;
  bool windows_ = false;  // the platform of the wheels that are promoted
};

}  // namespace wheelwright
