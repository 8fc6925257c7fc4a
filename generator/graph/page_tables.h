// The page's tables of cells.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generator/expression/json_writer.h"
#include "generator/graph/matrix_grid.h"
#include "generator/graph/pages.h"

namespace wheelwright {

struct CellTables {
  std::string grids;    // one for each set; the first is shown
  std::string reasons;  // sections: why cells are out, dead ends, tables that are explained
};

// Also writes what the script tells of rows and cells: the keys `rows`, `reasons` and `notes` of
// the object that is open.
CellTables MakeCellTables(const PageInput& input, const std::vector<Grid>& grids,
                          JsonWriter& facts);

}  // namespace wheelwright
