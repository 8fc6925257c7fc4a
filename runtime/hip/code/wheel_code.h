// Finds the GPU code in wheels and other files. Nothing is written to disk, and of entries that are
// not compressed only the tables are read.
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
  // The compression ratio of the file that contains it: bytes in the wheel per byte of the file.
  double packing = 1;
};

struct WheelCode {
  std::string file;     // without its folder
  std::string project;  // normalized; "" where the file is no wheel
  std::uint64_t size = 0;
  std::vector<WheelObject> objects;   // by name
  std::vector<std::string> problems;  // why the wheel, or a file in it, could not be read
};

struct InspectedFile {
  std::string path;
  std::unique_ptr<ByteSource> source;  // null when it cannot be opened
  std::string problem;                 // why
};

// Reads all files on `threads` threads, the largest first. Files named .whl and .zip are read as
// archives.
std::vector<WheelCode> ReadWheelCode(const std::vector<InspectedFile>& files, std::size_t threads);

// The amount of code for a target.
struct TargetShare {
  GfxTarget target;
  std::size_t images = 0;
  std::uint64_t unpacked = 0;  // bytes of code objects
  std::uint64_t stored = 0;    // bytes in the files that contain them
  std::uint64_t packed = 0;    // bytes in the wheel, estimated by the compression ratio of files
};
// By target. The size of a compressed bundle is divided among its images in proportion.
std::vector<TargetShare> SharesOf(const std::vector<WheelObject>& objects);

}  // namespace wheelwright
