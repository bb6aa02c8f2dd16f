import { dropDrafts } from '../base/drafts.js';
import { keep, readKept } from '../base/storage.js';

const name = 'offer-token';

/**
 * The payment token of the link. It leaves the address bar at once, so that nobody reads it there, in
 * a bookmark or behind the button Back, and stays in this tab, so that a reload has it. The browser's
 * own list of visits had the whole link before any script ran: no page can change that.
 */
export function takeToken(): string | undefined {
  const given = location.hash.slice(1);
  if (given === '') return readKept(name);
  history.replaceState(null, '', location.pathname + location.search);
  // what was typed for another deal is nothing for this one
  if (given !== readKept(name)) dropDrafts();
  keep(name, given);
  return given;
}

/** Another link in the same tab loads no page by itself. */
export function followLinks(): void {
  addEventListener('hashchange', () => {
    if (location.hash.length < 2) return;
    takeToken();
    location.reload();
  });
}
