import { least, most, must, should } from './data-laws.js';

/** Section 4: the body of an upload, in JSON. */
export const uploadLaws = [
  must('4/fields/file', 'A file is uploaded with a name, a content in base64, perhaps a type.', {
    'upload-work-file':
      'body: plain optional-members; content: two-paddings one-padding no-padding every-sign',
  }),
  must('4/fields/file-required', 'The name and the content of a file are required.', {
    'upload-work-file': 'name: missing; content: missing',
  }),
  must('4/fields/file-alphabet', 'A content with a sign that base64 does not have is refused.', {
    'upload-work-file': 'content: of-urls line-break space-before beyond-ascii',
  }),
  should('4/fields/file-padding', 'A content whose base64 does not end exactly is refused.', {
    'upload-work-file':
      'content: empty padding-left-out padding-too-short padding-too-long padding-alone padding-within one-digit bits-after-the-end',
  }),
  should('4/fields/file-name', 'The name of a file has 1 to 255 characters.', {
    'upload-work-file': `name: ${least} ${most}`,
  }),
  should('4/fields/file-type', 'The type of a file is a media type, perhaps with parameters.', {
    'upload-work-file': `content_type: one-parameter quoted-parameter two-parameters suffix longest-type ${least} ${most} blank no-slash no-subtype no-type empty-parameter parameter-without-value open-quotation two-types line-break beyond-ascii`,
  }),
];
