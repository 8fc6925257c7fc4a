#include "runtime/store/s3/s3_xml.h"

#include <fmt/format.h>

#include <cstring>
#include <pugixml.hpp>

#include "base/markup.h"
#include "runtime/store/storage/keys.h"

namespace wheelwright {
namespace {

// The root, if the text is XML and the root has that name.
pugi::xml_node Root(pugi::xml_document& document, std::string_view xml, const char* name) {
  if (!document.load_buffer(xml.data(), xml.size())) return {};
  return document.child(name);
}

std::string Text(const pugi::xml_node& node, const char* name) {
  return node.child(name).text().get();
}

std::uint64_t Number(const pugi::xml_node& node, const char* name) {
  return node.child(name).text().as_ullong();
}

// Names may hold characters that XML cannot, so requests ask for URL encoding. Servers without it
// leave the element EncodingType out.
std::string Name(bool encoded, const pugi::xml_node& node, const char* element) {
  std::string text = Text(node, element);
  return encoded ? DecodeQuery(text) : text;
}

bool IsEncoded(const pugi::xml_node& list) { return Text(list, "EncodingType") == "url"; }

bool IsTrue(const pugi::xml_node& node, const char* name) {
  return std::strcmp(node.child(name).text().get(), "true") == 0;
}

}  // namespace

std::optional<S3Error> ReadS3Error(std::string_view xml) {
  pugi::xml_document document;
  pugi::xml_node error = Root(document, xml, "Error");
  // STS wraps its errors.
  if (!error) error = document.child("ErrorResponse").child("Error");
  if (!error) return std::nullopt;
  return S3Error{Text(error, "Code"), Text(error, "Message"), Text(error, "Region")};
}

std::optional<S3Listing> ReadS3Listing(std::string_view xml) {
  pugi::xml_document document;
  const pugi::xml_node list = Root(document, xml, "ListBucketResult");
  if (!list) return std::nullopt;
  S3Listing listing;
  const bool encoded = IsEncoded(list);  // looked for once, among as many elements as there are
  for (const pugi::xml_node object : list.children("Contents")) {
    listing.objects.push_back({.key = Name(encoded, object, "Key"),
                               .size = Number(object, "Size"),
                               .version = Text(object, "ETag")});
  }
  listing.truncated = IsTrue(list, "IsTruncated");
  if (listing.truncated) listing.next = Text(list, "NextContinuationToken");
  return listing;
}

std::optional<std::vector<S3PendingUpload>> ReadS3PendingUploads(std::string_view xml) {
  pugi::xml_document document;
  const pugi::xml_node list = Root(document, xml, "ListMultipartUploadsResult");
  if (!list) return std::nullopt;
  std::vector<S3PendingUpload> uploads;
  const bool encoded = IsEncoded(list);
  for (const pugi::xml_node upload : list.children("Upload")) {
    uploads.push_back({Name(encoded, upload, "Key"), Text(upload, "UploadId")});
  }
  return uploads;
}

std::optional<S3PartListing> ReadS3Parts(std::string_view xml) {
  pugi::xml_document document;
  const pugi::xml_node list = Root(document, xml, "ListPartsResult");
  if (!list) return std::nullopt;
  S3PartListing listing;
  for (const pugi::xml_node part : list.children("Part")) {
    listing.parts.push_back({.number = part.child("PartNumber").text().as_int(),
                             .size = Number(part, "Size"),
                             .etag = Text(part, "ETag"),
                             .crc32c = Text(part, "ChecksumCRC32C")});
  }
  listing.truncated = IsTrue(list, "IsTruncated");
  if (listing.truncated) listing.next = Text(list, "NextPartNumberMarker");
  return listing;
}

std::string ReadXmlText(std::string_view xml, std::string_view element) {
  pugi::xml_document document;
  if (!document.load_buffer(xml.data(), xml.size())) return {};
  const std::string name(element);
  return document.find_node([&](const pugi::xml_node& node) { return name == node.name(); })
      .text()
      .get();
}

std::string CompletionXml(const std::vector<S3Part>& parts) {
  std::string xml = "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">";
  for (const S3Part& part : parts) {
    xml += fmt::format("<Part><PartNumber>{}</PartNumber><ETag>{}</ETag>", part.number,
                       EscapeMarkup(part.etag));
    if (!part.crc32c.empty())
      xml += fmt::format("<ChecksumCRC32C>{}</ChecksumCRC32C>", part.crc32c);
    xml += "</Part>";
  }
  return xml + "</CompleteMultipartUpload>";
}

}  // namespace wheelwright
