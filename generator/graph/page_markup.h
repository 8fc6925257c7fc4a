// Pieces of markup that several sections of the page have.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generator/matrix/schema.h"

namespace wheelwright {

// A cell of a table; `label` heads it where the table is too wide for columns. `html` is markup.
std::string TableCell(std::string_view label, std::string_view html, std::string_view more = {});

// "combos"; "cells" where there are several kinds of set.
std::string_view CellsWord(const Schema& schema);
// "Test runner" of "test_runner".
std::string HeadingOf(std::string_view name);

// Items of markup, one below the other; of many the first.
std::string LinesOf(const std::vector<std::string>& items);

}  // namespace wheelwright
