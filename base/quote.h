// Untrusted text in messages: labels, inputs, branches and file names hold whatever somebody typed.
#pragma once

#include <string>
#include <string_view>

namespace wheelwright {

// The text between single quotes, on one line: control characters and malformed bytes as escapes,
// and only the beginning of a long text.
std::string Quoted(std::string_view foreign);

// A path of this machine in the same way, but never shortened: paths differ at their ends.
std::string QuotedPath(std::string_view path);

// The text escaped for one line of Markdown, so that it is no markup and does not end a table cell.
std::string EscapeMarkdown(std::string_view foreign);

}  // namespace wheelwright
