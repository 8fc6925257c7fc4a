// A client of a package index over HTTP.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/host/environment/host.h"
#include "runtime/store/http/http_client.h"
#include "runtime/wheels/mirror/remote_page.h"

namespace wheelwright {

struct RemoteOptions {
  RetryPolicy retries{
      .tries = 4, .first = std::chrono::seconds(1), .longest = std::chrono::seconds(8)};
  bool fresh = false;       // asks caches to look for a newer answer
  bool find_links = false;  // the URL is one page with the files of all projects
};

// Safe to use from several threads. Retries transient errors; follows redirections, but never from
// HTTPS to HTTP.
class RemoteIndex {
 public:
  RemoteIndex(Host& host, std::string url, RemoteOptions options = {});

  // The page that Read() asks for.
  std::string PageOf(std::string_view project) const;
  // The files of a project. `project` is normalised. Nothing when there is none; `problem` says
  // why.
  std::optional<RemotePage> Read(std::string_view project, std::string& problem);

  // Whether a file is there: asks for its size and for the SHA-256 that servers state of it, and
  // reads the metadata beside it, as far as the page names them. Returns "", or the problem.
  // Downloads no file.
  std::string Probe(const RemoteFile& file);

  // Downloads a file to `path` and checks its size and SHA-256 against the page. Returns "", or the
  // problem; then no file is left.
  std::string Download(const RemoteFile& file, const std::string& path);

 private:
  HttpAnswer Get(HttpRequest request, const RetryPolicy& policy, std::string& url);
  std::string DownloadOnce(const RemoteFile& file, const std::string& path, bool& again);

  Host& host_;
  HttpClient http_;
  std::string url_;  // of an index without a slash at its end
  RemoteOptions options_;
};

}  // namespace wheelwright
