// Opens the store that a command's options and the job's environment name.
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
// `own`, then these.
std::vector<OptionSpec> WithStorage(std::vector<OptionSpec> own);

// The option that names a folder, and whether a store must be named.
struct StorageRule {
  std::string_view folder_option = "output-dir";
  bool required = true;
};
// Reads the options. When none is named although one is required: the folder `store` on a laptop,
// an error in a job. Reports an error and returns nothing when both are named or the endpoint is no
// URL.
std::optional<StoragePlace> TakeStoragePlace(const Arguments& arguments, Host& host,
                                             Diagnostics& diagnostics,
                                             const StorageRule& rule = {});

// Contacts no server yet: the first request reports wrong credentials. Takes region, endpoint and
// credentials from the variables of the AWS tools; docs/storage.md lists them. The store borrows
// the host.
std::unique_ptr<Storage> OpenStorage(const StoragePlace& place, Host& host);

}  // namespace wheelwright
