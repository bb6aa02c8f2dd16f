/** The settings of a run in its environment: none of them is guessed. */
export interface RunSettings {
  /** The URL of the coordinator: its database may be filled. */
  readonly cluster: string;
  /** The URL of a plain server on the same machine, to compare costs. */
  readonly plain: string | undefined;
  /** Shell commands that kill a worker, and start it; `$NODE` is its `host:port`. */
  readonly kill: string | undefined;
  readonly start: string | undefined;
  /** `host:port` of a server with Citus that becomes one more worker for a while. */
  readonly spare: string | undefined;
}

/** The settings of this run. */
export function readSettings(env: NodeJS.ProcessEnv): RunSettings {
  const cluster = env['DEALWRIGHT_CLUSTER_URL'];
  if (cluster === undefined) throw new Error('DEALWRIGHT_CLUSTER_URL names no coordinator');
  return {
    cluster,
    plain: env['DEALWRIGHT_PLAIN_URL'],
    kill: env['DEALWRIGHT_KILL_WORKER'],
    start: env['DEALWRIGHT_START_WORKER'],
    spare: env['DEALWRIGHT_SPARE_WORKER'],
  };
}
