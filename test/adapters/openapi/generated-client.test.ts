import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createMarketplace } from 'dealwright';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoutes } from '../../../adapters/http/wire/all-routes.js';
import { get } from '../../kit/open-api.js';
import { createPorts } from '../../kit/ports.js';
import {
  createTestHandler,
  handlerOver,
  operators,
  operatorToken,
  serve,
  tokenOf,
} from '../../kit/service.js';
import { type Called, type Generator, generate, generators, programOf } from './generators.js';
import { tour, wrong } from './tour.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const folder = mkdtempSync(join(tmpdir(), 'dealwright-generated-'));
const options =
  '--ignoreConfig --target ES2022 --module NodeNext --strict --skipLibCheck --types node';

const ports = { ...createPorts(), paymentTokens: createOpaqueTokenIssuer() };
const createHandler = () => {
  const clock = { now: () => ports.timer.now() };
  return handlerOver(createMarketplace({ ...ports, clock }), { operatorAuthenticator: operators });
};

const token = tokenOf({ environment: 'sandbox', partner: 'acme' });
let errors = '';
const services: { readonly baseUrl: string; close(): Promise<void> }[] = [];
beforeAll(async () => {
  const { body = '' } = await get(createHandler(), '/openapi.json');
  mkdirSync(folder, { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'openapi.json'), String(body));
  const called = await Promise.all(
    generators.map(async (generator) => {
      // each calls a service of its own
      const service = await serve(createTestHandler());
      services.push(service);
      return [generator, { baseUrl: service.baseUrl, token }] as const;
    }),
  );
  await generate(folder, Object.fromEntries(called) as Record<Generator, Called>);
  writeFileSync(join(folder, 'tour.ts'), tour);
  writeFileSync(join(folder, 'wrong.ts'), wrong);
  // all at once: reading the libraries takes the most time; the output is written despite errors
  const programs = generators.map((generator) => `${programOf(generator)}.ts`);
  const args = [tsc, ...options.split(' '), '--outDir', 'out', 'tour.ts', 'wrong.ts', ...programs];
  errors = await run(process.execPath, args, { cwd: folder }).then(
    () => '',
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
}, 120_000);
afterAll(async () => {
  await Promise.all(services.map((service) => service.close()));
  rmSync(folder, { recursive: true, force: true });
});

/** The answers to commands, by the path and by the parameter alike. */
const life = {
  uploadWorkFile: [201, 'stored'],
  invite: [200, 'created'],
  accept: [200, 'accepted'],
  deliver: [200, 'delivered'],
  requestChanges: [200, 'changes_requested'],
  approve: [200, 'approved'],
  requestPayment: [200, 'approved'],
  dispute: [200, 'disputed'],
  listWorkFiles: [200, ['superseded', 'accepted']],
  downloadWorkFile: [200, 'Once.'],
  decline: [200, 'cancelled'],
  cancel: [200, 'cancelled'],
};
const lives = {
  ...life,
  ...Object.fromEntries(
    Object.entries(life).map(([name, answer]) => [`${name}ByParameter`, answer]),
  ),
  illegal: [409, 'illegal_transition', 'created', ['invite', 'cancel']],
  late: [409, 'illegal_transition', []],
};

/** The answers to callers other than the partner. */
const ofOperator = {
  operatorInvite: [200, 'created'],
  operatorCancel: [200, 'cancelled'],
  operatorRetrieveDeal: [200, 'disputed'],
  operatorDownloadWorkFile: [200, 'Once.'],
  operatorResolve: [200, 'approved'],
  operatorRequestPayment: [200, 'approved'],
  operatorRecordEmployerPayment: [200, 'approved'],
  operatorRecordContractorPayment: [200, 'completed'],
};
const faces = {
  ...ofOperator,
  ...Object.fromEntries(
    Object.entries(ofOperator).map(([name, answer]) => [`${name}ByParameter`, answer]),
  ),
  freelancerView: [200, 'created'],
  freelancerAccept: [200, 'accepted'],
  freelancerUploadFile: [201, 5],
  freelancerListFiles: [200, 1],
  freelancerDownloadFile: [200, 'Once.'],
  freelancerDeliver: [200, 'delivered'],
  freelancerDispute: [200, 'disputed'],
  freelancerDecline: [200, 'cancelled'],
  operatorListDeals: [200, 1],
  operatorSearchDeals: [200, ['partner_id']],
  operatorSummarize: [200, ['disputed']],
  operatorListFailing: [200, 0],
  operatorListUnmatchedReports: [200, 'unknown_deal'],
  operatorDismissReport: [200, true],
  operatorListPartners: [200, 1],
  operatorRetryPayout: [200, [200, 200]],
  operatorRetryPayoutByParameter: [409, 'precondition_failed'],
  operatorRetryRefund: [409, 'precondition_failed'],
  operatorRetryRefundByParameter: [409, 'precondition_failed'],
  operatorRunTimers: [200, 0],
  operatorRunEffects: [200, 0],
  sandboxCommand: [200, 'accepted'],
  sandboxCommandByParameter: [200, 'cancelled'],
  sandboxAdvanceClock: [200],
  wrongCredentials: [401, 'unauthorized'],
};

/** The answers to requests for events. */
const events = {
  listEvents: [200, ['contractor.registered', 'deal.created'], 400, 'invalid_cursor'],
  listDealEvents: [200, ['deal.created', 'deal.cancelled']],
  listDealEventsByParameter: [200, ['deal.created', 'deal.cancelled']],
  freelancerListEvents: [200, ['deal.created']],
  operatorListEvents: [200, ['contractor.registered']],
  operatorListDealEvents: [200, ['deal.created']],
  operatorListDealEventsByParameter: [200, ['deal.created']],
  createWebhook: [201, true, 400, 'invalid_url'],
  listWebhooks: [200, [['deal.created']]],
  retrieveWebhook: [200, false],
  rotateWebhook: [200, false],
  enableWebhook: [200, 'enabled'],
  testWebhook: [200, [204]],
  listDeliveries: [200, []],
  redeliver: [404, 'not_found'],
  redeliverAll: [200, 0],
  listFailedDeliveries: [200, []],
  listDealDeliveries: [200, []],
  listDealDeliveriesByParameter: [200, []],
  listTokens: [200, ['API token 1']],
  retrievePromises: [200, 'invoice'],
  operatorListTokens: [200, ['API token 1']],
  operatorListWebhooks: [200, [['deal.created']]],
  operatorEnableWebhook: [200, 'enabled'],
  operatorListDeliveries: [200, []],
  operatorRedeliver: [404, 'not_found'],
  operatorRedeliverAll: [200, 0],
  operatorListFailedDeliveries: [200, []],
  operatorListDealDeliveries: [200, []],
  operatorListDealDeliveriesByParameter: [200, []],
  deleteWebhook: [200, null],
};

/** The answers about terms and proposals. */
const ofTerms = {
  propose: [201, 'open'],
  withdrawProposal: [200, 'withdrawn'],
  rejectProposal: [200, 'rejected'],
  acceptProposal: [200, 'accepted'],
  retrieveProposal: [200, 'accepted'],
  listProposals: [200, ['accepted', 'accepted', 'rejected', 'withdrawn']],
  listTerms: [200, ['creation', 'amendment', 'bonus', 'amendment']],
  addBonus: [200, 'accepted'],
  operatorRetrieveProposal: [200, 'accepted'],
  operatorListProposals: [200, ['accepted', 'accepted', 'rejected', 'withdrawn']],
  operatorListTerms: [200, ['creation', 'amendment', 'bonus', 'amendment']],
  sandboxPropose: [201, 'open'],
  sandboxDecideProposal: [200, 'accepted'],
};
const terms = {
  ...ofTerms,
  ...Object.fromEntries(
    Object.entries(ofTerms).map(([name, answer]) => [`${name}ByParameter`, answer]),
  ),
  freelancerPropose: [201, 'open'],
  freelancerWithdrawProposal: [200, 'withdrawn'],
  freelancerRejectProposal: [200, 'rejected'],
  freelancerAcceptProposal: [200, 'accepted'],
  freelancerRetrieveProposal: [200, '600.00'],
  freelancerListProposals: [200, ['accepted', 'rejected', 'withdrawn']],
  freelancerListTerms: [200, ['creation', 'amendment']],
};

describe('a client that is generated from the document', { timeout: 120_000 }, () => {
  it.each(generators)('by %s creates, lists and uploads as the page says', async (generator) => {
    const program = join('out', `${programOf(generator)}.js`);
    const { stdout } = await run(process.execPath, [program], { cwd: folder });
    expect(stdout).toBe('created 1\ndraft.txt 9\n');
  });

  it('compiles, and runs the whole tour against a live server', async () => {
    const others = errors.split('\n').filter((line) => !/^(wrong\.ts|\s|$)/.test(line));
    expect(others).toEqual([]);
    const { baseUrl, close } = await serve(createHandler());
    try {
      const { stdout } = await run(
        process.execPath,
        ['out/tour.js', baseUrl, token, operatorToken],
        {
          cwd: folder,
        },
      );
      const steps: Record<string, readonly unknown[]> = JSON.parse(stdout);
      expect(steps).toEqual({
        ...lives,
        ...faces,
        ...events,
        ...terms,
        registerContractor: [201, 'user@example.com', 409, 'contractor_exists'],
        createDeal: [201, [2], 400, 'required'],
        listCategories: [200, true],
        uploadFile: [201, 5, 400, 'unknown_stage'],
        uploadForm: [201, 5, 'text/plain'],
        retrieveDeal: [200, ['draft.txt', 'form.txt'], 404, 'not_found'],
        createDealV2: [201, 'created', 409, 'deal_exists'],
        replay: [201, true, 422, 'idempotency_key_reused'],
        listCategoryTree: [200, true],
        retrieveDealDetails: [200, true, 404, 'not_found'],
        retrieveDealDetailsByParameter: [200, null, 401, 'unauthorized'],
        listDeals: [200, ['a/b', 'order-2', 'order-1'], 400, 'invalid_cursor'],
      });
      // the tour has a step for each row of the table
      const names = allRoutes().map(({ name }) => name);
      expect(Object.keys(steps)).toEqual(expect.arrayContaining(names));
    } finally {
      await close();
    }
  });

  it('does not compile if a call is not what the document says', () => {
    const lines = [...errors.matchAll(/^wrong\.ts\((\d+),/gm)].map(([, line]) => Number(line));
    expect([...new Set(lines)]).toEqual(
      wrong.split('\n').flatMap((line, index) => (line.includes('// wrong') ? [index + 1] : [])),
    );
  });
});
