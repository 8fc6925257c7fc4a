// Uploads, copies and downloads of objects; large ones in parallel parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/store/s3/s3_client.h"
#include "runtime/store/storage/storage.h"

namespace wheelwright {

// Limits and sizes of parts, in bytes. Tests use smaller ones.
struct S3Sizes {
  std::uint64_t upload_part = std::uint64_t{32} << 20;
  std::uint64_t download_range = std::uint64_t{16} << 20;
  // Copying more in one request might exceed the time limit without an answer. S3 allows 5 GiB.
  std::uint64_t copy_whole = std::uint64_t{1} << 30;
  std::uint64_t copy_part = std::uint64_t{512} << 20;
};

struct S3Context {
  S3Client& client;
  const S3Sizes& sizes;
  std::size_t parts_at_once = 8;
};

ObjectInfo WriteObject(S3Client& client, std::string_view key, std::string_view bytes,
                       const PutOptions& options);
ObjectInfo UploadObject(const S3Context& context, const std::string& path, std::string_view key,
                        const PutOptions& options, std::string_view sha256,
                        const TransferProgress& progress);
void DownloadObject(const S3Context& context, const ObjectInfo& object, const std::string& path,
                    const TransferProgress& progress);
ObjectInfo CopyObject(const S3Context& context, const ObjectInfo& from, std::string_view to,
                      const PutOptions& options);

}  // namespace wheelwright
