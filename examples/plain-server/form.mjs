import { invalid, Refusal } from './errors.mjs';

export const fileLimit = 25 * 1_048_576;
/** Of the whole form: the file and what is around it. */
export const formLimit = fileLimit + 65_536;
const headLimit = 16_384;
const partLimit = 100;

/** A parameter of a header such as `form-data; name="file"`. */
export function parameterOf(header, name) {
  const form = new RegExp(`;\\s*${name}=(?:"((?:\\\\"|[^"])*)"|([^\\s;]*))`, 'i');
  const [, quoted, plain] = form.exec(header) ?? [];
  return quoted?.replaceAll('\\"', '"') ?? plain;
}

/** A body of multipart/form-data (RFC 7578). */
export class Form {
  constructor(bytes, contentType) {
    this.boundary = parameterOf(contentType, 'boundary') ?? '';
    this.bytes = Buffer.concat([Buffer.from('\r\n'), bytes]);
  }

  /** The members that the same file has in JSON, with its content in bytes. */
  members() {
    const parts = [...this.#parts()];
    const [file, second] = parts.filter(({ name }) => name === 'file');
    if (file === undefined) throw invalid({ path: ['file'], code: 'required' });
    if (second !== undefined) throw invalid({ path: ['file'], code: 'repeated' });
    const tooLarge = new Refusal('payload_too_large', { max_bytes: fileLimit });
    if (file.content.length > fileLimit) throw tooLarge;
    const stage = parts.find(({ name }) => name === 'stage_id')?.content.toString();
    // any other text stays one, and so has the wrong type
    const stage_id = /^(?:0|-?[1-9]\d*)$/.test(stage) ? Number(stage) : stage;
    return { stage_id, name: file.fileName, content_type: file.type, content: file.content };
  }

  *#parts() {
    const { bytes, boundary } = this;
    const mark = Buffer.from(`\r\n--${boundary}`, 'latin1');
    let at = /^.{1,70}$/.test(boundary) ? bytes.indexOf(mark) : -1;
    for (let count = 0; at !== -1 && count < partLimit; count++) {
      const head = at + mark.length;
      if (bytes.toString('latin1', head, head + 2) === '--') return;
      const blank = bytes.indexOf('\r\n\r\n', head);
      at = bytes.indexOf(mark, head);
      if (blank === -1 || blank + 4 > at || blank - head > headLimit) break;
      yield partOf(bytes.toString('utf8', head, blank), bytes.subarray(blank + 4, at));
    }
    throw invalid({ path: [], code: 'malformed_form' });
  }
}

function partOf(head, content) {
  const [disposition = ''] = /^content-disposition:.*$/im.exec(head) ?? [];
  const [, type] = /^content-type:[ \t]*(.*)$/im.exec(head) ?? [];
  const escaped = parameterOf(disposition, 'filename') ?? '';
  // browsers escape these three characters
  const fileName = escaped.replace(/%(?:22|0D|0A)/gi, (code) => decodeURIComponent(code));
  return { name: parameterOf(disposition, 'name'), fileName, type, content };
}
