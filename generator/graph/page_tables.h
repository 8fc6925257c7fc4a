// The page's tables of combos.
#pragma once

#include <string>
#include <vector>

#include "generator/expression/json_writer.h"
#include "generator/graph/matrix_grid.h"
#include "generator/graph/pages.h"

namespace wheelwright {

struct ComboTables {
  std::string grids;    // one for each set; the first is shown
  std::string reasons;  // sections: why combos are out, dead ends, tiers
};

// Also writes what the script tells of rows and cells: the keys `builds`, `reasons` and `notes` of
// the object that is open.
ComboTables MakeComboTables(const PageInput& input, const std::vector<Grid>& grids,
                            JsonWriter& facts);

}  // namespace wheelwright
