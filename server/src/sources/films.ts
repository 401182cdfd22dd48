import { KeyedMutex } from '../applications/keyed-mutex.ts';
import { fail, Failure } from '../errors.ts';
import type { Entry } from './entries.ts';
import { checkFfmpeg, samplesOf, stillOf } from './ffmpeg.ts';
import { whileOpen } from './files.ts';
import { Folder, FolderPlace } from './folder.ts';
import type { Item, KindSettings, KindValues, Source, SourceKind } from './source.ts';
import { Stills } from './stills.ts';

const FILM = /\.(mp4|m4v|mov|mkv|webm|avi|mpe?g|m2ts|wmv|flv|ogv)$/i;

/** Milliseconds of a pass after which no other new film is looked at, so that the stills of the first ones are not late. */
const SCAN_MS = 60_000;

/** The films of a folder, by their stills. Needs ffmpeg. */
export class FilmsKind extends FolderPlace implements SourceKind {
  readonly #user: number;
  /** One film is looked at and one still is made at a time, for all sources. */
  readonly #mutex = new KeyedMutex();

  /**
   * @param allowed  folders that may be followed, with those inside
   * @param user  what ffmpeg runs as where the service is root
   */
  constructor(allowed: readonly string[], user: number) {
    super(allowed);
    this.#user = user;
  }

  override async settings(values: KindValues): Promise<KindSettings> {
    await checkFfmpeg();
    return super.settings(values);
  }

  async open(settings: KindSettings): Promise<Films> {
    const { path } = await this.settings(settings);
    return new Films(String(path), this.#user, this.#mutex);
  }

  origin(_settings: KindSettings, key: string) {
    const { film, seconds } = placeOf(key);
    return { path: film, ...(seconds !== undefined && { time: seconds }) };
  }

  async original(settings: KindSettings, key: string): Promise<Uint8Array> {
    return (await this.open(settings)).read({ key, version: null }, new AbortController().signal);
  }
}

/** What is stored of films. */
interface Known {
  /** What follows the name of a film in each of its keys, by the version of the file; of films whose stills are all known. */
  readonly whole: ReadonlyMap<string, { readonly film: string; readonly ends: readonly string[] }>;
  /** All keys of a film. */
  readonly keys: ReadonlyMap<string, readonly string[]>;
}

/**
 * The key of a still is the path of its film and its time. Its version is that of the file and the number of keys, so the stored
 * entries say whether they are all. A film that cannot be read has a key without a time, which fails with the reason.
 */
class Films implements Source {
  readonly #root: string;
  readonly #user: number;
  readonly #mutex: KeyedMutex;
  /** Why films cannot be read. */
  readonly #reasons = new Map<string, Error>();
  isUnfinished = false;

  constructor(root: string, user: number, mutex: KeyedMutex) {
    this.#root = root;
    this.#user = user;
    this.#mutex = mutex;
  }

  async *list(signal: AbortSignal, entries?: ReadonlyMap<string, Entry>): AsyncGenerator<Item> {
    const { whole, keys } = knownOf(entries?.values() ?? []);
    const end = performance.now() + SCAN_MS;
    for await (const { key: film, version } of new Folder(this.#root, (name) => FILM.test(name)).list(signal)) {
      const known = version === null ? undefined : whole.get(version);
      const isKnown = known && (known.film === film || !known.ends.includes(''));
      const isInTime = version !== null && performance.now() < end;
      const ends = isKnown ? known.ends : isInTime ? await this.#scan(film, version, signal) : undefined;
      if (ends) {
        for (const each of ends) yield { key: film + each, version: `${version} ${ends.length}` };
        continue;
      }
      for (const key of keys.get(film) ?? []) if (key !== film) yield { key, version: null };
      if (isInTime) yield { key: film, version: `${version} 0` };
      else this.isUnfinished ||= version !== null;
    }
  }

  async read({ key, version }: Item, signal: AbortSignal): Promise<Uint8Array> {
    const { film, seconds } = placeOf(key);
    if (seconds === undefined) throw this.#reasons.get(film) ?? new Error('the film was not looked at');
    const options = { user: this.#user, signal };
    const work = () => whileOpen(this.#root, film, version?.split(' ')[0], (file) => stillOf(file, seconds, options));
    return this.#mutex.run('still', work);
  }

  /** What follows the name of the film in its keys; undefined where the source cannot be read now. */
  async #scan(film: string, version: string, signal: AbortSignal): Promise<string[] | undefined> {
    const stills = new Stills();
    const scan = () =>
      whileOpen(this.#root, film, version, async (file) => {
        for await (const sample of samplesOf(file, { user: this.#user, signal })) stills.add(sample);
      });
    const failed = await this.#mutex.run('film', scan).catch((cause: Error) => cause);
    signal.throwIfAborted();
    const ends = stills.chosen().map((seconds) => `#t=${clock(seconds)}`);
    const reason = failed ?? (ends.length === 0 && fail('NOT_ENOUGH_INFORMATION', 'the film shows nothing'));
    if (!reason) return ends;
    this.#reasons.set(film, reason);
    return reason instanceof Failure ? [...ends, ''] : undefined;
  }
}

function knownOf(entries: Iterable<Entry>): Known {
  const keys = new Map<string, string[]>();
  const found = new Map<string, { film: string; ends: string[] }>();
  for (const { key, version } of entries) {
    const { film } = placeOf(key);
    if (!keys.has(film)) keys.set(film, []);
    keys.get(film)!.push(key);
    const group = `${version} ${film}`;
    if (!found.has(group)) found.set(group, { film, ends: [] });
    found.get(group)!.ends.push(key.slice(film.length));
  }
  const whole = [...found].flatMap(([group, each]) => {
    const [version, number] = group.split(' ');
    return Number(number) === each.ends.length ? [[version!, each] as const] : [];
  });
  return { whole: new Map(whole), keys };
}

/** Of a key; a film that cannot be read has no time. */
function placeOf(key: string): { film: string; seconds: number | undefined } {
  const found = /#t=(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(key);
  if (!found) return { film: key, seconds: undefined };
  const [hours, minutes, seconds] = found.slice(1).map(Number) as [number, number, number];
  return { film: key.slice(0, found.index), seconds: 3600 * hours + 60 * minutes + seconds };
}

/** Hours, minutes and seconds, as in the fragments of addresses of media. */
function clock(seconds: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const rest = (seconds % 60).toFixed(2).padStart(5, '0');
  return `${Math.floor(seconds / 3600)}:${two((seconds / 60) % 60)}:${rest}`;
}
