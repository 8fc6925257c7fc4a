// A store and a folder in it.
#pragma once

#include <cstddef>
#include <string>

namespace wheelwright {

struct StoragePlace {
  // At most one of bucket and folder is set; neither if the matrix does not name the bucket yet.
  std::string bucket;
  std::string folder;
  std::string prefix;    // of the keys: a folder in the store; empty, or ends with a slash
  std::string url;       // of that folder for installers, if the matrix names one
  std::string endpoint;  // a server other than AWS; "": that of the region
  std::string region;    // where the bucket is, unless the environment says; may be ""
  // Without credentials, send unsigned requests instead of failing.
  bool anonymous = false;
  // The maximum number of concurrent requests.
  std::size_t connections = 32;
};

}  // namespace wheelwright
