#include <ostream>

#include "runtime/commands/commands.h"
#include "runtime/host/environment/host.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {

Command PlanSchemaCommand() {
  return {
      .name = "plan schema",
      .purpose = "Print the required content of plan.json, as JSON Schema",
      .usage = "",
      .about =
          "The schema describes what this version reads. A project keeps a copy and names it in "
          "its settings: `json_schemas: { plan.json: matrix/plan.schema.json }`. `wheelwright "
          "generate` then rejects a plan that this version could not read.\n",
      .options = {},
      .examples = {{"wheelrun plan schema", "What must plan.json contain?"},
                   {"wheelrun plan schema > matrix/plan.schema.json",
                    "Keep the copy that `wheelwright generate` uses"}},
      .run_on_host =
          [](const Arguments&, Host& host) {
            host.out << PlanSchema();
            return static_cast<int>(kSuccess);
          },
  };
}

}  // namespace wheelwright
