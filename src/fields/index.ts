export {
  type CommandActor,
  type CommandDescriptions,
  describeFields,
  type FieldDescription,
  type FieldDescriptions,
  type FieldRule,
} from './describe-fields.js';
