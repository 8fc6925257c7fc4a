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

#include "base/text.h"

namespace wheelwright {
namespace {

constexpr std::size_t kDeepest = 100;
constexpr std::size_t kMostNodes = 1'000'000;  // GitHub's parser stops at as many events

// Thrown to leave yaml-cpp's parser after the first report that makes going on pointless.
struct Stop {};

bool IsDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// YAML 1.2.2, 10.3.2: the core schema's tag resolution.
bool IsNumber(std::string_view text) {
  if (text.starts_with("0o")) {
    return text.size() > 2 && text.find_first_not_of("01234567", 2) == std::string_view::npos;
  }
  if (text.starts_with("0x")) {
    return text.size() > 2 &&
           text.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string_view::npos;
  }
  if (text == ".nan" || text == ".NaN" || text == ".NAN") return true;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  if (text == ".inf" || text == ".Inf" || text == ".INF") return true;
  const std::size_t exponent = text.find_first_of("eE");
  if (exponent != std::string_view::npos) {
    std::string_view power = text.substr(exponent + 1);
    if (!power.empty() && (power[0] == '-' || power[0] == '+')) power.remove_prefix(1);
    if (!IsDigits(power)) return false;
    text = text.substr(0, exponent);
  }
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) return IsDigits(text);
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction = text.substr(point + 1);
  return whole.empty() ? IsDigits(fraction)
                       : IsDigits(whole) && (fraction.empty() || IsDigits(fraction));
}

NodeKind PlainKind(std::string_view text) {
  switch (text.size()) {
    case 4:
      if (text == "true" || text == "True" || text == "TRUE") return NodeKind::kBoolean;
      break;
    case 5:
      if (text == "false" || text == "False" || text == "FALSE") return NodeKind::kBoolean;
      break;
    default:
      break;
  }
  return IsNumber(text) ? NodeKind::kNumber : NodeKind::kString;
}

// Offset of the first byte that no YAML text may hold: malformed UTF-8, or a control character.
std::optional<std::size_t> FindForeignByte(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) {
      if ((byte < 0x20 && byte != '\t' && byte != '\n') || byte == 0x7F) return i;
      ++i;
      continue;
    }
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
    if (byte < 0xC2 || byte > 0xF4 || i + length > text.size()) return i;
    std::uint32_t point = byte & (0xFFU >> (length + 1));
    for (std::size_t j = 1; j < length; ++j) {
      const auto next = static_cast<unsigned char>(text[i + j]);
      if ((next & 0xC0) != 0x80) return i;
      point = point << 6 | (next & 0x3F);
    }
    const bool overlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
    if (overlong || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) return i;
    i += length;
  }
  return std::nullopt;
}

class Builder : public YAML::EventHandler {
 public:
  Builder(const SourceManager& sources, FileId file, Arena& arena, Diagnostics& diagnostics)
      : text_(sources.Text(file)), file_(file), arena_(arena), diagnostics_(diagnostics) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const std::size_t at = SkipProperties(OffsetOf(mark));
    const std::string_view rest = text_.substr(at);
    std::size_t length = 0;
    for (const std::string_view word : {"~", "null", "Null", "NULL"}) {
      if (rest.starts_with(word)) length = word.size();
    }
    Node* node = arena_.New<Node>(Node{.where = Range(at, length)});
    Remember(anchor, node, 1);
    Add(node, 1);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto known = anchors_.find(anchor);
    if (known == anchors_.end() || known->second.open) {
      Fail("yaml-alias", "an alias stands inside the node that it names", OffsetOf(mark), 1,
           "write the value out");
    }
    Add(known->second.node, known->second.size);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    const std::size_t at = SkipProperties(OffsetOf(mark));
    Node* node = arena_.New<Node>();
    node->text = RepairEscapes(value);
    const char first = at < text_.size() ? text_[at] : '\0';
    std::size_t end = at;
    if (tag == "?") {
      node->kind = PlainKind(node->text);
      if (node->kind == NodeKind::kBoolean) {
        node->text = node->text[0] == 't' || node->text[0] == 'T' ? "true" : "false";
      }
      end = EndOfPlain(at, value);
    } else {
      node->kind = NodeKind::kString;
      if (first == '|' || first == '>') {
        node->style = first == '|' ? NodeStyle::kLiteral : NodeStyle::kFolded;
        end = EndOfBlock(at);
        spans_.emplace_back(at, end);
      } else if (first == '\'' || first == '"') {
        node->style = NodeStyle::kQuoted;
        end = EndOfQuoted(at, first);
        spans_.emplace_back(at, end);
      } else {
        end = EndOfPlain(at, value);
      }
      CheckTag(tag, at);
    }
    node->where = Range(at, end - at);
    Remember(anchor, node, 1);
    Add(node, 1);
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

