#include "runtime/wheels/version/version_suffix.h"

#include <fmt/format.h>

#include "base/quote.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/host/actions/job_files.h"

namespace wheelwright {
namespace {

int RunVersionSuffix(const Arguments& arguments, Host& host) {
  Diagnostics diagnostics;
  if (!Require(arguments, "version suffix", "rocm-version", "--rocm-version 7.10.0", diagnostics)) {
    return Refuse(diagnostics, arguments, host);
  }
  const std::string_view text = arguments.Get("rocm-version");
  const auto rocm = ParsePackageVersion(text);
  if (!rocm) {
    return Refuse({.code = "option-value",
                   .message = fmt::format("'--rocm-version' does not take {}", Quoted(text)),
                   .hint = "it takes a version such as 7.10.0 or 7.10.0a20251124"},
                  arguments, host);
  }
  const bool sortable = arguments.Has("sortable");
  const auto suffix =
      VersionSuffix(*rocm, sortable ? SuffixForm::kSortable : SuffixForm::kCompatible);
  if (!suffix) {
    return Refuse({.code = "version-suffix",
                   .message = fmt::format("{} has no {}suffix", rocm->ToString(),
                                          sortable ? "sortable " : ""),
                   .hint = rocm->epoch != "0"
                               ? "a local label cannot hold an epoch"
                               : "it has room for one of a pre-, post- and development release"},
                  arguments, host);
  }
  JobFiles job(host);
  job.SetOutput("version_suffix", *suffix);
  job.SetOutput("rocm_requirement", rocm->Pin());
  return kFine;
}

}  // namespace

Command VersionSuffixCommand() {
  return {
      .name = "version suffix",
      .purpose = "Compute the suffix of wheels that are built against ROCm packages",
      .usage = "--rocm-version VERSION",
      .about =
          "The suffix says which ROCm a wheel belongs to: +rocm7.10.0, or +devrocm... against a "
          "development version. Installers compare such labels as text, so ROCm 10 comes below "
          "ROCm 7. With --sortable they compare as the versions of ROCm do. docs/wheels.md tells "
          "how.\n\n"
          "Outputs: version_suffix, and rocm_requirement, which pins the packages: ==7.10.0.\n",
      .options = {{.name = "rocm-version",
                   .argument = "VERSION",
                   .help = "The version of the ROCm packages that wheels are built against"},
                  {.name = "sortable",
                   .argument = {},
                   .help = "The form that sorts as ROCm's versions do: +rocmsdk.7.10.0.release"}},
      .examples = {{"wheelrun version suffix --rocm-version 7.10.0a20251124",
                    "Name the wheels of a nightly"},
                   {"wheelrun version suffix --rocm-version 10.1.0 --sortable",
                    "Name them so that they sort above those of ROCm 7"}},
      .outputs = {"version_suffix", "rocm_requirement"},
      .run_on_host = RunVersionSuffix,
  };
}

}  // namespace wheelwright
