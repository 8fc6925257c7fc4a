// The program `Scripts/python.exe` of a virtual environment, which the Python of the tests comes
// without: it runs the interpreter in the folder that pyvenv.cfg names, which takes its own place
// from a variable.
#include <windows.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/platform/windows.h"

int wmain() {
  std::wstring self(32768, L'\0');
  self.resize(GetModuleFileNameW(nullptr, self.data(), static_cast<DWORD>(self.size())));
  const std::filesystem::path scripts = std::filesystem::path(self).parent_path();
  std::ifstream settings(scripts.parent_path() / "pyvenv.cfg");
  std::string line;
  const std::string home = "home = ";
  while (std::getline(settings, line) && !line.starts_with(home)) {
  }
  if (!settings) return 106;
  if (line.ends_with('\r')) line.pop_back();
  const std::wstring python = wheelwright::WideOf(line.substr(home.size())) + L"\\python.exe";
  SetEnvironmentVariableW(L"__PYVENV_LAUNCHER__", self.c_str());
  STARTUPINFOW how{};
  how.cb = sizeof how;
  GetStartupInfoW(&how);
  PROCESS_INFORMATION made{};
  if (CreateProcessW(python.c_str(), GetCommandLineW(), nullptr, nullptr, TRUE, 0, nullptr, nullptr,
                     &how, &made) == 0) {
    return 101;
  }
  WaitForSingleObject(made.hProcess, INFINITE);
  DWORD status = 0;
  GetExitCodeProcess(made.hProcess, &status);
  return static_cast<int>(status);
}
