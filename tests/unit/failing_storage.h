// A store in front of another one that fails at one request, or from it on like a lost connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/store/storage/storage.h"

namespace wheelwright {

class FailingStorage : public Storage {
 public:
  enum class Fault : std::uint8_t {
    kRequest,   // the request is lost
    kAnswer,    // it is carried out, and its answer is lost
    kFromHere,  // it is lost, and so are all others
  };

  // `at`: the number of the request that fails, from 0. `look` is called after every request that
  // may have changed the store, while no other runs.
  FailingStorage(Storage& storage, Fault fault, std::size_t at, std::function<void()> look)
      : storage_(storage), fault_(fault), at_(at), look_(std::move(look)) {}

  // Whether the request that should fail was made.
  bool failed() const { return requests_ > at_; }

  std::string NameOf(std::string_view key) const override { return storage_.NameOf(key); }
  std::string UrlOf(std::string_view key) const override { return storage_.UrlOf(key); }
  std::vector<ObjectInfo> List(std::string_view prefix) override {
    return Ask([&] { return storage_.List(prefix); });
  }
  std::optional<ObjectInfo> Head(std::string_view key) override {
    return Ask([&] { return storage_.Head(key); });
  }
  std::optional<std::string> Read(std::string_view key) override {
    return Ask([&] { return storage_.Read(key); });
  }
  std::optional<std::string> ReadRange(std::string_view key, std::uint64_t offset,
                                       std::uint64_t length) override {
    return Ask([&] { return storage_.ReadRange(key, offset, length); });
  }
  ObjectInfo Write(std::string_view key, std::string_view bytes,
                   const PutOptions& options) override {
    return Change([&] { return storage_.Write(key, bytes, options); });
  }
  ObjectInfo Upload(const std::string& path, std::string_view key, const PutOptions& options,
                    std::string_view sha256, const TransferProgress& progress) override {
    return Change([&] { return storage_.Upload(path, key, options, sha256, progress); });
  }
  void Download(const ObjectInfo& object, const std::string& path,
                const TransferProgress& progress) override {
    Ask([&] {
      storage_.Download(object, path, progress);
      return true;
    });
  }
  ObjectInfo Copy(const ObjectInfo& from, std::string_view to, const PutOptions& options) override {
    return Change([&] { return storage_.Copy(from, to, options); });
  }
  void Remove(std::string_view key) override {
    Change([&] {
      storage_.Remove(key);
      return true;
    });
  }

 private:
  template <typename Call>
  std::invoke_result_t<Call> Ask(const Call& call) {
    const std::lock_guard lock(mutex_);
    return Do(call);
  }

  template <typename Call>
  std::invoke_result_t<Call> Change(const Call& call) {
    const std::lock_guard lock(mutex_);
    auto answer = Do(call);
    look_();
    return answer;
  }

  template <typename Call>
  std::invoke_result_t<Call> Do(const Call& call) {
    const std::size_t number = requests_++;
    if (number == at_ || (number > at_ && fault_ == Fault::kFromHere)) {
      if (fault_ == Fault::kAnswer) {
        call();
        look_();
      }
      throw StorageError(StorageError::Kind::kUnreached, "the store is gone");
    }
    return call();
  }

  Storage& storage_;
  Fault fault_;
  std::size_t at_ = 0;
  std::function<void()> look_;
  std::size_t requests_ = 0;
  std::mutex mutex_;
};

}  // namespace wheelwright
