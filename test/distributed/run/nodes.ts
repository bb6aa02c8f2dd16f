import { readdirSync, readFileSync } from 'node:fs';
import { Client, type Pool } from 'pg';

/** A node of a cluster, or a server by itself. */
export interface ServerNode {
  /** `host:port`. */
  readonly name: string;
  readonly isCoordinator: boolean;
  /** The id of the first process of the server. */
  readonly pid: number;
  /** Its name in the catalogue of the cluster. */
  readonly group: string;
  readonly url: string;
}

/** The nodes of a cluster on this machine, the coordinator first. */
export async function nodesOf(pool: Pool, url: string): Promise<readonly ServerNode[]> {
  const { rows } = await pool.query<{ name: string; group: number }>(
    `select nodename || ':' || nodeport as name, groupid as group from pg_dist_node
    where noderole = 'primary' and isactive order by groupid`,
  );
  return Promise.all(
    rows.map(async ({ name, group }) => {
      const own = new URL(url);
      own.host = name;
      const node = { name, group: String(group), url: own.href, isCoordinator: group === 0 };
      return { ...node, pid: await serverOf(own.href) };
    }),
  );
}

/** The id of the first process of the server of a URL, on this machine. */
export async function serverOf(url: string): Promise<number> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const parent = Number(fieldsOf(String(rows[0]?.pid))?.[1]);
  await client.end();
  if (!(parent > 1)) throw new Error('the server is on another machine: its CPU cannot be read');
  return parent;
}

/** CPU time of a server's processes from now on in microseconds, also of those that end. */
export function cpuOf(pids: readonly number[]): () => number {
  const sum = () => pids.reduce((all, pid) => all + cpuTime(pid), 0);
  const begin = sum();
  return () => sum() - begin;
}

/** A hundredth of a second in microseconds: the kernel counts ended processes in this unit. */
const tick = 10_000;

function cpuTime(pid: number): number {
  let sum = 0;
  for (const name of processes()) {
    const fields = fieldsOf(name);
    const isFirst = name === String(pid);
    if (fields === undefined || !(isFirst || fields[1] === String(pid))) continue;
    sum += Number(read(`/proc/${name}/schedstat`)?.split(' ')[0] ?? 0) / 1_000;
    if (isFirst) sum += (Number(fields[13]) + Number(fields[14])) * tick;
  }
  return sum;
}

/** Private bytes of the largest process that a server started. */
export function largestOf(pid: number): number {
  let most = 0;
  for (const name of processes()) {
    if (fieldsOf(name)?.[1] !== String(pid)) continue;
    const text = read(`/proc/${name}/status`) ?? '';
    most = Math.max(most, Number(/^RssAnon:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1_024);
  }
  return most;
}

function processes(): readonly string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
}

/** The fields of a process after its name, which may contain anything; nothing if it has ended. */
function fieldsOf(pid: string): readonly string[] | undefined {
  return read(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ');
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
