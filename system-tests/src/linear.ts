import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { samplesFolder } from '@sosia/fixtures';
import { between, oneOf, randomFor } from '@sosia/testing/pictures/random';
import type { Random } from '@sosia/testing/pictures/random';
import { createApplication, startServer } from '@sosia/testing/service/server';
import type { Server } from '@sosia/testing/service/server';
import { ask } from './ask.ts';
import { type GateResult, sizeOf } from './gate.ts';

const CLIENTS = 16;
const IDS = 12;
/** The service is killed or stopped at the end of each. */
const LIVES = sizeOf('SOSIA_LIVES', { usual: 8, whole: 200 });
const LIFE_MS = 4000;
const OVERLOADED = -1910;

/** What one client saw of one id: it was asked at `begin` and answered at `end`, in milliseconds of one clock. */
interface Event {
  readonly begin: number;
  end: number;
  /** No answer came: it happened before `end`, which is that of the service's life, or never. */
  open: boolean;
  /** The version written (0: deleted) or read. */
  readonly kind: 'add' | 'delete' | 'read';
  /** Of an add, the version; of a read, what was there. */
  version: number;
  /** What the answer of a write said: whether it changed anything. */
  done: boolean;
}

/**
 * Many clients add, delete, get and search the same few ids at once, while the server is killed and started again. For each id there
 * must be one order of all that happened that fits the clock and every answer: an add that was answered "exists" found
 * something, a read saw what the last change before it left.
 */
export async function run(): Promise<GateResult> {
  const seed = process.env['SOSIA_SEED'] ?? String(Date.now());
  const data = mkdtempSync(join(tmpdir(), 'sosia-linear-'));
  const key = createApplication(data, 'media-matching');
  const histories = Array.from({ length: IDS }, (): Event[] => []);
  let version = 0;
  let server = await startServer(data);
  const dna = await dnaOf(server, createApplication(data, 'media-matching'));
  const faults: string[] = [];

  for (let life = 0; life < LIVES; life++) {
    let over = false;
    const clients = Array.from({ length: CLIENTS }, async (_, i) => {
      const random = randomFor('linear', seed, life, i);
      while (!over) await one(random).catch(() => pause(5));
    });
    await pause(LIFE_MS * between(randomFor('linear', seed, life), 0.5, 1));
    const end = life % 2 ? server.stop() : server.kill();
    over = true;
    await Promise.all([end, ...clients]);
    for (const event of histories.flat()) if (event.end === Infinity) event.end = performance.now();
    server = await startServer(data);
  }
  await server.stop();
  rmSync(data, { recursive: true });

  histories.forEach((history, i) => {
    const fault = orderFault(history);
    if (fault) faults.push(`id-${i}: ${fault}`);
  });
  const events = histories.flat();
  const broken = histories.map(withOneLie).filter((history) => history && orderFault(history)).length;
  if (broken === 0) faults.push('histories with a lie in them were taken for true');
  const figures = {
    seed,
    lives: LIVES,
    events: events.length,
    unanswered: events.filter(({ open }) => open).length,
    reads: events.filter(({ kind }) => kind === 'read').length,
    liesCaught: broken,
    faults,
  };
  return { passed: faults.length === 0 && figures.unanswered > 0, figures };

  async function one(random: Random): Promise<void> {
    const at = Math.floor(random() * IDS);
    const image_id = `id-${at}`;
    const values = { application_key: key, image_id };
    const what = oneOf(random, ['add', 'delete', 'get', 'search'] as const);
    const kind = what === 'add' || what === 'delete' ? what : 'read';
    const event: Event = { begin: performance.now(), end: Infinity, open: true, kind, version: 0, done: true };
    const history = histories[at]!;
    if (kind !== 'read') history.push(event);
    if (what === 'add') {
      event.version = ++version;
      const { status } = await ask(server, 'modify/AddImage', { ...values, dna, keywords: [`v${event.version}`] });
      if (status.code === OVERLOADED) return; // may have been done
      event.done = status.code === 0;
      if (!event.done && status.code !== -2801) throw fault(`an add of ${image_id} answered ${status.code}`);
    } else if (what === 'delete') {
      const { status } = await ask(server, 'modify/DeleteImage', values);
      if (status.code === OVERLOADED) return;
      event.done = status.code === 0;
      if (!event.done && status.code !== -2802) throw fault(`a delete of ${image_id} answered ${status.code}`);
    } else {
      const answer =
        what === 'get'
          ? await ask(server, 'query/GetImageById', values)
          : await ask(server, 'query/SearchImageByDna', { application_key: key, dna, ids_list: image_id });
      if (answer.status.code === OVERLOADED) return;
      const found = what === 'get' ? answer.image : answer.images?.[0];
      event.version = found ? Number(found.keywords[0]!.slice(1)) : 0;
      history.push(event);
    }
    event.end = performance.now();
    event.open = false;
  }

  function fault(what: string): Error {
    faults.push(what);
    return new Error(what);
  }
}

