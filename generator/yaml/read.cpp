#include "generator/yaml/read.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/text.h"
#include "generator/yaml/comments.h"
#include "generator/yaml/scan.h"
#include "generator/yaml/syntax_hint.h"

namespace wheelwright {
namespace {

constexpr std::size_t kDeepest = 100;
constexpr std::size_t kMostNodes = 1'000'000;  // GitHub's parser stops at as many events

// Thrown to leave yaml-cpp's parser after a fatal report.
struct Stop {};

// yaml-cpp: libfyaml 0.7.12 hangs on some malformed files, and drops the last comments.
class Builder : public YAML::EventHandler {
 public:
  Builder(const SourceManager& sources, FileId file, Arena& arena, Diagnostics& diagnostics)
      : text_(sources.Text(file)),
        file_(file),
        arena_(arena),
        diagnostics_(diagnostics),
        comments_(text_, arena) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Node* node = arena_.New<Node>(Node{.where = PlaceOfNull(OffsetOf(mark))});
    Remember(anchor, node, 1);
    AddLeaf(node, node->where.begin.offset, 1);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto known = anchors_.find(anchor);
    if (known == anchors_.end() || known->second.open) {
      Fail("yaml-alias", "an alias is inside the node to which it refers", OffsetOf(mark), 1,
           "write the value out");
    }
    const std::size_t at = OffsetOf(mark);
    behind_ = EndOfAnchor(text_, at);
    // A node of its own, as the comments are those of this place.
    AddLeaf(arena_.New<Node>(*known->second.node), at, known->second.size);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    const std::size_t at = SkipProperties(text_, OffsetOf(mark));
    Node* node = arena_.New<Node>();
    node->text = RepairEscapes(value);
    node->kind = tag == "?" ? PlainKind(node->text) : TaggedKind(tag, node->text, at);
    if (node->kind == NodeKind::kBoolean) {
      node->text = node->text[0] == 't' || node->text[0] == 'T' ? "true" : "false";
    }
    if (node->is_null()) node->text = {};
    const char first = tag != "?" && at < text_.size() ? text_[at] : '\0';
    if (first == '|' || first == '>') {
      node->style = first == '|' ? NodeStyle::kLiteral : NodeStyle::kFolded;
      behind_ = EndOfBlock(text_, at, ParentColumn());
      comments_.AddScalar(at, behind_);
    } else if (first == '\'' || first == '"') {
      if (node->is_string()) node->style = NodeStyle::kQuoted;
      behind_ = EndOfQuoted(text_, at);
      comments_.AddScalar(at, behind_);
    } else {
      behind_ = EndOfPlain(text_, at, value);
    }
    node->where = Range(at, behind_ - at);
    Remember(anchor, node, 1);
    AddLeaf(node, at, 1);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    Open(mark, tag, anchor, NodeKind::kSequence, style);
  }
  void OnSequenceEnd() override { Close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    Open(mark, tag, anchor, NodeKind::kMapping, style);
  }
  void OnMapEnd() override { Close(); }

  Document Finish() { return {root_ != nullptr ? root_ : arena_.New<Node>(), comments_.Attach()}; }

  [[noreturn]] void Fail(std::string_view code, std::string message, std::size_t at,
                         std::size_t length, std::string hint) {
    Report(code, std::move(message), Range(at, length), std::move(hint));
    throw Stop{};
  }

  // The part of it that lies inside of the text.
  SourceRange Range(std::size_t at, std::size_t length) const {
    at = std::min(at, text_.size());
    length = std::min(length, text_.size() - at);
    return {{file_, static_cast<std::uint32_t>(at)}, static_cast<std::uint32_t>(length)};
  }

  bool failed() const { return failed_; }
  std::size_t OffsetOf(const YAML::Mark& mark) const {
    return std::min<std::size_t>(static_cast<std::size_t>(std::max(0, mark.pos)), text_.size());
  }

 private:
  struct Anchor {
    const Node* node;
    std::size_t size;  // nodes below and with it
    bool open;
  };
  struct OpenCollection {
    Node* node;
    YAML::anchor_t anchor;
    std::size_t size = 1;
    std::size_t first_child;  // in children_
    Node* commented;          // the key or item that a comment behind it is about; may be null
  };

  void Report(std::string_view code, std::string message, SourceRange where, std::string hint,
              std::vector<Diagnostic::Related> related = {}) {
    failed_ = true;
    diagnostics_.Report({.code = code,
                         .message = std::move(message),
                         .where = where,
                         .hint = std::move(hint),
                         .related = std::move(related)});
  }

