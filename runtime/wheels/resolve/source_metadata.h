// The metadata in a source archive.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace wheelwright {

// The text of NAME-VERSION/PKG-INFO in a .tar.gz. Nothing for other bytes, and when more than
// `most` bytes would have to be unpacked. Runs no code: a build may require other things than
// PKG-INFO says, if that has no static metadata (PEP 643).
std::optional<std::string> ReadPackageInfo(std::string_view archive,
                                           std::size_t most = std::size_t{64} << 20);

}  // namespace wheelwright
