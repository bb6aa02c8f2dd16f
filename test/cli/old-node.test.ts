import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { program } from './dealwright.js';

/** Runs the program in a Node that claims to be of this version. */
function runIn(version: string) {
  const says = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
  const args = ['--import', `data:text/javascript,${encodeURIComponent(says)}`, program, '--help'];
  return spawnSync(process.execPath, args, { encoding: 'utf8' });
}

it('says which Node it needs, before it loads what an older one cannot parse', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(engines.node).toBe('>=20');
  const { status, stdout, stderr } = runIn('18.20.4');
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toBe('dealwright: Node 20 or later is needed, and this is 18.20.4\n');
  expect(runIn('20.0.0').status).toBe(0);
});
