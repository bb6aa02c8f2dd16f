#!/usr/bin/env node
/** What `engines` of package.json asks for. */
const oldestNode = 20;

// an older one cannot even parse the rest, which is why nothing of it is imported before
if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  process.stderr.write(
    `dealwright: Node ${oldestNode} or later is needed, and this is ${process.versions.node}\n`,
  );
  process.exit(1);
}
await import('./run.js');
