#include "generator/emit/emit.h"

#include <algorithm>

#include "generator/emit/quoting.h"

namespace wheelwright {
namespace {

constexpr std::size_t kStep = 2;           // columns a level
constexpr std::size_t kFlowColumns = 100;  // the maximum width of a sequence in brackets
constexpr std::size_t kLongestKey = 1000;  // YAML looks 1024 characters ahead for a key's colon

// Whether all readers read a literal block as `text`, and the header that it needs.
struct LiteralForm {
  bool possible = false;
  bool explicit_indent = false;  // the text starts with a blank, which would count as indentation
};

LiteralForm LiteralFormOf(std::string_view text) {
  const std::size_t first = text.find_first_not_of('\n');
  if (first == std::string_view::npos) return {};  // line feeds alone
  // Readers disagree on lines of blanks before the first text and at the end.
  const std::size_t first_line_end = std::min(text.find('\n', first), text.size());
  const auto is_blank = [](std::string_view line) {
    return line.find_first_not_of(" \t") == std::string_view::npos;
  };
  if (is_blank(text.substr(first, first_line_end - first))) return {};
  const std::string_view shorn = text.substr(0, text.find_last_not_of('\n') + 1);
  const std::size_t last_line = shorn.rfind('\n') + 1;  // npos + 1 is 0
  if (is_blank(shorn.substr(last_line))) return {};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x80) {
      const std::size_t length = PrintableCharacter(text.substr(i));
      if (length == 0) return {};
      i += length - 1;
    } else if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F) {
      return {};
    }
  }
  return {true, text[first] == ' ' || text[first] == '\t'};
}

// Whether a sequence was and can be written in brackets: scalars of one line without comments.
bool WantsFlow(const Node& sequence) {
  return sequence.style == NodeStyle::kFlow &&
         std::all_of(sequence.items.begin(), sequence.items.end(), [](const Node* item) {
           const bool commented = item->comments != nullptr && (!item->comments->above.empty() ||
                                                                !item->comments->trailing.empty());
           return item->is_scalar() && !commented &&
                  item->text.find('\n') == std::string_view::npos;
         });
}

// Whether the node is written on its own lines, like a sequence that is too long for brackets.
bool IsBlockCollection(const Node& node) {
  return (node.is_mapping() && !node.entries.empty()) ||
         (node.is_sequence() && !node.items.empty() && !WantsFlow(node));
}

class Emitter {
 public:
  explicit Emitter(const EmitOptions& options) : lines_(options.lines) {
    out_.reserve(1 << 16);
    out_ += options.header;
    has_header_ = !options.header.empty();
  }

  std::string Emit(const Node& root, const EmitOptions& options) {
    if (root.is_mapping() && !root.entries.empty()) {
      root_ = &root;
      WriteMapping(root, 0, false);
    } else if (root.is_sequence() && !root.items.empty()) {
      WriteSequence(root, 0, false);
    } else if (!root.is_null()) {
      WriteAbove(root, 0, false);
      Record(root, nullptr);
      // At the root, readers disagree on a block's indentation.
      if (root.is_string()) {
        AppendScalar(out_, root.text, ScalarPlace::kBlock);
      } else {
        WriteInline(root, ScalarPlace::kBlock);
      }
      EndLine(&root);
    }
    if (!options.comments_end.empty()) {
      BlankLine();
      for (const std::string_view comment : options.comments_end) WriteComment(comment, 0);
    }
    return std::move(out_);
  }

 private:
  // Writes entries at column `indent`. With `inlined` the first one is on the line of a dash.
  void WriteMapping(const Node& mapping, std::size_t indent, bool inlined) {
    const bool spaced = &mapping == root_ || &mapping == jobs_;
    bool first = true;
    for (const Entry& entry : mapping.entries) {
      if (!first || !inlined) {
        WriteAbove(*entry.key, indent, !first && (spaced || AsksForBlankLine(*entry.key)));
        out_.append(indent, ' ');
      }
      first = false;
      WriteEntry(mapping, entry, indent);
    }
  }

