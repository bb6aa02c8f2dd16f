/**
 * The parts of the interface that a server may promise, each by itself.
 *
 * @example
 * ```ts
 * import { profiles } from 'dealwright/verify';
 *
 * profiles.join(','); // 'v1,v2,files,lists,...'
 * ```
 */
export const profiles = [
  'v1',
  'v2',
  'files',
  'lists',
  'idempotency',
  'life',
  'terms',
  'events',
  'webhooks',
  'sandbox',
  'operator',
  'promises',
] as const;

/** The name of a part of the interface. */
export type Profile = (typeof profiles)[number];

const deal = '/api/2.0/deal/{}/';
const byId = '/api/2.0/deal/by-id/';
const offer = '/api/2.0/offer/';
const operatorDeal = '/operator/{}/deal/{}/';
const webhook = '/api/2.0/webhook/{}/';
const partnerCommands = [
  ...['invite', 'accept', 'decline', 'deliver', 'approve', 'request-changes'],
  ...['cancel', 'dispute', 'request-payment'],
];
const decisions = ['accept', 'reject', 'withdraw'].map((name) => `proposal/{}/${name}/`);
const termsReads = ['proposal/', 'proposal/{}/', 'terms/'].map((path) => `GET ${path}`);
const termsWrites = ['proposal/', ...decisions].map((path) => `POST ${path}`);
/** The operations below a place. */
const below = (place: string, names: readonly string[]) =>
  names.map((name) => name.replace(' ', ` ${place}`));
const operatorCommands = [
  ...['invite', 'cancel', 'resolve', 'request-payment', 'retry-payout', 'retry-refund'],
  ...['write-off', 'refund-surplus'],
  ...['record-employer-payment', 'record-contractor-payment'],
];

/** The operations of each profile, as method and path: `{}` stands for a parameter. */
const operations: Readonly<Record<Profile, readonly string[]>> = {
  v1: [
    'POST /api/1.0/contractor/',
    'POST /api/1.0/deal/',
    'GET /api/1.0/deal/{}/',
    'GET /api/1.0/category/',
  ],
  v2: ['POST /api/2.0/deal/', `GET ${deal}`, `GET ${byId}`, 'GET /api/2.0/category/'],
  files: [
    'POST /api/1.0/deal/{}/file/',
    ...[deal, byId, offer].flatMap((each) => [
      `POST ${each}file/`,
      `GET ${each}file/`,
      `GET ${each}file/{}/`,
    ]),
  ],
  lists: ['GET /api/2.0/deal/'],
  // a header of the operations of other profiles
  idempotency: [],
  life: [
    ...[deal, byId].flatMap((each) => partnerCommands.map((name) => `POST ${each}${name}/`)),
    `GET ${offer}`,
    ...['accept', 'decline', 'deliver', 'dispute'].map((name) => `POST ${offer}${name}/`),
  ],
  terms: [
    ...[deal, byId].flatMap((each) =>
      below(each, [...termsReads, ...termsWrites, 'POST add-bonus/']),
    ),
    ...below(offer, [...termsReads, ...termsWrites]),
    ...below(operatorDeal, termsReads),
    ...['{}', 'by-id'].flatMap((id) =>
      below(`/api/2.0/sandbox/deal/${id}/{}/`, ['POST proposal/', 'POST proposal/{}/{}/']),
    ),
  ],
  events: ['GET /api/2.0/event/', `GET ${deal}event/`, `GET ${byId}event/`, `GET ${offer}event/`],
  webhooks: [
    'POST /api/2.0/webhook/',
    'GET /api/2.0/webhook/',
    `GET ${webhook}`,
    `DELETE ${webhook}`,
    ...['rotate', 'enable', 'test'].map((name) => `POST ${webhook}${name}/`),
    `GET ${webhook}delivery/`,
    `POST ${webhook}delivery/{}/redeliver/`,
    `POST ${webhook}redeliver/`,
    'GET /api/2.0/failed-delivery/',
    `GET ${deal}delivery/`,
    `GET ${byId}delivery/`,
  ],
  sandbox: [
    'POST /api/2.0/sandbox/clock/',
    'POST /api/2.0/sandbox/deal/{}/{}/{}/',
    'POST /api/2.0/sandbox/deal/by-id/{}/{}/',
  ],
  operator: [
    `GET ${operatorDeal}`,
    `GET ${operatorDeal}event/`,
    ...operatorCommands.map((name) => `POST ${operatorDeal}${name}/`),
    'GET /operator/deal/',
    'GET /operator/search/',
    'GET /operator/summary/',
    'GET /operator/failing/',
    'GET /operator/report/',
    'POST /operator/{}/report/{}/dismiss/',
    'GET /operator/partner/',
    ...['GET ', 'POST {}/enable/', 'GET {}/delivery/', 'POST {}/delivery/{}/redeliver/'].map(
      (each) => each.replace(' ', ' /operator/{}/webhook/'),
    ),
    'POST /operator/{}/webhook/{}/redeliver/',
    'GET /operator/{}/failed-delivery/',
    `GET ${operatorDeal}delivery/`,
    'GET /operator/event/',
    'POST /operator/run-timers/',
    'POST /operator/run-effects/',
  ],
  promises: ['GET /api/2.0/'],
};

