// Files beside the pages of an index that say something of single files: a JSON object with a text
// by name of file.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/environment/retry.h"
#include "runtime/store/storage/storage.h"

namespace wheelwright {

// Yanked files (PEP 592), with their reasons. People may edit it.
inline constexpr std::string_view kYankedFile = "yanked.json";
// Files that `wheelrun prune` took off the pages, with the time. They are removed later, so that
// who has read a page before finds what it lists.
inline constexpr std::string_view kRetiredFile = "retired.json";

using FileMarks = std::map<std::string, std::string, std::less<>>;

// `prefix` is the folder of the pages, empty or with a slash at its end. Throws StorageError.
FileMarks ReadMarks(Storage& storage, std::string_view prefix, std::string_view marks);

// Marks files with `text`, or removes their marks if it is nothing, by one write. Returns how many
// changed. Does not update the index. Throws StorageError.
std::size_t ChangeMarks(Storage& storage, std::string_view prefix, std::string_view marks,
                        const std::vector<std::string>& files,
                        const std::optional<std::string>& text, const Retry::Sleep& sleep);

}  // namespace wheelwright
