import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { run, runHere } from './dealwright.js';

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string };

describe('dealwright', () => {
  it.each([['--help'], ['-h'], ['serve', '--help']])(
    '%s %s names every setting',
    async (...args) => {
      const { code, stdout, stderr } = await run(args).ended;
      expect(code).toBe(0);
      expect(stderr).toBe('');
      for (const setting of ['PORT', 'HOST', 'DEALWRIGHT_TOKENS', 'DEALWRIGHT_DATA']) {
        expect(stdout).toContain(setting);
      }
      expect(stdout).toMatch(/DEALWRIGHT_DATA .*\(default \.dealwright\)/s);
    },
  );

  it.each([
    [['help'], ['--help']],
    [
      ['help', 'serve'],
      ['serve', '--help'],
    ],
    [
      ['help', 'deals'],
      ['deals', '--help'],
    ],
    [
      ['help', 'deals', 'propose'],
      ['deals', 'propose', '--help'],
    ],
    [
      ['deals', 'help', 'list'],
      ['deals', 'list', '--help'],
    ],
  ])('%j is %j', async (words, flag) => {
    const [asked, flagged] = await Promise.all([run(words).ended, run(flag).ended]);
    expect(asked).toEqual(flagged);
    expect(asked).toMatchObject({ code: 0, stderr: '' });
  });

  it('tells a setting that there is not, and nothing of its value', async () => {
    const mistyped = { PORT: 'x', DEALWRIGHT_TOKNES: 's3cret=sandbox:acme' };
    const ofKubernetes = { DEALWRIGHT_SERVICE_HOST: 'h', DEALWRIGHT_PORT_8787_TCP: 'p' };
    const { stderr } = await run(['serve'], { ...mistyped, ...ofKubernetes }).ended;
    expect(stderr).toMatch(/^dealwright: there is no setting DEALWRIGHT_TOKNES: .*TOKENS.*\n/);
    expect(stderr).not.toMatch(/s3cret|SERVICE_HOST|_TCP/);
    const asJson = await run(['categories', '--json'], mistyped).ended;
    expect(JSON.parse(asJson.stderr)).toMatchObject({ error: { code: 'usage' } });
  });

  it('says its version', async () => {
    expect(await run(['--version']).ended).toEqual({
      code: 0,
      stdout: `${version}\n`,
      stderr: '',
    });
  });

  it.each([
    { args: ['serv'], says: "unknown command 'serv'" },
    { args: ['help', 'deals', 'pay'], says: "unknown command 'pay'" },
    { args: ['serve', '--prot', '1'], says: "unknown option '--prot'" },
    { args: ['serve', 'now'], says: "too many arguments for 'serve'" },
    { args: [], says: 'Usage: dealwright' },
  ])('ends with 2 for $args', async ({ args, says }) => {
    const { code, stdout, stderr } = await run(args).ended;
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(says);
  });
});

describe('a bad setting', () => {
  it.each([
    { PORT: '' },
    { PORT: 'http' },
    { PORT: '-1' },
    { PORT: '65536' },
    { PORT: '80.5' },
    { PORT: '0x50' },
    { PORT: ' 80' },
  ])('$PORT is no PORT', async (environment) => {
    const { code, stdout, stderr } = await runHere(['serve'], environment);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(
      /^dealwright: PORT is .*a whole number from 0 to 65535.*\nRun dealwright serve --help for what is there\.\n$/,
    );
  });

  it.each([{ HOST: '' }, { HOST: 'http://localhost' }, { HOST: '[::1]' }, { HOST: 'a b' }])(
    '$HOST is no HOST',
    async (environment) => {
      const { code, stdout, stderr } = await runHere(['serve'], { PORT: '0', ...environment });
      expect(code).toBe(2);
      expect(stdout).toBe('');
      expect(stderr).toMatch(
        /^dealwright: HOST is .*an address or a name to listen on.*\nRun .*\n$/,
      );
    },
  );

  it('in a flag is named by the flag', async () => {
    const flags = ['--port', 'x', '--host', '/'];
    const { code, stderr } = await runHere(['serve', ...flags], { PORT: '1' });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^dealwright: --port is "x".*\ndealwright: --host is "\/".*\nRun .*\n$/);
  });

  it('is told together with all the others', async () => {
    const environment = { PORT: 'x', HOST: '', DEALWRIGHT_TOKENS: ',' };
    const { stderr } = await runHere(['serve'], environment);
    expect(stderr.split('\n').map((line) => line.split(' is ')[0])).toEqual([
      'dealwright: PORT',
      'dealwright: HOST',
      'dealwright: entry 1 of DEALWRIGHT_TOKENS',
      'dealwright: entry 2 of DEALWRIGHT_TOKENS',
      'Run dealwright serve --help for what',
      '',
    ]);
  });

  it('plays no tricks on the terminal', async () => {
    const { stderr } = await runHere(['serve'], { PORT: `\u001b[2J${'9'.repeat(500)}` });
    expect(stderr).toContain('PORT is "\\u001b[2J999');
    expect(stderr.length).toBeLessThan(250);
  });
});

describe('a bad DEALWRIGHT_TOKENS', () => {
  it.each([
    { tokens: '', says: 'DEALWRIGHT_TOKENS is empty' },
    { tokens: '  ', says: 'DEALWRIGHT_TOKENS is empty' },
    { tokens: 's3cret', says: 'entry 1 of DEALWRIGHT_TOKENS has no "="' },
    { tokens: '=sandbox:acme', says: 'has no token in front of its last "="' },
    { tokens: 's3cret=acme', says: 'has no ":" after its last "="' },
    { tokens: 'sandbox:acme=s3cret', says: 'has no ":" after its last "="' },
    { tokens: 's3cret=staging:acme', says: 'names neither production nor sandbox' },
    { tokens: 's3cret=sandbox:', says: 'has no partner of 1 to 128 characters after its ":"' },
    {
      tokens: `s3cret=sandbox:${'p'.repeat(129)}`,
      says: 'has no partner of 1 to 128 characters after its ":"',
    },
    { tokens: 's3cret two=sandbox:acme', says: 'no Authorization header can carry' },
    { tokens: 's3crét=sandbox:acme', says: 'no Authorization header can carry' },
    { tokens: `${'s3cret'.repeat(700)}=sandbox:acme`, says: 'no Authorization header can carry' },
    { tokens: 's3cret=sandbox:acme,', says: 'entry 2 of DEALWRIGHT_TOKENS is empty' },
    {
      tokens: 's3cret=sandbox:acme,other=sandbox:b,s3cret=production:acme',
      says: 'entry 3 of DEALWRIGHT_TOKENS has the token of entry 1',
    },
  ])('$says', async ({ tokens, says }) => {
    const { code, stdout, stderr } = await runHere(['serve'], {
      PORT: '0',
      DEALWRIGHT_TOKENS: tokens,
    });
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(says);
    expect(stderr).not.toContain('s3cr');
  });
});