  void WriteEntry(const Node& mapping, const Entry& entry, std::size_t indent) {
    Record(*entry.value, entry.key);
    const std::size_t key_start = out_.size();
    WriteInline(*entry.key, ScalarPlace::kKey);
    if (out_.size() - key_start > kLongestKey) {
      out_.insert(key_start, "? ");
      out_ += '\n';
      out_.append(indent, ' ');
    }
    out_ += ':';
    if (&mapping == root_ && entry.value->is_mapping() && entry.key->text == "jobs") {
      jobs_ = entry.value;
    }
    const Node& value = *entry.value;
    if (value.is_null()) {
      EndLine(entry.key);
    } else if (IsBlockCollection(value)) {
      EndLine(entry.key);
      WriteCollection(value, indent + kStep, false);
    } else {
      out_ += ' ';
      // An interpolated value keeps the comment of its source, such as a pin's version.
      WriteLeaf(value, indent, entry.key);
    }
  }

  // Items at column `indent`, as in WriteMapping.
  void WriteSequence(const Node& sequence, std::size_t indent, bool inlined) {
    bool first = true;
    for (const Node* item : sequence.items) {
      if (!first || !inlined) {
        WriteAbove(*item, indent, !first && AsksForBlankLine(*item));
        WriteAboveFirst(*item, indent);
        out_.append(indent, ' ');
      }
      first = false;
      Record(*item, nullptr);
      out_ += "- ";
      if (IsBlockCollection(*item)) {
        if (item->comments != nullptr) carried_.push_back(item->comments->trailing);
        WriteCollection(*item, indent + kStep, true);
      } else {
        WriteLeaf(*item, indent, nullptr);
      }
    }
  }

  void WriteCollection(const Node& node, std::size_t indent, bool inlined) {
    if (node.is_mapping()) {
      WriteMapping(node, indent, inlined);
    } else {
      WriteSequence(node, indent, inlined);
    }
  }

  // Writes comments above the first entry, which shares the dash's line, before the dash.
  void WriteAboveFirst(const Node& item, std::size_t indent) {
    if (!IsBlockCollection(item)) return;
    const Node& first = item.is_mapping() ? *item.entries.front().key : *item.items.front();
    WriteAbove(first, indent, false);
    if (item.is_sequence()) WriteAboveFirst(first, indent);
  }

  // Writes a value on the current line; a sequence only if its brackets fit.
  void WriteLeaf(const Node& value, std::size_t indent, const Node* key) {
    if (value.is_string()) {
      if (WriteLiteral(value, indent, key)) return;
    } else if (value.is_sequence() && !value.items.empty()) {
      if (TryFlow(value)) {
        EndLine(&value, key);
      } else if (key != nullptr) {
        out_.pop_back();  // the blank behind the colon
        EndLine(key);
        WriteSequence(value, indent + kStep, false);
      } else {
        if (value.comments != nullptr) carried_.push_back(value.comments->trailing);
        WriteSequence(value, indent + kStep, true);
      }
      return;
    } else {
      WriteInline(value, ScalarPlace::kBlock);
    }
    EndLine(&value, key);
  }

