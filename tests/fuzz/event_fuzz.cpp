// Reading any event payload ends, with an event or with a report.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/host/event/event_file.h"
#include "tests/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wheelwright;  // NOLINT(google-build-using-namespace): of a test alone
  const std::string_view payload(reinterpret_cast<const char*>(data), size);
  for (const char* event : {"pull_request", "push", "workflow_dispatch", "merge_group"}) {
    Diagnostics diagnostics;
    const auto read =
        ReadJobEvent(payload, "event.json", {{"GITHUB_EVENT_NAME", event}}, diagnostics);
    Require(read.has_value() == diagnostics.empty(), "neither read nor refused");
  }
  return 0;
}
