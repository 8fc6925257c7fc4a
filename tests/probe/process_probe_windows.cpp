// A program for the tests of child processes: it does what its first argument says.
#include <windows.h>
// After it.
#include <shellapi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>

#include "base/platform/console.h"
#include "base/platform/files.h"
#include "base/platform/machine.h"
#include "base/platform/windows.h"

namespace {

void Start(const std::string& words) {
  wchar_t self[MAX_PATH] = {};
  GetModuleFileNameW(nullptr, self, MAX_PATH);
  std::wstring line = L"\"" + std::wstring(self) + L"\" " + wheelwright::WideOf(words);
  STARTUPINFOW how{};
  how.cb = sizeof how;
  PROCESS_INFORMATION made{};
  if (CreateProcessW(self, line.data(), nullptr, nullptr, FALSE, 0, nullptr, nullptr, &how,
                     &made) != 0) {
    CloseHandle(made.hProcess);
    CloseHandle(made.hThread);
  }
}

}  // namespace

int main(int argc, char** argv) {
  wheelwright::PrepareConsole();
  const std::vector<std::string> words = wheelwright::ArgumentsOf(argc, argv);
  const std::string what = words.empty() ? "" : words[0];
  if (what == "arguments") {
    for (std::size_t i = 1; i < words.size(); ++i)
      std::cout << words[i].size() << ':' << words[i] << '\n';
  } else if (what == "exit") {
    ExitProcess(static_cast<UINT>(std::stoul(words[1], nullptr, 0)));
  } else if (what == "both") {
    std::cout << "a\n" << std::flush;
    std::cerr << "b\n" << std::flush;
    std::cout << "c\n" << std::flush;
  } else if (what == "flood") {
    const std::string piece(1000, 'x');
    for (int i = std::stoi(words[1]); i > 0; --i) std::cout << piece;
  } else if (what == "variables") {
    for (const auto& [name, value] : wheelwright::OwnVariables())
      std::cout << name << '=' << value << '\n';
  } else if (what == "folder") {
    std::cout << wheelwright::PathText(std::filesystem::current_path()) << '\n';
  } else if (what == "sleep") {
    std::this_thread::sleep_for(std::chrono::milliseconds(std::stoi(words[1])));
  } else if (what == "tree") {
    Start("late " + words[1]);
    std::cout << "started\n" << std::flush;
    std::this_thread::sleep_for(std::chrono::milliseconds(std::stoi(words[2])));
  } else if (what == "late") {
    std::this_thread::sleep_for(std::chrono::seconds(2));
    std::ofstream(wheelwright::SystemPath(words[1])) << "late";
  }
  return 0;
}
