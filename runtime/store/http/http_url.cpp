#include <algorithm>

#include "base/characters.h"
#include "base/text.h"
#include "runtime/store/http/http_client.h"

namespace wheelwright {
namespace {

// Lower case first, as in curl. (curl ignores HTTP_PROXY because a CGI client can set it; this is
// no CGI program.)
std::string EitherCase(const Host& host, std::string_view small, std::string_view capital) {
  std::string value = host.Variable(small);
  return value.empty() ? host.Variable(capital) : value;
}

bool IsExempt(const HttpUrl& url, std::string_view list) {
  for (const std::string_view entry : Split(list, ',')) {
    std::string_view name = Trim(entry);
    if (name == "*") return true;
    if (const std::size_t colon = name.rfind(':');
        colon != std::string_view::npos && name.find(':') == colon) {
      if (name.substr(colon + 1) != url.port) continue;
      name = name.substr(0, colon);
    }
    while (name.starts_with('.') || name.starts_with('*')) name.remove_prefix(1);
    if (name.empty()) continue;
    const std::string host = ToLower(url.host), wanted = ToLower(name);
    if (host == wanted || host.ends_with("." + wanted)) return true;
  }
  return false;
}

}  // namespace

std::string_view HttpAnswer::Header(std::string_view name) const {
  const auto found = std::ranges::find(headers, name, [](const auto& pair) { return pair.first; });
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

bool ReadHttpUrl(std::string_view text, HttpUrl& url) {
  // Refuses characters that would end the header line.
  if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) <= ' '; })) {
    return false;
  }
  const std::string scheme = ToLower(text.substr(0, 8));
  if (scheme.starts_with("https://")) {
    url.tls = true;
    text.remove_prefix(8);
  } else if (scheme.starts_with("http://")) {
    url.tls = false;
    text.remove_prefix(7);
  } else {
    return false;
  }
  text = text.substr(0, text.find('#'));
  const std::size_t end = std::min(text.find_first_of("/?"), text.size());
  std::string_view authority = text.substr(0, end);
  std::string_view rest = text.substr(end);
  const std::size_t question = std::min(rest.find('?'), rest.size());
  url.path = rest.substr(0, question);
  if (url.path.empty()) url.path = "/";
  url.query = question < rest.size() ? rest.substr(question + 1) : "";
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    url.user_info = authority.substr(0, at);
    authority.remove_prefix(at + 1);
  }
  url.authority = authority;
  std::string_view port;
  if (authority.starts_with('[')) {
    const std::size_t close = authority.find(']');
    if (close == std::string_view::npos) return false;
    url.host = authority.substr(1, close - 1);
    if (close + 1 < authority.size()) {
      if (authority[close + 1] != ':') return false;
      port = authority.substr(close + 2);
    }
  } else {
    const std::size_t colon = std::min(authority.find(':'), authority.size());
    url.host = authority.substr(0, colon);
    if (colon < authority.size()) port = authority.substr(colon + 1);
  }
  const bool digits = port.size() <= 5 && std::ranges::all_of(port, IsDigit);
  if (url.host.empty() || !digits) return false;
  url.port = port.empty() ? (url.tls ? "443" : "80") : std::string(port);
  return true;
}

std::string ProxyFor(const HttpUrl& url, const Host& host) {
  if (IsExempt(url, EitherCase(host, "no_proxy", "NO_PROXY"))) return {};
  std::string proxy = url.tls ? EitherCase(host, "https_proxy", "HTTPS_PROXY")
                              : EitherCase(host, "http_proxy", "HTTP_PROXY");
  if (proxy.empty()) proxy = EitherCase(host, "all_proxy", "ALL_PROXY");
  if (!proxy.empty() && proxy.find("://") == std::string::npos) proxy = "http://" + proxy;
  return proxy;
}

}  // namespace wheelwright
