import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dealV2 } from '../kit/requests.js';
import { apiOf, must } from './data-folder.js';
import { type RunningService, run, startService, stopAll } from './dealwright.js';
import { eventOf, startReceiver, until } from './receiver.js';
import { ask, settingsOf, token } from './service-client.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService({
    DEALWRIGHT_TOKENS: `${token}=sandbox:acme,live-token-of-acme-too=production:acme`,
    DEALWRIGHT_WEBHOOK_PRIVATE: '1',
  });
});
afterAll(stopAll);

const webhooks = (...args: string[]) => ask(service, ['webhooks', ...args]);

/** Runs a command that must succeed, and returns its JSON. */
async function done(...args: string[]) {
  const ended = await webhooks(...args, '--json');
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(ended.stdout);
}

let created = 0;
async function createDeal(): Promise<string> {
  created += 1;
  const partner_id = `deal-${created}`;
  must(await apiOf(service).createDealV2({ ...dealV2, partner_id }));
  return partner_id;
}

describe('the commands of webhooks', () => {
  it('lead an added from its secret to its end', async () => {
    const receiver = await startReceiver();
    const none = await webhooks('list');
    expect(none).toEqual({ code: 0, stdout: 'no webhooks\n', stderr: '' });
    const types = ['deal.created', 'deal.accepted'];
    const { secret, ...added } = await done(
      'create',
      receiver.url,
      '--types',
      types.join(','),
      '--ordered',
    );
    expect(added).toMatchObject({ url: receiver.url, types, ordered: true, status: 'enabled' });
    const { id } = added;
    const listed = await webhooks('list');
    expect(listed.stdout).toContain(`${id}  enabled  ordered  deal.created, deal.accepted  `);
    expect(await done('get', id)).toEqual(added);

    await createDeal();
    const [first] = await receiver.arrived(1);
    const event = await eventOf(first, secret);
    expect(event.type).toBe('deal.created');
    let deliveries = '';
    while (!deliveries.includes('  delivered  ')) {
      deliveries = (await webhooks('deliveries', id)).stdout;
    }
    expect(deliveries).toMatch(/^id +status +attempts +last +next_attempt_at +type\n/);
    const [delivery] = (await done('deliveries', id, '--page-size', '1')).results;
    expect(delivery).toMatchObject({ event_id: event.id, status: 'delivered' });
    expect(await done('redeliver', id, delivery.id)).toMatchObject({ id: delivery.id });
    await receiver.arrived(2);

    const { secret: other } = await done('rotate', id);
    expect(other).not.toBe(secret);
    const tested = await webhooks('test', id);
    expect(tested).toMatchObject({ code: 0, stderr: '' });
    expect(tested.stdout).toMatch(/^status +delivered$/m);
    const [, again, test] = await receiver.arrived(3);
    expect(await eventOf(again, secret)).toEqual(event);
    for (const each of [secret, other]) {
      expect(await eventOf(test, each)).toMatchObject({ type: 'webhook.test' });
    }
    expect(JSON.stringify([await done('get', id), await done('list')])).not.toContain('whsec_');
    expect(await done('enable', id)).toEqual(added);
    expect(await done('delete', id)).toMatchObject({ id });
    expect((await webhooks('get', id)).code).toBe(3);
    await receiver.close();
  });

  it('fail if a test does not arrive, and say why', async () => {
    const receiver = await startReceiver(500);
    const { id } = await done('create', receiver.url, '--types', 'none');
    const refused = await webhooks('test', id);
    expect(refused).toMatchObject({
      code: 1,
      stderr: 'dealwright: the message did not arrive: 500\n',
    });
    await receiver.close();
    const lost = await webhooks('test', id, '--json');
    expect(lost).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(lost.stdout)).toMatchObject({ status: 'failed' });
    await done('delete', id);
    for (const [args, says] of [
      [['nonsense'], '  url: '],
      [[receiver.url, '--types', 'a b'], '  types.0: '],
    ] as const) {
      const invalid = await webhooks('create', ...args);
      expect(invalid).toMatchObject({ code: 3, stdout: '' });
      expect(invalid.stderr).toContain(says);
    }
  });
});

describe('webhooks failed', () => {
  it('shows what was given up, with the webhook that sends it again', async () => {
    const receiver = await startReceiver(410);
    const { id } = await done('create', receiver.url, '--types', 'deal.created');
    const deal = await createDeal();
    let failed = '';
    while (!failed.includes(id)) failed = (await webhooks('failed')).stdout;
    expect(failed).toMatch(/^webhook_id +id +status +attempts +last +type\n/);
    const [delivery] = (await done('failed')).results;
    expect(delivery).toMatchObject({ webhook_id: id, status: 'failed' });
    expect(failed).toContain(`${id}  ${delivery.id}  `);
    const ofDeal = await run(['deals', 'deliveries', deal], settingsOf(service)).ended;
    expect(ofDeal).toMatchObject({ code: 0, stdout: failed });
    expect(await done('redeliver-all', id, '--since', '2000-01-01T00:00:00Z')).toEqual({
      count: 1,
    });
    expect((await done('failed')).results).toEqual([]);
    await done('delete', id);
    await receiver.close();
  });
});

