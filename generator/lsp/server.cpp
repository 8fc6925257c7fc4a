#include "generator/lsp/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>

#include "base/json.h"
#include "base/program_version.h"
#include "base/text.h"
#include "generator/compile/compile.h"
#include "generator/lint/linter.h"
#include "generator/lsp/answers.h"
#include "generator/lsp/documents.h"
#include "generator/lsp/messages.h"
#include "generator/lsp/rule_texts.h"

namespace wheelwright {
namespace {

// https://www.jsonrpc.org/specification#error_object
constexpr int kParseError = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601,
              kInvalidParams = -32602;

struct Document {
  std::string uri;
  std::string path;
  std::string text;
  std::vector<nlohmann::json> findings;   // that were published
  std::unique_ptr<Linter> good;           // of the last version that is well-formed YAML
  const LintedFile* good_file = nullptr;  // in it
};

class Server {
 public:
  Server(FileSystem& files, std::istream& in, std::ostream& out)
      : open_(files), in_(in), out_(out) {}

  int Run() {
    bool asked = false;
    while (const auto message = ReadMessage(in_)) {
      asked = true;
      if (message->is_null()) {
        Fail(nlohmann::json(), kParseError, "this is no JSON");
        continue;
      }
      const std::string method = message->is_object() ? message->value("method", "") : "";
      if (method == "exit") return shut_ ? 0 : 1;
      try {
        Take(method, *message);
      } catch (const nlohmann::json::exception& error) {
        if (message->contains("id")) Fail(message->at("id"), kInvalidParams, error.what());
      }
    }
    return asked && !shut_ ? 1 : 0;
  }

 private:
  void Take(const std::string& method, const nlohmann::json& message) {
    const bool request = message.contains("id");
    const nlohmann::json params = message.value("params", nlohmann::json::object());
    if (shut_ && request) return Fail(message.at("id"), kInvalidRequest, "the server is shut down");
    if (method == "initialize") return Answer(message.at("id"), Abilities());
    if (method == "shutdown") {
      shut_ = true;
      return Answer(message.at("id"), nlohmann::json());
    }
    if (method == "textDocument/didOpen") {
      const nlohmann::json& document = params.at("textDocument");
      return Open(document.at("uri"), document.at("text"));
    }
    if (method == "textDocument/didChange") {
      // Whole texts are asked for.
      return Open(params.at("textDocument").at("uri"),
                  params.at("contentChanges").back().at("text"));
    }
    if (method == "textDocument/didSave") return CheckAll();
    if (method == "textDocument/didClose") return Close(params.at("textDocument").at("uri"));
    if (method == "textDocument/hover") return Answer(message.at("id"), Hover(params));
    if (method == "textDocument/definition") return Answer(message.at("id"), Define(params));
    if (method == "textDocument/completion") return Answer(message.at("id"), Complete(params));
    if (request) Fail(message.at("id"), kMethodNotFound, fmt::format("there is no '{}'", method));
  }

  static nlohmann::json Abilities() {
    constexpr int kWholeTexts = 1;
    return {{"capabilities",
             {{"textDocumentSync",
               {{"openClose", true}, {"change", kWholeTexts}, {"save", nlohmann::json::object()}}},
              {"hoverProvider", true},
              {"definitionProvider", true},
              {"completionProvider", {{"triggerCharacters", {".", "{", " "}}}}}},
            {"serverInfo", {{"name", "wheelwright"}, {"version", OwnVersion()}}}};
  }

  void Open(const std::string& uri, const std::string& text) {
    Document* document = Find(uri);
    if (document == nullptr) {
      document = documents_.emplace_back(std::make_unique<Document>()).get();
      document->uri = uri;
      document->path = PathOfUri(uri);
    }
    document->text = text;
    open_.Open(document->path, text);
    Check(*document);
  }

  void Close(const std::string& uri) {
    const Document* document = Find(uri);
    if (document == nullptr) return;
    open_.Close(document->path);
    Publish(uri, nlohmann::json::array());
    std::erase_if(documents_, [&](const auto& one) { return one.get() == document; });
  }

