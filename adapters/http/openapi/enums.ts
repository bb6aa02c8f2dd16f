import type { FieldDescription, FieldDescriptions } from 'dealwright/fields';
import { refTo, type Schema } from './schema.js';

/** The enumerations that the interface names (Deal 2.0, States and transitions), by their fields. */
const names = {
  copyright_transfer: 'CopyrightTransferEnum',
  freelancer_language: 'FreelancerLanguageEnum',
  status: 'StatusEnum',
  freelancer_status: 'FreelancerStatusEnum',
} as const;

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

/** The enumerations: the statuses a list can be filtered by, and the sets of values of the host. */
export function enumSchemas({
  deal_v2,
  deal_list,
}: FieldDescriptions): Readonly<Record<string, Schema>> {
  const fields = [...deal_v2, ...deal_list];
  return Object.fromEntries(
    Object.entries(names).map(([field, name]) => [
      name,
      {
        type: 'string',
        description: meanings[field as EnumField],
        enum: allowedOf(fields.find((each) => each.name === field)),
      },
    ]),
  );
}

function allowedOf(field: FieldDescription | undefined): readonly string[] {
  return (field?.rules ?? []).flatMap(({ code, params }) =>
    code === 'not_allowed' ? params.allowed : [],
  );
}
