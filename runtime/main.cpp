// The program `wheelrun`: what to do is in the table of runtime/commands/commands.cpp.
#include <chrono>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "base/file_system.h"
#include "base/platform/console.h"
#include "base/platform/files.h"
#include "cli/terminal.h"
#include "runtime/commands/commands.h"
#include "runtime/host/actions/job_stream.h"
#include "runtime/host/environment/host.h"

int main(int argc, char** argv) {
  wheelwright::PrepareConsole();
  std::ios::sync_with_stdio(false);
  std::error_code ignored;
  const wheelwright::Variables variables = wheelwright::OwnVariables();
  const auto job = variables.find("GITHUB_ACTIONS");
  const bool in_job = job != variables.end() && job->second == "true";
  wheelwright::JobStream out_of_job(*std::cout.rdbuf()), err_of_job(*std::cerr.rdbuf());
  std::ostream out(in_job ? &out_of_job : std::cout.rdbuf());
  std::ostream err(in_job ? &err_of_job : std::cerr.rdbuf());
  err << std::unitbuf;
  wheelwright::Host host{
      {.files = wheelwright::RealFileSystem(),
       .in = std::cin,
       .out = out,
       .err = err,
       .folder = wheelwright::PathText(std::filesystem::current_path(ignored)),
       .out_is_terminal = wheelwright::IsTerminal(1),
       .err_is_terminal = wheelwright::IsTerminal(2)},
      variables,
      &wheelwright::RealProcesses(),
      wheelwright::ThisMachine(),
      [] { return std::chrono::system_clock::now(); },
      wheelwright::SleepUnlessInterrupted,
  };
  host.colors = wheelwright::ColorsAskedFor([&](const char* name) { return host.Variable(name); });
  wheelwright::EndProcessesWhenInterrupted();
  const std::vector<std::string> words = wheelwright::ArgumentsOf(argc, argv);
  const int status = wheelwright::RunProgram(wheelwright::Wheelrun(), words, host, &host);
  out.flush();
  if (wheelwright::InterruptedBy() != 0) wheelwright::EndByInterrupt();
  return status;
}
