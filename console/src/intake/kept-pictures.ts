import { useLoaded } from '../parts/loaded.ts';

/** The pictures of recent searches, in this browser: an address names a picture by its id. */
const MOST = 24;
const STORE = 'pictures';

interface Kept {
  readonly id: string;
  readonly file: File;
  readonly at: number;
}

/** The pictures of this page, for browsers that store nothing. */
const here = new Map<string, File>();

/** @returns the id of the picture, which is stored in the background. The oldest pictures are removed. */
export function keepPicture(file: File): string {
  const known = [...here].find(([, each]) => each === file);
  if (known) return known[0];
  const id = [...crypto.getRandomValues(new Uint8Array(6))].map((byte) => byte.toString(36).padStart(2, '0')).join('');
  here.set(id, file);
  void store(id, file);
  return id;
}

async function store(id: string, file: File): Promise<void> {
  try {
    const pictures = await opened('readwrite');
    await done(pictures.put({ id, file, at: Date.now() } satisfies Kept));
    const all = (await done(pictures.getAll())) as Kept[];
    for (const old of all.sort((a, b) => b.at - a.at).slice(MOST)) pictures.delete(old.id);
  } catch {
    // a browser without storage: the picture is kept as long as the page
  }
}

/** Undefined for a picture that this browser no longer has. */
async function keptPicture(id: string): Promise<File | undefined> {
  const known = here.get(id);
  if (known) return known;
  try {
    const kept = (await done((await opened('readonly')).get(id))) as Kept | undefined;
    if (kept) here.set(id, kept.file);
    return kept?.file;
  } catch {
    return undefined;
  }
}

/** The kept picture with this id; null if this browser no longer has it, undefined meanwhile and without an id. */
export function useKeptPicture(id: string): File | null | undefined {
  return useLoaded(id, async () => (await keptPicture(id)) ?? null);
}

export async function forgetPictures(): Promise<void> {
  here.clear();
  try {
    await done((await opened('readwrite')).clear());
  } catch {
    // nothing was stored
  }
}

async function opened(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const request = indexedDB.open('sosia', 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' });
  const database = await done(request);
  const transaction = database.transaction(STORE, mode);
  transaction.oncomplete = () => database.close();
  return transaction.objectStore(STORE);
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error!);
  });
}
