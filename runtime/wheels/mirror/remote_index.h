// A client of a package index over HTTP.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/host/environment/host.h"
#include "runtime/store/http/http_client.h"
#include "runtime/wheels/mirror/remote_page.h"

namespace wheelwright {

// Safe to use from several threads. Retries transient errors; follows redirections, but never from
// HTTPS to HTTP.
class RemoteIndex {
 public:
  RemoteIndex(Host& host, std::string url);

  // The files of a project. `project` is normalised. Nothing when there is none; `problem` says
  // why.
  std::optional<RemotePage> Read(std::string_view project, std::string& problem);

  // Downloads a file to `path` and checks its size and SHA-256 against the page. Returns "", or the
  // problem; then no file is left.
  std::string Download(const RemoteFile& file, const std::string& path);

 private:
  HttpAnswer Get(HttpRequest request, const RetryPolicy& policy, std::string& url);
  std::string DownloadOnce(const RemoteFile& file, const std::string& path, bool& again);

  Host& host_;
  HttpClient http_;
  std::string url_;  // without a slash at its end
};

}  // namespace wheelwright
