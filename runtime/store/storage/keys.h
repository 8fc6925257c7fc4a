// Object names in URLs.
#pragma once

#include <string>
#include <string_view>

namespace wheelwright {

// Encodes all but letters, digits, `-`, `.`, `_`, `~` and `/` as %XX, for the path of a URL. The
// `+` of local versions becomes %2B, because S3 reads a bare one as a blank.
std::string EncodePath(std::string_view key);
// The same for a part of a query, where `/` is %2F.
std::string EncodeQuery(std::string_view text);
// Appends the same to `out`.
void AppendQuery(std::string_view text, std::string& out);
// Decodes either; `+` is a blank.
std::string DecodeQuery(std::string_view text);

// The content type of a file by the ending of its name; "application/octet-stream" for others. pip
// ignores index pages with another type than theirs.
std::string_view ContentTypeOf(std::string_view name);

}  // namespace wheelwright
