// A drawing as SVG.
#pragma once

#include <string>

#include "generator/graph/drawing.h"

namespace wheelwright {

struct SvgOptions {
  std::string title;  // what it shows, for people who do not see it
  // A file of its own, with colours for light and dark. Else a part of a page, which styles the
  // classes itself (see graph.css) and which `link` leads to the graph of another workflow in.
  bool alone = true;
  std::string link;  // what a file's name is appended to: "#graph="; empty: no links
};

std::string DrawSvg(const Drawing& drawing, const SvgOptions& options);

}  // namespace wheelwright