  // yaml-cpp writes the escapes \N and \_ as single bytes (0x85, 0xA0), which is not UTF-8.
  std::string_view RepairEscapes(std::string_view value) {
    if (!FindForeignByte(value)) return arena_.Copy(value);
    std::string repaired;
    for (std::size_t i = 0; i < value.size();) {
      const auto byte = static_cast<unsigned char>(value[i]);
      if (byte == 0x85 || byte == 0xA0) repaired += '\xC2';
      const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 1;
      repaired += value.substr(i, length);
      i += length;
    }
    return arena_.Copy(std::string_view(repaired));
  }

  void ReportTag(std::string_view tag, std::size_t at) {
    Report("yaml-tag", fmt::format("the YAML tag '{}' is not understood", tag), Range(at, 1),
           "leave the tag out");
  }

  // Of a scalar that is quoted or has a tag.
  NodeKind TaggedKind(std::string_view tag, std::string_view text, std::size_t at) {
    const std::optional<NodeKind> wanted = KindOfTag(tag);
    if (wanted && IsOfKind(text, *wanted)) return *wanted;
    if (wanted) {
      Report("yaml-tag", fmt::format("'{}' is not of the type '{}'", text, tag),
             Range(at, std::max<std::size_t>(text.size(), 1)), "leave the tag out");
    } else {
      ReportTag(tag, at);
    }
    return NodeKind::kString;
  }

  void Remember(YAML::anchor_t anchor, const Node* node, std::size_t size) {
    if (anchor != 0) anchors_[anchor] = {node, size, false};
  }

  void Open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, NodeKind kind,
            YAML::EmitterStyle::value style) {
    const std::size_t at = SkipProperties(text_, OffsetOf(mark));
    if (stack_.size() >= kDeepest) {
      Fail("yaml-too-deep", fmt::format("nested more than {} levels deep", kDeepest), at, 1, "");
    }
    const std::string_view own =
        kind == NodeKind::kSequence ? "tag:yaml.org,2002:seq" : "tag:yaml.org,2002:map";
    if (!tag.empty() && tag != "!" && tag != "?" && tag != own) ReportTag(tag, at);
    const bool flow = style == YAML::EmitterStyle::Flow;
    Node* node = arena_.New<Node>(Node{
        .kind = kind, .style = flow ? NodeStyle::kFlow : NodeStyle::kBlock, .where = Range(at, 1)});
    if (HoldsComments()) comments_.AddPoint(node, at);
    if (anchor != 0) anchors_[anchor] = {node, 0, true};
    Node* commented = stack_.empty() ? nullptr : comments_.LastPoint();
    stack_.push_back({node, anchor, 1, children_.size(), commented});
    behind_ = flow ? at + 1 : at;
  }

  void Close() {
    const OpenCollection closed = stack_.back();
    stack_.pop_back();
    const std::span<const Node* const> children(children_.data() + closed.first_child,
                                                children_.size() - closed.first_child);
    if (closed.node->is_sequence()) {
      closed.node->items = arena_.Copy(children);
    } else {
      std::vector<Entry> entries;
      for (std::size_t i = 0; i + 1 < children.size(); i += 2) {
        entries.push_back({children[i], children[i + 1]});
      }
      RefuseDuplicates(entries);
      closed.node->entries = arena_.Copy(std::span<const Entry>(entries));
    }
    children_.resize(closed.first_child);
    Remember(closed.anchor, closed.node, closed.size);
    if (closed.node->style == NodeStyle::kFlow) {
      behind_ = EndOfFlow(text_, behind_);
      comments_.AddClosing(closed.commented, behind_);
    }
    Add(closed.node, closed.size);
  }

  void RefuseDuplicates(std::span<const Entry> entries) {
    std::unordered_map<std::string_view, const Node*> seen;
    for (const Entry& entry : entries) {
      const auto [first, is_new] = seen.emplace(entry.key->text, entry.key);
      if (!is_new) {
        const bool directive = entry.key->text.starts_with("$[[");
        Report("duplicate-key", fmt::format("the key '{}' occurs twice", entry.key->text),
               entry.key->where,
               directive ? "YAML has each key once: write a second else as an if with the opposite "
                           "condition"
                         : "",
               {{first->second->where, "first defined here"}});
      }
    }
  }

  bool ExpectsKey() const {
    return !stack_.empty() && stack_.back().node->is_mapping() &&
           (children_.size() - stack_.back().first_child) % 2 == 0;
  }

  // Whether the next node is a key or an item.
  bool HoldsComments() const {
    return !stack_.empty() && (stack_.back().node->is_sequence() || ExpectsKey());
  }

  std::optional<std::size_t> ParentColumn() const {
    if (stack_.empty()) return std::nullopt;
    return ColumnOf(stack_.back().node->where.begin.offset);
  }
  std::size_t ColumnOf(std::size_t at) const { return at - LineStart(text_, at); }

