import { orderFault, withFalseRead, type Event } from '../linear/order.ts';

/** Milliseconds by which a read may have seen an earlier state, tried one after another. */
const AGES = [0, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000, 60_000] as const;

/** What is wrong with the events of one picture. */
export interface Findings {
  /** It is not there at the end, though no order of the writes takes it away. */
  readonly lost: boolean;
  /** It is there at the end, though no order of the writes leaves it. */
  readonly back: boolean;
  /** Why the writes by themselves have no order; empty where they have one. */
  readonly fault: string;
  /** Reads that fit only where they saw an earlier state, with its age: a bound in milliseconds. */
  readonly stale: readonly { readonly read: Event; readonly age: number }[];
}

/**
 * Checks the events of one picture. Writes must have an order that fits the clock, their answers and the state at the end. Of
 * reads less is promised: each by itself fits such an order.
 * @param last  the read after everything
 */
export function examine(history: readonly Event[], last: Event): Findings {
  const writes = history.filter(({ kind }) => kind !== 'read');
  const fault = orderFault(writes);
  const wrongEnd = fault === '' && orderFault([...writes, last]) !== '';
  const stale = history.flatMap((read) => {
    if (read.kind !== 'read') return [];
    const age = ageOf(read, writes);
    return age > 0 ? [{ read, age }] : [];
  });
  return { lost: wrongEnd && last.version === 0, back: wrongEnd && last.version > 0, fault, stale };
}

/** Infinite for a read that fits at no age. */
function ageOf(read: Event, writes: readonly Event[]): number {
  return AGES.find((age) => orderFault([...writes, { ...read, begin: read.begin - age }]) === '') ?? Infinity;
}

/** How many of the same histories are noticed with one falsehood each: a lost picture, a deletion undone, a false read. */
export function noticed(histories: readonly { history: readonly Event[]; last: Event }[]) {
  const counts = { lost: 0, back: 0, falseReads: 0, triedReads: 0 };
  for (const { history, last } of histories) {
    if (last.version > 0 && examine(history, { ...last, version: 0 }).lost) counts.lost++;
    const [added] = history.filter(({ kind, version, done }) => kind === 'add' && done && version !== last.version);
    if (last.version === 0 && added && examine(history, { ...last, version: added.version }).back) counts.back++;
    const falsified = withFalseRead(history);
    if (falsified) counts.triedReads++;
    if (falsified && examine(falsified, last).stale.some(({ age }) => age > 0)) counts.falseReads++;
  }
  return counts;
}
