// The code for GPUs in wheels, and in files beside them. Nothing is unpacked to a disk, and of what
// lies unpacked in an archive only the tables are read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/hip/code/device_code.h"

namespace wheelwright {

// One file of a wheel, or a member of an archive in it.
struct WheelObject {
  DeviceObject code;
  // Of the file that it stands in: how many bytes of the wheel one byte of it takes, on average.
  double packing = 1;
};

struct WheelCode {
  std::string file;     // without its folder
  std::string project;  // normalised; "" where the file is no wheel
  std::uint64_t size = 0;
  std::vector<WheelObject> objects;   // by name
  std::vector<std::string> problems;  // why the wheel, or a file in it, could not be read
};

struct InspectedFile {
  std::string path;
  std::unique_ptr<ByteSource> source;  // null when it cannot be opened
  std::string problem;                 // why
};

// Reads all of them on so many threads, the largest files first. Names that end in .whl or .zip are
// archives, all others are read as they are.
std::vector<WheelCode> ReadWheelCode(const std::vector<InspectedFile>& files, std::size_t threads);

// How much code there is for a target.
struct TargetShare {
  GfxTarget target;
  std::size_t images = 0;
  std::uint64_t unpacked = 0;  // bytes of code objects
  std::uint64_t stored = 0;    // bytes in the files that they stand in
  std::uint64_t packed = 0;    // bytes of the wheel, estimated by how well its files packed
};
// By target. A compressed bundle's size is shared among its images by their size.
std::vector<TargetShare> SharesOf(const std::vector<WheelObject>& objects);

}  // namespace wheelwright
