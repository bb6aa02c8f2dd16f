import type { Language } from 'dealwright';

/** The better of our two languages for an Accept-Language (RFC 9110, 12.5.4); if equal, English. */
export function preferredLanguage(accept: string | undefined): Language {
  if (accept === undefined) return 'en';
  return weight(accept, 'pl') > weight(accept, 'en') ? 'pl' : 'en';
}

/** The weight of a language: that of its own range, or else of the wildcard, or else 0. */
function weight(accept: string, language: Language): number {
  let wildcard = 0;
  let own: number | undefined;
  for (const range of accept.toLowerCase().split(',', 32)) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    const value = q === undefined ? 1 : Number(q.slice(2));
    if (!(value >= 0 && value <= 1)) continue;
    if (tag === '*') wildcard = value;
    else if (tag === language || tag.startsWith(`${language}-`)) own = Math.max(own ?? 0, value);
  }
  return own ?? wildcard;
}

/** Says whether an Accept asks for problem details by their own type (RFC 9457, section 3). */
export function asksForProblem(accept: string | undefined): boolean {
  return (
    accept !== undefined &&
    /application\/problem\+json(?![^\s;,]|\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accept)
  );
}

/** Says whether a Content-Type is JSON, of no other encoding than UTF-8 (RFC 8259, 8.1). */
export function isJson(type: string | undefined): boolean {
  if (type === 'application/json') return true;
  const [essence = '', ...parameters] = (type ?? '').toLowerCase().split(';', 32);
  if (essence.trim() !== 'application/json') return false;
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=', 2);
    // its name without a hyphen is one of its labels (WHATWG Encoding)
    return name.trim() !== 'charset' || /^("?)utf-?8\1$/.test(value.trim());
  });
}
