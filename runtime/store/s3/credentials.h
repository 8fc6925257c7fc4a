// Credentials for S3: where they come from, in the order in which AWS's own tools look.
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

// Settings of a profile in ~/.aws/config and ~/.aws/credentials, or where AWS_CONFIG_FILE and
// AWS_SHARED_CREDENTIALS_FILE point. AWS_PROFILE names it, else it is `default`. The second file's
// settings win.
// https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html
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

// One place to look. Gives nothing where it does not apply; then `problem` stays empty. Where it
// applies and fails, `problem` says why, without any secret.
using CredentialSource = std::function<std::optional<Credentials>(std::string& problem)>;

struct NamedSource {
  std::string name;  // "the environment"
  CredentialSource look;
};

// The environment (AWS_ACCESS_KEY_ID), web identity (AWS_WEB_IDENTITY_TOKEN_FILE, which jobs with
// OIDC have), the profile, the container's service (AWS_CONTAINER_CREDENTIALS_*), and the machine's
// (version 2, with a token). All borrow their arguments.
std::vector<NamedSource> UsualSources(const Host& host, HttpClient& http);

// Asks the sources, the first that applies, and again before what it gave expires. Safe to use from
// several threads.
class CredentialChain {
 public:
  // `on_secret` gets each secret, which must be kept out of the log. With `anonymous`, there are
  // empty credentials where no source applies.
  CredentialChain(const Host& host, std::vector<NamedSource> sources, bool anonymous,
                  std::function<void(std::string_view)> on_secret);

  // Throws StorageError (kDenied), which says where was looked.
  Credentials Get();
  // The server does not take them any more. Does nothing when others were fetched meanwhile. False:
  // there are no others to be had.
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

// "2026-11-21T10:00:00Z" of services. Nothing for other texts.
std::optional<std::chrono::system_clock::time_point> ReadUtcTime(std::string_view text);

}  // namespace wheelwright
