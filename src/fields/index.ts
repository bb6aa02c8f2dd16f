export {
  describeFields,
  type FieldDescription,
  type FieldDescriptions,
  type FieldRule,
} from './describe-fields.js';
