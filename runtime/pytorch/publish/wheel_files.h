// The packages in a folder, as an upload sends them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/environment/host.h"
#include "runtime/pytorch/publish/admission.h"
#include "runtime/wheels/transfer/upload_files.h"

namespace wheelwright {

// Wheels and source archives of the folder, to be put below the key `prefix`, with what they say of
// themselves. What the wheels were built from is the one file in the folder below it that is called
// `manifests`, if there is any. Adds to `problems` what makes that impossible: no wheel, one that
// no installer would take, one that may not go there, two manifests.
std::vector<UploadFile> FindWheels(const std::string& folder, std::string_view prefix, bool of_run,
                                   const Admission& admission, Host& host,
                                   std::vector<std::string>& problems);

}  // namespace wheelwright
