#include "runtime/host/actions/job_stream.h"

namespace wheelwright {

void JobStream::Command(std::string_view lines) {
  // A command must begin a line, so end a line that was begun.
  if (!blank_ || colon_) Put('\n');
  to_.sputn(lines.data(), static_cast<std::streamsize>(lines.size()));
  blank_ = true;
  colon_ = false;
  hashes_ = 0;
}

bool JobStream::Put(char c) {
  const bool second_colon = blank_ && colon_ && c == ':';
  const bool bracket = hashes_ >= 2 && c == '[';
  if (second_colon || bracket) {
    if (to_.sputc('\\') == traits_type::eof()) return false;
    blank_ = false;
  }
  if (c == '\n' || c == '\r') {
    blank_ = true;
    colon_ = false;
  } else if (c == ':' && blank_) {
    colon_ = true;
  } else if (colon_ || (c > ' ' && c < 0x7F)) {
    // Bytes above ASCII may belong to blanks that the runner trims.
    blank_ = false;
    colon_ = false;
  }
  hashes_ = c == '#' ? hashes_ + 1 : 0;
  return to_.sputc(c) != traits_type::eof();
}

JobStream::int_type JobStream::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  return Put(traits_type::to_char_type(c)) ? c : traits_type::eof();
}

std::streamsize JobStream::xsputn(const char* text, std::streamsize length) {
  for (std::streamsize i = 0; i < length; ++i) {
    if (!Put(text[i])) return i;
  }
  return length;
}

void WriteCommand(std::ostream& stream, std::string_view lines) {
  if (auto* job = dynamic_cast<JobStream*>(stream.rdbuf())) {
    job->Command(lines);
  } else {
    stream << lines;
  }
}

}  // namespace wheelwright
