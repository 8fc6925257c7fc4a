// Reads a project's page of a foreign package index: HTML (PEP 503, 592, 658) or JSON (PEP 691,
// 700). https://packaging.python.org/specifications/simple-repository-api/
//
// Skips files of other projects and files with names that installers ignore.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/wheels/version/package_version.h"

namespace wheelwright {

struct RemoteFile {
  std::string file;  // no path: "numpy-2.3.5-cp312-cp312-win_amd64.whl"
  PackageVersion version;
  bool wheel = false;           // else a source archive
  std::string url;              // absolute, without its fragment
  std::string sha256;           // 64 hexadecimal digits in lower case; "": the page does not say it
  std::uint64_t size = 0;       // in bytes; 0: the page does not say it
  std::string requires_python;  // "": not said
  std::string upload_time;      // "2025-11-24T10:00:00Z"; "": not said
  std::optional<std::string> yanked;  // the reason, which may be empty
  std::string metadata_sha256 = {};   // of the metadata beside it; "": the page names none
};

struct RemotePage {
  std::vector<RemoteFile> files;
  std::string problem;  // why there is no page: "it is no JSON". No full stop.
};

// `content_type` is the server's header; `url` is the page's own, the base of relative links;
// `project` is normalised.
RemotePage ReadRemotePage(std::string_view body, std::string_view content_type,
                          std::string_view url, std::string_view project);

// The absolute URL of a link on the page `base`, without fragment; "" if it is not HTTP or leads
// from HTTPS to HTTP.
std::string ResolveUrl(std::string_view base, std::string_view link);

}  // namespace wheelwright
