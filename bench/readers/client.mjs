// A client in a process of its own: how long its requests take must not depend on those of another.
import { Agent, request } from 'node:http';
import { serveContender } from '../contender.mjs';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** One request: its status, and the milliseconds until the last byte of its answer. */
function ask({ port, path, authorization }, begun = performance.now()) {
  return new Promise((resolve, reject) => {
    const asked = request({ agent, port, path, headers: { authorization } }, (response) => {
      response.resume();
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode, took: performance.now() - begun });
      });
    });
    asked.on('error', reject);
    asked.end();
  });
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** So many requests one after the other. */
async function inTurn(question) {
  const statuses = {};
  for (let at = 0; at < question.count; at += 1) {
    const { status } = await ask(question);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return { statuses };
}

/** As many as the limits allow, on so many connections. */
async function asAllowed({ until, connections, pause, ...question }) {
  const statuses = {};
  const lane = async () => {
    while (performance.now() < until) {
      const { status } = await ask(question);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 429) await sleep(pause);
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  return { statuses };
}

/** One every few milliseconds, whether or not those before are answered; a late one counts as such. */
async function atTimes({ until, every, ...question }) {
  const all = [];
  for (let due = performance.now(); due < until; due += every) {
    const wait = due - performance.now();
    if (wait > 0) await sleep(wait);
    all.push(ask(question, due));
  }
  const answers = await Promise.all(all);
  const statuses = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  const took = answers.map((each) => each.took).sort((a, b) => a - b);
  const at = (share) => took[Math.min(took.length - 1, Math.floor(share * took.length))];
  return { statuses, count: took.length, p50: at(0.5), p99: at(0.99), longest: at(1) };
}

const ways = { inTurn, asAllowed, atTimes };

serveContender(async ({ how, seconds = 0, ...question }) =>
  ways[how]({ ...question, until: performance.now() + 1000 * seconds }),
);
