// Foreign text in messages: labels, inputs, branches and file names are whatever somebody typed.
#pragma once

#include <string>
#include <string_view>

namespace wheelwright {

// The text between single quotes, on one line: control characters and malformed bytes as escapes,
// and of a long text the beginning only.
std::string Quoted(std::string_view foreign);

// The text on one line, for a cell of a table in Markdown: nothing in it is markup.
std::string MarkdownCell(std::string_view foreign);

}  // namespace wheelwright
