import type { Law } from '../../laws.js';
import { type CaseFile, type CaseFileName, type DataCase, readCases } from '../case-files.js';

/**
 * The cases of a file that judge a law, by the members that they are about and their names:
 * `'budget: plus comma; work_days: text'`. `*` is any member, or any name.
 */
export type Where = Readonly<Partial<Record<CaseFileName, string>>>;

/** A law that is judged by cases of files. */
export interface DataLaw extends Law {
  readonly where: Where;
  /** A case that a host may choose to accept; then the law is not for it. */
  readonly unless?: { readonly accepts: string; readonly reason: string };
}

/** A law that the interface or a decision states. */
export function must(id: string, text: string, where: Where): DataLaw {
  return { id, level: 'MUST', text, where };
}

/** A law that only the files state, or whose value a host may choose. */
export function should(id: string, text: string, where: Where): DataLaw {
  return { id, level: 'SHOULD', text, where };
}

/** The same cases of several files. */
export function inAll(files: readonly CaseFileName[], cases: string): Where {
  return Object.fromEntries(files.map((file) => [file, cases]));
}

/** The same names of cases, each file with its own member. */
export function ofMembers(members: Where, names: string): Where {
  return Object.fromEntries(
    Object.entries(members).map(([file, member]) => [
      file,
      member
        .split(' ')
        .map((each) => `${each}: ${names}`)
        .join('; '),
    ]),
  );
}

/** The laws of the fields of one kind of record. */
export function fieldsOf(file: CaseFileName, section: string, record: string) {
  const lawOf = (field: string, rule: string, text: string, names: string) =>
    must(`${section}/${field}/${rule}`, `\`${field}\` of ${record} ${text}.`, {
      [file]: `${field}: ${names}`,
    });
  const characters = (count: number) => (count === 1 ? '1 character' : `${count} characters`);
  return {
    required: (fields: string) =>
      fields.split(' ').map((field) => lawOf(field, 'required', 'is required', 'missing')),
    /** The fewest characters of each field. */
    least: (bounds: Readonly<Record<string, number>>) =>
      Object.entries(bounds).map(([field, min]) =>
        lawOf(field, 'min', `has at least ${characters(min)}`, least),
      ),
    /** The most characters of each field. */
    most: (bounds: Readonly<Record<string, number>>) =>
      Object.entries(bounds).map(([field, max]) =>
        lawOf(field, 'max', `has at most ${characters(max)}, counted in code points`, most),
      ),
    exactly: (bounds: Readonly<Record<string, number>>) =>
      Object.entries(bounds).map(([field, length]) =>
        lawOf(field, 'length', `has ${characters(length)}, counted in code points`, exact),
      ),
  };
}

/** The cases about the fewest characters, the most, and an exact number. */
export const least = 'shortest empty shortest-of-emoji one-too-short one-too-short-of-emoji';
export const most = 'longest longest-of-emoji one-too-long one-too-long-of-emoji';
export const exact =
  'exact-length exact-length-of-emoji one-too-short one-too-short-of-emoji one-too-long one-too-long-of-emoji';

/** A file, and its cases by the law that they judge. */
export interface JudgedFile {
  readonly file: CaseFile;
  readonly casesOf: (law: DataLaw) => readonly DataCase[];
}

/** Makes the function that reads files, each once: a case judges the first law that fits it. */
export function fileReader(laws: readonly DataLaw[]): (name: CaseFileName) => Promise<JudgedFile> {
  const files = new Map<CaseFileName, Promise<JudgedFile>>();
  const read = async (name: CaseFileName): Promise<JudgedFile> => {
    const file = await readCases(name);
    const patterns = laws.map(({ where }) => patternsOf(where[name]));
    const found = file.cases.map(({ id }) =>
      patterns.findIndex((each) => each.some((fits) => fits(id))),
    );
    return {
      file,
      casesOf: (law) => file.cases.filter((_, at) => laws[found[at] ?? -1] === law),
    };
  };
  return (name) => {
    const known = files.get(name) ?? read(name);
    files.set(name, known);
    return known;
  };
}

function patternsOf(where = ''): ((id: string) => boolean)[] {
  return where.split('; ').map((each) => {
    const [member, text = ''] = each.split(': ');
    const names = new Set(text.split(' '));
    return (id) => {
      const at = id.lastIndexOf('/');
      const isNamed = names.has('*') || names.has(id.slice(at + 1));
      return isNamed && (member === '*' || member === id.slice(0, at));
    };
  });
}
