import { availableParallelism } from 'node:os';
import { typeDefinitions } from '@sosia/engine';
import { copiedKinds, recordsNumber, type ApplicationRecord } from '@sosia/server';
import { Command } from 'commander';
import { choose } from '../../data-folder/with-store.ts';
import { withHelp } from '../../command.ts';
import { counted, logLine, printOutcome } from '../../terminal/output.ts';
import { digestOf, openStorage, type Storage } from './storage.ts';

/** Records that are written at a time. */
const BATCH = 200;

/** A line of progress for so many pictures. */
const REPORTED = 5000;

interface MoveOptions {
  readonly from: string;
  readonly to: string;
  readonly clusterCa?: string;
  readonly clusterCert?: string;
  readonly clusterKey?: string;
  readonly clusterPassword?: string;
  readonly app?: string;
  readonly json?: boolean;
}

export function moveCommand(): Command {
  return withHelp(
    new Command('move')
      .description(
        'Copy applications with their keys, settings and pictures between a data folder and a cluster, and compare both.',
      )
      .requiredOption('--from <PLACE>', 'A data folder, or the address of a cluster as for `sosia serve --cluster`.')
      .requiredOption('--to <PLACE>', 'The same. A missing data folder is created.')
      .option('--cluster-ca <FILE>', 'PEM file of the CA certificates for the cluster.')
      .option('--cluster-cert <FILE>', 'PEM file of the certificate by which the cluster knows this command.')
      .option('--cluster-key <FILE>', 'PEM file of its private key.')
      .option('--cluster-password <FILE>', 'File with the password of the user in the address.')
      .option('--app <APPLICATION>', 'Only this one: its key, its name or its number.')
      .option('--json', 'Print JSON.'),
    {
      examples: [
        'sosia move --from ./data --to https://sosia:secret@search-1.example:9200',
        'sosia move --from https://search-1.example:9200 --to ./data --app posters',
      ],
      notes: [
        'Stop the services of both places first. The same command again resumes: pictures that are there are not copied again. At the end every picture is compared: id, keywords, DNA, thumbnail and properties of the file. Verdicts, groups, ignored pictures, counts of matches, saved searches, lists of hashes, events and sources are copied, too; the next comparison of a review begins anew. Webhooks are not copied. Nothing is deleted from the first place. A network that describes pictures is copied with its application; profiles and networks of filters with `sosia profile export` and `import`.',
      ],
    },
  ).action((options: MoveOptions) => move(options));
}

async function move({ from, to, app, json = false, ...options }: MoveOptions): Promise<void> {
  const shared = {
    files: {
      ca: options.clusterCa,
      cert: options.clusterCert,
      key: options.clusterKey,
      password: options.clusterPassword,
    },
    threads: Math.max(1, availableParallelism() - 1),
  };
  const source = await openStorage(from, { ...shared, mustExist: true });
  try {
    const target = await openStorage(to, { ...shared, mustExist: false });
    try {
      const all = await source.applications();
      for (const record of app === undefined ? all : [choose(all, app)]) await moveOne(source, target, record, json);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Each key belongs to one application; without keys, type and name decide. */
function isCopy(one: ApplicationRecord, other: ApplicationRecord): boolean {
  if (one.keys.length === 0 && other.keys.length === 0) return one.name === other.name && one.type === other.type;
  return one.keys.some(({ digest }) => other.keys.some((key) => key.digest === digest));
}

async function moveOne(source: Storage, target: Storage, record: ApplicationRecord, json: boolean): Promise<void> {
  const { number: _, ...row } = record;
  await nameWebhooks(source, record);
  const copies = (await target.applications()).filter((other) => isCopy(other, record));
  const originals = (await source.applications()).filter((other) => isCopy(other, record));
  if (Math.max(copies.length, originals.length) > 1)
    throw new Error(
      `${record.name}: expected one application of this name and type, or of these keys, in ${(copies.length > 1 ? target : source).name}; tell them apart with sosia key create`,
    );
  const [known] = copies;
  if (known && known.type !== record.type)
    throw new Error(`${target.name}: the key of ${record.name} is of another application`);
  const copy = known ?? (await target.create(row, await source.network(record)));
  const pictures = typeDefinitions[record.type].traits.references
    ? await copyPictures(source, target, record, copy)
    : 0;
  await copyRecords(source, target, recordsNumber({ record }), recordsNumber({ record: copy }));
  const { name, type } = record;
  printOutcome(
    json,
    { name, type, pictures, to: target.name },
    `${name}: ${counted(pictures, 'picture')} in ${target.name}, equal to those in ${source.name}`,
  );
}

/** Says before the copy what is not copied. */
async function nameWebhooks({ records }: Storage, record: ApplicationRecord): Promise<void> {
  const { length } = await records.records(recordsNumber({ record }), 'webhook');
  if (length > 0) logLine(`${record.name}: ${counted(length, 'webhook')}; webhooks are not copied`);
}

/** Where the target has a record of the same name, that of the source replaces it. */
async function copyRecords(source: Storage, target: Storage, from: number, to: number): Promise<void> {
  const sources = await source.records.records(from, 'source');
  const entries = sources.map(({ id }) => `source ${id}`); // what is known of their pictures
  for (const kind of [...copiedKinds, 'source', ...entries]) {
    const changes = (await source.records.records(from, kind)).map(({ id, body }) => ({ kind, id, body }));
    for (let start = 0; start < changes.length; start += BATCH) {
      await target.records.changeRecords(to, changes.slice(start, start + BATCH));
    }
  }
}

/** @returns the number of pictures, the same in both places */
async function copyPictures(
  source: Storage,
  target: Storage,
  from: ApplicationRecord,
  to: ApplicationRecord,
): Promise<number> {
  const present = await digests(target, to);
  const known = new Set(present.keys());
  const expected = new Map<string, string>();
  for await (const batch of source.pictures(from)) {
    for (const picture of batch) expected.set(picture.id, digestOf(picture));
    await target.add(to, batch, known);
    const before = expected.size - batch.length;
    if (Math.floor(expected.size / REPORTED) > Math.floor(before / REPORTED))
      logLine(`${from.name}: ${counted(expected.size, 'picture')} so far`);
  }
  const copied = await digests(target, to, expected.size);
  const differing = [...expected].filter(([id, digest]) => copied.get(id) !== digest).map(([id]) => id);
  const additional = [...copied.keys()].filter((id) => !expected.has(id));
  if (differing.length + additional.length === 0) return expected.size;
  const some = [...differing, ...additional].slice(0, 5).join(', ');
  throw new Error(
    `${from.name}: ${counted(differing.length, 'picture')} missing or different in ${target.name}, ${additional.length} additional there: ${some}`,
  );
}

/** @param expected  a cluster shows pictures a moment after they were added */
async function digests(storage: Storage, application: ApplicationRecord, expected = 0): Promise<Map<string, string>> {
  for (let trial = 0; ; trial++) {
    const found = new Map<string, string>();
    for await (const batch of storage.pictures(application))
      for (const each of batch) found.set(each.id, digestOf(each));
    if (found.size >= expected || trial === 5) return found;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
