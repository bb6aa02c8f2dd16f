import { readFile, writeFile } from 'node:fs/promises';
import {
  exitCodeOf,
  type Profile,
  profiles,
  type Reporter,
  reporters,
  VerifyError,
  type VerifyOptions,
  verifiedLaws,
  verify,
} from 'dealwright/verify';
import type { Flags } from './fields.js';
import { formatTable } from './output.js';
import { complain, fileProblem, tell, usageExit } from './problem.js';

type Texts = Readonly<Record<string, string | boolean | undefined>>;

/** Judges a server, and writes the report. */
export async function verifyServer(
  process: NodeJS.Process,
  given: Flags,
  baseUrl?: string,
  laws: readonly string[] = [],
): Promise<number> {
  const { stdout } = process;
  const flags = given as Texts;
  const reporter = String(flags['reporter']) as Reporter;
  if (flags['list'] === true) {
    stdout.write(listOf(reporter));
    return 0;
  }
  if (baseUrl === undefined) return complain(process, 'the base URL of a server is missing');
  const options = await optionsOf(process.env, flags, baseUrl, laws);
  if (typeof options === 'string') return complain(process, options);
  try {
    const report = await verify(options);
    const text = reporters[reporter](report);
    if (flags['output'] === undefined) stdout.write(text);
    else {
      const path = String(flags['output']);
      const failed = await writeFile(path, text).catch((error: unknown) => error);
      if (failed !== undefined) return complain(process, fileProblem('write', path, failed));
    }
    return exitCodeOf(report);
  } catch (error) {
    if (!(error instanceof VerifyError)) throw error;
    return tell(process, { message: error.message, exit: usageExit });
  }
}

function listOf(reporter: Reporter): string {
  const laws = verifiedLaws();
  if (reporter === 'json') return `${JSON.stringify(laws, null, 2)}\n`;
  return formatTable(
    laws.map(({ id, level, text }) => [id, level, text]),
    { flexible: 2 },
  );
}

/** The options, or the mistake in the flags. */
async function optionsOf(
  env: NodeJS.ProcessEnv,
  flags: Texts,
  baseUrl: string,
  laws: readonly string[],
): Promise<VerifyOptions | string> {
  const text = (name: string) => (flags[name] === undefined ? undefined : String(flags[name]));
  const token = text('token') ?? env['DEALWRIGHT_TOKEN'];
  if (token === undefined) return 'give the token of a partner: --token, or DEALWRIGHT_TOKEN';
  if (flags['sandbox'] === true && flags['production'] === true) {
    return '--sandbox and --production exclude each other';
  }
  const numbers: Record<string, number | undefined> = {};
  for (const name of ['receiverPort', 'subcategory', 'seed', 'runs', 'timeout', 'rate']) {
    const value = text(name);
    if (value !== undefined && !/^-?\d{1,15}$/.test(value)) {
      return `--${name.replace('P', '-p')} is a whole number`;
    }
    numbers[name] = value === undefined ? undefined : Number(value);
  }
  const chosen = text('profile')?.split(',');
  const unknown = chosen?.find((name) => !profiles.includes(name as Profile));
  if (unknown !== undefined) return `there is no profile ${unknown}, but ${profiles.join(', ')}`;
  const promises = promisesIn(text('promises') ?? '{}');
  if (promises === undefined) return '--promises is a JSON object';
  const path = text('baseline');
  let baseline: readonly string[] | undefined;
  try {
    const lines = path === undefined ? [] : (await readFile(path, 'utf8')).split('\n');
    baseline = lines.map((line) => line.replace(/#.*/, '').trim()).filter((id) => id !== '');
  } catch (error) {
    return fileProblem('read', path ?? '', error);
  }
  const { receiverPort, timeout, ...others } = numbers;
  const environment = flags['production'] === true ? 'production' : 'sandbox';
  const isSaid = flags['sandbox'] === true || flags['production'] === true;
  return {
    ...others,
    baseUrl,
    token,
    only: laws.length === 0 ? undefined : laws,
    otherToken: text('otherToken'),
    operatorToken: text('operatorToken') ?? env['DEALWRIGHT_OPERATOR_TOKEN'],
    partner: text('partner'),
    environment: isSaid ? environment : undefined,
    profiles: chosen as readonly Profile[] | undefined,
    promises,
    receiver: { url: text('receiver'), port: receiverPort },
    timeout: timeout === undefined ? undefined : timeout * 1000,
    baseline,
  };
}

/** The promises, which `verify` judges; `undefined` if the text is not a JSON object. */
function promisesIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
