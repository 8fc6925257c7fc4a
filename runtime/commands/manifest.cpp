#include "runtime/pytorch/sources/manifest.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/platform/files.h"
#include "base/quote.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/host/actions/log.h"
#include "runtime/pytorch/python/interpreter.h"
#include "runtime/pytorch/sources/git.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {
namespace {

int RunManifest(const Arguments& arguments, Host& host) {
  Diagnostics diagnostics;
  Require(arguments, "manifest", "root", "--root src", diagnostics);
  Require(arguments, "manifest", "python", "--python 3.12", diagnostics);
  Require(arguments, "manifest", "torch-ref", "--torch-ref release/2.10", diagnostics);
  Require(arguments, "manifest", "output-dir", "--output-dir dist", diagnostics);
  if (diagnostics.errors() > 0) return Refuse(diagnostics, arguments, host);
  std::string_view python = arguments.Get("python");
  if (python.starts_with("py")) python.remove_prefix(2);
  if (!ParsePythonVersion(python)) {
    diagnostics.Report(
        {.code = "option-value",
         .message = fmt::format("'--python' does not take {}", Quoted(arguments.Get("python"))),
         .hint = "it takes a minor version, such as 3.12 or 3.13t"});
  }
  const std::string ref(arguments.Get("torch-ref"));
  if (!IsRefName(ref)) {
    diagnostics.Report({.code = "ref-name",
                        .message = fmt::format("{} is not a valid name of a branch", Quoted(ref))});
  }
  const std::optional<Plan> plan = ReadPlan(arguments, host, diagnostics);
  if (!plan || diagnostics.errors() > 0) return Refuse(diagnostics, arguments, host);

  const std::string root =
      PathText(std::filesystem::absolute(SystemPath(arguments.Get("root"))).lexically_normal());
  Runner runner(host, false);
  const auto text =
      WriteManifest(*plan, {.root = root, .python = std::string(python), .torch_ref = ref}, runner);
  if (!text) return kFound;
  const std::string path =
      fmt::format("{}/manifests/{}", arguments.Get("output-dir"), ManifestName(python, ref));
  host.files.Write(path, *text);
  Log(host).Say(fmt::format("wrote {}", path));
  return kSuccess;
}

}  // namespace

Command ManifestCommand() {
  return {
      .name = "manifest",
      .purpose = "Record the commits from which wheels were built",
      .usage = "--root DIR --python VERSION --torch-ref REF --output-dir DIR [--plan FILE]",
      .about =
          "Reads the commit, the address and the branch of each checkout below --root. For "
          "hipified sources it records the commit below the commit of hipify, because others can "
          "fetch only that one.\n\nWrites "
          "manifests/therock-manifest_torch_py3.12_release-2.10.json below --output-dir, with the "
          "Python and the ref in its name.\n",
      .options =
          {{.name = "root", .argument = "DIR", .help = "The folder of the checkouts"},
           {.name = "python", .argument = "VERSION", .help = "The Python of the build: 3.12"},
           {.name = "torch-ref",
            .argument = "REF",
            .help = "The branch of PyTorch that the commits belong to: release/2.10"},
           {.name = "output-dir",
            .argument = "DIR",
            .help = "The folder of the wheels; the manifest is written to its folder manifests"},
           PlanOption()},
      .examples = {{"wheelrun manifest --root src --python 3.12 --torch-ref release/2.10 "
                    "--output-dir dist",
                    "Put a manifest beside the wheels in dist"},
                   {"wheelrun manifest --root src --python 3.13t --torch-ref nightly --output-dir "
                    "dist",
                    "The same for wheels of the free-threaded Python"}},
      .run_on_host = RunManifest,
  };
}

}  // namespace wheelwright
