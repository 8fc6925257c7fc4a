// Files of a project that a command begins.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/file_system.h"

namespace wheelwright {

// Writes all files, by their paths, or none: reports all that are there already, of them and of
// `others`; removes what was written when one cannot be. False after a report. Codes:
// file-in-the-way, file-access.
bool WriteNewFiles(FileSystem& disk, const std::map<std::string, std::string>& files,
                   const std::vector<std::string>& others, Diagnostics& diagnostics);

}  // namespace wheelwright
