/** What one client saw of one id, in milliseconds of one clock. */
export interface Event {
  /** When the request was sent. */
  readonly begin: number;
  /** When the answer came, or the life of the service ended. */
  end: number;
  /** No answer came: it happened before `end`, or never. */
  open: boolean;
  readonly kind: 'add' | 'delete' | 'read';
  /** Of an add the version that was written, of a read the one that was there; 0 for no picture. */
  version: number;
  /** Whether a write changed anything, as its answer says. */
  done: boolean;
}

const MOST_TRIES = 2_000_000;

/**
 * Searches an order of the events of one id in which each lies between its request and its answer and all answers are true
 * (Wing and Gong, "Testing and Verifying Concurrent Objects", JPDC 17, 1993). States seen before are not tried again (Lowe,
 * "Testing for Linearizability", 2017).
 * @returns why there is none; empty where there is one
 */
export function orderFault(history: readonly Event[]): string {
  const events = [...history].sort((a, b) => a.begin - b.begin);
  const tried = new Set<string>();
  // a state: the first event not taken yet, those taken after it, and the version that is there
  const stack = [{ first: 0, taken: new Set<number>(), there: 0 }];
  let furthest = 0;
  for (let state = stack.pop(); state; state = stack.pop()) {
    const { there, taken } = state;
    let { first } = state;
    while (taken.delete(first)) first++;
    if (first === events.length) return '';
    furthest = Math.max(furthest, first);
    const name = `${first} ${[...taken].sort((a, b) => a - b).join()} ${there}`;
    if (tried.has(name)) continue;
    tried.add(name);
    if (tried.size > MOST_TRIES) return `no order was found in ${MOST_TRIES} tries`;

    // the next one must have begun before the first end among those that are left
    let deadline = Infinity;
    for (let i = first; i < events.length && events[i]!.begin <= deadline; i++) {
      if (taken.has(i)) continue;
      deadline = Math.min(deadline, events[i]!.end);
      for (const after of outcomes(events[i]!, there))
        stack.push({ first, taken: new Set([...taken, i]), there: after });
    }
  }
  const about = JSON.stringify(events.slice(furthest, furthest + 4));
  return `no order fits its ${events.length} events; the longest one ends at ${about}`;
}

/** The versions that may be there after an event, if it may come now. */
function outcomes({ kind, version, done, open }: Event, there: number): number[] {
  if (kind === 'read') return version === there ? [there] : [];
  const changes = kind === 'add' ? there === 0 : there !== 0;
  const after = kind === 'add' ? version : 0;
  if (open) return changes ? [there, after] : [there];
  return done === changes ? [changes ? after : there] : [];
}

/** The same history with one read that saw an earlier version than possible; undefined where no read allows that. */
export function withFalseRead(history: readonly Event[]): Event[] | undefined {
  const reads = history.filter(({ kind, version }) => kind === 'read' && version > 0);
  const changed = reads.at(Math.floor(reads.length / 2));
  if (!changed) return undefined;
  const older = history.find(
    ({ kind, version, end }) => kind === 'add' && end < changed.begin - 1000 && version < changed.version,
  );
  return older && history.map((event) => (event === changed ? { ...event, version: older.version } : event));
}
