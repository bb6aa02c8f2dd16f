import { limit } from '../limit.mjs';
import { createApp, listenOnNode } from './dealwright-app.mjs';
import { createKeepingStore } from './keeping-store.mjs';

/** Our Node listener over the memory store. */
export function listen(caller) {
  return listenOnNode(createApp(caller, createKeepingStore(limit)));
}
