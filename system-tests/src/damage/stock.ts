import { createHash } from 'node:crypto';
import { typeDefinitions, shippedProfiles } from '@sosia/engine';
import type { ApplicationType } from '@sosia/engine';
import { createApplication, openApplicationStore, openImageStore } from '@sosia/server';
import { Ledger } from '@sosia/testing/ledger/ledger';
import { randomFor, type Random } from '@sosia/testing/pictures/random';

export interface Stored {
  readonly number: number;
  readonly id: string;
  readonly keywords: readonly string[];
  readonly dna: Uint8Array;
  readonly thumbnail?: Uint8Array;
}

export interface Tenant {
  readonly key: string;
  readonly number: number;
  readonly type: ApplicationType;
  /** By id. */
  readonly images: Map<string, Stored>;
}

/** What the folder holds before it is damaged. */
export interface Stock {
  readonly tenants: readonly Tenant[];
  /** The pictures of all tenants, as `entriesOf` words them. */
  readonly ledger: Ledger;
  readonly keyOfDeleted: string;
  readonly profiles: readonly string[];
}

const types: readonly ApplicationType[] = [
  'media-matching',
  'media-matching',
  'color-similarity',
  'image-similarity',
  'brand-monitoring',
];

/** Fills a data folder: tenants whose pictures lie side by side, some deleted in between, and an application deleted as a whole. */
export async function fill(folder: string, pictures: number, seed: string): Promise<Stock> {
  const random = randomFor('damage stock', seed);
  const applications = openApplicationStore(folder);
  const store = await openImageStore(folder);
  const make = (type: ApplicationType, i: number): Tenant => {
    const { key, record } = createApplication(applications, { type, name: `tenant ${i}` });
    return { key, number: record.number, type, images: new Map() };
  };
  const tenants = types.map(make);
  const former = make('media-matching', types.length);

  for (let i = 0; i < pictures; i++) {
    const tenant = i % 9 === 8 ? former : tenants[i % tenants.length]!;
    const id = `${tenant.number}-picture-${i}`;
    const keywords = Array.from({ length: i % 4 }, (_, k) => `keyword ${i % 7} ${k}`);
    const dna = describe(tenant.type, random);
    const thumbnail = i % 3 > 0 ? Uint8Array.from({ length: 500 + (i % 5) * 2000 }, () => random() * 256) : undefined;
    const image = { id, keywords, dna, ...(thumbnail && { thumbnail }) };
    const number = await store.append(tenant.number, image);
    tenant.images.set(id, { number, ...image });
  }
  const ledger = new Ledger();
  for (const tenant of tenants) {
    // every fifth is deleted, so that there are free pages with old rows, and rows that moved
    for (const [i, stored] of [...tenant.images.values()].entries()) {
      for (const [id, content] of entriesOf(stored)) {
        ledger.try(id, i % 5 === 2 ? null : content);
        ledger.acknowledge(id);
        if (id !== stored.id) ledger.excuse([id]);
      }
      if (i % 5 !== 2) continue;
      await store.remove(tenant.number, stored.number);
      tenant.images.delete(stored.id);
    }
  }
  await store.purge(former.number);
  applications.delete(former.number);
  const [profile] = shippedProfiles();
  applications.profiles.add({ profile: { ...profile!, name: 'own' }, report: null, mistakes: new Uint8Array(5000) });
  applications.close();
  // both leave no log behind, in this order
  await store.close();
  openApplicationStore(folder).close();
  return { tenants, ledger, keyOfDeleted: former.key, profiles: ['own'] };
}

/** A picture in words, apart from its number and its thumbnail, which may be missing where the picture is there. */
export function entriesOf({ id, number, keywords, dna, thumbnail }: Stored): [id: string, content: string][] {
  return [
    [id, wordOf(keywords, dna)],
    [`number of ${id}`, String(number)],
    ...(thumbnail ? [[`thumbnail of ${id}`, digest(thumbnail)] as [string, string]] : []),
  ];
}

export function wordOf(keywords: readonly string[], dna: Uint8Array): string {
  return `${keywords.join()} with DNA ${digest(dna)}`;
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

function describe(type: ApplicationType, random: Random): Uint8Array {
  const width = 32 + Math.floor(random() * 5) * 8;
  const height = 40;
  const rgb = Uint8Array.from({ length: width * height * 3 }, () => random() * 256);
  return typeDefinitions[type].describe(
    { width, height, rgb, originalWidth: width, originalHeight: height },
    'reference',
  );
}
