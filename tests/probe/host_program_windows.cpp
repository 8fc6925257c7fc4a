// Stands for a program that the tests of Windows have on this machine alone: under the name of that
// program, it asks tests/windows/host_programs.py for a run of it, prints its output, and ends with
// its status.
//
// Sends its name, folder, arguments and variables as UTF-8, each text behind its length, each list
// behind its own; lengths are four bytes. Receives frames: a byte for the kind ('o' stdout, 'e'
// stderr, 'x' status), a length, that many bytes.
#include <windows.h>
#include <winsock2.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

std::string Utf8(const wchar_t* text) {
  const int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, nullptr, 0, nullptr, nullptr);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  WideCharToMultiByte(CP_UTF8, 0, text, -1, bytes.data(), size, nullptr, nullptr);
  bytes.pop_back();
  return bytes;
}

void Add(std::string& message, std::uint32_t number) {
  message.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void Add(std::string& message, const std::vector<std::string>& texts) {
  Add(message, static_cast<std::uint32_t>(texts.size()));
  for (const std::string& text : texts) {
    Add(message, static_cast<std::uint32_t>(text.size()));
    message += text;
  }
}

bool Receive(SOCKET server, void* data, std::size_t size) {
  for (char* at = static_cast<char*>(data); size > 0;) {
    const int got = recv(server, at, static_cast<int>(size), 0);
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

void Write(DWORD stream, const std::string& bytes) {
  DWORD written = 0;
  for (std::size_t at = 0; at < bytes.size(); at += written) {
    if (!WriteFile(GetStdHandle(stream), bytes.data() + at, static_cast<DWORD>(bytes.size() - at),
                   &written, nullptr)) {
      return;
    }
  }
}

}  // namespace

int wmain(int count, wchar_t** words) {
  wchar_t path[32'768];
  GetModuleFileNameW(nullptr, path, 32'768);
  std::string message;
  std::vector<std::string> texts{Utf8(path)};
  GetCurrentDirectoryW(32'768, path);
  texts.push_back(Utf8(path));
  Add(message, texts);
  texts.clear();
  for (int i = 1; i < count; ++i) texts.push_back(Utf8(words[i]));
  Add(message, texts);
  texts.clear();
  wchar_t* variables = GetEnvironmentStringsW();
  for (const wchar_t* at = variables; *at != 0; at += wcslen(at) + 1) texts.push_back(Utf8(at));
  Add(message, texts);

  const char* port = std::getenv("HOST_PROGRAMS");
  WSADATA data;
  WSAStartup(MAKEWORD(2, 2), &data);
  const SOCKET server = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<u_short>(port != nullptr ? std::atoi(port) : 0));
  if (connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    Write(STD_ERROR_HANDLE,
          "HOST_PROGRAMS names no port where tests/windows/host_programs.py listens\n");
    return 127;
  }
  for (std::size_t at = 0; at < message.size();) {
    const int sent = send(server, message.data() + at, static_cast<int>(message.size() - at), 0);
    if (sent <= 0) return 127;
    at += static_cast<std::size_t>(sent);
  }
  for (;;) {
    char kind = 0;
    std::uint32_t size = 0;
    if (!Receive(server, &kind, 1) || !Receive(server, &size, sizeof size)) return 127;
    std::string bytes(size, '\0');
    if (!Receive(server, bytes.data(), size)) return 127;
    if (kind == 'x') return std::atoi(bytes.c_str());
    Write(kind == 'o' ? STD_OUTPUT_HANDLE : STD_ERROR_HANDLE, bytes);
  }
}
