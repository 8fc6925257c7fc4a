// Checks that the wheels of a folder are those that a run should have built, and that installers
// can unpack them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "runtime/wheels/wheel/wheel_rules.h"

namespace wheelwright {

struct WheelFile {
  std::string path;
  std::unique_ptr<ByteSource> source;  // null when it cannot be opened
  std::string problem;                 // why
};

struct WheelReport {
  std::string file;
  std::string project, version, tag;  // empty where the name is none
  std::uint64_t size = 0;             // in bytes
  std::uint64_t unpacked = 0;
  std::string needs;  // NeededPlatform()
  std::size_t files = 0;
  Diagnostics findings;
};

struct WheelCheckReport {
  std::vector<WheelReport> wheels;  // in the order in which they were given
  Diagnostics together;             // what is wrong with the set: a wheel that is missing

  bool good() const;  // no errors; warnings do not count
  std::size_t errors() const;
  std::size_t warnings() const;
};

// Checks each wheel, and that each resolved project has one. Without resolved versions, a complete
// set must have torch, torchaudio and torchvision; missing triton and apex are warnings on Linux.
// It is an error if `wheels` is empty.
WheelCheckReport CheckWheels(std::vector<WheelFile> wheels, const WheelExpectations& expected,
                             std::size_t threads, SourceManager& sources);

// The projects that a PyTorch build consists of, in the order of their outputs.
inline constexpr std::array<std::string_view, 5> kPytorchProjects = {
    "torch", "torchaudio", "torchvision", "triton", "apex"};

// Projects and versions from `{"torch": "2.10.0+rocm7.10.0"}`. Skips null and empty values: the
// project is not built on this platform. Reports errors at their places in `file`.
std::optional<std::vector<ResolvedVersion>> ReadResolvedVersions(const SourceManager& sources,
                                                                 FileId file,
                                                                 Diagnostics& diagnostics);

}  // namespace wheelwright
