import { check, equal } from '../../expectations.js';
import { type LawGroup, NotApplicable } from '../../laws.js';
import type { CaseFileName, DataCase, DataIssue } from '../case-files.js';
import {
  expectError,
  group,
  type Json,
  type Members,
  membersOf,
  type Reply,
  type Server,
  textOf,
} from '../server.js';
import type { DataLaw, JudgedFile } from './data-laws.js';
import { type Answered, createSender } from './sender.js';

/** The group of laws that are judged by data. */
export function dataGroup(
  name: string,
  laws: readonly DataLaw[],
  read: ReadFile,
): LawGroup<Server> {
  const textsOf = (level: DataLaw['level']) =>
    Object.fromEntries(laws.filter((law) => law.level === level).map(({ id, text }) => [id, text]));
  return group(name, { must: textsOf('MUST'), should: textsOf('SHOULD') }, (define) => {
    for (const law of laws) {
      const files = filesOf(law);
      for (const file of files) {
        define(
          law.id,
          (server) => judge(server, law, file, read),
          files.length > 1 ? file : undefined,
        );
      }
    }
  });
}

type ReadFile = (name: CaseFileName) => Promise<JudgedFile>;

export const filesOf = ({ where }: DataLaw) => Object.keys(where) as CaseFileName[];

async function judge(
  server: Server,
  law: DataLaw,
  name: CaseFileName,
  read: ReadFile,
): Promise<void> {
  const { file, casesOf } = await read(name);
  const sender = createSender(server, file);
  const { unless } = law;
  const optional = file.cases.find(({ id }) => id === unless?.accepts);
  if (unless !== undefined && optional !== undefined) {
    const { reply } = await sender.send(optional);
    if (reply.status < 300) throw new NotApplicable(unless.reason);
  }
  for (const dataCase of casesOf(law)) {
    const { reply, expected } = await sender.send(dataCase);
    await about(name, dataCase, () => expectAnswer(reply, expected));
  }
}

/** Judges what was answered to a case; a failure names the case. */
export async function about(
  name: CaseFileName,
  { id }: DataCase,
  judge: () => Promise<void> | void,
): Promise<void> {
  try {
    await judge();
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${name}.json ${id}: ${message}`, { cause });
  }
}

function expectAnswer(reply: Reply, { valid, issues = [], code }: Answered['expected']): void {
  if (code !== undefined) {
    expectError(reply, 400, code);
  } else if (valid) {
    check(reply.status < 300, `expected a success\n  actual: ${reply.status} ${textOf(reply)}`);
  } else {
    const expected = issues.map(({ path, code }) => ({ path: [...path], code }));
    const actual = issuesOf(reply).map(({ path, code }) => ({ path, code }));
    equal(sorted(actual), sorted(expected), 'the paths and codes of the issues, in any order');
  }
}

/** The issues of a validation error, with the parts of their paths as text. */
export function issuesOf(reply: Reply): readonly Members[] {
  const { errors } = expectError(reply, 400, 'validation_failed');
  check(Array.isArray(errors), `the member errors is an array\n  actual: ${textOf(reply)}`);
  return errors.map((each: Json) => {
    const issue = membersOf(each, 'an issue');
    const { path } = issue;
    check(Array.isArray(path), `the path of an issue is an array\n  actual: ${textOf(reply)}`);
    return { ...issue, path: path.map(String) };
  });
}

/** In an order of its own. No decision says in which order issues come. */
export function sorted<T extends { readonly path: unknown; readonly code: unknown }>(
  issues: readonly T[],
): T[] {
  const keyOf = ({ path, code }: T) => JSON.stringify([path, code]);
  return [...issues].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Of the refusals of a file that a decision states, one for each kind, if the kind has a name. */
export function refusalsOf(
  { casesOf }: JudgedFile,
  laws: readonly DataLaw[],
  kindOf: (issue: DataIssue, dataCase: DataCase) => string | undefined,
): readonly DataCase[] {
  const found = new Map<string, DataCase>();
  for (const dataCase of laws.filter(({ level }) => level === 'MUST').flatMap(casesOf)) {
    const [issue, ...others] = dataCase.issues ?? [];
    const kind = issue && others.length === 0 ? kindOf(issue, dataCase) : undefined;
    if (kind !== undefined && !found.has(kind)) found.set(kind, dataCase);
  }
  return [...found.values()];
}
