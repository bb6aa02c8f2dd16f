import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { table } from './report.mjs';
import { median, medianRatio, spread } from './statistics.mjs';

const here = new URL('..', import.meta.url);
const root = fileURLToPath(here);
/** Programs of one build differ by some 5 % from start to start. */
const starts = 5;
const rounds = 2;

/**
 * Runs benchmarks over this checkout and over another commit, in turns, and returns each figure as
 * a ratio: above 1 it has become worse. Both sides run the programs of this checkout.
 */
export async function compare(commit, benchmarks) {
  const there = pathToFileURL(`${buildBeside(commit)}/`);
  const rows = [];
  for (const { name, side } of benchmarks) {
    console.error(`running ${name} in turns with ${commit} ...`);
    for (const [figure, [ours, theirs]] of await inTurns(side, there)) {
      rows.push([figure, ours, theirs, medianRatio(ours, theirs)]);
    }
  }
  rows.sort((a, b) => b[3] - a[3]);
  const figures = table(
    ['', 'here', commit, 'ratio', 'spread'],
    rows.map(([figure, ours, theirs, ratio]) => [
      figure,
      round(median(ours)),
      round(median(theirs)),
      `${ratio.toFixed(2)}x`,
      `${(spread(ours.map((value, at) => value / theirs[at])) * 100).toFixed(0)} %`,
    ]),
  );
  return `This checkout against commit ${commit}, in turns, the worst ratio first: above 1 a figure has become
worse. Both are started ${starts} times, ${rounds} rounds each.

${figures}
`;
}

const round = (value) => (value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en'));

/** The figures of each round, by name, of both sides. */
async function inTurns(side, there) {
  const figures = new Map();
  for (let start = 0; start < starts; start += 1) await startOnce(side, there, figures);
  return figures;
}

async function startOnce(side, there, figures) {
  const sides = [];
  try {
    for (const where of [here, there]) sides.push(await side(where));
    // round 0 warms up
    for (let at = 0; at <= rounds; at += 1) {
      for (const index of at % 2 === 0 ? [0, 1] : [1, 0]) {
        for (const [figure, value] of Object.entries(await sides[index].measure())) {
          const both = figures.get(figure) ?? [[], []];
          figures.set(figure, both);
          if (at > 0) both[index].push(value);
        }
      }
    }
  } finally {
    for (const each of sides) await each.stop();
  }
}

/** A commit, built in a folder of its own with the benchmarks of this checkout; built once. */
function buildBeside(commit) {
  const git = (...args) => execFileSync('git', args, { cwd: root, maxBuffer: 2 ** 30 });
  const hash = git('rev-parse', '--verify', `${commit}^{commit}`).toString().trim();
  // not below node_modules: the compiler would treat it as a foreign package
  const folder = join(tmpdir(), 'dealwright-against', hash);
  if (!existsSync(folder)) {
    const beside = `${folder}.${process.pid}`;
    mkdirSync(beside, { recursive: true });
    const files = git('archive', '--format=tar', hash);
    execFileSync('tar', ['--extract', '--directory', beside], { input: files });
    install(beside);
    console.error(`building ${commit} ...`);
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: beside, stdio: 'inherit' });
    renameSync(beside, folder);
  } else install(folder);
  rmSync(join(folder, 'bench'), { recursive: true, force: true });
  cpSync(join(root, 'bench'), join(folder, 'bench'), { recursive: true });
  return folder;
}

/** The packages of a commit: ours, if it asks for the same, from where this checkout is now. */
function install(folder) {
  const lockOf = (where) => readFileSync(join(where, 'package-lock.json'), 'utf8');
  const own = join(folder, 'node_modules');
  if (lockOf(folder) !== lockOf(root)) {
    if (existsSync(own)) return;
    console.error('installing its packages ...');
    execFileSync('npm', ['ci', '--silent'], { cwd: folder, stdio: 'inherit' });
    return;
  }
  rmSync(own, { recursive: true, force: true });
  const from = join(root, 'node_modules');
  for (const name of readdirSync(from)) {
    // the record of a build is for its own folder
    if (name === '.cache') continue;
    const to = join(own, name);
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(join(from, name), to, lstatSync(join(from, name)).isDirectory() ? 'dir' : 'file');
  }
}
