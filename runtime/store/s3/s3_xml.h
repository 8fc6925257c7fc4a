// Reads the XML answers of S3, and writes the body of CompleteMultipartUpload.
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
  std::string region;   // the bucket's region, if the request went to another
};
// Nothing when the text is no error. Some answers with status 200 hold an error.
std::optional<S3Error> ReadS3Error(std::string_view xml);

// A page of ListObjectsV2.
struct S3Listing {
  std::vector<ObjectInfo> objects;
  bool truncated = false;  // it is not the last page
  std::string next;        // the token for the next page
};
std::optional<S3Listing> ReadS3Listing(std::string_view xml);

// An unfinished multipart upload.
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
