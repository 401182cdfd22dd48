import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { Sosia } from '@sosia/client';
import { createApplication, openApplicationStore, type Config, type RunningServer } from '@sosia/server';
import { addressOf } from '../../terminal/address.ts';
import { ownName } from '../../terminal/own-name.ts';
import { progress } from '../../terminal/progress.ts';

/**
 * Ensures that the data folder has a demo application with the pictures of `folder`/samples, added through the
 * interface. The pictures missing after an interrupted start are added; a complete application costs one request.
 * @returns commands to try, for people
 */
export async function prepareDemo(folder: string, { data, host }: Config, server: RunningServer): Promise<string> {
  const keyFile = join(data, 'demo.key');
  const key = existsSync(keyFile) ? readFileSync(keyFile, 'utf8').trim() : enterDemo(data, keyFile);
  if (!key) return `No demo: ${data} holds applications already. Another folder can be given with --data.\n`;

  const [modify, query] = [addressOf(host, server.modifyPort), addressOf(host, server.queryPort)];
  const sosia = new Sosia({ modify, query, key });
  const pictures = picturesIn(join(folder, 'samples'));
  if ((await sosia.count()) < pictures.length) await addAll(sosia, pictures);
  const edited = picturesIn(join(folder, 'edited'));
  return hints({ query, modify, key, keyFile }, edited, await firstMatch(sosia, edited));
}

/** Searches with the first edited picture, and reports what it shows. */
async function firstMatch(sosia: Sosia, [edited]: readonly Picture[]): Promise<string> {
  if (!edited) return '';
  const started = performance.now();
  const { images } = await sosia.search(await readFile(edited.path), { count: 1 });
  const ms = Math.round(performance.now() - started);
  const [found] = images;
  if (!found) return '';
  const decision = found.resultInfo && 'decision' in found.resultInfo ? found.resultInfo.decision : '';
  return `A first match: ${edited.id} shows ${found.id} (${decision}, score ${found.score.toFixed(4)}, found in ${ms} ms).\n\n`;
}

/** The new demo application's key; undefined if the data folder is already in use. */
function enterDemo(data: string, keyFile: string): string | undefined {
  const store = openApplicationStore(data);
  try {
    if (store.list().length > 0) return undefined;
    const { key } = createApplication(store, { type: 'media-matching', name: 'demo' });
    writeFileSync(keyFile, `${key}\n`, { mode: 0o600 });
    return key;
  } finally {
    store.close();
  }
}

async function addAll(sosia: Sosia, pictures: readonly Picture[]): Promise<void> {
  const bar = progress('indexing sample pictures', pictures.length);
  const items = pictures.map(({ id, path }) => ({
    id,
    keywords: ['sample'],
    read: async () => ({ picture: await readFile(path) }),
  }));
  for await (const { outcome, error } of sosia.addAll(items)) {
    if (outcome === 'failed') throw error!;
    bar.step();
  }
  bar.end();
}

interface Picture {
  readonly id: string;
  readonly path: string;
}

function picturesIn(folder: string): Picture[] {
  const names = readdirSync(folder).filter((name) => /\.(jpe?g|png|webp)$/i.test(name));
  return names.sort().map((id) => ({ id, path: join(folder, id) }));
}

/** Relative to the working directory if that is shorter. */
function nearest(path: string): string {
  const near = relative('.', path);
  return near.length < path.length ? near : path;
}

interface DemoService {
  readonly query: string;
  readonly modify: string;
  readonly key: string;
  readonly keyFile: string;
}

function hints({ query, modify, key, keyFile }: DemoService, edited: readonly Picture[], match: string): string {
  const [first, ...others] = edited.map(({ path }) => nearest(path));
  const sosia = ownName();
  const [toQuery, toModify] = [
    query === 'http://127.0.0.1:8080' ? '' : ` --query-url ${query}`,
    modify === 'http://127.0.0.1:7789' ? '' : ` --modify-url ${modify}`,
  ];
  const example = `Find the original of an edited picture, in a second terminal:

  ${sosia} search ${first} --app ${key}${toQuery}

as any program does it:

  curl -F image_content=@${first} \\
       '${query}/api/v2.0/enginequery/json/SearchImageByUpload?application_key=${key}&nb_results=3'

Others to try: ${others.map((path) => basename(path)).join(', ')}

`;
  return `${match}The key of the demo is ${key}; sign in to the console with it. It is kept in ${keyFile}.

${first ? example : ''}Add pictures of your own:

  ${sosia} add PICTURE.jpg --app ${key}${toModify}
`;
}
