#include "runtime/wheels/wheel/wheel_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/quote.h"
#include "base/text.h"

namespace wheelwright {
namespace {

// Requires a text below .dist-info. False when it cannot be checked further.
bool RequireText(const WheelText& text, std::string_view name, WheelFindings& findings) {
  if (!text.found) {
    findings.Report({.code = "wheel-dist-info", .message = fmt::format("it has no {}", name)});
  } else if (!text.problem.empty() && text.problem != "see above") {
    findings.Report({.code = "wheel-dist-info",
                     .message = fmt::format("its {} cannot be read: {}", name, text.problem)});
  }
  return text.found && text.problem.empty();
}

void ReportBroken(const WheelText& text, const Headers& headers, std::string_view code,
                  WheelFindings& findings) {
  if (headers.beyond) {
    findings.Report(
        {.code = code,
         .message = fmt::format("it has more than {} headers", WithThousands(kMostHeaders)),
         .where = WheelFindings::Place(text, *headers.beyond),
         .hint = "the first that is not read"});
  }
  if (!headers.broken) return;
  findings.Report({.code = code,
                   .message = "a line is no header",
                   .where = WheelFindings::Place(text, *headers.broken),
                   .hint = "expected NAME: VALUE"});
}

// The only header of that name. Reports and returns null when there is none or more than one.
const Header* RequireHeader(const WheelText& text, const Headers& headers, std::string_view file,
                            std::string_view name, std::string_view code, WheelFindings& findings) {
  const Header* header = headers.Find(name);
  if (header == nullptr) {
    findings.Report({.code = code, .message = fmt::format("its {} has no {}", file, name)});
  } else if (headers.CountOf(name) > 1) {
    findings.Report(
        {.code = code,
         .message = fmt::format("its {} has {} {} times", file, name, headers.CountOf(name)),
         .where = WheelFindings::Place(text, header->name_part),
         .hint = "the first of them"});
    return nullptr;
  }
  return header;
}

void CheckMetadata(const WheelContents& wheel, const WheelName& name, WheelFindings& findings) {
  const WheelText& text = wheel.metadata;
  if (!RequireText(text, "METADATA", findings)) return;
  const Headers headers = ReadHeaders(text.text);
  ReportBroken(text, headers, "wheel-metadata", findings);
  RequireHeader(text, headers, "METADATA", "Metadata-Version", "wheel-metadata", findings);
  const Header* project =
      RequireHeader(text, headers, "METADATA", "Name", "wheel-metadata", findings);
  if (project != nullptr && NormalizeProject(project->value) != name.Project()) {
    findings.Report({.code = "wheel-metadata",
                     .message = fmt::format("its METADATA is of {}, its name of {}",
                                            Quoted(project->value), Quoted(name.project)),
                     .where = WheelFindings::Place(text, project->value_part)});
  }
  const Header* version =
      RequireHeader(text, headers, "METADATA", "Version", "wheel-metadata", findings);
  if (version == nullptr) return;
  const auto read = ParsePackageVersion(version->value);
  if (!read || *read != name.version) {
    findings.Report({.code = "wheel-metadata",
                     .message = fmt::format("its METADATA says version {}, its name {}",
                                            read ? read->ToString() : Quoted(version->value),
                                            name.version.ToString()),
                     .where = WheelFindings::Place(text, version->value_part),
                     .hint = read ? "" : "this is no version"});
  }
}

void CheckTagRows(const WheelContents& wheel, const WheelName& name, const Headers& headers,
                  WheelFindings& findings) {
  std::vector<WheelTag> listed;
  for (const Header& header : headers.fields) {
    if (!EqualsIgnoringCase(header.name, "Tag")) continue;
    const std::vector<WheelTag> tags = ExpandTags(header.value);
    if (tags.empty()) {
      findings.Report({.code = "wheel-format",
                       .message = fmt::format("{} is no tag", Quoted(header.value)),
                       .where = WheelFindings::Place(wheel.wheel, header.value_part)});
      return;
    }
    if (listed.size() + tags.size() > kMostTags) {
      findings.Report({.code = "wheel-format",
                       .message = fmt::format("its WHEEL is for more than {} combinations of "
                                              "Python, ABI and platform",
                                              WithThousands(kMostTags)),
                       .where = WheelFindings::Place(wheel.wheel, header.value_part)});
      return;
    }
    listed.insert(listed.end(), tags.begin(), tags.end());
    for (const WheelTag& tag : tags) {
      if (std::ranges::binary_search(name.tags, tag)) continue;
      findings.Report({.code = "wheel-format",
                       .message = fmt::format("its WHEEL is for {}, which its name does not say",
                                              tag.ToString()),
                       .where = WheelFindings::Place(wheel.wheel, header.value_part),
                       .hint = fmt::format("the name says {}", name.tag)});
    }
  }
  for (const WheelTag& tag : name.tags) {
    if (std::ranges::find(listed, tag) != listed.end()) continue;
    findings.Report({.code = "wheel-format",
                     .message = fmt::format("its name is for {}, which its WHEEL does not say",
                                            tag.ToString())});
  }
}

void CheckFormat(const WheelContents& wheel, const WheelName& name, WheelFindings& findings) {
  const WheelText& text = wheel.wheel;
  if (!RequireText(text, "WHEEL", findings)) return;
  const Headers headers = ReadHeaders(text.text);
  ReportBroken(text, headers, "wheel-format", findings);
  const Header* version =
      RequireHeader(text, headers, "WHEEL", "Wheel-Version", "wheel-format", findings);
  if (version != nullptr && !version->value.starts_with("1.")) {
    findings.Report({.code = "wheel-format",
                     .message = fmt::format("installers do not know wheels of version {}",
                                            Quoted(version->value)),
                     .where = WheelFindings::Place(text, version->value_part),
                     .hint = "expected 1.0"});
  }
  const Header* pure =
      RequireHeader(text, headers, "WHEEL", "Root-Is-Purelib", "wheel-format", findings);
  if (pure != nullptr && !EqualsAnyIgnoringCase(pure->value, {"true", "false"})) {
    findings.Report({.code = "wheel-format",
                     .message = fmt::format("Root-Is-Purelib is {}", Quoted(pure->value)),
                     .where = WheelFindings::Place(text, pure->value_part),
                     .hint = "expected true or false"});
  } else if (pure != nullptr && EqualsIgnoringCase(pure->value, "true")) {
    const auto library = std::ranges::find_if(
        wheel.archive.entries, [](const ZipEntry& entry) { return IsLibraryName(entry.name); });
    if (library != wheel.archive.entries.end()) {
      findings.Report({.code = "wheel-format",
                       .message = fmt::format("it calls itself pure Python but holds {}",
                                              Quoted(library->name)),
                       .where = WheelFindings::Place(text, pure->value_part),
                       .hint = "expected false"});
    }
  }
  const Header* build = headers.Find("Build");
  if ((build != nullptr ? build->value : "") != name.build) {
    findings.Report({.code = "wheel-format",
                     .message = fmt::format("its WHEEL says build '{}', its name '{}'",
                                            build != nullptr ? build->value : "", name.build),
                     .where = build == nullptr ? SourceRange{}
                                               : WheelFindings::Place(text, build->value_part)});
  }
  CheckTagRows(wheel, name, headers, findings);
}

// RECORD cannot have its own sum, nor those of its signatures.
// https://packaging.python.org/specifications/binary-distribution-format/#signed-wheel-files
bool NeedsNoSum(const WheelContents& wheel, std::string_view path) {
  const std::string record = wheel.dist_infos.front() + "/RECORD";
  return path == record || path == record + ".jws" || path == record + ".p7s";
}

void CheckRow(const WheelContents& wheel, const RecordRow& row, WheelFindings& findings) {
  const auto report = [&](std::string message, TextPart part, std::string_view hint = {}) {
    findings.Report({.code = "record-row",
                     .message = std::move(message),
                     .where = WheelFindings::Place(wheel.record, part),
                     .hint = std::string(hint)});
  };
  if (!row.problem.empty()) {
    report(fmt::format("a row of RECORD cannot be read: {}", row.problem), row.path_part,
           "expected PATH,sha256=SUM,SIZE");
    return;
  }
  if (NeedsNoSum(wheel, row.path)) {
    if (!row.sum.empty()) report(fmt::format("{} cannot list its own sum", row.path), row.sum_part);
    return;
  }
  if (row.sum.empty()) {
    report(fmt::format("the row of {} has no sum", Quoted(row.path)), row.path_part,
           "expected PATH,sha256=SUM,SIZE");
  } else if (!DigestNamed(row.algorithm)) {
    report(fmt::format("the sum of {} is by {}, which is too weak or not known", Quoted(row.path),
                       Quoted(row.algorithm)),
           row.sum_part, "expected sha256, sha384 or sha512");
  } else if (!row.size) {
    report(fmt::format("the row of {} has no size", Quoted(row.path)), row.path_part,
           "expected PATH,sha256=SUM,SIZE");
  }
}

void CompareFile(const WheelContents& wheel, std::size_t index, WheelFindings& findings) {
  const ZipEntry& entry = wheel.archive.entries[index];
  const EntryFacts& facts = wheel.facts[index];
  const std::size_t found = wheel.row_of[index];
  if (found == WheelContents::kNoRow) {
    findings.Report({.code = "record-missing",
                     .message = fmt::format("RECORD does not list {}", Quoted(entry.name)),
                     .hint = "installers leave such files, and whoever put them there, unchecked"});
    return;
  }
  const RecordRow& row = wheel.rows[found];
  if (NeedsNoSum(wheel, entry.name)) return;
  if (row.size && *row.size != entry.size) {
    findings.Report(
        {.code = "record-size",
         .message = fmt::format("{} has another size than RECORD says", Quoted(entry.name)),
         .where = WheelFindings::Place(wheel.record, row.size_part),
         .hint = fmt::format("it has {}", entry.size)});
  }
  if (facts.sum.empty() || row.sum.empty() || !DigestNamed(row.algorithm)) return;
  const std::string sum = Base64Url(facts.sum);
  if (sum == row.sum) return;
  findings.Report(
      {.code = "record-hash",
       .message = fmt::format("{} is not the file that RECORD lists", Quoted(entry.name)),
       .where = WheelFindings::Place(wheel.record, row.sum_part),
       .hint = fmt::format("it has {}={}", row.algorithm, sum)});
}

}  // namespace

void CheckWheelArchive(const WheelContents& wheel, const WheelExpectations& expected,
                       WheelFindings& findings) {
  for (const ZipFault& fault : wheel.faults) {
    findings.Report({.code = fault.code, .message = fault.message, .hint = fault.hint});
  }
  for (std::size_t i = 0; i < wheel.facts.size(); ++i) {
    if (wheel.facts[i].problem.empty()) continue;
    findings.Report(
        {.code = "zip-contents",
         .message = fmt::format("{} cannot be unpacked: {}", Quoted(wheel.archive.entries[i].name),
                                wheel.facts[i].problem)});
  }
  if (expected.platform != WheelPlatform::kWindows) return;
  std::map<std::string, std::string_view> names;
  for (const ZipEntry& entry : wheel.archive.entries) {
    const auto [other, is_new] = names.emplace(ToLower(entry.name), entry.name);
    if (is_new || other->second == entry.name) continue;
    findings.Report({.code = "zip-duplicate",
                     .message = fmt::format("{} and {} are one file on Windows",
                                            Quoted(other->second), Quoted(entry.name))});
  }
}

void CheckWheelTexts(const WheelContents& wheel, WheelFindings& findings) {
  if (!wheel.is_archive) return;
  if (wheel.dist_infos.size() != 1) {
    findings.Report(
        {.code = "wheel-dist-info",
         .message = wheel.dist_infos.empty()
                        ? "it has no .dist-info folder"
                        : fmt::format("it has {} .dist-info folders: {}", wheel.dist_infos.size(),
                                      JoinWords(wheel.dist_infos)),
         .hint = "installers refuse it"});
    if (wheel.dist_infos.empty()) return;
  }
  if (!wheel.reading.name) return;
  const WheelName& name = *wheel.reading.name;
  const std::string& folder = wheel.dist_infos.front();
  const std::string_view stem = std::string_view(folder).substr(0, folder.rfind('.'));
  const std::size_t dash = stem.rfind('-');
  const auto version =
      dash == std::string_view::npos ? std::nullopt : ParsePackageVersion(stem.substr(dash + 1));
  if (!version || *version != name.version ||
      NormalizeProject(stem.substr(0, dash)) != name.Project()) {
    findings.Report({.code = "wheel-dist-info",
                     .message = fmt::format("the folder {} is not of this wheel", Quoted(folder)),
                     .hint = fmt::format("expected {}-{}.dist-info", EscapeProject(name.project),
                                         name.version.ToString())});
  }
  CheckMetadata(wheel, name, findings);
  CheckFormat(wheel, name, findings);
}

void CheckWheelRecord(const WheelContents& wheel, WheelFindings& findings) {
  if (wheel.dist_infos.empty() || !RequireText(wheel.record, "RECORD", findings)) return;
  std::map<std::string_view, const RecordRow*> seen;
  for (const RecordRow& row : wheel.rows) {
    CheckRow(wheel, row, findings);
    if (!row.problem.empty()) continue;
    const auto [first, is_new] = seen.emplace(row.path, &row);
    if (is_new) continue;
    Diagnostic twice{.code = "record-row",
                     .message = fmt::format("RECORD lists {} twice", Quoted(row.path)),
                     .where = WheelFindings::Place(wheel.record, row.path_part)};
    twice.related.push_back(
        {WheelFindings::Place(wheel.record, first->second->path_part), "first here"});
    findings.Report(std::move(twice));
  }
  for (std::size_t i = 0; i < wheel.archive.entries.size(); ++i) {
    const ZipEntry& entry = wheel.archive.entries[i];
    if (!entry.folder) CompareFile(wheel, i, findings);
    seen.erase(entry.name);
  }
  for (const RecordRow& row : wheel.rows) {
    const auto left = seen.find(row.path);
    if (left == seen.end() || left->second != &row) continue;
    findings.Report(
        {.code = "record-surplus",
         .message = fmt::format("RECORD lists {}, which is not in the wheel", Quoted(row.path)),
         .where = WheelFindings::Place(wheel.record, row.path_part)});
  }
}

}  // namespace wheelwright
