#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "base/json.h"
#include "base/markup.h"
#include "base/platform/folders.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/build_arguments.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/commands/input/places.h"
#include "runtime/host/actions/job_files.h"
#include "runtime/host/actions/log.h"
#include "runtime/pytorch/publish/admission.h"
#include "runtime/pytorch/publish/wheel_files.h"
#include "runtime/pytorch/python/packages.h"
#include "runtime/store/open_storage.h"
#include "runtime/store/storage/keys.h"
#include "runtime/store/storage/transfer_meter.h"
#include "runtime/wheels/index/distribution.h"
#include "runtime/wheels/index/index_report.h"
#include "runtime/wheels/index/index_writer.h"
#include "runtime/wheels/index/stored_wheel.h"
#include "runtime/wheels/plan/plan.h"
#include "runtime/wheels/transfer/upload_files.h"

namespace wheelwright {
namespace {

// The destination of an upload.
struct Destination {
  std::unique_ptr<Storage> storage;
  std::string root;              // the folder of the run or of the family; ends with a slash
  std::string wheels;            // the folder of wheels
  std::string group;             // the artifact group
  bool of_run = false;           // it is the folder of a run
  bool release = false;          // it is a folder of a release type
  std::string index_url;         // URL of the folder of wheels for installers; "": none
  std::string dependencies_url;  // of the index of dependencies; "": none
};

std::string GroupOf(const Arguments& arguments) {
  const std::string_view group = arguments.Get("artifact-group");
  return std::string(group.empty() ? arguments.Get("family") : group);
}

// For a release: the staging folder of the family. For a run: its own folder.
bool TakeFolders(const Arguments& arguments, const StoragePlace& place, const Plan& plan,
                 Host& host, Diagnostics& diagnostics, Destination& target) {
  const bool wheels = arguments.Get("kind") != "artifacts";
  const bool release = arguments.Has("release-type") || plan.FindTypeOf(place.bucket) != nullptr;
  if (wheels && release) {
    const auto folders = TakeReleaseFolders(arguments, "upload", plan, diagnostics);
    if (!folders) return false;
    target.release = true;
    target.root = target.wheels = folders->staging;
    target.group = folders->family;
    target.index_url = folders->staging_index_url;
    return true;
  }
  target.group = GroupOf(arguments);
  if (target.group.empty()) {
    diagnostics.Report({.code = "missing-argument",
                        .message = "'upload' needs '--family' or '--artifact-group'",
                        .hint = "such as --family gfx94X-dcgpu"});
    return false;
  }
  std::string run = TakeRunId(arguments, host);
  target.of_run = !run.empty();
  if (run.empty()) run = "local";
  target.root =
      PlaceOfRun(place,
                 {.repository = TakeRepository(arguments, host, plan), .fork = RunsFork(host)}, run,
                 arguments, plan, host)
          .prefix;
  target.wheels = target.root + PackageFolder(target.group);
  return true;
}

std::optional<Destination> TakeDestination(const Arguments& arguments, const Plan& plan, Host& host,
                                           Diagnostics& diagnostics) {
  const std::optional<StoragePlace> place = TakeStoragePlace(arguments, host, diagnostics);
  Destination target;
  if (!place || !TakeFolders(arguments, *place, plan, host, diagnostics, target)) {
    return std::nullopt;
  }
  target.storage = OpenStorage(*place, host);
  target.dependencies_url = DependenciesOf(target.index_url, plan);
  // Installers read a local folder directly.
  if (!place->folder.empty()) target.index_url = target.storage->UrlOf(target.wheels);
  return target;
}

void SayPlan(const std::vector<UploadFile>& files, const Storage& storage, Host& host) {
  Log log(host);
  for (const UploadFile& file : files) {
    log.Say(fmt::format("would upload {} to {} ({}, {})", file.path, storage.NameOf(file.key),
                        SizeText(file.size), ContentTypeOf(file.name)));
    for (const auto& [suffix, text] :
         {std::pair(kMetadataSuffix, &file.metadata), std::pair(kManifestSuffix, &file.manifest)}) {
      if (text->empty()) continue;
      log.Say(fmt::format("would write {}{} ({})", storage.NameOf(file.key), suffix,
                          SizeText(text->size())));
    }
  }
}

// Logs an error and returns false if a file of the run would replace a different one.
bool MayPut(const Arguments& arguments, Storage& storage, std::string_view prefix,
            std::vector<UploadFile>& files, Host& host) {
  if (arguments.Has("replace")) {
    for (UploadFile& file : files) file.replace = true;
    return true;
  }
  const std::vector<std::string> replaced = ReplacedFiles(storage, prefix, files, host);
  Log log(host);
  for (const std::string& problem : replaced) log.Error(problem, "nothing was uploaded");
  if (!replaced.empty()) {
    log.Say(
        "If it is another build of the same run, give it its own --artifact-group. --replace "
        "replaces the existing files.");
  }
  return replaced.empty();
}

std::string FileTable(const std::vector<UploadFile>& files, const Storage& storage) {
  std::string table = "| File | Size | SHA-256 |\n| --- | ---: | --- |\n";
  for (const UploadFile& file : files) {
    table += fmt::format("| [{}]({}) | {} | `{}` |\n", EscapeMarkdown(file.name),
                         storage.UrlOf(file.key), SizeText(file.size), file.sha256);
  }
  return table;
}

std::string WheelSummary(const std::vector<UploadFile>& files, const Destination& target,
                         std::string_view page_url, bool windows) {
  const std::string_view next = windows ? "^" : "\\";
  std::string install;
  for (const UploadFile& file : files) {
    // `rocm` is a source distribution that requires the others for the machine.
    const auto read = ReadDistributionName(file.name);
    if (!read) continue;
    const bool twice = install.find(fmt::format(" {}==", read->project)) != std::string::npos;
    if (!twice) install += fmt::format(" {}=={}", read->project, read->version.ToString());
  }
  const std::string from = target.index_url.empty()
                               ? fmt::format("--find-links {}", page_url)
                               : fmt::format("--index-url {}", target.index_url);
  const std::string rest =
      target.dependencies_url.empty()
          ? std::string()
          : fmt::format(" {}\n   --extra-index-url {}", next, target.dependencies_url);
  return fmt::format(
      "### Wheels for {}\n\n{}\n```\npip install {}{} {}\n   {}\n```\n\n[All files]({})\n",
      EscapeMarkdown(target.group), FileTable(files, *target.storage), from, rest, next, install,
      page_url);
}

// All wheels have the same manifest: take the first one's.
void SetManifestOutputs(const std::vector<UploadFile>& files, const Destination& target,
                        JobFiles& job) {
  const auto built =
      std::ranges::find_if(files, [](const UploadFile& file) { return !file.manifest.empty(); });
  if (built == files.end()) return;
  const std::string name = built->name + std::string(kManifestSuffix);
  job.SetOutput("manifest_url", target.index_url.empty()
                                    ? target.storage->UrlOf(target.wheels + name)
                                    : target.index_url + EncodeQuery(name));
  job.SetOutput("manifest_sha256", Sha256Of(built->manifest));
}

// Fails if a wheel is missing in the index, because other jobs would wait for it in vain.
bool AllListed(const std::vector<UploadFile>& files, const IndexResult& index, Log& log) {
  bool all = true;
  for (const UploadFile& file : files) {
    const auto listed = std::ranges::find(index.files, file.name, &IndexedFile::file);
    const bool found = listed != index.files.end();
    if (found && listed->size == file.size &&
        (listed->sha256.empty() || listed->sha256 == file.sha256)) {
      continue;
    }
    log.Error(fmt::format("{} was uploaded, but the index {}: no outputs were written",
                          Quoted(file.name), found ? "has another file" : "does not have it"),
              "upload again");
    all = false;
  }
  return all;
}

int UploadWheels(const Arguments& arguments, const std::string& folder, const Destination& target,
                 const Admission& admission, Host& host) {
  Log log(host);
  const bool dry_run = arguments.Has("dry-run");
  std::vector<std::string> problems;
  std::vector<UploadFile> files =
      FindWheels(folder, target.wheels, target.of_run, admission, host, problems);
  for (const std::string& problem : problems) log.Error(problem);
  if (!problems.empty() || !MayPut(arguments, *target.storage, target.wheels, files, host)) {
    return kFound;
  }
  if (dry_run) {
    SayPlan(files, *target.storage, host);
    log.Say(fmt::format("would update the index of {}", target.storage->NameOf(target.wheels)));
    return kSuccess;
  }
  UploadAll(*target.storage, target.wheels, files, host);
  const IndexResult index =
      WriteIndex(*target.storage, target.wheels, {.url = target.index_url, .sleep = host.sleep});
  ReportIndex(index, *target.storage, target.wheels, false, host);
  if (!AllListed(files, index, log)) return kFound;

  // Everything is uploaded.
  nlohmann::ordered_json wheels = nlohmann::ordered_json::object();
  for (const UploadFile& file : files) {
    if (!file.metadata.empty()) wheels[file.name] = file.sha256;
  }
  const std::string page =
      target.storage->UrlOf(fmt::format("{}{}", target.wheels, kFindLinksPage));
  JobFiles job(host);
  job.SetOutput("wheels", DumpJson(wheels));
  job.SetOutput("package_index_url", target.index_url);
  job.SetOutput("package_find_links_url", page);
  SetManifestOutputs(files, target, job);
  job.AddSummary(WheelSummary(files, target, page, TakePlatform(arguments, host) == "windows"));
  return kSuccess;
}

// The artifacts of a build: archives (unless it failed), logs and the manifest.
std::vector<UploadFile> FindArtifacts(const std::string& folder, const Destination& target,
                                      bool good) {
  std::vector<UploadFile> files;
  const auto add = [&](const std::string& from, bool deep, const std::string& to, bool of_run,
                       const auto& wanted) {
    for (UploadFile& file : FilesBelow(from, deep, folder)) {
      if (!wanted(file.name)) continue;
      file.of_run = of_run;
      file.key = target.root + to + file.name;
      file.name = to + file.name;
      files.push_back(std::move(file));
    }
  };
  if (good) {
    add(folder + "/artifacts", false, ArchiveFolder(target.group), target.of_run,
        [](std::string_view name) { return name.find(".tar.") != std::string_view::npos; });
  }
  // A rerun has other logs, which replace the old ones.
  add(folder + "/logs", true, fmt::format("logs/{}/", target.group), false,
      [](std::string_view) { return true; });
  add(folder + "/base/aux-overlay/build", false, fmt::format("manifests/{}/", target.group), false,
      [](std::string_view name) { return name == "therock_manifest.json"; });
  return files;
}

std::string ArtifactPage(const std::vector<UploadFile>& files, std::string_view group) {
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html>\n<head><meta charset=\"utf-8\"><title>{0}</title></head>\n<body>\n"
      "<h1>{0}</h1>\n",
      EscapeMarkup(group));
  for (const UploadFile& file : files) {
    page += fmt::format("<a href=\"{}\">{}</a> {}<br>\n", EncodePath(file.name),
                        EscapeMarkup(file.name), SizeText(file.size));
  }
  return page + "</body>\n</html>\n";
}

int UploadArtifacts(const Arguments& arguments, const std::string& folder,
                    const Destination& target, Host& host) {
  Log log(host);
  const std::string_view result = arguments.Get("build-result");
  const bool good = result.empty() || result == "success";
  std::vector<UploadFile> files = FindArtifacts(folder, target, good);
  const bool archives = std::ranges::any_of(files, [&](const UploadFile& file) {
    return file.name.starts_with(ArchiveFolder(target.group));
  });
  if (good && !archives) {
    log.Error(fmt::format("there is no archive in {}", QuotedPath(folder + "/artifacts")));
    return kFound;
  }
  if (!good) {
    log.Warning(fmt::format("the build ended with {}: only its logs are uploaded", Quoted(result)));
  }
  if (!MayPut(arguments, *target.storage, target.root, files, host)) return kFound;
  if (arguments.Has("dry-run")) {
    SayPlan(files, *target.storage, host);
    return kSuccess;
  }
  UploadAll(*target.storage, target.root, files, host);
  const std::string page = fmt::format("{}index-{}.html", target.root, target.group);
  target.storage->Write(
      page, ArtifactPage(files, target.group),
      {.content_type = std::string(kHtmlType), .cache_control = "no-cache", .metadata = {}});
  const std::string url = target.storage->UrlOf(page);
  log.Say(url);
  JobFiles(host).AddSummary(fmt::format(
      "### {} of {}\n\n[{}]({})\n\n{}", good ? "Artifacts" : "Logs", EscapeMarkdown(target.group),
      Count(files.size(), "file"), url, FileTable(files, *target.storage)));
  return kSuccess;
}

int RunUpload(const Arguments& arguments, Host& host) {
  Diagnostics diagnostics;
  const std::string folder = AbsolutePath(arguments.positional.front(), host);
  if (!IsFolder(folder)) {
    diagnostics.Report({.code = "no-folder",
                        .message = fmt::format("there is no folder {}",
                                               QuotedPath(arguments.positional.front()))});
  }
  const std::optional<Plan> plan = ReadPlan(arguments, host, diagnostics);
  if (!plan || diagnostics.errors() > 0) return Refuse(diagnostics, arguments, host);
  const std::optional<Destination> target = TakeDestination(arguments, *plan, host, diagnostics);
  if (!target || diagnostics.errors() > 0) return Refuse(diagnostics, arguments, host);
  SourceManager sources;
  const Admission admission = TakeAdmission(arguments, TakePlatform(arguments, host),
                                            target->release, *plan, host, sources, diagnostics);
  if (diagnostics.errors() > 0) return Refuse(diagnostics, arguments, host, sources);
  try {
    return arguments.Get("kind") == "artifacts"
               ? UploadArtifacts(arguments, folder, *target, host)
               : UploadWheels(arguments, folder, *target, admission, host);
  } catch (const FileError& failure) {
    Log(host).Error(fmt::format(
        "{}; the files were uploaded, but no outputs were written: upload again", failure.what()));
    return kFound;
  } catch (const StorageError& failure) {
    Log(host).Error(
        fmt::format("{}; no outputs were written, and it is safe to upload again", failure.what()));
    return kFound;
  }
}

}  // namespace

