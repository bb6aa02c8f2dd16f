import { check, equal, show } from '../../expectations.js';
import type { CaseFileName, DataCase, DataIssue } from '../case-files.js';
import { group, type Server } from '../server.js';
import type { DataLaw, JudgedFile } from './data-laws.js';
import { about, filesOf, issuesOf, refusalsOf, sorted } from './judging.js';
import { type Answered, createSender } from './sender.js';

/** Shorter values may be in a message by chance. */
const tellingLength = 6;

/** Decision 1.8: what is in an issue, for a refusal of each kind that the other laws judge. */
export function answersGroup(
  laws: readonly DataLaw[],
  read: (name: CaseFileName) => Promise<JudgedFile>,
) {
  const files = [...new Set(laws.filter(({ level }) => level === 'MUST').flatMap(filesOf))];
  return group(
    'issues',
    {
      must: {
        '1.8/fields/params': 'The params of an issue are the figures of the rule that is broken.',
        '1.8/fields/message': 'Each issue has a message that is a text and not empty.',
        '1.8/fields/polish': 'The message of each code is another one in Polish.',
        '1.8/fields/no-value': 'No answer repeats the value of a field that it refuses.',
      },
    },
    (define) => {
      for (const name of files) {
        const inEach = (judge: Judge, kindOf: KindOf) => async (server: Server) => {
          const judged = await read(name);
          const sender = createSender(server, judged.file);
          const cases = refusalsOf(judged, laws, kindOf);
          check(cases.length > 0, `${name}.json has no such case`);
          for (const dataCase of cases) {
            const ask: Ask = (headers) => sender.send(dataCase, headers);
            await about(name, dataCase, () => judge(ask));
          }
        };
        define('1.8/fields/params', inEach(expectParams, byParams), name);
        define('1.8/fields/message', inEach(expectMessages, byCode), name);
        define('1.8/fields/polish', inEach(expectPolish, byCode), name);
        // any longer text is a name of a partner
        if (name === 'operator-list-deals' || name === 'operator-list-events') continue;
        define('1.8/fields/no-value', inEach(expectSilence, byTellingField), name);
      }
    },
  );
}

/** Sends the case. */
type Ask = (headers?: Readonly<Record<string, string>>) => Promise<Answered>;
type Judge = (ask: Ask) => Promise<void>;
type KindOf = (issue: DataIssue, dataCase: DataCase) => string | undefined;

const byCode: KindOf = ({ code }) => code;

const byParams: KindOf = ({ code, params }) => JSON.stringify([code, params]);

const byTellingField: KindOf = ({ path, code }, { body, query }) =>
  textAt(body ?? query, path).length < tellingLength ? undefined : JSON.stringify([path, code]);

async function expectParams(ask: Ask): Promise<void> {
  const { reply, expected } = await ask();
  const actual = issuesOf(reply).map(({ path, code, params }) => ({ path, code, params }));
  equal(sorted(actual), sorted(expected.issues ?? []), 'the issues with their params');
}

async function expectMessages(ask: Ask): Promise<void> {
  for (const { message } of issuesOf((await ask()).reply)) {
    const isText = typeof message === 'string' && message.trim() !== '';
    check(isText, `the message of an issue is a text\n  actual: ${show(message)}`);
  }
}

async function expectPolish(ask: Ask): Promise<void> {
  const messagesIn = async (language: string) => {
    const { reply } = await ask({ 'accept-language': language });
    return new Set(issuesOf(reply).map(({ message }) => message));
  };
  const english = await messagesIn('en');
  for (const message of await messagesIn('pl')) {
    check(!english.has(message), `another message in Polish\n  actual: ${show(message)} in both`);
  }
}

async function expectSilence(ask: Ask): Promise<void> {
  const { reply, sent, expected } = await ask();
  const { title, detail, errors } = reply.members();
  const said = JSON.stringify({ title, detail, errors });
  for (const { path } of expected.issues ?? []) {
    const value = textAt(sent, path);
    if (value.length < tellingLength) continue;
    // a server may quote the beginning of a long value alone
    const beginning = JSON.stringify(value.slice(0, 40)).slice(1, -1);
    check(!said.includes(beginning), `no answer repeats ${beginning}\n  actual: ${said}`);
  }
}

/** The value in a body, as text. One in short form is long. */
function textAt(body: unknown, path: readonly string[]): string {
  let value = body;
  for (const name of path) value = Object(value)[name];
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return JSON.stringify(value) ?? '';
}
