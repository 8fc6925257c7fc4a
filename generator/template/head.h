// Reads the head of a file below templates/: its first entry.
#pragma once

#include <span>
#include <string_view>

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/source.h"
#include "generator/template/body.h"
#include "generator/template/tree.h"

namespace wheelwright::template_tree {

// The keys of a head, for messages and for the reference.
struct HeadKey {
  std::string_view name;
  std::string_view help;
};
std::span<const HeadKey> TemplateHeadKeys();
std::span<const HeadKey> FragmentHeadKeys();

// Finds the head of a template or fragment. Reports a file that is neither and returns false.
bool FindHead(File& file, Diagnostics& diagnostics);

// Reads the head of a fragment: its arguments. Their defaults may use the names of the matrix only.
void ReadFragmentHead(File& file, BodyReader& reader, Diagnostics& diagnostics);

// Reads the head of a template and binds its names.
void ReadTemplateHead(File& file, BodyReader& reader, NameTable& names, Diagnostics& diagnostics);

}  // namespace wheelwright::template_tree
