import type { ProposalKind } from 'dealwright';
import type {
  CommandActor,
  FieldDescription,
  FieldDescriptions,
  ProposalDescriptions,
} from 'dealwright/fields';
import { methodOf } from 'dealwright/life';
import type { BodyLimits } from '../server/read-json.js';
import { type Route, routeName } from '../wire/route.js';
import { enumOf, hasEnum } from './enums.js';
import {
  commandMeanings,
  meanings,
  proposalMeanings,
  redeliveryMeanings,
  webhookMeanings,
} from './meanings.js';
import { objectOf, refTo, type Schema, schemaOfFields } from './schema.js';

/** The names of the schemas of bodies, by their operations. */
const named: Readonly<Record<string, string>> = {
  registerContractor: 'ContractorInput',
  createDeal: 'DealInput',
  createDealV2: 'DealV2Input',
  createWebhook: 'WebhookInput',
  redeliverAll: 'RedeliveryInput',
  command: 'SandboxCommandInput',
  advanceClock: 'ClockInput',
  propose: 'ProposalInput',
  acceptProposal: 'AcceptanceInput',
  rejectProposal: 'RemarkInput',
  withdrawProposal: 'RemarkInput',
  decideProposal: 'SandboxDecisionInput',
};

/** The name of the schema of the body of a route; `undefined` if its body has no members. */
export function bodyName(route: Route): string | undefined {
  const { face, command, input, operation } = route;
  if (input === 'file') return 'FileUpload';
  const own = named[operation];
  if (own !== undefined || command === undefined || face === 'sandbox') return own;
  return inputName(face, command);
}

/** The name of the schema of the input of a command. */
function inputName(actor: CommandActor, command: string): string {
  const name = routeName(actor, methodOf(command));
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
}

/** The schemas of all bodies. */
export function bodySchemas(
  fields: FieldDescriptions,
  limits: BodyLimits,
): Readonly<Record<string, Schema>> {
  const file = fields.work_file;
  const stage = file.filter(({ name }) => name === 'stage_id');
  const upload = schemaOfFields(file, meanings);
  const ofCommands = Object.entries(fields.commands).flatMap(([actor, commands]) =>
    Object.entries(commands).map(([command, list]) => ({
      name: inputName(actor as CommandActor, command),
      schema: schemaOfFields(list, commandMeanings),
    })),
  );
  // many commands take the same input
  const distinct = new Map(ofCommands.map(({ name, schema }) => [JSON.stringify(schema), name]));
  return {
    ...Object.fromEntries(ofCommands.map(({ name, schema }) => [name, schema])),
    SandboxCommandInput: {
      description: 'What the command of the actor takes.',
      anyOf: [...distinct.values()].map(refTo),
    },
    ...proposalSchemas(fields.proposals, limits),
    ClockInput: schemaOfFields(fields.clock, commandMeanings),
    ContractorInput: atMost(limits.json, schemaOfFields(fields.contractor, meanings)),
    DealInput: atMost(limits.json, schemaOfFields(fields.deal, meanings)),
    DealV2Input: atMost(limits.json, withEnums(schemaOfFields(fields.deal_v2, meanings))),
    WebhookInput: atMost(limits.json, schemaOfFields(fields.webhook, webhookMeanings)),
    RedeliveryInput: atMost(limits.json, schemaOfFields(fields.redelivery, redeliveryMeanings)),
    FileUpload: atMost(
      limits.json,
      withMember(upload, 'content', {
        type: 'string',
        contentEncoding: 'base64',
        description: 'The content in base64 (RFC 4648, section 4, with padding).',
      }),
    ),
    FileForm: withMember(schemaOfFields(stage, meanings), 'file', {
      type: 'string',
      contentMediaType: 'application/octet-stream',
      // the same in OpenAPI 3.0, for generators that look for it
      format: 'binary',
      description: `The file, of at most ${limits.file} bytes. Its name and type are those of its part of the form.`,
    }),
  };
}

/** The schemas of proposals, and of decisions about them. */
function proposalSchemas(
  {
    proposal,
    amendment,
    kept_stage,
    added_stage,
    settlement,
    acceptance,
    remark,
  }: ProposalDescriptions,
  limits: BodyLimits,
): Readonly<Record<string, Schema>> {
  // an unknown member is refused: what two sides agree on has no silent part
  const strict = (fields: readonly FieldDescription[]): Schema => ({
    ...schemaOfFields(fields, proposalMeanings),
    additionalProperties: false,
  });
  const stages = { anyOf: [refTo('KeptStage'), refTo('AddedStage')] };
  const proposalOf = (kind: ProposalKind, changes: string) => {
    const { properties } = schemaOfFields(proposal, proposalMeanings);
    const own = { kind: { type: 'string', const: kind }, changes: refTo(changes) };
    return objectOf({ ...Object(properties), ...own }, ['message']);
  };
  return {
    KeptStage: strict(kept_stage),
    AddedStage: strict(added_stage),
    Amendment: {
      ...withEnums(withItems(strict(amendment), 'stages', stages)),
      minProperties: 1,
    },
    Settlement: strict(settlement),
    ProposalInput: atMost(limits.json, {
      anyOf: [proposalOf('amendment', 'Amendment'), proposalOf('settlement', 'Settlement')],
    }),
    AcceptanceInput: schemaOfFields(acceptance, proposalMeanings),
    RemarkInput: schemaOfFields(remark, proposalMeanings),
    SandboxDecisionInput: { anyOf: [refTo('AcceptanceInput'), refTo('RemarkInput')] },
  };
}

/** The schema with the items of one of its lists. */
function withItems(schema: Schema, name: string, items: Schema): Schema {
  const { [name]: list, ...properties } = schema['properties'] as Readonly<Record<string, Schema>>;
  return { ...schema, properties: { ...properties, [name]: { ...list, items } } };
}

/** The schema with the enumerations of the interface for its members. */
function withEnums(schema: Schema): Schema {
  const properties = Object.entries(schema['properties'] as Schema).map(([name, member]) => [
    name,
    hasEnum(name) ? enumOf(name) : member,
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

function atMost(bytes: number, schema: Schema): Schema {
  return { ...schema, description: `At most ${bytes} bytes.` };
}

/** An object schema with one more required member. */
function withMember(schema: Schema, name: string, member: Schema): Schema {
  const required = schema['required'] as readonly string[] | undefined;
  return {
    ...schema,
    required: [...(required ?? []), name],
    properties: { ...(schema['properties'] as Schema), [name]: member },
  };
}