async function dnaOf(server: Server, application_key: string): Promise<string> {
  const image_content = readFileSync(join(samplesFolder, 'kodim02.jpg'));
  await ask(server, 'modify/AddImage', { application_key, image_id: 'a', image_content });
  return (await ask(server, 'modify/GetDnaById', { application_key, image_id: 'a' })).dna!.dna;
}

/**
 * Looks for an order of the events of one id in which each lies between its question and its answer and all answers are
 * true (Wing and Gong, "Testing and Verifying Concurrent Objects", JPDC 17, 1993; states seen before are not tried again, as
 * in Lowe, "Testing for Linearizability", 2017). Empty where there is one.
 */
function orderFault(history: readonly Event[]): string {
  const events = [...history].sort((a, b) => a.begin - b.begin);
  // what stands open: the place of the first event not taken yet, those taken after it, and what is there
  const tried = new Set<string>();
  const stack: { first: number; taken: ReadonlySet<number>; there: number }[] = [
    { first: 0, taken: new Set(), there: 0 },
  ];
  let furthest = 0;
  for (let state = stack.pop(); state; state = stack.pop()) {
    const { there } = state;
    let { first } = state;
    const taken = new Set(state.taken);
    while (taken.delete(first)) first++;
    if (first === events.length) return '';
    furthest = Math.max(furthest, first);
    const name = `${first} ${[...taken].sort((a, b) => a - b).join()} ${there}`;
    if (tried.has(name)) continue;
    tried.add(name);
    if (tried.size > 2_000_000) return 'no order was found in two million tries';

    // next is one that had begun before the first of those that are left ended
    let deadline = Infinity;
    for (let i = first; i < events.length && events[i]!.begin <= deadline; i++) {
      if (taken.has(i)) continue;
      deadline = Math.min(deadline, events[i]!.end);
      for (const after of outcomes(events[i]!, there))
        stack.push({ first, taken: new Set([...taken, i]), there: after });
    }
  }
  return `no order fits its ${events.length} events; it breaks off about ${JSON.stringify(events.slice(furthest, furthest + 4))}`;
}

/** What may be there after an event, if it may come now. */
function outcomes({ kind, version, done, open }: Event, there: number): number[] {
  if (kind === 'read') return version === there ? [there] : [];
  const changes = kind === 'add' ? there === 0 : there !== 0;
  const after = kind === 'add' ? version : 0;
  if (open) return changes ? [there, after] : [there];
  return done === changes ? [changes ? after : there] : [];
}

/** The same history with one read that saw what it cannot have seen: the version before. */
function withOneLie(history: readonly Event[]): Event[] | undefined {
  const reads = history.filter(({ kind, version }) => kind === 'read' && version > 0);
  const lie = reads.at(Math.floor(reads.length / 2));
  const older = history.find(
    ({ kind, version, end }) => kind === 'add' && end < (lie?.begin ?? 0) - 1000 && version < lie!.version,
  );
  return lie && older && history.map((event) => (event === lie ? { ...event, version: older.version } : event));
}
