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
    return Refuse(
        {.code = "version-suffix",
         .message =
             fmt::format("{} has no {}suffix", rocm->ToString(), sortable ? "sortable " : ""),
         .hint = rocm->epoch != "0"
                     ? "a local label cannot contain an epoch"
                     : "it can contain only one of a pre-, post- and development release"},
        arguments, host);
  }
  JobFiles job(host);
  job.SetOutput("version_suffix", *suffix);
  job.SetOutput("rocm_requirement", rocm->Pin());
  return kSuccess;
}

}  // namespace

Command VersionSuffixCommand() {
  return {
      .name = "version suffix",
      .purpose = "Compute the suffix of wheels that are built against ROCm packages",
      .usage = "--rocm-version VERSION",
      .about =
          "The suffix names the ROCm of a wheel: +rocm7.10.0, or +devrocm... for a development "
          "version. Installers compare such labels as text, so ROCm 10 sorts below ROCm 7. With "
          "--sortable they sort like the versions of ROCm. docs/wheels.md explains "
          "how.\n\nOutputs: version_suffix, and rocm_requirement, which pins the packages: "
          "==7.10.0.\n",
      .options = {{.name = "rocm-version",
                   .argument = "VERSION",
                   .help = "The version of the ROCm packages that wheels are built against"},
                  {.name = "sortable",
                   .argument = {},
                   .help =
                       "Use the form that sorts like ROCm's versions: +rocmsdk.7.10.0.release"}},
      .examples = {{"wheelrun version suffix --rocm-version 7.10.0a20251124",
                    "The suffix for wheels of a nightly"},
                   {"wheelrun version suffix --rocm-version 10.1.0 --sortable",
                    "A suffix that sorts above those of ROCm 7"}},
      .outputs = {"version_suffix", "rocm_requirement"},
      .run_on_host = RunVersionSuffix,
  };
}

}  // namespace wheelwright
