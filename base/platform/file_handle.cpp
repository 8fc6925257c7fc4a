#include "base/platform/file_handle.h"

#include <utility>

namespace wheelwright {

FileHandle::FileHandle(FileHandle&& other) noexcept
    : handle_(std::exchange(other.handle_, kNone)), size_(other.size_) {}

FileHandle::~FileHandle() { Close(); }

}  // namespace wheelwright
