// Reading a command line. The only code that knows cxxopts.

// Its regular expressions cost more at the start than reading the whole matrix.
#define CXXOPTS_NO_REGEX true
// Patterns may hold any character; an option is repeated instead.
#define CXXOPTS_VECTOR_DELIMITER '\0'
#include <fmt/format.h>

#include <algorithm>
#include <cxxopts.hpp>
#include <utility>

#include "base/text.h"
#include "cli/program.h"

namespace wheelwright {
namespace {

constexpr std::string_view kPositional = "arguments";

class ArgumentReader {
 public:
  ArgumentReader(const Program& program, const Command& command, Diagnostics& diagnostics)
      : program_(program),
        command_(command),
        diagnostics_(diagnostics),
        specs_(AllOptions(command)) {}

  std::optional<Arguments> Read(std::span<const std::string> words) {
    cxxopts::Options options{std::string(program_.name)};
    options.allow_unrecognised_options();
    auto add = options.add_options();
    for (const OptionSpec& spec : specs_) {
      const std::string name = spec.name == "help" ? "h,help" : std::string(spec.name);
      if (spec.argument.empty()) {
        add(name, "");
      } else {
        add(name, "", cxxopts::value<std::vector<std::string>>());
      }
    }
    add(std::string(kPositional), "", cxxopts::value<std::vector<std::string>>());
    options.parse_positional({std::string(kPositional)});

    std::vector<const char*> pointers{options.program().c_str()};
    for (const std::string& word : words) pointers.push_back(word.c_str());
    try {
      return Take(options.parse(static_cast<int>(pointers.size()), pointers.data()));
    } catch (const cxxopts::exceptions::missing_argument& missing) {
      ReportValue(Quoted(missing.what()), "needs a value");
    } catch (const cxxopts::exceptions::incorrect_argument_type&) {
      Report("option-value", "a switch takes no value", {});
    } catch (const cxxopts::exceptions::exception& other) {
      Report("option-value", other.what(), {});
    }
    return std::nullopt;
  }

 private:
  std::optional<Arguments> Take(const cxxopts::ParseResult& parsed) {
    Arguments arguments;
    bool good = true;
    for (const std::string& unknown : parsed.unmatched()) {
      good = false;
      if (unknown.starts_with("-")) {
        ReportUnknown(unknown);
      } else {
        ReportSurplus(unknown);
      }
    }
    for (const OptionSpec& spec : specs_) {
      const std::string name(spec.name);
      if (parsed.count(name) == 0) continue;
      std::vector<std::string> values;
      if (!spec.argument.empty()) {
        values = parsed[name].as<std::vector<std::string>>();
        if (program_.empty_is_absent) std::erase(values, std::string());
        if (values.empty()) continue;
      }
      for (const std::string& value : values) good = CheckValue(spec, value) && good;
      arguments.options[name] = std::move(values);
    }
    if (parsed.count(std::string(kPositional)) > 0) {
      arguments.positional = parsed[std::string(kPositional)].as<std::vector<std::string>>();
    }
    if (!good) return std::nullopt;
    if (arguments.Has("help")) return arguments;
    if (arguments.positional.size() > command_.most_positional) {
      ReportSurplus(arguments.positional[command_.most_positional]);
      return std::nullopt;
    }
    if (arguments.positional.size() < command_.least_positional) {
      Report("missing-argument", fmt::format("'{}' needs an argument", command_.name), {});
      return std::nullopt;
    }
    return arguments;
  }

  bool CheckValue(const OptionSpec& spec, const std::string& value) {
    if (value.empty()) {
      ReportValue(std::string(spec.name), "needs a value");
      return false;
    }
    if (value.starts_with("--")) {
      ReportValue(std::string(spec.name), fmt::format("needs a value, but '{}' follows", value));
      return false;
    }
    if (spec.number) {
      constexpr std::size_t kMostDigits = 6;
      if (value.size() <= kMostDigits &&
          value.find_first_not_of("0123456789") == std::string::npos) {
        return true;
      }
      ReportValue(std::string(spec.name), fmt::format("takes a whole number, not '{}'", value));
      return false;
    }
    if (spec.values.empty() || std::ranges::find(spec.values, value) != spec.values.end()) {
      return true;
    }
    Report("option-value", fmt::format("'--{}' does not take '{}'", spec.name, value),
           DidYouMean(value, spec.values, "it takes"));
    return false;
  }

  void ReportUnknown(const std::string& word) {
    const std::string name = word.substr(0, word.find('='));
    std::vector<std::string> written;
    for (const OptionSpec& spec : specs_) written.push_back(fmt::format("--{}", spec.name));
    const std::vector<std::string_view> candidates(written.begin(), written.end());
    Report("unknown-option", fmt::format("'{}' has no option '{}'", command_.name, name),
           DidYouMean(name, candidates));
  }

  void ReportSurplus(const std::string& word) {
    Report("surplus-argument",
           command_.most_positional == 0
               ? fmt::format("'{}' takes no argument, but '{}' is given", command_.name, word)
               : fmt::format("'{}' takes {} at most; '{}' is one too many", command_.name,
                             Count(command_.most_positional, "argument"), word),
           {});
  }

  void ReportValue(const std::string& name, std::string_view what) {
    Report("option-value", fmt::format("'--{}' {}", name, what), {});
  }

  void Report(std::string_view code, std::string message, std::string hint) {
    diagnostics_.Report({.code = code,
                         .message = std::move(message),
                         .hint = std::move(hint),
                         .notes = {fmt::format("usage: {}", UsageOf(program_, command_)),
                                   fmt::format("{} help {}", program_.name, command_.name)}});
  }

  // The first thing in quotation marks of any kind.
  std::string Quoted(std::string_view message) const {
    for (const OptionSpec& spec : specs_) {
      for (const std::string_view open : {"‘", "'"}) {
        if (message.find(fmt::format("{}{}", open, spec.name)) != std::string_view::npos) {
          return std::string(spec.name);
        }
      }
    }
    return {};
  }

  const Program& program_;
  const Command& command_;
  Diagnostics& diagnostics_;
  std::vector<OptionSpec> specs_;
};

}  // namespace

std::string_view Arguments::Get(std::string_view name) const {
  const auto found = options.find(name);
  return found == options.end() || found->second.empty() ? std::string_view{}
                                                         : found->second.back();
}

std::vector<OptionSpec> Joined(std::vector<OptionSpec> own, std::vector<OptionSpec> more) {
  own.insert(own.end(), more.begin(), more.end());
  return own;
}

std::vector<std::string> Arguments::All(std::string_view name) const {
  const auto found = options.find(name);
  return found == options.end() ? std::vector<std::string>{} : found->second;
}

std::optional<Arguments> ReadArguments(const Program& program, const Command& command,
                                       std::span<const std::string> words,
                                       Diagnostics& diagnostics) {
  return ArgumentReader(program, command, diagnostics).Read(words);
}

}  // namespace wheelwright
