import type { WebhookEvent } from 'dealwright/client';
import type Database from 'libsql';

/** Acts on each event once, however often it comes: its id is recorded in the same transaction. */
export function createInbox(db: Database.Database): (event: WebhookEvent) => void {
  db.exec('create table if not exists seen_events (id text primary key)');
  db.exec('create table if not exists completed_deals (partner_id text primary key)');
  const record = db.prepare('insert into seen_events (id) values (?) on conflict do nothing');
  const complete = db.prepare('insert into completed_deals (partner_id) values (?)');
  return db.transaction((event: WebhookEvent) => {
    if (record.run(event.id).changes === 0) return;
    switch (event.type) {
      case 'deal.completed':
        complete.run(event.data.partner_id);
        break;
      default: // a type that you do not need, or that your version does not know
    }
  });
}
