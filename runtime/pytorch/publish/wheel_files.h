// Finds the packages in a folder for an upload.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/environment/host.h"
#include "runtime/pytorch/publish/admission.h"
#include "runtime/wheels/transfer/upload_files.h"

namespace wheelwright {

// The wheels and source archives of the folder, with keys below `prefix`, their metadata, and as
// their manifest the only file in the subfolder `manifests`, if any. Adds problems: no wheel, an
// invalid or forbidden one, two manifests.
std::vector<UploadFile> FindWheels(const std::string& folder, std::string_view prefix, bool of_run,
                                   const Admission& admission, Host& host,
                                   std::vector<std::string>& problems);

}  // namespace wheelwright
