#include "generator/matrix/limits.h"

#include <stdexcept>

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/source.h"
#include "generator/matrix/built_in.h"
#include "generator/yaml/node.h"
#include "generator/yaml/read.h"

namespace wheelwright {

const Limits& BuiltInLimits() {
  static const Limits kLimits = [] {
    SourceManager sources;
    Arena arena;
    Diagnostics diagnostics;
    const FileId file = sources.Add("matrix/limits.yml", std::string(kBuiltInLimits));
    const Node* table = Find(ReadYaml(sources, file, arena, diagnostics).root, "limits");
    Limits read;
    for (const LimitField& field : kLimitFields) {
      const Node* value = Find(Find(table, field.name), "value");
      if (value == nullptr) {
        throw std::logic_error("the built-in matrix/limits.yml lacks " + std::string(field.name));
      }
      read.*field.member = static_cast<std::size_t>(NumberValue(*value));
    }
    return read;
  }();
  return kLimits;
}

}  // namespace wheelwright
