export {
  type CommandActor,
  type CommandDescriptions,
  describeFields,
  type FieldDescription,
  type FieldDescriptions,
  type FieldRule,
  type ProposalDescriptions,
} from './describe-fields.js';
