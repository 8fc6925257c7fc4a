// Whether exact versions can be installed from an index right now.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/environment/host.h"
#include "runtime/wheels/mirror/remote_index.h"
#include "runtime/wheels/version/python_version.h"
#include "runtime/wheels/version/version_specifier.h"

namespace wheelwright {

// A version, or with `file` that very file.
struct AwaitedPackage {
  std::string project;       // normalised
  VersionSpecifier version;  // with `exact`
  std::string file;          // "": any file of the version that fits
  std::string sha256;        // of the file, hexadecimal; "": not known

  std::string Text() const { return project + version.text; }  // "torch==2.10.0+rocm7.12.0"
};

// What was found of it.
struct Sighting {
  std::string file;  // that can be installed; "": none
  // Without a file, texts without full stop:
  std::string asked;      // the URLs of the pages
  std::string why;        // "no page lists the version"
  std::string had;        // "2.9.1+rocm7.12.0, 2.9.0 and 3 more"; "": nothing
  std::string_view next;  // what to do
};

// Asks each time anew, and asks caches on the way for a new answer too.
class VersionLookup {
 public:
  // `urls`: of indexes that may have the packages, or with `find_links` of pages of links.
  VersionLookup(Host& host, const std::vector<std::string>& urls, bool find_links,
                std::optional<PythonVersion> python, std::string platform);

  // A version is there if a page lists a wheel of it for the interpreter, or a source archive, that
  // is not yanked, and the server has the file as the page describes it: see RemoteIndex::Probe().
  // Without an interpreter any wheel will do. Does not retry.
  Sighting Look(const AwaitedPackage& package);

 private:
  struct Seen;
  void Read(RemoteIndex& index, const AwaitedPackage& package, Seen& seen);
  bool Fits(const AwaitedPackage& package, const RemoteFile& file) const;

  std::deque<RemoteIndex> indexes_;
  std::optional<PythonVersion> python_;
  std::string platform_;
};

}  // namespace wheelwright
