// What wheels need that others build, and where it is taken from.
#include "generator/matrix/column_builders.h"
#include "generator/matrix/tables.h"

namespace wheelwright::tables {

using namespace types;
using namespace formats;

FileSchema Dependencies() {
  std::vector<Column> mirror{
      {"source", Of(kUrl), "https://pypi.org/simple", "The index that files are taken from",
       "https://pypi.org/simple"},
      {"pythons", ListOf(Of(kPythonVersion)), "[]",
       "The Pythons that files are taken for, unless a row says others", "[\"3.12\", \"3.13\"]"},
      {"platforms", ListOf(NameOf(kPlatforms)), "[linux, windows]",
       "The platforms that files are taken for, unless a row says others", "[linux]"},
  };
  std::vector<Column> dependency{
      {"name", Of(kName), kRequired, "The project", "numpy"},
      {"versions", ListOf(Of(kVersionBounds)), kRequired,
       "Versions; of bounds, the newest one that has files for a Python and platform",
       "[\"2.3.5\", \">=2.1,<2.3\"]"},
      {"pythons", ListOf(Of(kPythonVersion)), "null", "The Pythons that need it",
       "[\"3.10\", \"3.11\"]"},
      {"platforms", ListOf(NameOf(kPlatforms)), "null", "The platforms that need it", "[windows]"},
  };
  return {.stem = "dependencies",
          .help = "What wheels need that others build",
          .tables =
              Row("the file", {{"mirror", Row("the mirror", std::move(mirror)), "{}",
                                "Where it is taken from, and what for", ""},
                               {"dependencies", ListOf(Row("a dependency", std::move(dependency))),
                                "[]", "What the indexes of dependencies hold", ""}}),
          .unique = {}};
}

}  // namespace wheelwright::tables
