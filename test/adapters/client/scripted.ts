import { type ClientOptions, createClient, type RequestLike } from 'dealwright/client';
import type { Timer } from 'dealwright/ports';
import { token } from './service.js';

/** A clock on which every pause passes at once, and an attempt never runs out of time. */
function createPausesClock(timeout: number): Timer & { readonly pauses: number[] } {
  const pauses: number[] = [];
  return {
    pauses,
    now: () => 0,
    sleep(milliseconds, wake) {
      if (milliseconds !== timeout) {
        pauses.push(milliseconds);
        queueMicrotask(wake);
      }
      return () => undefined;
    },
  };
}

export type Answer = () => Response;
const timeout = 77_777;

/** A client that gets these answers, one after the other, the last one for ever. */
export function scripted(answers: readonly Answer[], options: Partial<ClientOptions> = {}) {
  const timer = createPausesClock(timeout);
  const requests: RequestLike[] = [];
  const api = createClient({
    baseUrl: 'https://deals.example.com',
    token,
    timeout,
    timer,
    async fetch(_, request) {
      requests.push(request);
      const answer = answers[Math.min(requests.length, answers.length) - 1];
      if (answer === undefined) throw new Error('there is an answer');
      return answer();
    },
    ...options,
  });
  return { api, requests, pauses: timer.pauses };
}

export const status =
  (code: number, headers: Record<string, string> = {}, body: object = {}): Answer =>
  () =>
    new Response(JSON.stringify(body), { status: code, headers });
export const created = status(201, {}, { data: { id: 1, stage_ids: [1] } });
export const broken: Answer = () => {
  throw new TypeError('fetch failed');
};
