// The output of a job. The runner takes a line that begins with `::`, or that contains `##[`, as a
// workflow command. Names of files and branches, answers of servers and messages of compilers may
// contain such text, so this stream breaks both forms by a backslash: `:\:set-output`,
// `##\[error]`. Only text written by Command() stays a workflow command.
// https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
#pragma once

#include <ostream>
#include <streambuf>
#include <string_view>

namespace wheelwright {

class JobStream : public std::streambuf {
 public:
  // Writes to `to`, which must outlive this object.
  explicit JobStream(std::streambuf& to) : to_(to) {}

  // Writes whole lines of workflow commands unchanged.
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

// Writes workflow commands to a JobStream, or to any other stream, as in tests.
void WriteCommand(std::ostream& stream, std::string_view lines);

}  // namespace wheelwright
