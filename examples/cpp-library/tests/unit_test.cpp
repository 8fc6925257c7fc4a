#include <cstdlib>
#include <iostream>

#include "tidemark.h"

int main() {
  tidemark::Marks marks;
  const bool first = marks.raise("harbour", 3);
  const bool lower = marks.raise("harbour", 2);
  const bool higher = marks.raise("harbour", 5);
  const bool right = first && !lower && higher && marks.of("harbour") == 5 &&
                     marks.of("river") == 0 &&
                     tidemark::set_command("a", 12) == "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$2\r\n12\r\n";
  std::cout << (right ? "all is as it should be\n" : "a mark is wrong\n");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
