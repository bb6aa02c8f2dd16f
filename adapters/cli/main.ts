#!/usr/bin/env node
/** The version in `engines` of package.json. */
const oldestNode = 20;

// an older one cannot even parse the rest, so it is imported later
if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  process.stderr.write(
    `dealwright: Node ${oldestNode} or later is needed, and this is ${process.versions.node}\n`,
  );
  process.exit(1);
}
await import('./run.js');
