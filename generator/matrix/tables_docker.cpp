// The nightly build of PyTorch inside an image with ROCm wheels, for PyTorch's own repository.
#include "generator/matrix/column_builders.h"
#include "generator/matrix/tables.h"

namespace wheelwright::tables {

using namespace types;
using namespace formats;

FileSchema Docker() {
  std::vector<Column> nightly{
      {"repository", Of(kRepository), "pytorch/pytorch",
       "The repository in which the workflow runs; elsewhere its clock starts nothing",
       "pytorch/pytorch"},
      {"cron", Of(kCron), "0 0 * * *", "When it starts", "\"0 0 * * *\""},
      {"pytorch_ref", Of(kGitRef), "nightly", "The branch of PyTorch that is built", "nightly"},
      {"runs_on", Of(kRunnerLabel), "ubuntu-24.04", "The runner of builds", "linux.12xlarge"},
      {"dockerfile", Of(kFolder), ".ci/docker/ubuntu-rocm/Dockerfile", "What the image is made by",
       ".ci/docker/ubuntu-rocm/Dockerfile"},
      {"context", Of(kFolder), ".ci/docker", "The folder that the Dockerfile copies from",
       ".ci/docker"},
      {"build_args", MapOf(Of(kId), Text()), "{}",
       "Arguments of the Dockerfile besides those that say where ROCm comes from",
       "{UBUNTU_VERSION: \"22.04\"}"},
      {"registry", Of(kImage), "null", "Where images are pushed; none: they are not",
       "ghcr.io/pytorch/therock-nightly"},
      {"notice_secret", Of(kId), "null",
       "The secret that holds the URL of a chat's webhook; none: nobody is told of a failure",
       "THEROCK_NIGHTLY_WEBHOOK"},
  };
  std::vector<Column> image{
      {"family", RowOf(kFamilies), kRequired,
       "The family whose wheels it holds and whose targets PyTorch is built for; templates see "
       "its row",
       "gfx94x"},
      {"release_type", RowOf(kReleaseTypes), kRequired,
       "The release type whose index the wheels are from; templates see its row", "nightly"},
      {"python", Of(kPythonVersion), kRequired, "The version of Python", "\"3.11\""},
      {"test_runs_on", Of(kRunnerLabel), "null",
       "The runner of tests after the build; none: it is not tested", "linux.rocm.gpu.gfx942.1"},
      {"test_files", ListOf(Of(kName)), "[test_torch]",
       "The test files of PyTorch that are run after the smoke test", "[test_torch, test_nn]"},
  };
  return {.stem = "docker",
          .help = "PyTorch's nightly inside an image with ROCm wheels, in PyTorch's own repository",
          .tables =
              Row("the file", {{"docker_nightly", Row("the nightly", std::move(nightly)), "{}",
                                "What all images have in common", ""},
                               {"docker_images", MapOf(Of(kKey), Row("an image", std::move(image))),
                                "{}", "The images, by name", ""}}),
          .unique = {}};
}

}  // namespace wheelwright::tables
