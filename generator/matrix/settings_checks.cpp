#include "generator/matrix/settings_checks.h"

#include "generator/matrix/load.h"

namespace wheelwright {

void CheckSettings(const Matrix& matrix, Diagnostics& diagnostics) {
  const Entry* release = FindEntry(matrix.settings, "wheelrun");
  const Entry* source = FindEntry(matrix.settings, "wheelrun_source");
  if (release->value->is_null()) return;
  if (!source->value->is_null()) {
    diagnostics.Report(
        {.code = "two-wheelruns",
         .message = "jobs install a release of wheelrun, so nothing builds these sources",
         .where = source->key->where,
         .related = {{release->key->where, "the release"}},
         .notes = {"remove one of the two"}});
  }
  const Entry* digests = FindEntry(release->value, "digests");
  if (Find(digests->value, "linux") == nullptr) {
    diagnostics.Report(
        {.code = "missing-key",
         .message = "'settings.wheelrun.digests' has no 'linux'",
         .where = digests->key->where,
         .notes = {"most jobs run there, those that upload what was built on Windows too"}});
  }
}

}  // namespace wheelwright