  // What one document says may be wrong with another.
  void CheckAll() {
    for (const auto& document : documents_) Check(*document);
  }

  Document* Find(std::string_view uri) const {
    for (const auto& document : documents_) {
      if (document->uri == uri) return document.get();
    }
    return nullptr;
  }

  void Check(Document& document) {
    document.findings.clear();
    try {
      const bool workflow = document.path.find("/.github/workflows/") != std::string::npos ||
                            document.path.ends_with("/action.yml") ||
                            document.path.ends_with("/action.yaml");
      const auto root = workflow ? std::nullopt : ProjectAbove(open_, document.path);
      if (root && (document.path.starts_with(*root + "/templates/") ||
                   document.path.starts_with(*root + "/matrix/"))) {
        CheckProject(document, *root);
      } else {
        CheckWorkflow(document);
      }
    } catch (const FileError& error) {
      Log(error.what());
    }
    Publish(document.uri, document.findings);
  }

  void CheckWorkflow(Document& document) {
    auto linter = std::make_unique<Linter>(
        open_, LintRequest{.threads = std::max(1U, std::thread::hardware_concurrency()),
                           .keep_trees = true});
    linter->ReadPath(document.path);
    if (linter->refused().errors() > 0 || !linter->Check()) {
      TakeFindings(document, linter->refused(), linter->sources(), {});
      for (const Diagnostics::Entry& entry : linter->refused().entries()) {
        Log(entry.diagnostic.message);
      }
      return;
    }
    TakeFindings(document, linter->Collect(), linter->sources(), {});
    const LintedFile* file = linter->FindFile(document.path);
    if (file == nullptr || file->root() == nullptr || !file->root()->is_mapping()) return;
    document.good_file = file;
    document.good = std::move(linter);
  }

  // A template or a table: findings of the whole project that are in this file.
  void CheckProject(Document& document, const std::string& root) {
    Diagnostics found;
    const auto compilation = Compile(open_, {.root = root}, CompileUntil::kText, found);
    TakeFindings(document, found, compilation->sources, root);
  }

  // The path of a source, which a compilation names from the project's folder.
  static std::string PathOf(std::string_view name, const std::string& root) {
    return root.empty() || name.starts_with('/') ? std::string(name)
                                                 : fmt::format("{}/{}", root, name);
  }

  static nlohmann::json RangeOf(const SourceManager& sources, SourceRange where) {
    const std::string_view text = sources.Text(where.begin.file);
    const EditorPosition begin = PositionIn(text, where.begin.offset);
    const EditorPosition end = PositionIn(text, where.begin.offset + where.length);
    return {{"start", {{"line", begin.line}, {"character", begin.character}}},
            {"end", {{"line", end.line}, {"character", end.character}}}};
  }

  static void TakeFindings(Document& document, const Diagnostics& found,
                           const SourceManager& sources, const std::string& root) {
    constexpr int kErrorLevel = 1, kWarningLevel = 2;
    for (const Diagnostics::Entry& entry : found.entries()) {
      const Diagnostic& one = entry.diagnostic;
      if (!one.where.known() || PathOf(sources.Name(one.where.begin.file), root) != document.path) {
        continue;
      }
      std::string message = one.message;
      if (!one.hint.empty()) message += "\n" + one.hint;
      for (const std::string& note : one.notes) message += "\n" + note;
      nlohmann::json related = nlohmann::json::array();
      for (const Diagnostic::Related& other : one.related) {
        if (!other.where.known()) continue;
        related.push_back({{"location",
                            {{"uri", UriOfPath(PathOf(sources.Name(other.where.begin.file), root))},
                             {"range", RangeOf(sources, other.where)}}},
                           {"message", other.text}});
      }
      nlohmann::json finding{
          {"range", RangeOf(sources, one.where)},
          {"severity", one.severity == Severity::kError ? kErrorLevel : kWarningLevel},
          {"code", one.code},
          {"codeDescription", {{"href", kRulesPage}}},
          {"source", "wheelwright"},
          {"message", message}};
      if (!related.empty()) finding["relatedInformation"] = related;
      document.findings.push_back(std::move(finding));
    }
  }

