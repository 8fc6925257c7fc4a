// Any bytes are checked as a wheel: no read is out of bounds, no entry yields more than it
// declares, and readable entries are at their declared positions and do not overlap.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/wheels/wheel/wheel_check.h"
#include "runtime/wheels/wheel/wheel_report.h"
#include "runtime/wheels/zip/zip_stream.h"
#include "tests/fuzz/fuzzer.h"

namespace wheelwright {
namespace {

void CheckEntries(const ByteSource& source) {
  std::vector<ZipFault> faults;
  const auto archive = ReadZip(source, faults);
  if (!archive) {
    Require(!faults.empty(), "refused without a word");
    return;
  }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  ZipStream stream;
  for (const ZipEntry& entry : archive->entries) {
    if (!entry.readable) {
      Require(!faults.empty(), "an entry is not readable, and nobody says why");
      continue;
    }
    Require(entry.data <= source.size() && entry.packed <= source.size() - entry.data,
            "an entry lies outside of the archive");
    Require(UnsafeNameProblem(entry.name).empty(), "an unsafe name is called readable");
    ranges.emplace_back(entry.header, entry.data + entry.packed);
    std::uint64_t given = 0;
    stream.Start(source, entry);
    for (auto piece = stream.Next(); !piece.empty(); piece = stream.Next()) {
      given += piece.size();
      Require(given <= entry.size, "an entry gives more than it declares");
    }
    Require(!stream.problem().empty() || given == entry.size, "an entry gives less, in silence");
  }
  std::sort(ranges.begin(), ranges.end());
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    Require(ranges[i - 1].second <= ranges[i].first, "readable entries overlap");
  }
}

const Fuzzer kWheelZip("wheel_zip", [](const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  CheckEntries(MemorySource(bytes));

  SourceManager sources;
  std::vector<WheelFile> files;
  files.push_back({"demo-1.0-cp312-cp312-manylinux_2_28_x86_64.whl",
                   std::make_unique<MemorySource>(bytes),
                   {}});
  const WheelExpectations expected{.platform = WheelPlatform::kLinux,
                                   .python = *ParsePythonVersion("3.12"),
                                   .versions = {},
                                   .complete = false};
  const WheelCheckReport report = CheckWheels(std::move(files), expected, 1, sources);
  for (const ReportFormat format :
       {ReportFormat::kText, ReportFormat::kGithub, ReportFormat::kJson}) {
    WheelFindingsText(report, sources, format, false);
  }
  Require(!WheelJson(report, sources).empty(), "no report");
});

}  // namespace
}  // namespace wheelwright
