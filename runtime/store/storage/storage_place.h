// Which store: a bucket, or a folder.
#pragma once

#include <cstddef>
#include <string>

namespace wheelwright {

// Exactly one of bucket and folder is set.
struct StoragePlace {
  std::string bucket;
  std::string folder;
  std::string endpoint;  // of another server than AWS; "": the one of the region
  std::string region;    // where the bucket is, unless the environment says; may be ""
  // Without credentials, ask as the public does, instead of failing.
  bool anonymous = false;
  // Of requests that are under way at once.
  std::size_t connections = 32;
};

}  // namespace wheelwright
