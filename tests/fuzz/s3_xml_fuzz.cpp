// Whatever a server answers in place of XML, reading it ends, and a page of a listing that says
// there are more says how to ask for them, or is none.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/store/s3/s3_xml.h"
#include "tests/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wheelwright;  // NOLINT(google-build-using-namespace): of a test alone
  const std::string_view xml(reinterpret_cast<const char*>(data), size);
  // What is read is a part of what was sent; entities of XML itself only make it shorter.
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
    // What is sent back names the parts, and is read as what was written.
    const auto again = CompletionXml(listed->parts);
    Require(!again.empty(), "no text completes an upload");
    for (const S3Part& part : listed->parts) Require(part.etag.size() <= size, "a tag grows");
  }
  Require(ReadXmlText(xml, "UploadId").size() <= size, "a text grows");
  return 0;
}
