#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "base/parallel.h"
#include "base/platform/file_access.h"
#include "runtime/store/digest/sum.h"
#include "runtime/store/s3/part_plan.h"
#include "runtime/store/s3/s3_object.h"
#include "runtime/store/s3/s3_transfer.h"
#include "runtime/store/storage/known_sum.h"

namespace wheelwright {
namespace {

using Kind = StorageError::Kind;

constexpr std::size_t kPiece = std::size_t{256} << 10;  // fits a processor's cache
// Up to this size, fetching an object twice is faster than a HEAD request first.
constexpr std::uint64_t kFetchedWhole = std::uint64_t{1} << 20;

// Computes the sum of a file while its ranges arrive in any order, by reading them back in order.
class Follower {
 public:
  Follower(const FileSink& sink, const PartPlan& plan, const SumRule& rule)
      : sink_(sink), plan_(plan), rule_(rule), arrived_(plan.count) {
    thread_ = std::jthread([this] { Run(); });
  }

  ~Follower() {
    {
      const std::lock_guard hold(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
  }

  void Arrived(std::size_t range) {
    {
      const std::lock_guard hold(mutex_);
      arrived_[range] = true;
    }
    changed_.notify_all();
  }

  // Waits for all ranges. The sum in hexadecimal; "" when the file could not be read back.
  std::string Finish() {
    thread_.join();
    return sum_;
  }

 private:
  // False when no more ranges will come.
  bool Await(std::size_t range) {
    std::unique_lock hold(mutex_);
    changed_.wait(hold, [&] { return ended_ || arrived_[range]; });
    return !ended_;
  }

  void Run() {
    RunningSum running(rule_);
    std::vector<Byte> buffer(kPiece);
    for (std::size_t range = 0; range < plan_.count; ++range) {
      if (!Await(range)) return;
      std::uint64_t at = plan_.OffsetOf(range);
      const std::uint64_t end = at + plan_.LengthOf(range);
      while (at < end) {
        const auto piece = std::span(buffer).first(std::min<std::uint64_t>(kPiece, end - at));
        if (!sink_.ReadBack(at, piece)) return;
        running.Add(piece);
        at += piece.size();
      }
    }
    sum_ = running.Finish();
  }

  const FileSink& sink_;
  const PartPlan& plan_;
  SumRule rule_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<bool> arrived_;
  bool ended_ = false;
  std::string sum_;
  std::jthread thread_;
};

StorageError CannotWrite(const std::string& path, const std::string& problem) {
  return {Kind::kLocal, fmt::format("cannot write {}: {}", path, problem)};
}

StorageError Changed(const S3Client& client, std::string_view key) {
  return {Kind::kConflict, fmt::format("{} was changed while it was fetched", client.NameOf(key))};
}

StorageError Damaged(const std::string& name, const KnownSum& known, const std::string& sum) {
  return {Kind::kDamaged,
          fmt::format("{} arrived damaged: its {} is {}, and was {} when it was stored", name,
                      NameOf(known.rule), sum, known.sum)};
}

StorageError OtherSize(const S3Client& client, const ObjectInfo& object, std::uint64_t size) {
  return {Kind::kDamaged, fmt::format("{} has {} bytes, and should have {}",
                                      client.NameOf(object.key), size, object.size)};
}

// Downloads one range into the file and computes its CRC.
class RangeDownload {
 public:
  RangeDownload(S3Client& client, const ObjectInfo& object, FileSink& sink,
                const TransferProgress& progress)
      : client_(client), object_(object), sink_(sink), progress_(progress) {}

  // Returns the CRC, or 0 if the store has none to compare with.
  std::uint64_t Run(std::uint64_t offset, std::uint64_t length, const std::string& path) {
    std::uint64_t at = offset, asked = offset, crc = 0;
    const std::uint64_t end = offset + length;
    S3Request request{.key = object_.key, .accepted = {412}};
    // A retry asks only for the bytes that have not arrived.
    request.before_try = [&](S3Request& self) {
      asked = at;
      self.headers = {{"Range", fmt::format("bytes={}-{}", at, end - 1)},
                      {"If-Match", object_.version}};
    };
    bool disk_is_good = true;
    request.on_body = [&](std::span<const Byte> piece) {
      if (piece.size() > end - at) return false;  // more than was asked for
      disk_is_good = sink_.WriteAt(at, piece);
      if (!disk_is_good) return false;
      if (object_.crc) crc = Crc(object_.crc->kind, crc, piece);
      at += piece.size();
      if (progress_) progress_(piece.size());
      return true;
    };
    request.check = [&](const HttpAnswer& answer) -> std::string {
      if (answer.status == 206 && !IsRangeFrom(answer, asked)) {
        at = asked;
        return "the server sends another range";
      }
      const bool whole = answer.status == 206 || (offset == 0 && end == object_.size);
      if (at == end && whole) return {};
      if (!whole) return "the server does not support ranges";
      return "the answer is too short";
    };
    HttpAnswer answer;
    try {
      answer = client_.Do(request);
    } catch (const StorageError&) {
      if (!disk_is_good) throw CannotWrite(path, sink_.problem());
      throw;
    }
    if (answer.status == 412) throw Changed(client_, object_.key);
    return crc;
  }

 private:
  S3Client& client_;
  const ObjectInfo& object_;
  FileSink& sink_;
  const TransferProgress& progress_;
};

// The sum of the whole in hexadecimal, from the sums of its ranges.
std::string Joined(CrcKind kind, const PartPlan& plan, const std::vector<std::uint64_t>& crcs) {
  WholeCrc whole{kind, 0};
  for (std::size_t i = 0; i < plan.count; ++i) {
    whole.value = JoinedCrc(kind, whole.value, crcs[i], plan.LengthOf(i));
  }
  return KnownSumOf(whole).sum;
}

std::unique_ptr<FileSink> OpenPart(const std::string& path) {
  std::string problem;
  std::unique_ptr<FileSink> sink = OpenFileSink(path + ".part", path, problem);
  if (!sink) throw CannotWrite(path, problem);
  return sink;
}

// Downloads ranges in parallel. A CRC of the whole is joined from those of the ranges; any other
// sum needs the bytes in order, so the file is read back.
void FetchRanges(const S3Context& context, const ObjectInfo& object, const std::string& path,
                 const TransferProgress& progress) {
  const std::unique_ptr<FileSink> sink = OpenPart(path);
  const PartPlan plan = PlanParts(object.size, context.sizes.download_range);
  const std::optional<KnownSum> known = object.crc ? KnownSumOf(*object.crc) : KnownSumOf(object);
  std::optional<Follower> follower;
  if (known && !object.crc) follower.emplace(*sink, plan, known->rule);
  RangeDownload download(context.client, object, *sink, progress);
  std::vector<std::uint64_t> crcs(plan.count);
  ParallelFor(plan.count, std::min(plan.count, context.parts_at_once), [&](std::size_t i) {
    if (plan.LengthOf(i) > 0) crcs[i] = download.Run(plan.OffsetOf(i), plan.LengthOf(i), path);
    if (follower) follower->Arrived(i);
  });
  if (known) {
    const std::string sum = follower ? follower->Finish() : Joined(object.crc->kind, plan, crcs);
    if (sum.empty()) throw CannotWrite(path, "what was written cannot be read again");
    if (sum != known->sum) throw Damaged(context.client.NameOf(object.key), *known, sum);
  }
  if (!sink->Commit()) throw CannotWrite(path, sink->problem());
}

// Downloads a small object in one request, whose answer also has the sums.
void FetchWhole(const S3Context& context, const ObjectInfo& object, const std::string& path,
                const TransferProgress& progress) {
  const HttpAnswer answer = context.client.Do(
      {.key = object.key,
       .headers = {{"If-Match", object.version}, {"x-amz-checksum-mode", "ENABLED"}},
       .accepted = {404, 412},
       .check = ProblemOfBody});
  if (answer.status >= 400) throw Changed(context.client, object.key);
  if (answer.body.size() != object.size) {
    throw OtherSize(context.client, object, answer.body.size());
  }
  const MemorySource body(answer.body);
  if (const auto known = KnownSumOf(ReadObject(context.client, object.key, answer))) {
    const std::string sum = SumOf(known->rule, body, 0, body.size());
    if (sum != known->sum) throw Damaged(context.client.NameOf(object.key), *known, sum);
  }
  const std::unique_ptr<FileSink> sink = OpenPart(path);
  const std::span bytes = AsBytes(answer.body);
  if (!sink->WriteAt(0, bytes) || !sink->Commit()) throw CannotWrite(path, sink->problem());
  if (progress) progress(bytes.size());
}

}  // namespace

void DownloadObject(const S3Context& context, const ObjectInfo& object, const std::string& path,
                    const TransferProgress& progress) {
  for (int tried = 1;; ++tried) {
    try {
      if (tried == 1 && object.size <= kFetchedWhole && !object.version.empty()) {
        return FetchWhole(context, object, path, progress);
      }
      const std::optional<ObjectInfo> now = HeadObject(context.client, object.key);
      // The same version must have the same size.
      if (now && now->version == object.version && now->size != object.size) {
        throw OtherSize(context.client, object, now->size);
      }
      if (now) return FetchRanges(context, *now, path, progress);
      throw StorageError(Kind::kNotFound,
                         fmt::format("there is no {}", context.client.NameOf(object.key)));
    } catch (const StorageError& error) {
      const bool again = error.kind() == Kind::kDamaged || error.kind() == Kind::kConflict;
      if (!again || tried == 3) throw;
    }
  }
}

}  // namespace wheelwright
