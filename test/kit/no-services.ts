import childProcess, { type ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { Server } from 'node:net';

/** A quick test starts no process: tests that do belong to the services in `test/tiers.ts`. */
const refuse = (what: string) => (): never => {
  throw new Error(`a quick test ${what}: name its file under services in test/tiers.ts`);
};

const refuseProcess: () => ChildProcess = refuse('starts a process');
for (const name of [
  'spawn',
  'exec',
  'execFile',
  'fork',
  'spawnSync',
  'execSync',
  'execFileSync',
] as const) {
  Object.assign(childProcess, { [name]: refuseProcess });
}
Server.prototype.listen = refuse('listens');
syncBuiltinESMExports();
