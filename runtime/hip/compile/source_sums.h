// Digests of files that compile results depend on, each computed once a run.
#pragma once

#include <map>
#include <mutex>
#include <string>

namespace wheelwright {

// Path, size and modification time of a file; "" when there is none. Cheaper than a digest.
std::string StampOf(const std::string& path);

// Safe to use from several threads.
class SourceSums {
 public:
  // "" when it cannot be read.
  std::string Of(const std::string& path);

 private:
  std::mutex mutex_;
  std::map<std::string, std::string, std::less<>> sums_;
};

}  // namespace wheelwright
