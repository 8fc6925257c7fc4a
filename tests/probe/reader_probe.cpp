// One reader of what others wrote, on one file, for tests of what reading costs.
// Usage: reader_probe READER FILE
#include <fmt/format.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/file_system.h"
#include "runtime/hip/compile/compile_cache.h"
#include "runtime/hip/compile/compiler_messages.h"
#include "runtime/pytorch/acceptance/installation.h"
#include "runtime/pytorch/acceptance/junit.h"
#include "runtime/pytorch/sources/commits.h"
#include "runtime/pytorch/sources/manifest.h"
#include "runtime/pytorch/sources/related_commits.h"
#include "runtime/pytorch/sources/rocm_index.h"
#include "runtime/pytorch/sources/wheel_version.h"
#include "runtime/store/s3/s3_xml.h"
#include "runtime/wheels/mirror/remote_page.h"
#include "runtime/wheels/native/native_library.h"
#include "runtime/wheels/plan/plan.h"
#include "runtime/wheels/promotion/promotion_request.h"

namespace {

using namespace wheelwright;

// Each gives whether the text was read.
using Reader = std::function<bool(const std::string& text, Diagnostics& diagnostics)>;

Plan SmallPlan() {
  Plan plan;
  plan.projects = {{.name = "torch", .folder = "pytorch"},
                   {.name = "torchaudio", .folder = "pytorch_audio"}};
  return plan;
}

RemotePage Page(const std::string& text, std::string_view type) {
  return ReadRemotePage(text, type, "https://example.com/demo/", "demo");
}

// The DLLs that a program for Windows needs, one a line; those behind a `~` when they are called.
bool PrintImports(const std::string& text) {
  NativeProbe probe(true);
  do {
    probe.Restart();
    probe.Feed({reinterpret_cast<const Byte*>(text.data()), text.size()});
    probe.EndPass();
  } while (probe.wants_pass());
  const NativeFacts& facts = probe.facts();
  for (const std::string& library : facts.libraries) fmt::print("{}\n", library);
  for (const std::string& library : facts.delayed) fmt::print("~{}\n", library);
  return facts.problem.empty();
}

const std::map<std::string_view, Reader>& Readers() {
  static const std::map<std::string_view, Reader> kReaders{
      {"commits", [](auto& text, auto& d) { return !!ReadCommitRows(text, SmallPlan(), d); }},
      {"compiler messages", [](auto& text, auto&) { return !ReadCompilerErrors(text).empty(); }},
      {"dependencies", [](auto& text, auto&) { return !ReadDependencies(text).empty(); }},
      {"HTML page", [](auto& text, auto&) { return !Page(text, "text/html").files.empty(); }},
      {"JSON page",
       [](auto& text, auto&) {
         return !Page(text, "application/vnd.pypi.simple.v1+json").files.empty();
       }},
      {"imports", [](auto& text, auto&) { return PrintImports(text); }},
      {"JUnit", [](auto& text,
                   auto&) { return !!ReadJUnit(text) && !MergeJUnit({{.junit = text}}).empty(); }},
      {"listing", [](auto& text, auto&) { return !!ReadS3Listing(text); }},
      {"manifest",
       [](auto& text, auto& d) { return !!ReadManifest(text, "manifest", SmallPlan(), d); }},
      {"pinned wheels", [](auto& text, auto& d) { return !!ReadPinnedWheels(text, d); }},
      {"plan", [](auto& text, auto& d) { return !!ReadPlanText(text, "plan.json", d); }},
      {"related commits",
       [](auto& text, auto& d) {
         SourceManager sources;
         const FileId file = sources.Add("related_commits", text);
         const bool read = !!ReadRelatedCommits(sources, file, {"torchaudio", "apex"}, d);
         fmt::print("{}", Render(d, sources, ReportFormat::kText, false));
         return read;
       }},
      {"setup of Triton", [](auto& text, auto&) { return !!ReadTritonVersion(text); }},
      {"test results", [](auto& text, auto& d) { return !!ReadTestResults(text, d); }},
      {"tested wheels", [](auto& text, auto& d) { return !!ReadTestedWheels(text, "linux", d); }},
      {"versions of pip", [](auto& text, auto&) { return !ReadPipVersions(text).empty(); }},
  };
  return kReaders;
}

}  // namespace

int main(int count, char** words) {
  const auto reader = Readers().find(count == 3 ? words[1] : "");
  if (reader == Readers().end()) {
    for (const auto& [name, read] : Readers()) fmt::print("{}\n", name);
    return 2;
  }
  const auto text = RealFileSystem().Read(words[2]);
  Diagnostics diagnostics;
  if (!text || !reader->second(*text, diagnostics)) return 1;
  fmt::print("read\n");
  return 0;
}
