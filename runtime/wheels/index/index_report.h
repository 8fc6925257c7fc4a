// The log lines about an index that was written.
#pragma once

#include <string_view>

#include "runtime/host/environment/host.h"
#include "runtime/wheels/index/index_writer.h"

namespace wheelwright {

// Logs the result, with warnings for files on no page. With `dry_run`, logs what would be written.
void ReportIndex(const IndexResult& result, const Storage& storage, std::string_view prefix,
                 bool dry_run, Host& host);

}  // namespace wheelwright
