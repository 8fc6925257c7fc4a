// Credentials for S3 from the sources of AWS's own tools, in the same order.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/environment/host.h"
#include "runtime/store/http/http_client.h"
#include "runtime/store/s3/signature.h"

namespace wheelwright {

// The settings of the profile AWS_PROFILE, else `default`, in the files AWS_CONFIG_FILE
// (~/.aws/config) and AWS_SHARED_CREDENTIALS_FILE (~/.aws/credentials). The second file takes
// precedence. https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html
class AwsProfile {
 public:
  explicit AwsProfile(const Host& host);

  const std::string& name() const { return name_; }
  bool found() const { return found_; }
  // A setting, or "".
  std::string Get(std::string_view setting) const;

 private:
  void Read(const Host& host, const std::string& path, bool with_word);

  std::string name_;
  bool found_ = false;
  std::map<std::string, std::string, std::less<>> settings_;
};

// A source of credentials. Returns nothing if it does not apply; if it applies but fails, `problem`
// also says why, without any secret.
using CredentialSource = std::function<std::optional<Credentials>(std::string& problem)>;

struct NamedSource {
  std::string name;  // "the environment"
  CredentialSource look;
};

// The environment (AWS_ACCESS_KEY_ID), web identity (AWS_WEB_IDENTITY_TOKEN_FILE, which jobs with
// OIDC have), the profile, the container's service (AWS_CONTAINER_CREDENTIALS_*), and the machine's
// (version 2, with a token). They borrow their arguments.
std::vector<NamedSource> UsualSources(const Host& host, HttpClient& http);

// Takes credentials from the first source that applies, and renews them before they expire. Safe to
// use from several threads.
class CredentialChain {
 public:
  // `on_secret` gets each secret, to mask it in the log. With `anonymous`, credentials are empty
  // when no source applies.
  CredentialChain(const Host& host, std::vector<NamedSource> sources, bool anonymous,
                  std::function<void(std::string_view)> on_secret);

  // Throws StorageError (kDenied), which names the sources.
  Credentials Get();
  // Replaces credentials that the server refused, unless another thread has done so. False when
  // there are no others.
  bool Renew(const Credentials& refused);

 private:
  std::optional<Credentials> Look(std::string& problems) const;

  const Host& host_;
  std::vector<NamedSource> sources_;
  bool anonymous_;
  std::function<void(std::string_view)> on_secret_;
  std::mutex mutex_;
  std::optional<Credentials> current_;
};

// Reads "2026-11-21T10:00:00Z". Nothing for other text.
std::optional<std::chrono::system_clock::time_point> ReadUtcTime(std::string_view text);

}  // namespace wheelwright