  // Where a null is written. One that is not written is behind its colon or dash: yaml-cpp says
  // where the next token is.
  SourceRange PlaceOfNull(std::size_t mark) {
    const std::size_t at = SkipProperties(text_, mark);
    const bool further_in = stack_.empty() || stack_.back().node->style == NodeStyle::kFlow ||
                            ExpectsKey() || ColumnOf(at) > *ParentColumn();
    for (const std::string_view word : {"~", "null", "Null", "NULL"}) {
      if (further_in && text_.substr(at).starts_with(word)) {
        behind_ = std::max(behind_, at + word.size());
        return Range(at, word.size());
      }
    }
    const std::size_t sign = SkipBlanksAndComments(text_, behind_);
    if (sign < text_.size() && (text_[sign] == ':' || text_[sign] == '-' || text_[sign] == '?')) {
      behind_ = sign + 1;
    }
    return Range(behind_, 0);
  }

  void AddLeaf(Node* node, std::size_t at, std::size_t size) {
    if (HoldsComments()) comments_.AddPoint(node, at);
    Add(node, size);
  }

  void Add(const Node* node, std::size_t size) {
    if (ExpectsKey()) CheckKey(*node);
    nodes_ += size;
    if (nodes_ > kMostNodes) {
      Fail("yaml-too-large",
           fmt::format("unfolds to more than {} nodes", WithThousands(kMostNodes)),
           node->where.begin.offset, 1, "");
    }
    if (stack_.empty()) {
      root_ = node;
      return;
    }
    stack_.back().size += size;
    children_.push_back(node);
  }

  void CheckKey(const Node& key) {
    if (!key.is_scalar()) {
      Fail("yaml-key", "a mapping's key must be a plain word", key.where.begin.offset, 1,
           text_.substr(key.where.begin.offset).starts_with("[[")
               ? "an expression of a template begins with $[["
               : "put quotes around it if it is meant as text");
    }
    if (key.text == "<<" && key.style == NodeStyle::kPlain) {
      Report("merge-key", "the merge key '<<' is not part of the language", key.where,
             "write the entries out: GitHub refuses merge keys");
    }
  }

  std::string_view text_;
  FileId file_;
  Arena& arena_;
  Diagnostics& diagnostics_;
  const Node* root_ = nullptr;
  std::vector<OpenCollection> stack_;
  std::vector<const Node*> children_;
  std::unordered_map<YAML::anchor_t, Anchor> anchors_;
  CommentPlaces comments_;
  std::size_t nodes_ = 0;
  std::size_t behind_ = 0;  // what was read last
  bool failed_ = false;
};

}  // namespace

Document ReadYaml(const SourceManager& sources, FileId file, Arena& arena,
                  Diagnostics& diagnostics) {
  const std::string_view text = sources.Text(file);
  Builder builder(sources, file, arena, diagnostics);
  try {
    if (const auto at = FindForeignByte(text)) {
      const auto byte = static_cast<unsigned char>(text[*at]);
      builder.Fail("yaml-encoding",
                   byte < 0x80 ? fmt::format("the text has a control character (0x{:02x})", byte)
                               : "the text is not UTF-8",
                   *at, 1, "");
    }
    if (const auto at = FindConflict(text)) {
      builder.Fail("conflict-marker", "a merge is not finished: here are two versions of a part",
                   *at, 7, "keep one of them, and no line with markers");
    }
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    if (builder.failed()) return {};
    Builder second(sources, file, arena, diagnostics);
    const std::size_t before = diagnostics.errors();
    if (parser && parser.HandleNextDocument(second) && diagnostics.errors() == before) {
      builder.Fail("yaml-documents", "the file holds more than one YAML document",
                   std::min(text.rfind("\n---") + 1, text.size()), 3, "leave the '---' out");
    }
    if (diagnostics.errors() != before) return {};
    return builder.Finish();
  } catch (const Stop&) {
    return {};
  } catch (const YAML::Exception& problem) {
    const std::size_t at = builder.OffsetOf(problem.mark);
    diagnostics.Report({.code = "yaml-syntax",
                        .message = fmt::format("this is not YAML: {}", problem.msg),
                        .where = builder.Range(at, 1),
                        .hint = SyntaxHint(problem.msg, text, at)});
    return {};
  }
}

std::vector<ReadResult> ReadYamlFiles(const SourceManager& sources, std::span<const FileId> files,
                                      std::size_t threads, Arena& arena) {
  std::vector<ReadResult> results(files.size());
  std::vector<Arena*> parts;
  for (std::size_t i = 0; i < files.size(); ++i) parts.push_back(&arena.Part());
  ParallelFor(files.size(), threads, [&](std::size_t i) {
    results[i].document = ReadYaml(sources, files[i], *parts[i], results[i].diagnostics);
  });
  return results;
}

}  // namespace wheelwright
