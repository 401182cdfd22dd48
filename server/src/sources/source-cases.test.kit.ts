import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWeb } from '../fetch/web.test.kit.ts';
import type { Pages } from '../fetch/web.test.kit.ts';
import type { ServerOptions } from '../main.ts';
import { photograph } from '../service.test.kit.ts';
import type { Values } from '../service.test.kit.ts';
import type { Sources } from '../config.ts';
import { makeFilm, withoutFfmpeg } from './films.test.kit.ts';
import { credentials, startMoto, withoutMoto } from './moto.test.kit.ts';
import { pictureFolder } from './sources.test.kit.ts';
import { response } from './warc.test.kit.ts';

/** A place that sources of one kind follow, with pictures that have names. */
export interface SourceCase {
  /** Parameters of CreateSource. */
  readonly values: Values;
  /** Of the service. */
  readonly settings: Sources['flags'];
  readonly options?: ServerOptions;
  idOf(name: string): string;
  /** Its origin, beside the source and its kind. */
  originOf(name: string): object;
  /** The file of a photograph, 1 to 24, as it lies in such a place. */
  file(number: number): Promise<Uint8Array>;
  /** Writes the file of a name, or removes it. */
  put(name: string, file: Uint8Array | null): Promise<void>;
  close(): Promise<void>;
}

async function folder(kind: string, ending: string): Promise<SourceCase> {
  const { path, write, remove, close } = await pictureFolder();
  return {
    values: { kind, path },
    settings: { source_folders: path },
    idOf: (name) => name + ending,
    originOf: (name) => ({ path: name + ending }),
    file: photograph,
    put: (name, file) => (file ? write(name + ending, file) : remove(name + ending)),
    close,
  };
}

/** Each film shows a photograph, for a second. */
async function films(): Promise<SourceCase> {
  const scratch = await mkdtemp(join(tmpdir(), 'sosia-made-'));
  const place = await folder('films', '.mkv');
  return {
    ...place,
    idOf: (name) => `${name}.mkv#t=0:00:00.00`,
    originOf: (name) => ({ path: `${name}.mkv`, time: 0 }),
    file: async (number) => {
      makeFilm(join(scratch, 'film.mkv'), [{ photograph: number, seconds: 1 }]);
      return readFile(join(scratch, 'film.mkv'));
    },
    close: async () => {
      await rm(scratch, { recursive: true });
      await place.close();
    },
  };
}

async function bucket(): Promise<SourceCase> {
  const moto = await startMoto('posters');
  return {
    values: { kind: 'bucket', bucket: 'posters', endpoint: moto.endpoint, ...credentials },
    settings: { source_buckets: moto.endpoint },
    idOf: (name) => `${name}.jpg`,
    originOf: (name) => ({ bucket: 'posters', key: `${name}.jpg` }),
    file: photograph,
    put: (name, file) => moto.put(`${name}.jpg`, file && Uint8Array.from(file)),
    close: () => moto.close(),
  };
}

/** A sitemap, whose pictures have the time of their change. */
async function web(): Promise<SourceCase> {
  const files = new Map<string, { file: Uint8Array; changed: number }>();
  const entry = (name: string, changed: number) =>
    `<url><loc>/${name}.jpg</loc><lastmod>2026-01-01T00:00:00.${changed}Z</lastmod></url>`;
  const pages: Pages = {
    '/sitemap': (answer) =>
      answer.end(`<urlset>${[...files].map(([name, { changed }]) => entry(name, changed)).join('')}</urlset>`),
  };
  const server = await startWeb(pages);
  let changes = 100;
  return {
    values: { kind: 'web', urls: [`${server.base}/sitemap`] },
    settings: { fetch_hosts: `*:${server.port}` },
    options: { fetching: server.options },
    idOf: (name) => `${server.base}/${name}.jpg`,
    originOf: (name) => ({ address: `${server.base}/${name}.jpg` }),
    file: photograph,
    async put(name, file) {
      if (file) files.set(name, { file, changed: changes++ });
      else files.delete(name);
      pages[`/${name}.jpg`] = (answer) => answer.end(files.get(name)?.file);
    },
    close: () => server.close(),
  };
}

async function archive(): Promise<SourceCase> {
  const path = await mkdtemp(join(tmpdir(), 'sosia-crawl-'));
  const files = new Map<string, Uint8Array>();
  let seconds = 1;
  return {
    values: { kind: 'archive', path },
    settings: { source_folders: path },
    idOf: (name) => `https://site.example/${name}`,
    originOf: (name) => ({ address: `https://site.example/${name}` }),
    file: photograph,
    async put(name, file) {
      if (file) files.set(name, file);
      else files.delete(name);
      const records = [...files].map(([key, body]) => {
        const digest = `sha256:${createHash('sha256').update(body).digest('hex')}`;
        return response(`/${key}`, Buffer.from(body), { digest });
      });
      await writeFile(join(path, 'crawl.warc'), Buffer.concat(records));
      await utimes(join(path, 'crawl.warc'), seconds, seconds++);
    },
    close: () => rm(path, { recursive: true }),
  };
}

/** A place of each kind of source, and the reason to skip its tests. */
export const sourceCases: Record<string, { readonly open: () => Promise<SourceCase>; readonly skip: string | false }> =
  {
    folder: { open: () => folder('folder', '.jpg'), skip: false },
    bucket: { open: bucket, skip: withoutMoto },
    web: { open: web, skip: false },
    archive: { open: archive, skip: false },
    films: { open: films, skip: withoutFfmpeg },
  };
