// Drawings as text for programs that lay them out themselves.
#pragma once

#include <cstddef>
#include <string>

#include "generator/graph/drawing.h"

namespace wheelwright {

// What Mermaid draws at most, GitHub's included; past that it shows an error in place of the
// diagram (`maxTextSize` and `maxEdges` of https://mermaid.js.org/config/schema-docs/config.html).
inline constexpr std::size_t kMermaidCharacters = 50000;
inline constexpr std::size_t kMermaidArrows = 500;

// A Mermaid flowchart, without the fence. `remark` stands in a comment at its top unless empty.
std::string DrawMermaid(const Drawing& drawing, const std::string& remark);

// Whether Mermaid draws the text.
bool FitsMermaid(const Drawing& drawing, const std::string& text);

// A Graphviz digraph.
std::string DrawDot(const Drawing& drawing, const std::string& title);

}  // namespace wheelwright
