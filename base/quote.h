// Foreign text in messages: labels, inputs, branches and file names are whatever somebody typed.
#pragma once

#include <string>
#include <string_view>

namespace wheelwright {

// The text between single quotes, on one line: control characters and malformed bytes as escapes,
// and of a long text the beginning only.
std::string Quoted(std::string_view foreign);

// A path of this machine in the same way, but whole: its end is what tells it apart.
std::string QuotedPath(std::string_view path);

// The text on one line of Markdown, where nothing in it is markup, nor ends a table's cell.
std::string EscapeMarkdown(std::string_view foreign);

}  // namespace wheelwright
