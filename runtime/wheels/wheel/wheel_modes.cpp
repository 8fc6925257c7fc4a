// Permissions of files, which installers and unpackers on Unix take over.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/wheels/wheel/wheel_rules.h"

namespace wheelwright {
namespace {

constexpr std::uint32_t kKind = 0170000, kRegular = 0100000, kSetId = 06000, kOthersWrite = 02,
                        kOthersRead = 04, kExecute = 0111;

// The file of a command: demo-1.0.data/scripts/demo.
bool IsCommand(std::string_view path) {
  const std::size_t slash = path.find('/');
  return slash != std::string_view::npos && path.substr(0, slash).ends_with(".data") &&
         path.substr(slash).starts_with("/scripts/");
}

// Whether it lies in a folder bin/ and starts like a program.
bool IsProgram(std::string_view path, const EntryFacts& facts) {
  const bool in_bin = path.starts_with("bin/") || path.find("/bin/") != std::string_view::npos;
  return in_bin && (facts.script || facts.native.format == ObjectFormat::kElf) &&
         !IsLibraryName(path);
}

// The first file with a fault, and how many have it.
struct ModeFault {
  const ZipEntry* first = nullptr;
  std::size_t count = 0;

  void Add(const ZipEntry& entry) {
    if (count++ == 0) first = &entry;
  }
  std::vector<std::string> Others() const {
    if (count < 2) return {};
    return {fmt::format("and {} too", Count(count - 1, "other file"))};
  }
};

}  // namespace

void CheckWheelModes(const WheelContents& wheel, WheelFindings& findings) {
  const bool windows =
      wheel.reading.name && std::ranges::all_of(wheel.reading.name->tags, [](const WheelTag& tag) {
        return tag.platform.starts_with("win");
      });
  if (windows) return;
  ModeFault set_id, writable, unreadable, command, program;
  for (std::size_t i = 0; i < wheel.facts.size(); ++i) {
    const ZipEntry& entry = wheel.archive.entries[i];
    if (entry.folder || !entry.readable) continue;
    if ((entry.mode & kSetId) != 0) set_id.Add(entry);
    if ((entry.mode & kOthersWrite) != 0) writable.Add(entry);
    // Archives that were not made from files have no kinds; then installers ignore the rest.
    const bool regular = (entry.mode & kKind) == kRegular;
    if (regular && (entry.mode & kOthersRead) == 0) unreadable.Add(entry);
    if (regular && (entry.mode & kExecute) != 0) continue;
    if (IsCommand(entry.name)) {
      command.Add(entry);
    } else if (IsProgram(entry.name, wheel.facts[i])) {
      program.Add(entry);
    }
  }
  const auto report = [&](const ModeFault& fault, Severity severity, std::string_view what,
                          std::string_view hint) {
    if (fault.count == 0) return;
    findings.Report({.severity = severity,
                     .code = "wheel-mode",
                     .message = fmt::format("{} {}: its mode is {:o}", Quoted(fault.first->name),
                                            what, fault.first->mode & 07777),
                     .hint = std::string(hint),
                     .notes = fault.Others()});
  };
  report(set_id, Severity::kError, "runs with the rights of its owner",
         "who unpacks the wheel as root gives them to everybody: use 755");
  report(writable, Severity::kWarning, "can be changed by everybody",
         "unpackers take that over: use 644, or 755 for programs");
  report(unreadable, Severity::kWarning, "can be read by its owner alone",
         "unpackers take that over: use 644, or 755 for programs");
  report(command, Severity::kError, "is a command that cannot be executed",
         "pip installs it as it is: use 755");
  report(program, Severity::kWarning, "is a program that cannot be executed",
         "installers leave it so: use 755");
}

}  // namespace wheelwright
