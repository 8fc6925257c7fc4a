// Which store a command works on: what its options say, and the job's environment.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "cli/command.h"
#include "runtime/host/environment/host.h"
#include "runtime/store/storage/storage.h"
#include "runtime/store/storage/storage_place.h"

namespace wheelwright {

// --bucket, --output-dir and --endpoint-url.
std::vector<OptionSpec> StorageOptions();
// `own` and those.
std::vector<OptionSpec> WithStorage(std::vector<OptionSpec> own);

// Which option names a folder, and whether a store has to be named.
struct StorageRule {
  std::string_view folder_option = "output-dir";
  bool required = true;
};
// What the options say. Where one is required and none is named, it is the folder `store` on a
// laptop, and an error in a job. Reports and gives nothing when both are named or the endpoint is
// no URL.
std::optional<StoragePlace> TakeStoragePlace(const Arguments& arguments, Host& host,
                                             Diagnostics& diagnostics,
                                             const StorageRule& rule = {});

// Nothing is asked of a server yet: what is wrong with credentials is said by the first request.
// Region, endpoint and credentials are taken from the variables that the tools of AWS read:
// docs/storage.md lists them. The host is borrowed for the store's life.
std::unique_ptr<Storage> OpenStorage(const StoragePlace& place, Host& host);

}  // namespace wheelwright
