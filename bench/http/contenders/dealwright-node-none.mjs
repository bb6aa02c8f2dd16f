import { createApp, listenOnNode } from './dealwright-app.mjs';
import { createNothingStore } from './nothing-store.mjs';

/** Our Node listener over a store that stores nothing. */
export function listen(caller) {
  return listenOnNode(createApp(caller, createNothingStore()));
}
