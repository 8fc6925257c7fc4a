// Reads the first entry of a file below templates/, which says what the file is.
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

// Finds out whether the file is a template or a fragment and where its head is. Reports a file that
// is neither; false then.
bool FindHead(File& file, Diagnostics& diagnostics);

// Reads the head of a fragment: its arguments, whose defaults know no names but those of the
// matrix.
void ReadFragmentHead(File& file, BodyReader& reader, Diagnostics& diagnostics);

// Reads the head of a template and leaves its names bound.
void ReadTemplateHead(File& file, BodyReader& reader, NameTable& names, Diagnostics& diagnostics);

}  // namespace wheelwright::template_tree
