import { Refusal } from './errors.mjs';
import { Form, fileLimit, formLimit, parameterOf } from './form.mjs';

export const json = 'application/json';
const form = 'multipart/form-data';
const jsonLimit = 1_048_576;

/** A request of a partner. Its body is read by the resource that takes one. */
export class Call {
  constructor(request, partner, language) {
    Object.assign(this, { request, partner, language });
  }

  async json() {
    this.#typeAmong(json);
    const bytes = await this.#read(jsonLimit);
    try {
      return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    } catch {
      throw new Refusal('invalid_json');
    }
  }

  /** A form, or the members of a JSON body. */
  async upload() {
    if (this.#typeAmong(json, form) === json) return this.json();
    return new Form(await this.#read(formLimit, fileLimit), this.request.headers['content-type']);
  }

  #typeAmong(...types) {
    const { 'content-type': header = '', 'content-encoding': encoding } = this.request.headers;
    const type = header.split(';')[0].trim().toLowerCase();
    const isUtf8 = /^utf-8$/i.test(parameterOf(header, 'charset') ?? 'utf-8');
    if (types.includes(type) && isUtf8 && encoding === undefined) return type;
    throw new Refusal('unsupported_media_type', { headers: { Accept: types.join(', ') } });
  }

  async #read(limit, max_bytes = limit) {
    const tooLarge = new Refusal('payload_too_large', { max_bytes });
    if (Number(this.request.headers['content-length']) > limit) throw tooLarge;
    const chunks = [];
    let size = 0;
    // the refusal goes back over the same connection
    for await (const chunk of this.request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > limit) throw tooLarge;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }
}
