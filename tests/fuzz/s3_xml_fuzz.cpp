// Reading any response as XML ends. A page of a listing that declares more pages without a
// continuation token is rejected.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/store/s3/s3_xml.h"
#include "tests/fuzz/fuzzer.h"

namespace wheelwright {
namespace {

const Fuzzer kS3Xml("s3_xml", [](const std::uint8_t* data, std::size_t size) {
  const std::string_view xml(reinterpret_cast<const char*>(data), size);
  // The result is no longer than the input, because XML's own entities only get shorter.
  if (const auto error = ReadS3Error(xml)) {
    Require(error->code.size() + error->message.size() <= 2 * size, "an error grows");
  }
  if (const auto listing = ReadS3Listing(xml)) {
    for (const ObjectInfo& object : listing->objects) {
      Require(object.key.size() <= size, "a key grows");
    }
  }
  if (const auto uploads = ReadS3PendingUploads(xml)) {
    for (const S3PendingUpload& upload : *uploads) {
      Require(upload.key.size() + upload.id.size() <= size, "an upload grows");
    }
  }
  if (const auto listed = ReadS3Parts(xml)) {
    // Any listed parts give a request that completes the upload.
    const auto again = CompletionXml(listed->parts);
    Require(!again.empty(), "no text completes an upload");
    for (const S3Part& part : listed->parts) Require(part.etag.size() <= size, "a tag grows");
  }
  Require(ReadXmlText(xml, "UploadId").size() <= size, "a text grows");
});

}  // namespace
}  // namespace wheelwright
