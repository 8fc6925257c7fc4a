// A place in a store: which store, and which folder of it.
#pragma once

#include <cstddef>
#include <string>

namespace wheelwright {

struct StoragePlace {
  // Of bucket and folder at most one is set; neither where the matrix has yet to name the bucket.
  std::string bucket;
  std::string folder;
  std::string prefix;    // of the keys: a folder in the store; empty, or ends with a slash
  std::string endpoint;  // of another server than AWS; "": the one of the region
  std::string region;    // where the bucket is, unless the environment says; may be ""
  // Without credentials, ask as the public does, instead of failing.
  bool anonymous = false;
  // Of requests that are under way at once.
  std::size_t connections = 32;
};

}  // namespace wheelwright
