// Somebody else's package index, over HTTP.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/host/environment/host.h"
#include "runtime/store/http/http_client.h"
#include "runtime/wheels/mirror/remote_page.h"

namespace wheelwright {

// Safe to use from several threads. What a server or the network does not do the first time is
// tried again, with growing waits; redirections are followed, but never from HTTPS to HTTP.
class RemoteIndex {
 public:
  RemoteIndex(Host& host, std::string url);

  // The files of a project. `project` is normalised. Nothing when there is none; `problem` says
  // why.
  std::optional<RemotePage> Read(std::string_view project, std::string& problem);

  // Puts the file at `path`, if its size and SHA-256 are what the page said. "" or why not; then
  // nothing is left there.
  std::string Download(const RemoteFile& file, const std::string& path);

 private:
  HttpAnswer Get(HttpRequest request, const RetryPolicy& policy, std::string& url);
  std::string DownloadOnce(const RemoteFile& file, const std::string& path, bool& again);

  Host& host_;
  HttpClient http_;
  std::string url_;  // without a slash at its end
};

}  // namespace wheelwright
