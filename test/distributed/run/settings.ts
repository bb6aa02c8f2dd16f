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

/** The variables of the settings that a run may lack. */
export const variables = {
  plain: 'DEALWRIGHT_PLAIN_URL',
  kill: 'DEALWRIGHT_KILL_WORKER',
  start: 'DEALWRIGHT_START_WORKER',
  spare: 'DEALWRIGHT_SPARE_WORKER',
} as const;

/** The settings of this run. */
export function readSettings(env: NodeJS.ProcessEnv): RunSettings {
  const cluster = env['DEALWRIGHT_CLUSTER_URL'];
  if (cluster === undefined) throw new Error('DEALWRIGHT_CLUSTER_URL names no coordinator');
  const { plain, kill, start, spare } = variables;
  return { cluster, plain: env[plain], kill: env[kill], start: env[start], spare: env[spare] };
}
