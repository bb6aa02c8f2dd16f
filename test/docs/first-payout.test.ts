import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startService, stopAll } from '../cli/dealwright.js';
import { masked } from './masked.js';

const folder = mkdtempSync(join(tmpdir(), 'dealwright-first-payout-'));
afterAll(() => {
  stopAll();
  rmSync(folder, { recursive: true });
});

interface Step {
  readonly command: string;
  /** The shown part of its answer, line by line. */
  readonly shown: readonly string[];
}

/** The blocks of a shell, each with the answers shown before the next one. */
function stepsOf(document: string): Step[] {
  const [, ...parts] = readFileSync(document, 'utf8').split(/^```sh\n/m);
  return parts.map((part) => {
    const [command = '', ...rest] = part.split('\n```\n');
    const [, json = ''] = /^```json\n(.*?)\n```/ms.exec(`${rest.join('\n```\n')}\n`) ?? [];
    return { command, shown: json === '' ? [] : json.split('\n') };
  });
}

it('every command of docs/tutorial/first-payout.md does what it says, against npm start', async () => {
  const [start, ...steps] = stepsOf('docs/tutorial/first-payout.md');
  expect(start?.command).toBe('npm ci\nnpm start');
  // as npm start runs it: with a token of its own, and deals in a folder
  const service = await startService({ DEALWRIGHT_DATA: join(folder, 'data') });
  const printed = /^ {2}([\w-]{32})$/m.exec(service.said().stdout)?.[1] ?? '';
  const variables: Record<string, string> = { PATH: process.env['PATH'] ?? '' };
  let answered = '';
  const run = (command: string) => {
    const own = command.replace('http://127.0.0.1:8787', service.baseUrl);
    const { status, stdout } = spawnSync('sh', ['-c', own], {
      cwd: folder,
      env: variables,
      encoding: 'utf8',
    });
    expect(status, command).toBe(0);
    return stdout;
  };
  let requests = 0;
  for (const { command, shown } of steps) {
    const [, name, member, how] = /^(\w+)='the (\w+) that was (\w+)'$/.exec(command) ?? [];
    if (name !== undefined) {
      const given = new RegExp(`"${member}":"([^"]+)"`).exec(answered)?.[1];
      variables[name] = (how === 'printed' ? printed : given) ?? '';
      expect(variables[name], command).not.toBe('');
      continue;
    }
    answered = run(command);
    if (command.startsWith('curl -i')) {
      requests += 1;
      expect(shown.length, `an answer is shown for ${command}`).toBeGreaterThan(0);
      expect(answered).toMatch(/^HTTP\/1\.1 20[01] /);
    }
    const isRead = !/ -d | -F | POST /.test(command);
    for (const line of shown) {
      // work that the service does by itself takes a second
      const read = () => masked(isRead ? run(command) : answered);
      await expect.poll(read).toContain(masked(line));
    }
    if (command.startsWith('cmp')) expect(answered).toBe('the same\n');
  }
  expect(requests).toBe(10);
  expect(service.said().stderr).toBe('');
});
