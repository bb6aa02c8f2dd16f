import { spawn } from 'node:child_process';

/** The result of a program of the tests. */
export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Runs a program to its end, or until its output contains `killAt`: then it is killed at once.
 */
export function run(command: string, args: readonly string[], killAt?: string): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (text) => {
      stdout += text;
      if (killAt !== undefined && stdout.includes(killAt)) child.kill('SIGKILL');
    });
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (_, signal) => resolve({ stdout, stderr, signal }));
  });
}