  // Text of several lines, or text that was written as a block and would need quotes.
  bool WriteLiteral(const Node& value, std::size_t indent, const Node* key) {
    const std::string_view text = value.text;
    const bool lines = text.find('\n') != std::string_view::npos;
    const LiteralForm form =
        lines || (value.style == NodeStyle::kLiteral && !IsPlainString(text, ScalarPlace::kBlock))
            ? LiteralFormOf(text)
            : LiteralForm{};
    if (!form.possible) {
      AppendScalar(out_, text, ScalarPlace::kBlock);
      return false;
    }
    out_ += '|';
    if (form.explicit_indent) out_ += static_cast<char>('0' + kStep);
    if (!text.ends_with('\n')) {
      out_ += '-';
    } else if (text.ends_with("\n\n")) {
      out_ += '+';
    }
    EndLine(&value, key);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      if (end > at) {
        out_.append(indent + kStep, ' ');
        out_ += text.substr(at, end - at);
      }
      out_ += '\n';
      at = end + 1;
    }
    return true;
  }

  // Writes "[a, b]" if that is short.
  bool TryFlow(const Node& sequence) {
    const std::size_t start = out_.size();
    const std::size_t line_start = out_.rfind('\n') + 1;  // npos + 1 is 0
    out_ += '[';
    for (const Node* item : sequence.items) {
      if (item != sequence.items.front()) out_ += ", ";
      WriteInline(*item, ScalarPlace::kFlowItem);
      if (out_.size() - line_start >= kFlowColumns) {
        out_.resize(start);
        return false;
      }
    }
    out_ += ']';
    return true;
  }

  // A scalar or an empty collection on the current line.
  void WriteInline(const Node& node, ScalarPlace place) {
    switch (node.kind) {
      case NodeKind::kNull:
        out_ += "null";
        break;
      case NodeKind::kBoolean:
      case NodeKind::kNumber:
        out_ += node.text;
        break;
      case NodeKind::kString:
        AppendScalar(out_, node.text, place);
        break;
      case NodeKind::kSequence:
        out_ += "[]";
        break;
      case NodeKind::kMapping:
        out_ += "{}";
        break;
    }
  }

  static bool AsksForBlankLine(const Node& node) {
    return node.comments != nullptr && node.comments->blank_line_before;
  }

  void WriteAbove(const Node& node, std::size_t indent, bool blank_line) {
    const bool commented = node.comments != nullptr && !node.comments->above.empty();
    if (has_header_ && commented) blank_line = true;  // the header's comment ends here
    has_header_ = false;
    if (blank_line) BlankLine();
    if (!commented) return;
    for (const std::string_view comment : node.comments->above) WriteComment(comment, indent);
  }

  // Writes an empty line unless there is one: a block that keeps its last line feeds must not get
  // another.
  void BlankLine() {
    if (!out_.empty() && !out_.ends_with("\n\n")) out_ += '\n';
  }

  void WriteComment(std::string_view comment, std::size_t indent) {
    if (comment.empty()) {
      BlankLine();
      return;
    }
    out_.append(indent, ' ');
    AppendComment(comment);
    out_ += '\n';
  }

  // A comment stays on one line, even with interpolated line feeds, which would become content.
  void AppendComment(std::string_view comment) {
    if (!comment.starts_with('#')) out_ += "# ";
    const std::size_t start = out_.size();
    out_ += comment;
    const auto is_line_end = [](char c) { return c == '\n' || c == '\r'; };
    std::replace_if(out_.begin() + static_cast<std::ptrdiff_t>(start), out_.end(), is_line_end,
                    ' ');
  }

  // Ends the line with the comments of up to two nodes and of the items whose dashes are on it.
  void EndLine(const Node* node, const Node* key = nullptr) {
    for (const Node* of : {node, key}) {
      if (of != nullptr && of->comments != nullptr) AppendTrailing(of->comments->trailing);
    }
    for (const std::string_view comment : carried_) AppendTrailing(comment);
    carried_.clear();
    out_ += '\n';
  }

  void AppendTrailing(std::string_view comment) {
    if (comment.empty()) return;
    out_ += ' ';
    AppendComment(comment);
  }

  // Records that `value` starts on the current line; deeper nodes come later and replace it.
  void Record(const Node& value, const Node* key) {
    if (lines_ == nullptr) return;
    line_ += static_cast<std::uint32_t>(
        std::count(out_.begin() + static_cast<std::ptrdiff_t>(counted_), out_.end(), '\n'));
    counted_ = out_.size();
    if (!lines_->empty() && lines_->back().line == line_) lines_->pop_back();
    lines_->push_back({line_, &value, key});
  }

  std::string out_;
  std::vector<LineOrigin>* lines_;
  const Node* root_ = nullptr;
  const Node* jobs_ = nullptr;
  std::vector<std::string_view>
      carried_;              // comments behind items, for the end of the line they share
  std::size_t counted_ = 0;  // bytes whose line feeds are in line_
  std::uint32_t line_ = 1;
  bool has_header_ = false;  // and nothing behind it yet
};

}  // namespace

std::string EmitYaml(const Node& root, const EmitOptions& options) {
  return Emitter(options).Emit(root, options);
}

}  // namespace wheelwright
