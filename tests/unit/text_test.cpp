#include "base/text.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace wheelwright {

TEST_CASE("the nearest word differs in a third of its letters at most") {
  const std::vector<std::string_view> names{"fetch-depth", "path", "ref", "Repository"};
  CHECK(Nearest("fetch-dept", names) == "fetch-depth");
  CHECK(Nearest("fecth_deptj", names) == "fetch-depth");
  CHECK(Nearest("fetch", names) == "");
  CHECK(Nearest("paths", names) == "path");
  CHECK(Nearest("hapt", names) == "");
  // One slip in words of three letters, and never all of a word.
  CHECK(Nearest("rfe", names) == "ref");
  CHECK(Nearest("rxy", names) == "");
  CHECK(Nearest("a", std::vector<std::string_view>{"b"}) == "");
  // Case counts as half a slip.
  CHECK(Nearest("REPOSITORY", names) == "");
  CHECK(Nearest("repository", names) == "Repository");
}

TEST_CASE("long words are compared with nothing") {
  const std::string whole(200, 'a'), longer(201, 'a'), endless(10'000'000, 'a');
  const std::string_view names[] = {longer, endless};
  CHECK(Nearest(whole, names) == longer);
  CHECK(Nearest(longer, names) == "");
  CHECK(DidYouMean(endless, names) == "");
}

TEST_CASE("up to nine words are listed where none is near") {
  std::vector<std::string_view> names{"a", "b", "c", "d", "e", "f", "g", "h", "i"};
  CHECK(DidYouMean("something", names) == "");
  CHECK(DidYouMean("something", names, "there are") == "there are a, b, c, d, e, f, g, h and i");
  names.push_back("somethink");
  CHECK(DidYouMean("something", names, "there are") == "did you mean 'somethink'?");
  names.back() = "j";
  CHECK(DidYouMean("something", names, "there are") == "");
  CHECK(DidYouMean("something", {}, "there are") == "");
}

}  // namespace wheelwright
