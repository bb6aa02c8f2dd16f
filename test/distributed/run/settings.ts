/** What a run is told by its environment: nothing of it is guessed. */
export interface RunSettings {
  /** Of the coordinator: its database may be filled. */
  readonly cluster: string;
  /** Of a plain server on the same machine, which costs are compared with. */
  readonly plain: string | undefined;
  /** Commands of the shell that end a worker without a word, and start it; `$NODE` is its `host:port`. */
  readonly kill: string | undefined;
  readonly start: string | undefined;
  /** `host:port` of a server with Citus that is to become one more worker for a while. */
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
