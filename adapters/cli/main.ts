#!/usr/bin/env node
/** The version in `engines` of package.json. */
const oldestNode = 20;

const complain = (problem: string): never => {
  process.stderr.write(`dealwright: ${problem}\n`);
  process.exit(1);
};

/** What Node, or Plug'n'Play of Yarn, says of a package that is not installed. */
const missing = [
  /^Cannot find package '([^'/]+|@[^'/]+\/[^'/]+)'/,
  /^\S+ tried to access (\S+) \(a peer dependency\)/,
];

// an older one cannot even parse the rest, so it is imported later
if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  complain(`Node ${oldestNode} or later is needed, and this is ${process.versions.node}`);
}
try {
  await import('./run.js');
} catch (error) {
  const { message } = Object(error) as { readonly message?: unknown };
  const [, name] = missing.map((each) => each.exec(String(message))).find((found) => found) ?? [];
  // some package managers install no peer dependencies
  if (name === undefined) throw error;
  complain(`the package ${name} is missing: install it with "npm install ${name}"`);
}
