#include "base/platform/file_access.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <system_error>
#include <utility>

#include "base/platform/child_process.h"
#include "base/platform/files.h"
#include "base/platform/folders.h"

namespace wheelwright {
namespace {

// Linux caches a written file in pages as large as each write. Up to 32 KiB it reuses recent
// memory; larger ones must be found, on a virtual machine also be provided by the host, and a
// download takes twice the time.
constexpr std::size_t kWrittenAtOnce = std::size_t{32} << 10;

// Makes the folder of `path`. False, with the reason, when it cannot.
bool MakeFolderOf(const std::string& path, std::string& problem) {
  std::error_code error;
  if (const std::string folder = ParentFolder(path); !folder.empty()) MakeFolders(folder, error);
  if (error) problem = error.message();
  return !error;
}

bool Replace(const std::string& temporary, const std::string& path, std::string& problem) {
  if (!MakeFolderOf(path, problem)) return false;
  std::error_code error;
  PutInPlace(temporary, path, error);
  if (error) problem = ReasonFor(error, path);
  return !error;
}

class DiskSink : public FileSink {
 public:
  DiskSink(FileHandle file, std::string temporary, std::string path)
      : file_(std::move(file)), temporary_(std::move(temporary)), path_(std::move(path)) {}
  DiskSink(const DiskSink&) = delete;
  DiskSink& operator=(const DiskSink&) = delete;
  ~DiskSink() override {
    if (!file_.open()) return;
    file_.Close();
    std::error_code ignored;
    RemoveFile(temporary_, ignored);
  }

  bool WriteAt(std::uint64_t offset, std::span<const Byte> bytes) override {
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), kWrittenAtOnce))) {
      const auto piece = bytes.first(std::min(bytes.size(), kWrittenAtOnce));
      const std::lock_guard hold(writing_);
      if (!file_.WriteAt(offset, piece)) {
        Note(FileHandle::LastProblem());
        return false;
      }
      offset += piece.size();
    }
    return true;
  }

  bool ReadBack(std::uint64_t offset, std::span<Byte> out) const override {
    return file_.ReadAt(offset, out);
  }

  bool Commit() override {
    if (!file_.Flush()) {
      Note(FileHandle::LastProblem());
      return false;
    }
    file_.Close();
    std::string problem;
    if (Replace(temporary_, path_, problem)) return true;
    Note(std::move(problem));
    std::error_code ignored;
    RemoveFile(temporary_, ignored);
    return false;
  }

  std::string problem() const override {
    const std::lock_guard hold(mutex_);
    return problem_;
  }

 private:
  // Keeps the first problem of several threads.
  void Note(std::string problem) {
    const std::lock_guard hold(mutex_);
    if (problem_.empty()) problem_ = std::move(problem);
  }

  FileHandle file_;
  std::string temporary_, path_;
  // The system writes one piece of a file at a time, and threads that wait in it spin.
  std::mutex writing_;
  mutable std::mutex mutex_;
  std::string problem_;
};

}  // namespace

std::unique_ptr<FileSink> OpenFileSink(const std::string& temporary, const std::string& path,
                                       std::string& problem) {
  if (!MakeFolderOf(temporary, problem)) return nullptr;
  FileHandle file(temporary, FileHandle::For::kNewFile, problem);
  if (!file.open()) return nullptr;
  return std::make_unique<DiskSink>(std::move(file), temporary, path);
}

FileLock::FileLock(const std::string& path, const std::function<void()>& on_wait) {
  if (!MakeFolderOf(path, problem_)) return;
  FileHandle file(path, FileHandle::For::kKept, problem_);
  if (!file.open()) return;
  constexpr std::chrono::milliseconds kFirst{1}, kLongest{50};
  // A call that waits in the system would not end when a signal asks another thread to end.
  for (auto pause = kFirst;; pause = std::min(2 * pause, kLongest)) {
    const FileHandle::Locking locking = file.TryLock();
    if (locking == FileHandle::Locking::kDone) break;
    if (locking == FileHandle::Locking::kFailed) problem_ = FileHandle::LastProblem();
    if (InterruptedBy() != 0) problem_ = "interrupted while another has it locked";
    if (!problem_.empty()) return;
    if (pause == kFirst && on_wait) on_wait();
    SleepUnlessInterrupted(pause);
  }
  file_.emplace(std::move(file));
}

}  // namespace wheelwright
