#include "runtime/store/open_storage.h"

#include <fmt/format.h>

#include "base/quote.h"
#include "runtime/store/http/http_client.h"
#include "runtime/store/s3/s3_storage.h"
#include "runtime/store/storage/folder_storage.h"

namespace wheelwright {
namespace {

// The default outside of a job.
constexpr std::string_view kUsualFolder = "store";

// Hides a possible user name and password, even in a text that is no URL.
std::string WithoutName(const std::string& endpoint) {
  const std::size_t at = endpoint.rfind('@');
  if (at == std::string::npos) return endpoint;
  const std::size_t scheme = endpoint.find("://");
  return (scheme < at ? endpoint.substr(0, scheme + 3) : "") + "***" + endpoint.substr(at);
}

}  // namespace

std::vector<OptionSpec> StorageOptions() {
  return {{.name = "bucket", .argument = "NAME", .help = "The S3 bucket"},
          {.name = "output-dir",
           .argument = "DIR",
           .help = "A folder instead of a bucket (default, outside of a job: store)"},
          {.name = "endpoint-url",
           .argument = "URL",
           .help = "An S3-compatible server to use instead of AWS (default: the variable "
                   "AWS_ENDPOINT_URL)"}};
}

std::vector<OptionSpec> WithStorage(std::vector<OptionSpec> own) {
  return Joined(std::move(own), StorageOptions());
}

std::optional<StoragePlace> TakeStoragePlace(const Arguments& arguments, Host& host,
                                             Diagnostics& diagnostics, const StorageRule& rule) {
  StoragePlace place{.bucket = std::string(arguments.Get("bucket"))};
  std::string folder(arguments.Get(rule.folder_option));
  if (!place.bucket.empty() && !folder.empty()) {
    diagnostics.Report(
        {.code = "two-places",
         .message = fmt::format("'--bucket' and '--{}' are two places", rule.folder_option),
         .hint = "name one of them"});
    return std::nullopt;
  }
  if (rule.required && place.bucket.empty() && folder.empty()) {
    if (host.in_actions()) {
      diagnostics.Report({.code = "no-place",
                          .message = "no bucket or folder was given",
                          .hint = "name a bucket, --bucket NAME, or a folder, --output-dir DIR"});
      return std::nullopt;
    }
    folder = kUsualFolder;
  }
  if (!folder.empty()) {
    place.folder = AbsolutePath(folder, host);
    return place;
  }
  if (place.bucket.find_first_of("/ :?#%") != std::string::npos) {
    diagnostics.Report(
        {.code = "bucket-name",
         .message = fmt::format("{} is not a valid name of a bucket", Quoted(place.bucket)),
         .hint = "it takes the name alone, without s3:// and without a folder"});
    return std::nullopt;
  }
  place.endpoint = arguments.Get("endpoint-url");
  if (place.endpoint.empty()) place.endpoint = host.Variable("AWS_ENDPOINT_URL_S3");
  if (place.endpoint.empty()) place.endpoint = host.Variable("AWS_ENDPOINT_URL");
  while (place.endpoint.ends_with('/')) place.endpoint.pop_back();
  HttpUrl url;
  if (!place.endpoint.empty() &&
      (!ReadHttpUrl(place.endpoint, url) || !url.query.empty() || !url.user_info.empty())) {
    diagnostics.Report(
        {.code = "endpoint-url",
         .message = fmt::format("{} is no URL of a server", Quoted(WithoutName(place.endpoint))),
         .hint = "such as http://localhost:9000, without a name, a password and a query"});
    return std::nullopt;
  }
  return place;
}

std::unique_ptr<Storage> OpenStorage(const StoragePlace& place, Host& host) {
  if (!place.folder.empty()) return OpenFolder(place.folder);
  return OpenBucket(place, {}, host);
}

}  // namespace wheelwright
