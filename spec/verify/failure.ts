import type { Failure } from './report.js';
import { type Exchange, hidden } from './transport.js';

const longestBody = 2000;

/** Characters of a body of text that a line for a shell has. */
const longestText = 20_000;

/** What a report says of a failure: the message of the case, and its last exchange. */
export function failureOf(
  cause: unknown,
  exchanges: readonly Exchange[],
  secrets: ReadonlyMap<string, string>,
): Failure {
  const message = hidden(cause instanceof Error ? cause.message : String(cause), secrets);
  const last = exchanges.at(-1);
  if (last === undefined) return { message };
  return {
    message,
    curl: hidden(curlOf(last), secrets),
    answer: hidden(answerOf(last), secrets),
  };
}

/** The request as a line for a POSIX shell. */
export function curlOf({ method, url, headers, body }: Exchange): string {
  const parts = ['curl', '-i', ...(method === 'HEAD' ? ['--head'] : ['-X', method])];
  for (const [name, value] of Object.entries(headers)) {
    // in double quotes, for the shell to put the token in
    parts.push('-H', value.includes('$') ? `"${name}: ${value}"` : quoted(`${name}: ${value}`));
  }
  const length = body?.length ?? 0;
  const most = typeof body === 'string' ? longestText : longestBody;
  const cut = length > most ? ` # the first ${most} of ${length} of the body` : '';
  if (typeof body === 'string') parts.push('--data-binary', quoted(body.slice(0, most)));
  else if (body !== undefined) {
    const base64 = btoa(String.fromCharCode(...body.subarray(0, most)));
    return `echo ${base64} | base64 -d | ${parts.join(' ')} --data-binary @- ${quoted(url)}${cut}`;
  }
  return `${parts.join(' ')} ${quoted(url)}${cut}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function answerOf({ status, answerHeaders, answer, failure }: Exchange): string {
  if (failure !== undefined || answer === undefined) return failure ?? 'none';
  const head = [...(answerHeaders ?? [])].map(([name, value]) => `${name}: ${value}`);
  const text = new TextDecoder().decode(answer.subarray(0, longestBody));
  const more = answer.length > longestBody ? `\n... (${answer.length} bytes)` : '';
  return [`${status}`, ...head, '', `${text}${more}`].join('\n');
}
