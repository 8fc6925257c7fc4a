// The sections of object files that matter here: those that hold code for GPUs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/hip/code/gfx_target.h"
#include "runtime/host/platform/byte_source.h"

namespace wheelwright {

enum class ObjectFormat : std::uint8_t { kNone, kElf, kPe, kCoff };

struct DeviceSection {
  std::string name;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

struct ObjectSections {
  // An ELF file for a GPU.
  bool is_code_object = false;
  std::optional<GfxTarget> target;  // of a code object; nothing: a number that is not known
  std::uint32_t flags = 0;          // of a code object
  // By offset. Sections of containers: .hip_fatbin, .hip_fat, .llvm.offloading.
  std::vector<DeviceSection> containers;
  // Sections that are one image each, as relocatable device code has them; `name` is the id.
  std::vector<DeviceSection> images;
  // The one that says that its code stands in kpack archives (kpack.h).
  std::optional<DeviceSection> kpack_reference;
  std::string problem;  // why its tables cannot be read; "" when they can
};

ObjectFormat FormatOf(std::span<const Byte> head);

// Reads the tables of an object file of that format.
ObjectSections ReadSections(const ByteSource& source, ObjectFormat format);

}  // namespace wheelwright
