// Reads data folders for damage.ts.
import { openApplicationStore, openImageStore, repair, verify } from '@sosia/server';
import { answerRequests } from '@sosia/testing/checker';
import { entriesOf } from './stock.ts';

export type Task =
  | { readonly verify: string }
  | { readonly contents: string }
  | { readonly repair: string; readonly out: string };

export interface Contents {
  /** As `entriesOf` words them. */
  readonly pictures: Readonly<Record<string, string>>;
  readonly profiles: readonly string[];
}

/** Answers `verify` and `repair` with the damages they report. */
await answerRequests(async (task: Task): Promise<Contents | string[]> => {
  const texts = ({ damages }: { damages: readonly object[] }) => damages.map((damage) => JSON.stringify(damage));
  if ('verify' in task) return texts(verify(task.verify));
  if ('repair' in task) return texts(repair(task.repair, task.out));
  return contentsOf(task.contents);
});

async function contentsOf(folder: string): Promise<Contents> {
  const ignore = (): void => {};
  const store = await openImageStore(folder, ignore);
  const applications = openApplicationStore(folder, ignore);
  const pictures: Record<string, string> = {};
  for (const application of applications.list()) {
    for await (const batch of store.replay(application.number, application.type)) {
      for (const image of batch) {
        const thumbnail = await store.thumbnail(application.number, image.number);
        Object.assign(pictures, Object.fromEntries(entriesOf({ ...image, ...(thumbnail && { thumbnail }) })));
      }
    }
  }
  const profiles = applications.profiles.list().map(({ profile: { name } }) => name);
  applications.close();
  await store.close();
  return { pictures, profiles };
}