describe('webhooks listen', () => {
  const listen = (url: string, environment: Record<string, string> = {}, ...args: string[]) =>
    run(['webhooks', 'listen', '--forward-to', url, ...args], {
      ...settingsOf(service),
      ...environment,
    });

  it('posts what a webhook posts, signed with the secret that it prints', async () => {
    const [local, real] = [await startReceiver(), await startReceiver()];
    const added = await done('create', real.url, '--types', 'deal.created');
    const { child, said, ended } = listen(local.url, {}, '--types', 'deal.created');
    await until(() => said().stdout.includes('Signed with '), said);
    const [, secret = ''] = /^Signed with (whsec_\S+)$/m.exec(said().stdout) ?? [];
    const deal = await createDeal();
    const [[mine], [theirs]] = await Promise.all([local.arrived(1), real.arrived(1)]);
    expect(mine?.body).toBe(theirs?.body);
    const names = ({ headers = {} }: Partial<typeof mine & object> = {}) =>
      Object.keys(headers).sort();
    expect(names(mine)).toEqual(names(theirs));
    expect(mine?.headers['webhook-id']).toBe(theirs?.headers['webhook-id']);
    expect(await eventOf(mine, secret)).toEqual(await eventOf(theirs, added.secret));
    await until(() => /204\n/.test(said().stdout), said);
    child.kill('SIGINT');
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')[2]).toMatch(new RegExp(`^\\S+Z  deal\\.created  deal:${deal}  204$`));
    expect(stdout).not.toContain(token);
    await done('delete', added.id);
    await Promise.all([local.close(), real.close()]);
  });

  it('tries again three times, and goes on with the next', async () => {
    const local = await startReceiver(500, 500, 302, 404);
    const given = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    const { next } = must(await apiOf(service).listEvents({ after: 'end' }));
    await createDeal();
    await createDeal();
    const { said, child, ended } = listen(
      local.url,
      { DEALWRIGHT_WEBHOOK_SECRET: given },
      ...['--after', next, '--json'],
    );
    const received = await local.arrived(5);
    const events = await Promise.all(received.map((each) => eventOf(each, given)));
    expect(new Set(events.slice(0, 4).map(({ id }) => id)).size).toBe(1);
    expect(events[4]?.id).not.toBe(events[0]?.id);
    await until(() => said().stdout.split('\n').length > 6, said);
    await local.close();
    await createDeal();
    await until(() => said().stdout.includes('connection_failed'), said);
    child.kill('SIGTERM');
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain('whsec_');
    const [greeting, ...lines] = stdout.split('\n').slice(0, -1);
    expect(JSON.parse(greeting ?? '')).toMatchObject({ forward_to: local.url });
    const told = lines.map((line) => JSON.parse(line));
    expect(told.slice(0, 5).map((each) => [each.attempt, each.status_code])).toEqual([
      [1, 500],
      [2, 500],
      [3, 302],
      [4, 404],
      [1, 204],
    ]);
    expect(told[5]).toMatchObject({ attempt: 1, status_code: null, error: 'connection_failed' });
  });

  it('posts nothing of production', async () => {
    const local = await startReceiver();
    const live = { DEALWRIGHT_TOKEN: 'live-token-of-acme-too' };
    // a feed without events does not show the environment until one comes
    const early = listen(local.url, live);
    await until(() => early.said().stdout.includes('Signed with '), early.said);
    const made = await run(
      ['deals', 'create', '--file', '-'],
      { ...settingsOf(service), ...live },
      JSON.stringify(dealV2),
    ).ended;
    expect(made.code).toBe(0);
    expect(await early.ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('this token is of production'),
    });
    const late = await listen(local.url, live, '--after', '0').ended;
    expect(late).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('this token is of production'),
    });
    expect(local.received).toEqual([]);
    await local.close();
  });

  it('refuses what cannot be posted to, and a secret that is not one, without repeating it', async () => {
    for (const [url, secret, says] of [
      ['nonsense', '', '--forward-to is not a URL'],
      ['ftp://127.0.0.1/', '', '--forward-to is not a URL'],
      ['http://s3cret@127.0.0.1/', '', '--forward-to is not a URL'],
      ['http://127.0.0.1:1/', 's3cret', 'DEALWRIGHT_WEBHOOK_SECRET is not whsec_'],
      ['http://127.0.0.1:1/', 'whsec_s3cret', 'DEALWRIGHT_WEBHOOK_SECRET is not whsec_'],
    ] as const) {
      const set = secret === '' ? {} : { DEALWRIGHT_WEBHOOK_SECRET: secret };
      const { code, stdout, stderr } = await listen(url, set).ended;
      expect([url, secret, code, stdout]).toEqual([url, secret, 2, '']);
      expect(stderr).toContain(says);
      expect(stderr).not.toContain('s3cret');
    }
  });
});
