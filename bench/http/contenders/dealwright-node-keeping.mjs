import { contractor } from '../../validation/cases.mjs';
import { limit } from '../limit.mjs';
import { createApp, listenOnNode } from './dealwright-app.mjs';
import { createKeepingStore } from './keeping-store.mjs';

/** Our Node listener over the memory store. */
export function listen(caller) {
  const store = createKeepingStore(limit, caller.tenant, contractor);
  return listenOnNode(createApp(caller, store));
}
