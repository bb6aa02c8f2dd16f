import { defaultValueSets } from 'dealwright';
import { describeFields } from 'dealwright/fields';

const { deal_list } = describeFields(defaultValueSets);

/** The statuses of a deal that a list can be narrowed to. */
export const dealStatusNames: readonly string[] = allowedOf('status');

/** The statuses of a freelancer that a list can be narrowed to. */
export const freelancerStatusNames: readonly string[] = allowedOf('freelancer_status');

function allowedOf(parameter: string): readonly string[] {
  const rules = deal_list.find(({ name }) => name === parameter)?.rules ?? [];
  return rules.flatMap((rule) => (rule.code === 'not_allowed' ? rule.params.allowed : []));
}
