import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installOnce } from './tools.js';

const folder = mkdtempSync(join(tmpdir(), 'dealwright-tools-'));
const at = (name: string) => join(folder, name);
const lock = at('package-lock.json');
const installations = () => readFileSync(at('installations'), 'utf8').length;

beforeAll(() => {
  mkdirSync(at('part'));
  writeFileSync(at('part/package.json'), '{ "name": "part", "version": "1.0.0" }');
  const own = { name: 'tools', dependencies: { part: 'file:part' } };
  const scripts = { install: 'printf x >> installations; test ! -e broken' };
  writeFileSync(at('package.json'), JSON.stringify({ ...own, scripts }));
  const packages = {
    '': { ...own, hasInstallScript: true },
    part: { version: '1.0.0' },
    'node_modules/part': { resolved: 'part', link: true },
  };
  writeFileSync(lock, JSON.stringify({ name: 'tools', lockfileVersion: 3, packages }));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('installs once for all who ask at once, and later', async () => {
  const asked = await Promise.all([folder, folder, folder].map(installOnce));
  expect(asked).toEqual([at('node_modules'), at('node_modules'), at('node_modules')]);
  expect(existsSync(at('node_modules/part/package.json'))).toBe(true);
  await installOnce(folder);
  expect(installations()).toBe(1);
});

it('installs again if the lock file is another', async () => {
  appendFileSync(lock, '\n');
  await installOnce(folder);
  await installOnce(folder);
  expect(installations()).toBe(2);
});

it('says what could not be installed and why, and takes nothing half done for done', async () => {
  writeFileSync(at('broken'), '');
  appendFileSync(lock, '\n');
  const failed = new RegExp(
    `the packages of ${folder} could not be installed: [^]*test ! -e broken`,
  );
  await expect(installOnce(folder)).rejects.toThrow(failed);
  await expect(installOnce(folder)).rejects.toThrow(failed);
  rmSync(at('broken'));
  await installOnce(folder);
  expect(installations()).toBe(5);
});