/** The beginnings of the paths of faces, which have no other paths than those above. */
const faces = [
  ...[offer, '/operator/', '/api/2.0/sandbox/'],
  ...['/api/2.0/webhook/', '/api/2.0/failed-delivery/'],
];

const profileOf = new Map(
  profiles.flatMap((profile) => operations[profile].map((each) => [each, profile] as const)),
);

/** What a server promises to serve. */
export interface Promises {
  readonly profiles: ReadonlySet<Profile>;
  /**
   * Why a request is not to be judged, if the server does not promise the operation; a path that is
   * none of the interface may be asked for of every server.
   */
  refusal(method: string, path: string, hasKey: boolean): string | undefined;
}

/** The promises of a server with these profiles, whole. */
export function promisesOf(chosen: readonly Profile[]): Promises {
  const served = chosen.flatMap((profile) =>
    operations[profile].filter((name) => {
      const other = otherOf(profile, name);
      return other === undefined || chosen.includes(other);
    }),
  );
  return promisesFrom(new Set(served), new Set(chosen));
}

/** The other profile that an operation of a profile needs: of its version, or of its face. */
function otherOf(profile: Profile, name: string): Profile | undefined {
  if (profile === 'files') return name.includes('/1.0/') ? 'v1' : 'v2';
  if (profile === 'terms' && name.includes('/operator/')) return 'operator';
  if (profile === 'terms' && name.includes('/sandbox/')) return 'sandbox';
  return name.includes('/offer/') ? 'v2' : undefined;
}

/** The promises that a server states in its OpenAPI document, within these profiles. */
export function promisesIn(document: unknown, within: readonly Profile[] = profiles): Promises {
  const stated = new Set<string>();
  let hasKeys = false;
  for (const [path, item] of Object.entries(membersOf(membersOf(document)['paths']))) {
    for (const [method, operation] of Object.entries(membersOf(item))) {
      stated.add(`${method.toUpperCase()} ${plainPath(path)}`);
      // by its name, or by a reference to it
      hasKeys ||= /idempotency-?key/i.test(JSON.stringify(operation));
    }
  }
  const served = new Set<string>();
  const found = new Set<Profile>(hasKeys && within.includes('idempotency') ? ['idempotency'] : []);
  for (const [name, profile] of profileOf) {
    if (!within.includes(profile) || !isStated(name, stated)) continue;
    served.add(name);
    found.add(profile);
  }
  return promisesFrom(served, found);
}

/** The actors and commands of a sandbox are parameters here, and may be written out there. */
function isStated(name: string, stated: ReadonlySet<string>): boolean {
  if (stated.has(name)) return true;
  return name.includes('/sandbox/deal/') && [...stated].some((each) => matches(name, each));
}

function promisesFrom(served: ReadonlySet<string>, found: ReadonlySet<Profile>): Promises {
  return {
    profiles: found,
    refusal(method, path, hasKey) {
      if (hasKey && !found.has('idempotency')) return 'it does not promise idempotency keys';
      const [pathname = ''] = path.split('?');
      const asked = plainPath(pathname.endsWith('/') ? pathname : `${pathname}/`);
      const known = [...profileOf.keys()].filter((name) => matches(name, `POST ${asked}`, true));
      if (known.length === 0) {
        const face = faces.find((each) => asked.startsWith(each));
        const isPromised = face === undefined || [...served].some((name) => name.includes(face));
        return isPromised ? undefined : `it does not promise ${face}`;
      }
      // literal segments come before parameters
      const fewest = Math.min(...known.map(parametersOf));
      const exact = known.filter((name) => parametersOf(name) === fewest);
      const asks = exact.filter((name) => name.startsWith(`${method} `));
      // another method of a promised path is a question of its own
      const isServed = (asks.length > 0 ? asks : exact).some((name) => served.has(name));
      return isServed ? undefined : `it does not promise ${asks[0] ?? exact[0]}`;
    },
  };
}

const parametersOf = (name: string) => name.split('{}').length;

/** The path from `/api/` or `/operator/` on, with `{}` for each parameter. */
function plainPath(path: string): string {
  return path.replace(/^.*?(?=\/(?:api|operator)\/)/, '').replace(/\{[^}]*\}/g, '{}');
}

/** Says whether a path fits an operation; of any method if `anyMethod`. */
function matches(name: string, asked: string, anyMethod = false): boolean {
  const [method, template = ''] = name.split(' ');
  const [askedMethod, path = ''] = asked.split(' ');
  if (!anyMethod && method !== askedMethod) return false;
  const [segments, others] = [template.split('/'), path.split('/')];
  return (
    segments.length === others.length &&
    segments.every((segment, at) => segment === '{}' || segment === others[at])
  );
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
