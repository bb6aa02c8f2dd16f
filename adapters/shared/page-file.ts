/** A file of a page, as a handler serves it; headers are named in lower case. */
export interface PageFile {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Files and requests of this origin only, and images in data URLs; nothing inline, and no frame. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A file of a page, with the headers that keep a browser on its own host. */
export function pageFile(
  type: string,
  body: string,
  more: Readonly<Record<string, string>> = {},
): PageFile {
  return Object.freeze({
    headers: Object.freeze({
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      ...more,
    }),
    body,
  });
}
