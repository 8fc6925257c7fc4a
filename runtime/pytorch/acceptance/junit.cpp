#include "runtime/pytorch/acceptance/junit.h"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>
#include <utility>

#include "base/text.h"

namespace wheelwright {
namespace {

// In the step summary; the file has all failures.
constexpr std::size_t kMostFailures = 100;

void CountCase(const pugi::xml_node& test, TestResults& results) {
  ++results.tests;
  results.seconds += test.attribute("time").as_double();
  pugi::xml_node bad = test.child("failure");
  if (!bad) bad = test.child("error");
  if (bad) {
    const std::string_view message = bad.attribute("message").as_string();
    results.failed.push_back({fmt::format("{}::{}", test.attribute("classname").as_string(),
                                          test.attribute("name").as_string()),
                              std::string(message.substr(0, message.find('\n')))});
  } else if (test.child("skipped")) {
    ++results.skipped;
  }
}

// Suites may be nested. Hostile nesting with indentation would fill the disk.
constexpr int kDeepest = 100;

struct CaseCounter : pugi::xml_tree_walker {
  bool for_each(pugi::xml_node& node) override {
    if (std::string_view(node.name()) == "testcase") CountCase(node, results);
    return depth() < kDeepest;
  }
  TestResults results;
};

bool IsElement(const pugi::xml_node& node) { return node.type() == pugi::node_element; }

// Parses the text; empty if it is no JUnit file, whose root is a suite or a list of suites.
pugi::xml_document Load(std::string_view xml, TestResults& results) {
  pugi::xml_document document;
  CaseCounter counter;
  if (!document.load_buffer(xml.data(), xml.size()) || !document.traverse(counter) ||
      std::ranges::count_if(document.children(), IsElement) != 1 ||
      !(document.child("testsuites") || document.child("testsuite"))) {
    return {};
  }
  results = std::move(counter.results);
  return document;
}

// The suites of a file, with or without a parent element.
pugi::xml_node Suites(const pugi::xml_document& document) {
  const pugi::xml_node around = document.child("testsuites");
  return around ? around : static_cast<pugi::xml_node>(document);
}

// Copies the suites into `top` under the title. Tests outside of suites get a suite of their own,
// so that no failure is lost.
void AddSuites(const pugi::xml_document& document, const char* title, pugi::xml_node top) {
  pugi::xml_node others;
  for (const pugi::xml_node child : Suites(document)) {
    if (!IsElement(child)) continue;
    if (std::string_view(child.name()) == "testsuite") {
      pugi::xml_node copy = top.append_copy(child);
      if (!copy.attribute("name")) copy.prepend_attribute("name");
      copy.attribute("name").set_value(title);
    } else if (std::string_view(child.name()) != "properties") {
      if (!others) {
        others = top.append_child("testsuite");
        others.append_attribute("name").set_value(title);
      }
      others.append_copy(child);
    }
  }
}

// The text, escaped for a table cell.
std::string Cell(std::string_view text) {
  std::string cell;
  for (const char c : Printable(text)) {
    if (c == '|' || c == '\\' || c == '<' || c == '`') cell += '\\';
    cell += c == '\n' || c == '\t' ? ' ' : c;
  }
  return cell;
}

// A suite with one test for the whole run.
pugi::xml_node AddWholeRun(const TestRun& run, const char* count, pugi::xml_node top) {
  pugi::xml_node suite = top.append_child("testsuite");
  suite.append_attribute("name").set_value(run.Title().c_str());
  suite.append_attribute("tests").set_value(1);
  suite.append_attribute(count).set_value(1);
  pugi::xml_node test = suite.append_child("testcase");
  test.append_attribute("classname").set_value(run.Title().c_str());
  test.append_attribute("name").set_value("the run itself");
  return test;
}

}  // namespace

std::string TestRun::Title() const {
  return level.empty() ? name : name.empty() ? level : fmt::format("{}: {}", level, name);
}

bool IsGood(const TestRun& run) {
  const std::optional<TestResults> results = ReadJUnit(run.junit);
  return !run.not_begun && run.problem.empty() && results && results->failed.empty();
}

std::string LevelsInWords(const std::vector<TestRun>& runs) {
  std::string words;
  for (std::size_t i = 0, end = 0; i < runs.size(); i = end) {
    bool good = true;
    for (end = i; end < runs.size() && runs[end].level == runs[i].level; ++end) {
      good = good && IsGood(runs[end]);
    }
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", runs[i].level,
                         runs[i].not_begun ? "was not started"
                         : good            ? "passed"
                                           : "failed");
  }
  return words;
}

std::optional<TestResults> ReadJUnit(std::string_view xml) {
  TestResults results;
  if (!Load(xml, results).first_child()) return std::nullopt;
  return results;
}

std::string MergeJUnit(const std::vector<TestRun>& runs) {
  pugi::xml_document merged;
  pugi::xml_node top = merged.append_child("testsuites");
  for (const TestRun& run : runs) {
    TestResults results;
    const pugi::xml_document document = Load(run.junit, results);
    AddSuites(document, run.Title().c_str(), top);
    if (run.not_begun) {
      AddWholeRun(run, "skipped", top)
          .append_child("skipped")
          .append_attribute("message")
          .set_value("not started, because a level before it failed");
    } else if (!run.problem.empty()) {
      AddWholeRun(run, "errors", top)
          .append_child("error")
          .append_attribute("message")
          .set_value(run.problem.c_str());
    }
  }
  std::ostringstream text;
  merged.save(text, "  ");
  return text.str();
}

std::string TestSummary(const std::vector<TestRun>& runs) {
  std::string text = fmt::format("### Tests: {}\n\n", LevelsInWords(runs));
  text += "| tests | passed | failed | skipped | time |\n| --- | ---: | ---: | ---: | ---: |\n";
  std::vector<FailedTest> failed;
  for (const TestRun& run : runs) {
    const std::optional<TestResults> results = ReadJUnit(run.junit);
    if (results) {
      text +=
          fmt::format("| {} | {} | {} | {} | {:.0f} s |\n", Cell(run.Title()), results->passed(),
                      results->failed.size(), results->skipped, results->seconds);
      failed.insert(failed.end(), results->failed.begin(), results->failed.end());
    }
    if (!run.problem.empty()) {
      text += fmt::format("| {}: {} | | **1** | | |\n", Cell(run.Title()), Cell(run.problem));
    }
  }
  if (failed.empty()) return text;
  text += "\n| failed | because |\n| --- | --- |\n";
  for (std::size_t i = 0; i < std::min(failed.size(), kMostFailures); ++i) {
    text +=
        fmt::format("| {} | {} |\n", Cell(failed[i].name), Cell(Shorten(failed[i].message, 200)));
  }
  if (failed.size() > kMostFailures) {
    text += fmt::format("\nand {} more\n", failed.size() - kMostFailures);
  }
  return text;
}

}  // namespace wheelwright
