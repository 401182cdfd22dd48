import type { Connection } from './database.ts';
import { EVENT_KIND, eventChanges, eventId, eventIdIn, eventKeyIn, KEY_KIND, MAX_EVENTS } from './event-records.ts';
import { recordReader, type recordWriter } from './record-table.ts';
import { statementsOf } from './statement.ts';
import type { NewEvent } from './store.ts';

const utf8 = new TextDecoder();

/**
 * Adds events inside a transaction. Their numbers ascend in the order of the commits. The latest event is never removed,
 * so no number is assigned twice.
 * @param kept  events of an application that are kept
 */
export function eventWriter(database: Connection, records: ReturnType<typeof recordWriter>, kept = MAX_EVENTS) {
  const sql = statementsOf(database);
  const reader = recordReader(database);
  const latest = sql(
    `SELECT CAST(id AS BLOB) AS id FROM records WHERE application = ? AND kind = '${EVENT_KIND}' ORDER BY id DESC LIMIT 1`,
  );
  const prune = sql(
    `DELETE FROM records WHERE application = ? AND kind = '${EVENT_KIND}' AND id <= ? RETURNING CAST(body AS BLOB) AS body`,
  );
  const bodyOf = (application: number, kind: string, id: string) => reader.record(application, kind, id)?.body;

  function latestNumber(application: number): number {
    const row = latest.get<{ id: Uint8Array }>(application);
    const id = row ? utf8.decode(row.id) : eventId(0);
    if (/^\d{12}$/.test(id)) return Number(id);
    throw Object.assign(new Error('the id of the latest event is damaged'), { code: 'SQLITE_CORRUPT' });
  }

  /** @param upTo  the number of the last one */
  function removeOldest(application: number, upTo: number): void {
    for (const { body } of prune.all<{ body: Uint8Array }>(application, eventId(upTo))) {
      const key = eventKeyIn(body);
      const current = key === undefined ? undefined : bodyOf(application, KEY_KIND, key);
      if (current && Number(eventIdIn(current)) <= upTo)
        records.change(application, [{ kind: KEY_KIND, id: key!, body: null }]);
    }
  }

  /** @returns the number of events that repeat no other */
  return (application: number, events: readonly NewEvent[]): number => {
    if (events.length === 0) return 0;
    const before = latestNumber(application);
    const { changes, last } = eventChanges(before, (...of) => bodyOf(application, ...of), events);
    records.change(application, changes);
    if (last > kept) removeOldest(application, last - kept);
    return last - before;
  };
}
