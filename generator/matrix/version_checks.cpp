#include "generator/matrix/version_checks.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/program_version.h"
#include "generator/matrix/load.h"

namespace wheelwright {

bool CheckMatrixVersion(const Node* settings_file, Diagnostics& diagnostics) {
  const Node* row = Find(Find(settings_file, "settings"), "wheelwright");
  if (row == nullptr || !row->is_string()) return true;
  const std::optional<VersionRange> range = VersionRange::Read(row->text);
  const std::optional<ProgramVersion> own = ReadProgramVersion(OwnVersion());
  if (!range || !own) return true;
  const VersionRange::Side side = range->SideOf(*own);
  if (side == VersionRange::Side::kWithin) return true;
  std::vector<std::string> notes{InstallNote(row->text)};
  if (side == VersionRange::Side::kNewer) {
    notes.push_back(fmt::format(
        "or move the matrix on: read what changed in CHANGELOG.md, and write \"{}\" here",
        VersionRange::SeriesOf(*own)));
  }
  diagnostics.Report(
      {.code = "version-skew",
       .message = fmt::format("this matrix is written for wheelwright {}, and this is {}, {}",
                              row->text, OwnVersion(), WordFor(side)),
       .where = row->where,
       .notes = std::move(notes)});
  return false;
}

void CheckPinnedVersion(const Matrix& matrix, Diagnostics& diagnostics) {
  const Node* release = Find(matrix.settings, "wheelrun");
  if (release->is_null()) return;
  const Node& pin = *Find(release, "version");
  const Entry& row = *FindEntry(matrix.settings, "wheelwright");
  const std::optional<ProgramVersion> pinned = ReadProgramVersion(pin.text);
  const std::optional<ProgramVersion> own = ReadProgramVersion(OwnVersion());
  if (!pinned || !own || *pinned == *own) return;
  const bool written = !row.value->is_null();
  const std::string_view text = row.value->text;
  if (written && VersionRange::Read(text)->SideOf(*pinned) != VersionRange::Side::kWithin) {
    diagnostics.Report(
        {.code = "version-skew",
         .message = fmt::format("jobs would run wheelrun {}, for which this matrix is not written",
                                pin.text),
         .where = pin.where,
         .related = {{row.value->where, "what it is written for"}},
         .notes = {fmt::format("pin a release within {}; this is {}", text, OwnVersion())}});
    return;
  }
  const std::string series = VersionRange::SeriesOf(*pinned);
  const bool fits =
      written || VersionRange::Read(series)->SideOf(*own) == VersionRange::Side::kWithin;
  diagnostics.Report(
      {.severity = fits ? Severity::kWarning : Severity::kError,
       .code = "version-skew",
       .message = fmt::format("jobs run wheelrun {}, and this is wheelwright {}, which is {}",
                              pin.text, OwnVersion(), *own < *pinned ? "older" : "newer"),
       .where = pin.where,
       .notes = {fmt::format("pin {} and its digests here, or install the release that jobs run: "
                             "pip install 'wheelwright-actions=={}'",
                             OwnVersion(), pin.text)}});
}

}  // namespace wheelwright