  // Gives every comment to the key or item it belongs to; what is left stands at the end.
  Document Finish() {
    Document document{root_ != nullptr ? root_ : arena_.New<Node>(), {}};
    const std::vector<Comment> comments = FindComments();
    std::vector<std::string_view> above;
    std::size_t next = 0;
    std::size_t line_of_last = std::string_view::npos;
    Node* last = nullptr;
    const auto take = [&](std::size_t limit) {
      for (; next < comments.size() && comments[next].offset < limit; ++next) {
        const Comment& comment = comments[next];
        if (comment.own_line || last == nullptr) {
          above.push_back(comment.text);
        } else {
          MutableComments(*last).trailing = comment.text;
        }
      }
    };
    for (Node* point : attach_points_) {
      const std::size_t at = point->where.begin.offset;
      const std::size_t first_new = next;
      take(at);
      const std::size_t line = LineStartOf(at);
      if (!above.empty()) {
        MutableComments(*point).above = arena_.Copy(std::span<const std::string_view>(above));
      }
      if (line != line_of_last) {
        std::size_t top = line;
        for (std::size_t i = first_new; i < next; ++i) {
          if (comments[i].own_line) {
            top = LineStartOf(comments[i].offset);
            break;
          }
        }
        if (IsBlankBefore(top)) MutableComments(*point).blank_line_before = true;
      }
      line_of_last = line;
      above.clear();
      last = point;
    }
    take(text_.size() + 1);
    document.comments_end = arena_.Copy(std::span<const std::string_view>(above));
    return document;
  }

  [[noreturn]] void Fail(std::string_view code, std::string message, std::size_t at,
                         std::size_t length, std::string hint) {
    Report(code, std::move(message), Range(at, length), std::move(hint));
    throw Stop{};
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
  };
  struct Comment {
    std::size_t offset;
    std::string_view text;
    bool own_line;
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

  SourceRange Range(std::size_t at, std::size_t length) const {
    return {{file_, static_cast<std::uint32_t>(at)}, static_cast<std::uint32_t>(length)};
  }

