// Which folder of which store `index` and `index yank` work on.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "cli/command.h"
#include "runtime/host/environment/host.h"
#include "runtime/store/storage/storage.h"

namespace wheelwright {

struct IndexPlace {
  std::unique_ptr<Storage> storage;
  std::string prefix;  // empty, or ends with a slash
};

// The options that say it: `own`, then --family, --prefix and those of the store.
std::vector<OptionSpec> WithIndexPlace(std::vector<OptionSpec> own);

// What they say. `folder` is a folder on this machine that takes the place of all of them; "":
// none was named. Reports what is missing, unknown or not there.
std::optional<IndexPlace> TakeIndexPlace(const Arguments& arguments, std::string_view command,
                                         std::string_view folder, Host& host,
                                         Diagnostics& diagnostics);

}  // namespace wheelwright
