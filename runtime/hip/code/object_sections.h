// Finds the sections of native files that contain GPU code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/platform/byte_source.h"
#include "runtime/hip/code/gfx_target.h"
#include "runtime/wheels/native/elf.h"

namespace wheelwright {

struct DeviceSection {
  std::string name;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

struct ObjectSections {
  bool is_code_object = false;      // the file is itself an ELF file for a GPU
  std::optional<GfxTarget> target;  // of a code object; nothing: unknown
  std::uint32_t flags = 0;          // of a code object
  // Sections that consist of containers, by offset: .hip_fatbin, .hip_fat, .llvm.offloading.
  std::vector<DeviceSection> containers;
  // Sections of relocatable device code, which are one image each; `name` is its id.
  std::vector<DeviceSection> images;
  // The section that refers to kpack archives (kpack.h).
  std::optional<DeviceSection> kpack_reference;
  std::string problem;  // why the tables cannot be read; "" when they can
};

// Reads the tables of an object file of that format.
ObjectSections ReadSections(const ByteSource& source, ObjectFormat format);

}  // namespace wheelwright
