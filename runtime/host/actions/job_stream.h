// What a job prints, as the runner reads it. A line that begins with `::`, and `##[` anywhere in
// one, are orders to the runner: names of files, branches and wheels, what servers answer and what
// compilers print could give some. So all of it passes through here, and both forms are broken by a
// backslash: `:\:set-output`, `##\[error]`. Only what is written by Command() is an order.
// https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
#pragma once

#include <ostream>
#include <streambuf>
#include <string_view>

namespace wheelwright {

class JobStream : public std::streambuf {
 public:
  // Writes to `to`, which has to live as long.
  explicit JobStream(std::streambuf& to) : to_(to) {}

  // An order, whole lines of it, as it is.
  void Command(std::string_view lines);

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize length) override;
  int sync() override { return to_.pubsync(); }

 private:
  bool Put(char c);

  std::streambuf& to_;
  bool blank_ = true;  // the line holds nothing so far that the runner would not trim
  bool colon_ = false;
  unsigned hashes_ = 0;
};

// Writes an order to a stream that is a JobStream, or to another one, such as that of a test.
void WriteCommand(std::ostream& stream, std::string_view lines);

}  // namespace wheelwright
