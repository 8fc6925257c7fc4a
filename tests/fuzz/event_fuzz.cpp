// Reading any event payload ends, with an event or with a report.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/host/event/event_file.h"
#include "tests/fuzz/fuzzer.h"

namespace wheelwright {
namespace {

const Fuzzer kEvent("event", [](const std::uint8_t* data, std::size_t size) {
  const std::string_view payload(reinterpret_cast<const char*>(data), size);
  for (const char* event : {"pull_request", "push", "workflow_dispatch", "merge_group"}) {
    Diagnostics diagnostics;
    const auto read =
        ReadJobEvent(payload, "event.json", {{"GITHUB_EVENT_NAME", event}}, diagnostics);
    Require(read.has_value() == diagnostics.empty(), "neither read nor refused");
  }
});

}  // namespace
}  // namespace wheelwright
