import { eventShapes, testEvent, testType } from '../wire/events.js';
import type { Route } from '../wire/route.js';
import type { AnyShape } from '../wire/shape.js';
import { dataOf } from './answers.js';
import { eventExamples } from './examples.js';
import { headerOf, objectOf, refTo, type Schema } from './schema.js';

/** A form with any members. */
interface AnyForm {
  readonly always: Members;
  readonly maybe: Members;
}

type Members = Readonly<Record<string, AnyShape>>;

/** The row of one type of events, with any data. */
interface AnyRow {
  readonly when: string;
  readonly forms: readonly AnyForm[];
}

/** Every type of events that is posted to webhooks. */
export const postedEvents: readonly (readonly [type: string, row: AnyRow])[] = [
  ...Object.entries<AnyRow>(eventShapes),
  [testType, testEvent],
];

/** `deal.changes_requested` is `DealChangesRequestedEvent`. */
function schemaName(type: string): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

function schemaOfForm({ always, maybe }: AnyForm): Schema {
  const members = Object.entries({ ...always, ...maybe });
  const properties = Object.fromEntries(members.map(([name, shape]) => [name, dataOf(shape)]));
  return objectOf(properties, Object.keys(maybe));
}

/** The schema of an event of one type, with the data of that type. */
function schemaOf(type: string, { when, forms: [form, ...others] }: AnyRow): Schema {
  const data =
    form === undefined || others.length > 0
      ? { anyOf: [form, ...others].flatMap((each) => (each ? [schemaOfForm(each)] : [])) }
      : schemaOfForm(form);
  const own = objectOf({ type: { type: 'string', const: type }, data });
  return { description: when, allOf: [refTo('Event'), own] };
}

const header = (...described: Parameters<typeof headerOf>): Schema => ({
  ...headerOf(...described),
  required: true,
});

/** The headers of every delivery (Standard Webhooks). */
const parameters: Readonly<Record<string, Schema>> = {
  WebhookId: header(
    'webhook-id',
    'The id of the event: the same for every attempt, so that a receiver knows what it has seen.',
  ),
  WebhookTimestamp: header('webhook-timestamp', 'When it was sent, in seconds since 1970.', {
    type: 'string',
    pattern: '^\\d+$',
  }),
  WebhookSignature: header(
    'webhook-signature',
    'Signatures with spaces between, each `v1,` and the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` in base64; two for 24 hours after the secret was rotated.',
  ),
};

const tag = {
  name: 'Webhooks',
  description:
    'What is posted to the webhooks of a partner: events exactly as in the feed, each at least once. A response other than 2xx is a failure, which is tried again for three days; 410 disables the webhook.',
};

function operationOf(type: string, row: AnyRow): Schema {
  return {
    operationId: `on${schemaName(type)}`,
    summary: type,
    description: row.when,
    tags: [tag.name],
    // no credentials: the signature proves the sender
    security: [{}],
    parameters: Object.keys(parameters).map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: refTo(schemaName(type)),
          example: eventExamples[type],
        },
      },
    },
    responses: {
      '2XX': { description: 'It was received.' },
      // the receiver words its answers as it likes
      default: { description: 'It is sent again later; after 410 nothing is sent any more.' },
    },
  };
}

/** The sections about deliveries, if the service has the routes of webhooks. */
export function deliverySections(routes: readonly Pick<Route, 'name'>[]): {
  readonly webhooks?: Readonly<Record<string, Schema>>;
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly parameters: Readonly<Record<string, Schema>>;
  readonly tags: readonly Schema[];
} {
  if (!routes.some(({ name }) => name === 'createWebhook')) {
    return { schemas: {}, parameters: {}, tags: [] };
  }
  const webhooks = postedEvents.map(([type, row]) => [type, { post: operationOf(type, row) }]);
  const schemas = postedEvents.map(([type, row]) => [schemaName(type), schemaOf(type, row)]);
  return {
    webhooks: Object.fromEntries(webhooks),
    schemas: Object.fromEntries(schemas),
    parameters,
    tags: [tag],
  };
}
