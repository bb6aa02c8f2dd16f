import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { HandlerOptions } from 'dealwright/http';
import { afterAll, describe, expect, it } from 'vitest';
import { get } from '../../kit/open-api.js';
import { createTestHandler, operators } from '../../kit/service.js';
import { ensureTools } from '../../kit/tools.js';

const run = promisify(execFile);
const redocly = join(await ensureTools('openapi'), '.bin/redocly');
const config = fileURLToPath(new URL('./redocly.yaml', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'dealwright-lint-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Report {
  readonly totals: { readonly errors: number; readonly warnings: number };
  readonly problems: readonly { readonly ruleId: string; readonly message: string }[];
}

/** A path that both would match has an operation of its own, which comes before them. */
const decided =
  'Paths should resolve unambiguously. Found two ambiguous paths: `/api/2.0/sandbox/deal/by-id/{actor}/{command}/` and `/api/2.0/sandbox/deal/{partner_id}/{actor}/proposal/`.';

/** The findings of a foreign linter in a document. */
async function lint(name: string, document: string): Promise<Report> {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, document);
  const args = ['lint', '--config', config, '--format', 'json', file];
  const env = {
    ...process.env,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    // it reports to its makers unless this is set
    CI: 'true',
  };
  const { stdout } = await run(redocly, args, { env, cwd: folder }).catch(
    (failed: { readonly stdout: string }) => failed,
  );
  const { totals, problems } = JSON.parse(stdout) as Report;
  const others = problems.filter(({ message }) => message !== decided);
  const errors = totals.errors - (problems.length - others.length);
  return { totals: { ...totals, errors }, problems: others };
}

const documentOf = async (options: Partial<HandlerOptions> = {}): Promise<string> =>
  String((await get(createTestHandler(undefined, options), '/openapi.json')).body);

describe('a strict linter', () => {
  it.each<readonly [string, Partial<HandlerOptions>]>([
    ['everything', { operatorAuthenticator: operators }],
    ['partners-and-freelancers', { environment: 'production' }],
    [
      'a deprecation',
      {
        deprecation: {
          since: new Date(0),
          sunset: new Date(0),
          guide: 'https://example.com/migrate',
        },
      },
    ],
    ['version-2.0-alone', { environment: 'sandbox', versions: { sandbox: ['2.0'] } }],
  ])('finds no error and no warning in the document of %s', async (name, options) => {
    expect(await lint(name, await documentOf(options))).toEqual({
      totals: expect.objectContaining({ errors: 0, warnings: 0 }),
      problems: [],
    });
  });

  it('finds a broken example, an operation without a name and an unused component', async () => {
    const document = JSON.parse(await documentOf());
    const { post } = document.paths['/api/2.0/deal/'];
    post.requestBody.content['application/json'].example.amount = 500;
    delete post.operationId;
    document.components.schemas.Unused = { type: 'string' };
    const { totals, problems } = await lint('broken', JSON.stringify(document));
    expect(totals.errors).toBeGreaterThan(0);
    expect(problems.map(({ ruleId }) => ruleId)).toEqual(
      expect.arrayContaining([
        'no-invalid-media-type-examples',
        'operation-operationId',
        'no-unused-components',
      ]),
    );
  });
});
