#include "generator/template/head.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/text.h"

namespace wheelwright::template_tree {
namespace {

constexpr std::array kTemplateKeys{
    HeadKey{"for",
            "a loop, `name in list`, or a list of loops, outermost first: one instance for each "
            "iteration; without it there is one instance"},
    HeadKey{"if", "an expression: only iterations for which it is true give an instance"},
    HeadKey{"let", "names and their values, each of which may use those before it"},
    HeadKey{"file",
            "the name of the generated file, which must be given: a workflow, or with .json at its "
            "end JSON for other programs"},
};
constexpr std::array kFragmentKeys{
    HeadKey{"arguments", "the list of required arguments"},
    HeadKey{"defaults", "optional arguments, with their defaults"},
};

void Report(const Node& at, std::string message, std::string hint, Diagnostics& diagnostics) {
  Diagnostic diagnostic;
  diagnostic.code = "template-head";
  diagnostic.where = at.where;
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  diagnostics.Report(std::move(diagnostic));
}

// Reports unknown keys of the head. True if the head can be read.
bool CheckKeys(const File& file, std::span<const HeadKey> keys, Diagnostics& diagnostics) {
  const std::string_view kind = file.fragment ? "fragment" : "template";
  const Node& value = *file.head_value;
  if (value.is_null() && file.fragment) return true;
  if (!value.is_mapping()) {
    Report(value.is_null() ? *file.head : value,
           fmt::format("the head of a {} is a mapping, found {}", kind, DescribeKind(value)),
           file.fragment ? "" : "write `file: NAME.yml` below it", diagnostics);
    return false;
  }
  std::vector<std::string_view> names;
  for (const HeadKey& key : keys) names.push_back(key.name);
  for (const Entry& entry : value.entries) {
    if (std::find(names.begin(), names.end(), entry.key->text) != names.end()) continue;
    Report(*entry.key, fmt::format("the head of a {} has no key '{}'", kind, entry.key->text),
           DidYouMean(entry.key->text, names, "it has"), diagnostics);
  }
  return true;
}

// The expression of a head's scalar, with or without brackets.
const Code* ReadBareCode(const Node& scalar, BodyReader& reader) {
  std::string_view text = scalar.text;
  std::size_t offset = 0;
  if (text.starts_with("$[[") && text.ends_with("]]")) {
    offset = 3;
    text = text.substr(3, text.size() - 5);
  }
  return reader.ReadCode(scalar, offset, text);
}

void ReadLoops(const Node& value, File& file, BodyReader& reader, NameTable& names,
               Diagnostics& diagnostics) {
  std::vector<const Node*> items{&value};
  if (value.is_sequence()) items.assign(value.items.begin(), value.items.end());
  for (const Node* item : items) {
    if (!item->is_string()) {
      Report(*item, fmt::format("a loop is {}", DescribeKind(*item)), "write `name in list`",
             diagnostics);
      continue;
    }
    const auto loop = reader.ReadLoop(*item, 0, item->text);
    if (!loop) {
      names.Doubt();
      continue;
    }
    names.Bind(loop->name, BindingKind::kInstance);
    if (!loop->second.text.empty()) names.Bind(loop->second, BindingKind::kInstance);
    file.loops.push_back(*loop);
  }
}

void ReadLets(const Node& value, File& file, BodyReader& reader, NameTable& names,
              Diagnostics& diagnostics) {
  if (!value.is_mapping()) {
    Report(value, fmt::format("'let' is {}", DescribeKind(value)),
           "expected a mapping of names to values", diagnostics);
    return;
  }
  for (const Entry& entry : value.entries) {
    const Value* bound = reader.ReadValue(*entry.value);
    const auto name = reader.ReadName(*entry.key, 0, entry.key->text);
    if (!name) continue;
    names.Bind(*name, BindingKind::kLet);
    file.lets.push_back({*name, bound});
  }
}

}  // namespace

std::span<const HeadKey> TemplateHeadKeys() { return kTemplateKeys; }
std::span<const HeadKey> FragmentHeadKeys() { return kFragmentKeys; }

bool FindHead(File& file, Diagnostics& diagnostics) {
  const Node& root = *file.root;
  const Node* first = &root;
  if (root.is_sequence() && !root.items.empty()) first = root.items[0];
  if (first->is_mapping() && !first->entries.empty() &&
      (first == &root || first->entries.size() == 1)) {
    const Entry& entry = first->entries[0];
    const auto key = ReadDirectiveKey(*entry.key);
    if (key && (key->keyword == "template" || key->keyword == "fragment") && key->rest.empty()) {
      file.head = entry.key;
      file.head_value = entry.value;
      file.fragment = key->keyword == "fragment";
      if (file.fragment || first == &root) return true;
      Report(*entry.key, "a template is a mapping, not a list", "only a fragment may be a list",
             diagnostics);
      return false;
    }
  }
  Diagnostic diagnostic;
  diagnostic.code = "template-head";
  diagnostic.message = "the file does not say what it is";
  diagnostic.where = {{file.id, 0}, 0};
  if (first->is_mapping() && !first->entries.empty())
    diagnostic.where = first->entries[0].key->where;
  diagnostic.hint = "expected $[[ template ]]: or $[[ fragment ]]: as the first entry";
  diagnostic.notes.push_back("docs/templates.md explains both");
  diagnostics.Report(std::move(diagnostic));
  return false;
}

void ReadFragmentHead(File& file, BodyReader& reader, Diagnostics& diagnostics) {
  if (!CheckKeys(file, kFragmentKeys, diagnostics)) return;
  const auto add = [&](const Node& node, const Value* value) {
    const auto name = reader.ReadName(node, 0, node.text);
    if (!name) return;
    const bool twice = std::ranges::any_of(file.parameters, [&](const Parameter& parameter) {
      return parameter.name.text == name->text;
    });
    if (twice) {
      Report(node, fmt::format("the argument '{}' occurs twice", name->text), {}, diagnostics);
    } else {
      file.parameters.push_back({*name, value});
    }
  };
  if (const Node* arguments = Find(file.head_value, "arguments")) {
    if (!arguments->is_sequence()) {
      Report(*arguments, fmt::format("'arguments' is {}", DescribeKind(*arguments)),
             "expected a list of names", diagnostics);
    }
    for (const Node* item : arguments->items) add(*item, nullptr);
  }
  if (const Node* defaults = Find(file.head_value, "defaults")) {
    if (!defaults->is_mapping()) {
      Report(*defaults, fmt::format("'defaults' is {}", DescribeKind(*defaults)),
             "expected a mapping of names to values", diagnostics);
    }
    for (const Entry& entry : defaults->entries) add(*entry.key, reader.ReadValue(*entry.value));
  }
}

void ReadTemplateHead(File& file, BodyReader& reader, NameTable& names, Diagnostics& diagnostics) {
  if (!CheckKeys(file, kTemplateKeys, diagnostics)) {
    names.Doubt();
    return;
  }
  const Node* head = file.head_value;
  if (const Node* loops = Find(head, "for")) ReadLoops(*loops, file, reader, names, diagnostics);
  if (const Node* condition = Find(head, "if")) {
    if (condition->is_scalar()) {
      file.condition = ReadBareCode(*condition, reader);
    } else {
      Report(*condition, fmt::format("'if' is {}", DescribeKind(*condition)),
             "expected an expression", diagnostics);
    }
  }
  if (const Node* lets = Find(head, "let")) ReadLets(*lets, file, reader, names, diagnostics);
  const Node* name = Find(head, "file");
  if (name == nullptr) {
    Report(*file.head, "the head names no file", "write `file: NAME.yml` below it", diagnostics);
  } else if (!name->is_string()) {
    Report(*name, fmt::format("'file' is {}", DescribeKind(*name)), "expected a file's name",
           diagnostics);
  } else {
    file.file_name = reader.ReadValue(*name);
  }
}

}  // namespace wheelwright::template_tree
