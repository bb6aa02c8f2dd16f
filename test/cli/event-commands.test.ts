import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dealV2 } from '../kit/requests.js';
import { apiOf, must, useDataFolder } from './data-folder.js';
import { type RunningService, run, startService, stopAll } from './dealwright.js';
import { until } from './receiver.js';
import { ask, settingsOf, token } from './service-client.js';

let service: RunningService;
const ids = ['one', 'two', 'three'];

beforeAll(async () => {
  service = await startService({ DEALWRIGHT_TOKENS: `${token}=sandbox:acme,none=sandbox:none` });
  for (const partner_id of ids) must(await apiOf(service).createDealV2({ ...dealV2, partner_id }));
  must(await apiOf(service).cancel('two'));
});
afterAll(stopAll);

const eventsIn = (stdout: string) =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const tail = (...args: string[]) => ask(service, ['events', 'tail', ...args]);

describe('events tail', () => {
  it('shows the feed of the partner, the oldest event first, and how to go on', async () => {
    const { code, stdout, stderr } = await tail();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^at +type +sequence +subject$/);
    const rows = lines.slice(1, 5).map((line) => line.split(/ +/).slice(1));
    expect(rows).toEqual([
      ...ids.map((id) => ['deal.created', '1', `deal:${id}`]),
      ['deal.cancelled', '2', 'deal:two'],
    ]);
    const [, cursor = ''] = /^next: dealwright events tail .*--after '(\S+)'$/m.exec(stdout) ?? [];
    const rest = await tail('--after', cursor);
    expect(rest.stdout).toMatch(/^no events\nnext: .*\n$/);
    expect((await tail('--after', 'end')).stdout).toMatch(/^no events\n/);
  });

  it('is a line of JSON for each event, exactly as in the feed', async () => {
    const { results } = must(await apiOf(service).listEvents());
    expect(results.length).toBe(4);
    const { code, stdout, stderr } = await tail('--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(eventsIn(stdout)).toEqual(results);
    expect(stdout.split('\n').length).toBe(results.length + 1);
    const { stdout: some } = await tail('--json', '--type', 'deal.cancelled,deal.accepted');
    expect(eventsIn(some)).toEqual(results.slice(3));
  });

  it('is the time line of a deal, of the types that are asked for', async () => {
    const { stdout } = await tail('--deal', 'two');
    expect(stdout).toMatch(/^at +type +sequence +actor\n\S+ +deal\.created +1 +partner\n/);
    const types = async (...args: string[]) =>
      eventsIn((await tail('--deal', 'two', '--json', ...args)).stdout).map(({ type }) => type);
    expect(await types()).toEqual(['deal.created', 'deal.cancelled']);
    expect(await types('--after', '1')).toEqual(['deal.cancelled']);
    expect(await types('--type', 'deal.created')).toEqual(['deal.created']);
    expect(await types('--after', 'end')).toEqual([]);
    expect(await tail('--deal', 'nowhere')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('(not_found)'),
    });
  });

  it('says that there is nothing, and what is refused', async () => {
    const partner = { ...settingsOf(service), DEALWRIGHT_TOKEN: 'none' };
    const empty = await run(['events', 'tail'], partner).ended;
    expect(empty).toMatchObject({ code: 0, stdout: expect.stringMatching(/^no events\n/) });
    expect(await tail('--after', 'nonsense')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('(invalid_cursor)'),
    });
  });
});

describe('events tail --follow', () => {
  const { data } = useDataFolder();
  afterEach(stopAll);
  const follow = (of: Pick<RunningService, 'baseUrl'>, ...args: string[]) =>
    run(['events', 'tail', '--follow', '--json', ...args], settingsOf(of));
  const settings = () => ({ DEALWRIGHT_DATA: data(), DEALWRIGHT_TOKENS: `${token}=sandbox:acme` });
  const create = async (of: RunningService, partner_id: string) =>
    must(await apiOf(of).createDealV2({ ...dealV2, partner_id }));

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'goes on over a restart of the service, and ends by %s with 0',
    async (signal) => {
      const first = await startService(settings());
      const { next } = must(await apiOf(first).listEvents());
      const { child, said, ended } = follow(first, '--after', next);
      await create(first, 'before');
      await until(() => said().stdout.includes('before'), said);
      first.child.kill('SIGTERM');
      await first.ended;
      await until(() => said().stderr.endsWith('\n'), said);
      const second = await startService({ ...settings(), PORT: String(first.port) });
      await create(second, 'after');
      await until(() => said().stdout.includes('after'), said);
      child.kill(signal);
      const { code, stdout, stderr } = await ended;
      expect(code).toBe(0);
      expect(eventsIn(stdout).map(({ subject }) => subject)).toEqual(['deal:before', 'deal:after']);
      expect(eventsIn(stderr)).toEqual([{ error: expect.objectContaining({ retryable: true }) }]);
    },
  );

  it.each([[[]], [['--deal', 'old']]])('begins at the end, with %j', async (args) => {
    const started = await startService(settings());
    await create(started, 'old');
    const { child, said, ended } = follow(started, ...args);
    // it does not report its start
    for (let at = 0; said().stdout === '' && at < 500; at += 1) {
      if (args.length === 0) await create(started, `new-${at}`);
      else {
        const upload = { name: `new-${at}`, content: new Uint8Array(1) };
        must(await apiOf(started).uploadFile({ partner_id: 'old' }, upload));
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    child.kill('SIGINT');
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const seen = eventsIn(stdout);
    expect(JSON.stringify(seen)).toContain('new-');
    const isOld = (event: { type: string; subject: string }) =>
      event.type === 'deal.created' && event.subject === 'deal:old';
    expect(seen.some(isOld)).toBe(false);
  });

  it('ends with 1 if no service has ever answered, and quietly if its reader is gone', async () => {
    const nowhere = await follow({ baseUrl: 'http://127.0.0.1:1' }, '--attempts', '1').ended;
    expect(nowhere).toMatchObject({ code: 1, stdout: '' });
    const started = await startService(settings());
    await create(started, 'one');
    const { child, said, ended } = follow(started, '--after', '0');
    await until(() => said().stdout.includes('one'), said);
    child.stdout?.destroy();
    await create(started, 'two');
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });
});