  // A node's mark stands before its anchor and tag.
  std::size_t SkipProperties(std::size_t at) const {
    while (at < text_.size() && (text_[at] == '&' || text_[at] == '!')) {
      at = text_.find_first_of(" \t\n", at);
      if (at == std::string_view::npos) return text_.size();
      at = std::min(text_.find_first_not_of(" \t\n", at), text_.size());
    }
    return at;
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

  void CheckTag(std::string_view tag, std::size_t at) {
    if (tag.empty() || tag == "!" || tag == "?" || tag == "tag:yaml.org,2002:str") return;
    Report("yaml-tag", fmt::format("the YAML tag '{}' is not understood", tag), Range(at, 1),
           "leave the tag out");
  }

  std::size_t EndOfPlain(std::size_t at, std::string_view value) const {
    if (text_.substr(at, value.size()) == value) return at + value.size();
    return std::min(text_.find('\n', at), text_.size());  // of several lines: the first
  }

  std::size_t EndOfQuoted(std::size_t at, char quote) const {
    for (std::size_t i = at + 1; i < text_.size(); ++i) {
      if (quote == '"' && text_[i] == '\\') {
        ++i;
      } else if (text_[i] == quote) {
        if (quote == '\'' && i + 1 < text_.size() && text_[i + 1] == '\'') {
          ++i;
        } else {
          return i + 1;
        }
      }
    }
    return text_.size();
  }

  // The column that a block's header such as "|2-" asks for; 0 when it leaves that to the first
  // line.
  std::size_t ExplicitIndent(std::string_view header) const {
    header = header.substr(1, header.find_first_not_of("+-0123456789", 1) - 1);
    const std::size_t digit = header.find_first_of("123456789");
    if (digit == std::string_view::npos) return 0;
    const auto more = static_cast<std::size_t>(header[digit] - '0');
    if (stack_.empty()) return more;
    const std::size_t parent = stack_.back().node->where.begin.offset;
    return parent - LineStartOf(parent) + more;
  }

  // The block ends at the first line that is indented less than its first line with text.
  std::size_t EndOfBlock(std::size_t at) const {
    std::size_t line = std::min(text_.find('\n', at), text_.size());
    const std::size_t header_end = line;
    std::size_t indent = ExplicitIndent(text_.substr(at, header_end - at));
    std::size_t end = header_end;
    while (line < text_.size()) {
      ++line;
      const std::size_t next = std::min(text_.find('\n', line), text_.size());
      const std::size_t first = std::min(text_.find_first_not_of(' ', line), next);
      if (first != next) {
        const std::size_t column = first - line;
        if (indent == 0) {
          if (column == 0 || column <= IndentOfLine(at)) break;
          indent = column;
        }
        if (column < indent) break;
        end = next;
      }
      line = next;
    }
    return end;
  }

  std::size_t LineStartOf(std::size_t at) const {
    const std::size_t before = at == 0 ? std::string_view::npos : text_.rfind('\n', at - 1);
    return before == std::string_view::npos ? 0 : before + 1;
  }

  std::size_t IndentOfLine(std::size_t at) const {
    const std::size_t start = LineStartOf(at);
    return std::min(text_.find_first_not_of(' ', start), text_.size()) - start;
  }

  bool IsBlankBefore(std::size_t line_start) const {
    if (line_start == 0) return false;
    const std::size_t previous = LineStartOf(line_start - 1);
    return Trim(text_.substr(previous, line_start - 1 - previous)).empty();
  }

  std::vector<Comment> FindComments() {
    std::sort(spans_.begin(), spans_.end());
    std::vector<Comment> comments;
    std::size_t span = 0;
    for (std::size_t at = text_.find('#'); at != std::string_view::npos; at = text_.find('#', at)) {
      while (span < spans_.size() && spans_[span].second <= at) ++span;
      if (span < spans_.size() && spans_[span].first <= at) {
        const std::size_t line_end = text_.find('\n', spans_[span].first);
        const char kind = text_[spans_[span].first];
        // The header line of a block scalar may carry a comment.
        if ((kind != '|' && kind != '>') || at > line_end) {
          at = spans_[span].second;
          continue;
        }
      }
      if (at > 0 && text_[at - 1] != ' ' && text_[at - 1] != '\t' && text_[at - 1] != '\n') {
        ++at;
        continue;
      }
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      const std::size_t start = LineStartOf(at);
      std::string_view comment = text_.substr(at, end - at);
      comment = comment.substr(0, comment.find_last_not_of(" \t") + 1);
      comments.push_back({at, comment, Trim(text_.substr(start, at - start)).empty()});
      at = end;
    }
    return comments;
  }

  Comments& MutableComments(Node& node) {
    // Every Comments that this class hangs on a node was made here, as a mutable object.
    if (node.comments == nullptr) node.comments = arena_.New<Comments>();
    return const_cast<Comments&>(*node.comments);
  }

  void Remember(YAML::anchor_t anchor, const Node* node, std::size_t size) {
    if (anchor != 0) anchors_[anchor] = {node, size, false};
  }

  void Open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, NodeKind kind,
            YAML::EmitterStyle::value style) {
    const std::size_t at = SkipProperties(OffsetOf(mark));
    if (stack_.size() >= kDeepest) {
      Fail("yaml-too-deep", fmt::format("nested more than {} levels deep", kDeepest), at, 1, "");
    }
    CheckTag(tag, at);
    const bool flow = style == YAML::EmitterStyle::Flow;
    Node* node = arena_.New<Node>(Node{
        .kind = kind, .style = flow ? NodeStyle::kFlow : NodeStyle::kBlock, .where = Range(at, 1)});
    NotePlace(node);
    if (anchor != 0) anchors_[anchor] = {node, 0, true};
    stack_.push_back({node, anchor, 1, children_.size()});
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
    placed_ = true;  // its place was noted when it was opened
    Add(closed.node, closed.size);
  }

