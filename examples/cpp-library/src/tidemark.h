// The highest value that was seen of each name, and how a server of Redis' protocol is told of it.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace tidemark {

class Marks {
 public:
  // Whether the value is higher than all before; the first one is.
  bool raise(std::string_view name, long value);

  // The highest value of a name; 0 when there was none.
  long of(std::string_view name) const;

 private:
  std::map<std::string, long, std::less<>> marks_;
};

// The command SET for a mark, as it goes to the server.
std::string set_command(std::string_view name, long value);

}  // namespace tidemark
