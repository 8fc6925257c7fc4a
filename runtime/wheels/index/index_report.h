// The log lines about an index that was written.
#pragma once

#include <string_view>

#include "runtime/host/environment/host.h"
#include "runtime/wheels/index/index_writer.h"

namespace wheelwright {

// To the log, with warnings for files that are on no page; with `dry_run`, what would be written.
void ReportIndex(const IndexResult& result, const Storage& storage, std::string_view prefix,
                 bool dry_run, Host& host);

}  // namespace wheelwright
