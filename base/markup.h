// Text in HTML, SVG and XML.
#pragma once

#include <string>
#include <string_view>

namespace wheelwright {

// Text with &, <, > and quotes as entities; fits in elements and in attributes.
std::string EscapeMarkup(std::string_view text);
// Appends the same to `out`.
void AppendMarkup(std::string_view text, std::string& out);

}  // namespace wheelwright
