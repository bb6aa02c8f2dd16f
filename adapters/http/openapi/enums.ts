import type {
  Actor,
  DeliveryStatus,
  DisabledReason,
  Environment,
  ServicePromises,
  WebhookChanged,
} from 'dealwright';
import type { FieldDescription, FieldDescriptions } from 'dealwright/fields';
import { refTo, type Schema } from './schema.js';

/** The enumerations of the interface (Deal 2.0, States and transitions), by their fields. */
const names = {
  copyright_transfer: 'CopyrightTransferEnum',
  freelancer_language: 'FreelancerLanguageEnum',
  status: 'StatusEnum',
  freelancer_status: 'FreelancerStatusEnum',
} as const;

/** The values of other kinds of text; the compiler checks that none is missing. */
const ofKinds = {
  environment: named<Environment>('EnvironmentEnum', 'Where it happened.', {
    production: true,
    sandbox: true,
  }),
  'payment mode': named<ServicePromises['mode']>(
    'PaymentModeEnum',
    'When the employer pays: after the work was approved, or before it is delivered.',
    { invoice: true, prepaid: true },
  ),
  'contractor scope': named<ServicePromises['contractor_scope']>(
    'ContractorScopeEnum',
    'Where a contractor is known.',
    { environment: true, partner: true },
  ),
  actor: named<Actor>('ActorEnum', 'Who caused it.', {
    partner: true,
    freelancer: true,
    operator: true,
    clock: true,
    payments: true,
  }),
  'webhook status': named<WebhookChanged['status']>(
    'WebhookStatusEnum',
    'What becomes of a webhook; `deleted` is in events alone.',
    { enabled: true, disabled: true, deleted: true },
  ),
  'disabled reason': named<DisabledReason>(
    'DisabledReasonEnum',
    'Why nothing is sent: the webhook answered 410, or has failed for five days.',
    { gone: true, failing: true },
  ),
  'delivery status': named<DeliveryStatus>('DeliveryStatusEnum', 'What becomes of a delivery.', {
    pending: true,
    delivered: true,
    failed: true,
  }),
} as const;

function named<S extends string>(
  name: string,
  description: string,
  values: Readonly<Record<S, true>>,
) {
  return { name, schema: { type: 'string', description, enum: Object.keys(values) } };
}

/** A reference to the enumeration of a kind of text. */
export function enumOfKind(kind: keyof typeof ofKinds): Schema {
  return refTo(ofKinds[kind].name);
}

type EnumField = keyof typeof names;

const meanings: Readonly<Record<EnumField, string>> = {
  copyright_transfer: 'The kind of copyright transfer.',
  freelancer_language: 'The language for the freelancer.',
  status: 'The status of the deal.',
  freelancer_status: 'The status of the freelancer with respect to the deal.',
};

/** A reference to the enumeration of a field of a deal. */
export function enumOf(field: EnumField): Schema {
  return refTo(names[field]);
}

/** Says whether a field of a deal has one of the enumerations. */
export function hasEnum(field: string): field is EnumField {
  return field in names;
}

/** The enumerations: the statuses that filter a list, and the sets of values of the host. */
export function enumSchemas({
  deal_v2,
  deal_list,
}: FieldDescriptions): Readonly<Record<string, Schema>> {
  const fields = [...deal_v2, ...deal_list];
  const ofFields = Object.entries(names).map(([field, name]) => [
    name,
    {
      type: 'string',
      description: meanings[field as EnumField],
      enum: allowedOf(fields.find((each) => each.name === field)),
    },
  ]);
  const others = Object.values(ofKinds).map(({ name, schema }) => [name, schema]);
  return Object.fromEntries([...ofFields, ...others]);
}

function allowedOf(field: FieldDescription | undefined): readonly string[] {
  return (field?.rules ?? []).flatMap(({ code, params }) =>
    code === 'not_allowed' ? params.allowed : [],
  );
}
