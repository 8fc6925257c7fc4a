// Files that are JSON instead of workflows, such as plan.json.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/file_system.h"
#include "generator/compile/compile.h"
#include "generator/template/template.h"

namespace wheelwright {

class JsonFileMaker {
 public:
  // `schemas` is `json_schemas` of the settings: JSON Schemas, by the files that must fit them.
  JsonFileMaker(FileSystem& files, const std::string& root, const Node& schemas,
                Compilation& result, Diagnostics& diagnostics)
      : files_(files), root_(root), schemas_(schemas), result_(result), diagnostics_(diagnostics) {}

  // Adds the file of an instance to those of the compilation. Reports what does not fit its JSON
  // Schema. Codes: json-schema, json-misfit, duplicate-key.
  void Make(const Instance& instance);
  // Reports each JSON Schema for which no instance was there. Code: json-schema.
  void ReportMissing();

 private:
  void CheckSchema(const Instance& instance, const Node& root);

  FileSystem& files_;
  const std::string& root_;
  const Node& schemas_;
  Compilation& result_;
  Diagnostics& diagnostics_;
  std::vector<std::string_view> names_;  // of the instances
};

}  // namespace wheelwright
