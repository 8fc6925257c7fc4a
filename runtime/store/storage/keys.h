// Names of objects in URLs.
#pragma once

#include <string>
#include <string_view>

namespace wheelwright {

// As it stands in the path of a URL: everything but letters, digits, `-`, `.`, `_`, `~` and `/` as
// %XX. A `+`, which local versions of wheels have, is %2B: S3 reads a bare one as a blank.
std::string EncodePath(std::string_view key);
// The same for a part of a query, where `/` is %2F.
std::string EncodeQuery(std::string_view text);
// Back from either, where a blank may have been written as `+`.
std::string DecodeQuery(std::string_view text);

// The content type of a file by the ending of its name; "application/octet-stream" for others. pip
// ignores index pages that have another one.
std::string_view ContentTypeOf(std::string_view name);

}  // namespace wheelwright
