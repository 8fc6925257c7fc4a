// A project's page in somebody else's package index, as bytes: HTML (PEP 503, 592) or JSON (PEP
// 691, 700). https://packaging.python.org/specifications/simple-repository-api/
//
// Nothing of it is believed that can be compared: a file of another project, or one whose name no
// installer reads, is passed over.
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
};

struct RemotePage {
  std::vector<RemoteFile> files;
  std::string problem;  // why there is no page: "it is no JSON". No full stop.
};

// `content_type` is what the server says; `url` is that of the page, which relative links start at;
// `project` is normalised.
RemotePage ReadRemotePage(std::string_view body, std::string_view content_type,
                          std::string_view url, std::string_view project);

// The URL that a link on the page `base` leads to, without a fragment; "" where it is none of HTTP,
// or leads from HTTPS to HTTP.
std::string ResolveUrl(std::string_view base, std::string_view link);

}  // namespace wheelwright
