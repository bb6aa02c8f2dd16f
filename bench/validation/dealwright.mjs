import { defaultValueSets, interfaceProfile } from 'dealwright';
// a caller gets messages, which the use cases add to the parser's findings
import { validationFailed } from '../../dist/src/domain/input/errors.js';
import { inWords } from '../../dist/src/domain/input/messages.js';

const rules = interfaceProfile(defaultValueSets);

function judge(parse) {
  return (input) => {
    const parsed = parse(input);
    return parsed.isOk() ? undefined : inWords(validationFailed(...parsed.error), 'en').errors;
  };
}

export const contender = {
  contractor: judge(rules.parseContractor),
  deal: judge(rules.parseDeal),
  fieldOf: (issue) => issue.path[0],
};
