import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The words before a command that make it run on one core; none without a core. */
export function pinned(core) {
  return core === undefined ? [] : ['taskset', '--cpu-list', String(core)];
}

/**
 * Starts a contender in a process of its own, so that no other library shapes its code paths. It
 * gets one question at a time, so that only one contender works at any moment.
 */
export function startContender(url, args = [], { execArgv = [], core } = {}) {
  const env = { ...process.env, NODE_ENV: 'production' };
  const [execPath, ...before] = [...pinned(core), process.execPath, ...execArgv];
  const child = fork(fileURLToPath(url), args, { execPath, execArgv: before, env });
  let settle;
  child.on('message', (message) => settle?.resolve(message));
  child.on('exit', (code) => settle?.reject(new Error(`${args.join(' ')} ended with ${code}`)));
  child.on('error', (error) => settle?.reject(error));
  return {
    ask(question) {
      return new Promise((resolve, reject) => {
        settle = { resolve, reject };
        child.send(question);
      });
    },
    stop() {
      settle = undefined;
      child.kill();
    },
  };
}

/** The other side: answers each question with the result of `answer`. */
export function serveContender(answer) {
  process.on('message', async (question) => {
    process.send(await answer(question));
  });
}
