// Reads data folders for the gate `damage` in a process of its own, so that one that dies is noticed.
import { Failure, openApplicationStore, openImageStore, repair, verify } from '@sosia/server';

export interface Question {
  readonly task: 'verify' | 'contents' | 'repair';
  readonly folder: string;
  /** Of a repair. */
  readonly out?: string;
}

export interface Found {
  readonly number: number;
  readonly id: string;
  readonly keywords: readonly string[];
  /** Base64. */
  readonly dna: string;
  readonly thumbnail?: string;
}

export interface Answer {
  /** What was reported, or the name of the failure. */
  readonly damages: readonly string[];
  readonly failure?: string;
  /** By the number of the application. */
  readonly contents?: Readonly<Record<number, readonly Found[]>>;
  readonly profiles?: readonly string[];
}

process.on('message', (question: Question) => {
  answer(question).then(
    (value) => process.send!(value),
    (cause: Error) => {
      const failure = cause instanceof Failure ? `${cause.error}: ${cause.message}` : `unnamed: ${cause.stack}`;
      process.send!({ damages: [], failure } satisfies Answer);
    },
  );
});

async function answer({ task, folder, out }: Question): Promise<Answer> {
  if (task === 'verify') return { damages: verify(folder).damages.map((damage) => JSON.stringify(damage)) };
  if (task === 'repair') return { damages: repair(folder, out!).damages.map((damage) => JSON.stringify(damage)) };

  const damages: string[] = [];
  const report = (damage: object): void => void damages.push(JSON.stringify(damage));
  const store = await openImageStore(folder, report);
  const applications = openApplicationStore(folder, report);
  const contents: Record<number, Found[]> = {};
  for (const { number, type } of applications.list()) {
    const found: Found[] = (contents[number] = []);
    for await (const batch of store.replay(number, type)) {
      for (const { dna, ...image } of batch) {
        const thumbnail = await store.thumbnail(number, image.number);
        const small = thumbnail && { thumbnail: Buffer.from(thumbnail).toString('base64') };
        found.push({ ...image, dna: Buffer.from(dna).toString('base64'), ...small });
      }
    }
  }
  const profiles = applications.profiles.list().map(({ profile: { name } }) => name);
  applications.close();
  await store.close();
  return { damages, contents, profiles };
}
