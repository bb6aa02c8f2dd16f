import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';

const page = new URL('../docs/reference/benchmarks.md', import.meta.url);

const preface = `# Benchmarks

\`npm run bench\` writes this page. \`node bench/run.mjs <name>...\` runs the named benchmarks, and replaces
only their sections. Compare the ratios: absolute figures depend on the machine. In each round all
contenders take their turn, which gives a ratio; the page shows the median. "Spread" is the range of the
middle half of the figures of all rounds.
`;

/** A Markdown table. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, index) => (index === 0 ? '---' : '---:'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

/** Says whether a target is reached. */
export function verdict(reached) {
  return reached ? 'reached' : 'missed';
}

/** The machine in a line: without a trace of its owner. */
function machine() {
  const memory = Math.round(totalmem() / 2 ** 30);
  const cores = cpus();
  const model = cores[0]?.model.trim() || 'unknown processor';
  const date = new Date().toISOString().slice(0, 10);
  return `${date}, Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cores.length} cores (${model}), ${memory} GiB`;
}

/** The other load of the machine in the last minute: on a quiet one, next to nothing. */
export function currentLoad() {
  return loadavg()[0];
}

/** A benchmark's part of the page. */
export function section({ name, title, body, load }) {
  const beside = `load average ${load.toFixed(1)} before the run`;
  return `<!-- ${name} -->\n## ${title}\n\n${body.trim()}\n\nMeasured ${machine()}; ${beside}.\n<!-- /${name} -->`;
}

/** Puts sections into the page, each in place of its earlier version, in the given order. */
export function writePage(order, fresh) {
  const earlier = readSections();
  const sections = order.map((name) => fresh.get(name) ?? earlier.get(name));
  mkdirSync(new URL('.', page), { recursive: true });
  writeFileSync(page, `${[preface, ...sections.filter(Boolean)].join('\n')}\n`);
}

function readSections() {
  try {
    const text = readFileSync(page, 'utf8');
    const found = text.matchAll(/<!-- ([a-z-]+) -->\n[\s\S]*?<!-- \/\1 -->/g);
    return new Map([...found].map(([whole, name]) => [name, whole]));
  } catch {
    return new Map(); // the first run
  }
}
