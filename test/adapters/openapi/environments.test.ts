import { createMarketplace, type Environment } from 'dealwright';
import { createTokenAuthenticator } from 'dealwright/auth';
import {
  type ApiVersion,
  createHandler,
  type HandlerOptions,
  type RequestReport,
} from 'dealwright/http';
import { describe, expect, it } from 'vitest';
import { get } from '../../kit/open-api.js';
import { createPorts } from '../../kit/ports.js';

const environments: readonly Environment[] = ['production', 'sandbox'];
const paths: Readonly<Record<ApiVersion, string>> = {
  '1.0': '/api/1.0/category/',
  '2.0': '/api/2.0/deal/',
};
const versions: readonly ApiVersion[] = ['1.0', '2.0'];

function createService(options: Partial<HandlerOptions>) {
  const ports = createPorts();
  const reports: RequestReport[] = [];
  const authenticator = createTokenAuthenticator(
    environments.map((environment) => [
      `token-of-${environment}`,
      { environment, partner: 'acme' },
    ]),
    ports,
  );
  const handler = createHandler(createMarketplace(ports), {
    ...ports,
    authenticator,
    onRequest: (report) => reports.push(report),
    ...options,
  });
  const ask = (version: ApiVersion, environment: Environment) =>
    get(handler, paths[version], { authorization: `Token token-of-${environment}` });
  return { handler, reports, ask };
}

describe.each(environments)('a handler of %s', (environment) => {
  it.each(versions)(
    "serves version %s to its own tokens, and refuses the other's",
    async (version) => {
      const { ask } = createService({ environment });
      for (const each of environments) {
        const { status, headers } = await ask(version, each);
        expect([each, status]).toEqual([each, each === environment ? 200 : 401]);
        expect(headers['www-authenticate']).toBe(each === environment ? undefined : 'Token');
      }
    },
  );
});

describe('versions', () => {
  it.each(environments.flatMap((environment) => versions.map((version) => [environment, version])))(
    'in %s can be %s alone, while the other environment has both',
    async (environment, served) => {
      const { ask, handler } = createService({
        versions: { [environment as Environment]: [served as ApiVersion] },
      });
      const { body = '' } = await get(handler, '/openapi.json');
      for (const version of versions) {
        for (const each of environments) {
          const isThere = each !== environment || version === served;
          expect([version, each, (await ask(version, each)).status]).toEqual([
            version,
            each,
            isThere ? 200 : 404,
          ]);
        }
        // the other environment serves it, so the document has it
        expect(body).toContain(`"${paths[version]}"`);
      }
    },
  );

  it('that are not served are in no document', async () => {
    for (const served of versions) {
      const { handler } = createService({ versions: { production: [served], sandbox: [served] } });
      const { body = '' } = await get(handler, '/openapi.json');
      for (const version of versions) {
        expect([version, String(body).includes(`"${paths[version]}"`)]).toEqual([
          version,
          version === served,
        ]);
      }
    }
  });
});

describe('the deprecation of 1.0', () => {
  const deprecation = {
    since: new Date('2026-12-01T00:00:00Z'),
    sunset: new Date('2027-12-01T00:00:00Z'),
    guide: 'https://example.com/docs/how-to/migrate-from-1.0-to-2.0',
  };

  it('is told in the headers of its answers, as the document shows them', async () => {
    const { ask, handler } = createService({ deprecation });
    const { body = '' } = await get(handler, '/openapi.json');
    const shown = JSON.parse(String(body)).components.headers;
    const { headers } = await ask('1.0', 'production');
    expect(headers).toMatchObject({
      deprecation: shown.Deprecation.example,
      sunset: shown.Sunset.example,
      link: shown.Link.example,
    });
    expect(shown.Sunset.example).toBe('Wed, 01 Dec 2027 00:00:00 GMT');
    const newer = (await ask('2.0', 'production')).headers;
    for (const name of ['deprecation', 'sunset', 'link']) expect(newer).not.toHaveProperty(name);
  });

  it('is told to the host call by call, with the partner who made it', async () => {
    const { ask, reports } = createService({});
    for (const version of versions) {
      for (const environment of environments) await ask(version, environment);
    }
    expect(
      reports.map(({ deprecated, environment, partner, operation, api_version }) => ({
        deprecated,
        environment,
        partner,
        operation,
        api_version,
      })),
    ).toEqual(
      versions.flatMap((version) =>
        environments.map((environment) => ({
          deprecated: version === '1.0',
          environment,
          partner: 'acme',
          operation: version === '1.0' ? 'listCategories' : 'listDeals',
          api_version: version,
        })),
      ),
    );
  });
});
