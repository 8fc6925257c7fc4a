// What the shared objects and programs of a wheel have in common.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "runtime/wheels/wheel/wheel_contents.h"

namespace wheelwright {

// What the tags of a wheel promise of Linux systems. Of several tags, the one that promises most.
struct LinuxPromise {
  unsigned glibc_minor = 0;  // N of a glibc 2.N
  bool musl = false;
  std::string tag;  // "manylinux_2_28_x86_64"; "": they promise nothing
};
LinuxPromise PromiseOf(const WheelContents& wheel);

// Whether it is for processors that wheels are built for.
bool IsLinuxProgram(const NativeFacts& facts);

// The shared objects of a wheel, by the names of their files and their own names (DT_SONAME). The
// wheel must outlive it.
class OwnLibraries {
 public:
  explicit OwnLibraries(const WheelContents& wheel);
  bool Has(std::string_view name) const;

 private:
  std::set<std::string_view> names_;
};

// The platform tag that the versions of its symbols allow, without the processor:
// "manylinux_2_28", "musllinux"; "linux" where no such tag does, "" without programs for Linux.
std::string NeededPlatform(const WheelContents& wheel);

}  // namespace wheelwright
