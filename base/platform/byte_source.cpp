#include "base/platform/byte_source.h"

#include <cstring>
#include <utility>

#include "base/platform/file_handle.h"

namespace wheelwright {
namespace {

bool Fits(std::uint64_t size, std::uint64_t offset, std::size_t length) {
  return offset <= size && length <= size - offset;
}

class FileSource : public ByteSource {
 public:
  explicit FileSource(FileHandle file) : file_(std::move(file)) {}

  std::uint64_t size() const override { return file_.size(); }

  bool ReadAt(std::uint64_t offset, std::span<Byte> out) const override {
    return Fits(file_.size(), offset, out.size()) && file_.ReadAt(offset, out);
  }

 private:
  FileHandle file_;
};

}  // namespace

bool MemorySource::ReadAt(std::uint64_t offset, std::span<Byte> out) const {
  if (!Fits(bytes_.size(), offset, out.size())) return false;
  if (!out.empty()) std::memcpy(out.data(), bytes_.data() + offset, out.size());
  return true;
}

std::unique_ptr<ByteSource> OpenFileSource(const std::string& path, std::string& problem) {
  FileHandle file(path, FileHandle::For::kReading, problem);
  return file.open() ? std::make_unique<FileSource>(std::move(file)) : nullptr;
}

}  // namespace wheelwright
