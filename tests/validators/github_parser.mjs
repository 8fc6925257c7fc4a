// Prints the findings of GitHub's workflow parser and editor service in the workflows and actions of a tree.
//
// Usage: node github_parser.mjs ROOT      (reads ROOT/.github/workflows/*.yml, ROOT/.github/actions/*/action.yml)
// One finding per line, "file:line:column: message". Exit status: 0 none, 1 some, 2 the parser failed.
import fs from "node:fs";
import { register } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

// The packages import JSON files without an import attribute, which node rejects; this hook adds it.
const hook = `export const load = (url, context, next) =>
  next(url, url.endsWith(".json")
    ? { ...context, importAttributes: { ...context.importAttributes, type: "json" } }
    : context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

const { validate } = await import("@actions/languageservice/validate");
const { validateAction } = await import("@actions/languageservice/validate-action");
const { registerLogger } = await import("@actions/languageservice/log");
const { TextDocument } = await import("vscode-languageserver-textdocument");

// The service catches and logs its own failures; if ignored, a failure would look like a clean file.
let broken = false;
const hear = (message) => {
  broken = true;
  console.error(`the parser itself failed: ${message}`);
};
registerLogger({ log() {}, info() {}, warn() {}, error: hear });

const root = path.resolve(process.argv[2]);
const folder = path.join(root, ".github", "workflows");
const read = (name) => fs.readFileSync(path.join(root, name), "utf8");

// Gives the service access to called workflows, so that it checks inputs and outputs across files.
const fileProvider = {
  async getFileContent(reference) {
    if ("repository" in reference) throw new Error(`not in this tree: ${reference.path}`);
    return { name: reference.path, content: read(reference.path) };
  },
};

const findings = new Set();
const files = fs.readdirSync(folder).filter((name) => /\.ya?ml$/.test(name)).sort();
const add = (file, range, message) =>
  findings.add(`${file}:${(range?.start.line ?? 0) + 1}:${(range?.start.character ?? 0) + 1}: ${message}`);
const open = (file) => TextDocument.create(pathToFileURL(path.join(root, file)).href, "yaml", 1, read(file));
for (const name of files) {
  const file = `.github/workflows/${name}`;
  // The parser's own errors are among these.
  for (const one of await validate(open(file), { fileProvider })) add(file, one.range, one.message);
}
const actions = path.join(root, ".github", "actions");
for (const name of fs.existsSync(actions) ? fs.readdirSync(actions).sort() : []) {
  const file = `.github/actions/${name}/action.yml`;
  if (!fs.existsSync(path.join(root, file))) continue;
  for (const one of await validateAction(open(file))) add(file, one.range, one.message);
}
for (const finding of findings) console.log(finding);
if (broken || files.length === 0) process.exitCode = 2;
else process.exitCode = findings.size ? 1 : 0;
