// Small helpers of what writes SVG and HTML.
#pragma once

#include <string>
#include <string_view>

namespace wheelwright {

// Text with &, <, > and quotes as entities; fits in elements and in attributes.
std::string EscapeMarkup(std::string_view text);

// JSON for a <script> element: no '<' in it, so that nothing ends the element early.
std::string EscapeJsonForScript(std::string_view json);

}  // namespace wheelwright
