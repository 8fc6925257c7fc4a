// The XML of S3: its answers, and the body of CompleteMultipartUpload.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/store/storage/storage.h"

namespace wheelwright {

struct S3Error {
  std::string code;     // "NoSuchKey"
  std::string message;  // for people
  std::string region;   // where the bucket is, when it is not where it was asked for
};
// Nothing when the text is no error. Some requests are answered with one and status 200.
std::optional<S3Error> ReadS3Error(std::string_view xml);

// A page of ListObjectsV2.
struct S3Listing {
  std::vector<ObjectInfo> objects;
  bool truncated = false;  // it is not the last page
  std::string next;        // asks for the next page; of a server that lies, "" for any
};
std::optional<S3Listing> ReadS3Listing(std::string_view xml);

// An upload in parts that is neither complete nor aborted.
struct S3PendingUpload {
  std::string key;
  std::string id;
};
std::optional<std::vector<S3PendingUpload>> ReadS3PendingUploads(std::string_view xml);

// A part that the server has.
struct S3Part {
  int number = 0;
  std::uint64_t size = 0;
  std::string etag;
  std::string crc32c;  // base 64; "": the server does not know it
};
struct S3PartListing {
  std::vector<S3Part> parts;
  bool truncated = false;
  std::string next;
};
std::optional<S3PartListing> ReadS3Parts(std::string_view xml);

// The text of the first element of that name, or "": UploadId, ETag, credentials of STS.
std::string ReadXmlText(std::string_view xml, std::string_view element);

// The body of CompleteMultipartUpload.
std::string CompletionXml(const std::vector<S3Part>& parts);

}  // namespace wheelwright