  // The document and offset that a request is about; the document is null if it is not open.
  std::pair<Document*, std::size_t> PlaceOf(const nlohmann::json& params) const {
    Document* document = Find(params.at("textDocument").at("uri").get<std::string>());
    if (document == nullptr) return {nullptr, 0};
    const nlohmann::json& position = params.at("position");
    return {document, OffsetIn(document->text, {position.at("line").get<std::size_t>(),
                                                position.at("character").get<std::size_t>()})};
  }

  template <typename Ask>
  static auto With(Document& document, std::size_t offset, FileSystem& files, const Ask& ask)
      -> decltype(ask(std::declval<EditorPlace>())) {
    if (document.good == nullptr) return {};
    return ask({document.path, document.text, offset, files, *document.good, *document.good_file});
  }

  nlohmann::json Hover(const nlohmann::json& params) {
    const auto [document, offset] = PlaceOf(params);
    if (document == nullptr) return {};
    const nlohmann::json& position = params.at("position");
    std::string text;
    for (const nlohmann::json& finding : document->findings) {
      const nlohmann::json& range = finding.at("range");
      if (IsBefore(position, range.at("start")) || IsBefore(range.at("end"), position)) continue;
      const std::string code = finding.at("code");
      const std::string rule = TextOfRule(code);
      text += fmt::format(
          "{}**{}**: {}{}", text.empty() ? "" : "\n\n---\n\n", code,
          finding.at("message").get<std::string>(),
          rule.empty() ? "" : fmt::format("\n\n{}\n\n[{}]({})", rule, code, kRulesPage));
    }
    if (text.empty()) text = With(*document, offset, open_, ActionTextAt);
    if (text.empty()) return {};
    return {{"contents", {{"kind", "markdown"}, {"value", text}}}};
  }

  static bool IsBefore(const nlohmann::json& a, const nlohmann::json& b) {
    return std::pair(a.at("line").get<std::size_t>(), a.at("character").get<std::size_t>()) <
           std::pair(b.at("line").get<std::size_t>(), b.at("character").get<std::size_t>());
  }

  nlohmann::json Define(const nlohmann::json& params) {
    const auto [document, offset] = PlaceOf(params);
    if (document == nullptr) return {};
    auto found = TemplateAt(document->path, document->text, offset, open_);
    if (!found) found = With(*document, offset, open_, DefinitionAt);
    if (!found) return {};
    const nlohmann::json place{{"line", found->line}, {"character", 0}};
    return {{"uri", UriOfPath(found->path)}, {"range", {{"start", place}, {"end", place}}}};
  }

  nlohmann::json Complete(const nlohmann::json& params) {
    const auto [document, offset] = PlaceOf(params);
    nlohmann::json items = nlohmann::json::array();
    if (document == nullptr) return items;
    for (const Completion& one : With(*document, offset, open_, CompletionsAt)) {
      nlohmann::json item{{"label", one.label}};
      if (!one.detail.empty()) item["detail"] = one.detail;
      items.push_back(std::move(item));
    }
    return items;
  }

  void Answer(const nlohmann::json& id, nlohmann::json result) {
    WriteMessage(out_, {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
  }
  void Fail(const nlohmann::json& id, int code, std::string_view message) {
    WriteMessage(
        out_, {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
  }
  void Notify(std::string_view method, nlohmann::json params) {
    WriteMessage(out_, {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
  }
  void Publish(const std::string& uri, nlohmann::json findings) {
    Notify("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", std::move(findings)}});
  }
  void Log(std::string_view message) {
    constexpr int kWarningLevel = 2;
    Notify("window/logMessage", {{"type", kWarningLevel}, {"message", message}});
  }

  OpenFiles open_;
  std::istream& in_;
  std::ostream& out_;
  std::vector<std::unique_ptr<Document>> documents_;
  bool shut_ = false;
};

}  // namespace

int ServeEditor(FileSystem& files, std::istream& in, std::ostream& out) {
  return Server(files, in, out).Run();
}

}  // namespace wheelwright