Command UploadCommand() {
  std::vector<OptionSpec> options = {
      {.name = "kind",
       .argument = "KIND",
       .help = "The content of the folder: wheels (default), or the artifacts and logs of a build",
       .values = {"wheels", "artifacts"}},
      PlatformOption(),
      {.name = "family",
       .argument = "FAMILY",
       .help = "The GPU family of the wheels; it also determines the folder"},
      {.name = "artifact-group",
       .argument = "NAME",
       .help = "The name of the folder of artifacts (default: the family)"},
      {.name = "build-result",
       .argument = "RESULT",
       .help = "The result of the build; unless it is success, only logs are uploaded"},
      {.name = "replace",
       .argument = {},
       .help = "Replace existing files of the run that have other content"},
      VersionsOption(),
      ReleaseTypeOption()};
  options = WithStorage(Joined(std::move(options), RunOptions()));
  return {
      .name = "upload",
      .purpose = "Upload wheels or artifacts to a bucket or folder, and output their addresses",
      .usage = "DIR --family FAMILY [--bucket BUCKET | --output-dir DIR]",
      .about =
          "In a bucket of wheels, the folder is the family's staging folder; in other buckets it "
          "is that of the run. The matrix has both. The metadata of each wheel is uploaded beside "
          "it, so that installers resolve without downloading it; the index is written "
          "last.\n\nStaging only accepts wheels of the projects that the matrix builds for the "
          "platform. With --versions, any folder only accepts these projects, in these "
          "versions.\n\nLarge files are uploaded in parts, and the server verifies each part. "
          "Existing equal files are not sent again, so a repetition resumes. docs/storage.md "
          "explains the credentials.\n\nAn existing file of the run with other content is not "
          "replaced, because it is from another build of the run. A later attempt of the run "
          "replaces files of earlier attempts.\n\nThe manifest of the wheels, "
          "DIR/manifests/*.json, is stored beside each of them, as "
          "{FILE}.manifest.json.\n\nOutputs, after everything was uploaded: wheels ({FILE: "
          "SHA256}), package_index_url and package_find_links_url; with a manifest also "
          "manifest_url and manifest_sha256.\n",
      .options = Joined(std::move(options),
                        {{.name = "dry-run",
                          .argument = {},
                          .help = "Print all objects that would be written, and write none"},
                         PlanOption()}),
      .examples = {{"wheelrun upload dist --family gfx94X-dcgpu --output-dir out",
                    "For `pip install --index-url` with the printed URL"},
                   {"wheelrun upload build --kind artifacts --artifact-group gfx94X-dcgpu "
                    "--build-result success --bucket therock-ci-artifacts",
                    "As called by the job after a build"}},
      .least_positional = 1,
      .most_positional = 1,
      .one_of = {{"family", "artifact-group"}},
      .outputs = {"manifest_url", "manifest_sha256", "wheels", "package_index_url",
                  "package_find_links_url"},
      .run_on_host = RunUpload,
  };
}

}  // namespace wheelwright