  void RefuseDuplicates(std::span<const Entry> entries) {
    std::unordered_map<std::string_view, const Node*> seen;
    for (const Entry& entry : entries) {
      const auto [first, is_new] = seen.emplace(entry.key->text, entry.key);
      if (!is_new) {
        Report("duplicate-key", fmt::format("the key '{}' stands here twice", entry.key->text),
               entry.key->where, "", {{first->second->where, "first defined here"}});
      }
    }
  }

  bool ExpectsKey() const {
    return !stack_.empty() && stack_.back().node->is_mapping() &&
           (children_.size() - stack_.back().first_child) % 2 == 0;
  }

  // Comments hang on keys and on items.
  void NotePlace(Node* node) {
    if (stack_.empty()) return;
    if (stack_.back().node->is_sequence() || ExpectsKey()) attach_points_.push_back(node);
  }

  void Add(const Node* node, std::size_t size) {
    if (ExpectsKey()) CheckKey(*node);
    if (!placed_ && node->is_scalar() && !stack_.empty() &&
        (stack_.back().node->is_sequence() || ExpectsKey())) {
      node = WithOwnPlace(node);
    }
    placed_ = false;
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

  // An attach point must be a node of this place alone: an alias's node is copied.
  const Node* WithOwnPlace(const Node* node) {
    Node* own = arena_.New<Node>(*node);
    attach_points_.push_back(own);
    return own;
  }

  void CheckKey(const Node& key) {
    if (!key.is_scalar()) {
      Fail("yaml-key", "a mapping's key must be a plain word", key.where.begin.offset, 1,
           "put quotes around it if it is meant as text");
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
  std::vector<Node*> attach_points_;                        // in the order of the text
  std::vector<std::pair<std::size_t, std::size_t>> spans_;  // of scalars in which '#' is no comment
  std::unordered_map<YAML::anchor_t, Anchor> anchors_;
  std::size_t nodes_ = 0;
  bool placed_ = false;
  bool failed_ = false;
};

// Words for what yaml-cpp says tersely.
std::string HintFor(std::string_view message) {
  if (message.find("map value") != std::string_view::npos ||
      message.find("end of map") != std::string_view::npos) {
    return "is the indentation right, and is text with ': ' in quotes?";
  }
  if (message.find("end of sequence") != std::string_view::npos) {
    return "is every '-' of the list in one column?";
  }
  if (message.find("unknown token") != std::string_view::npos) {
    return "text that begins with @, `, % or a tab needs quotes";
  }
  return "";
}

}  // namespace

Document ReadYaml(const SourceManager& sources, FileId file, Arena& arena,
                  Diagnostics& diagnostics) {
  const std::string_view text = sources.Text(file);
  Builder builder(sources, file, arena, diagnostics);
  try {
    if (const auto at = FindForeignByte(text)) {
      const auto byte = static_cast<unsigned char>(text[*at]);
      builder.Fail("yaml-encoding",
                   byte < 0x80
                       ? fmt::format("a control character (0x{:02x}) stands in the text", byte)
                       : "the text is not UTF-8",
                   *at, 1, "");
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
                        .where = {{file, static_cast<std::uint32_t>(at)}, 1},
                        .hint = HintFor(problem.msg)});
    return {};
  }
}

}  // namespace wheelwright
