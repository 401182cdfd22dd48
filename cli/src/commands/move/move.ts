import { availableParallelism } from 'node:os';
import { typeDefinitions } from '@sosia/engine';
import { patiently, recordsNumber, type ApplicationRecord } from '@sosia/server';
import { Command } from 'commander';
import { choose } from '../../data-folder/records.ts';
import { withHelp } from '../../help.ts';
import { counted, logLine, printOutcome } from '../../terminal/output.ts';
import { openSourceCluster, openTargetCluster } from './cluster-storage.ts';
import { openSourceFolder, openTargetFolder } from './folder-storage.ts';
import { PictureCopy } from './picture-copy.ts';
import { RecordCopy } from './record-copy.ts';
import type { Copying, Storage } from './storage.ts';

/** Milliseconds in which the last changes are to be copied, while the application takes none. */
const LAST_CHANGES_MS = 1000;

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
        'Move applications with their keys, settings and pictures between data folders and clusters, beside the running service.',
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
        'The service of a data folder may run meanwhile: its changes are followed. At the end the first place refuses changes, the last ones are copied, and the second place takes over, where no key was accepted before. Its clients then use the second place; the first one still answers searches, and `sosia app enable` lets it take changes again. Services of a cluster may run when it is the second place. Stop them when it is the first.',
        'The same command again resumes. Every picture is compared: id, keywords, metadata, DNA, thumbnail and properties of the file. Verdicts, groups, ignored pictures, counts of matches, saved searches, lists of hashes, events and sources are moved, too; the next comparison of a review begins anew. Webhooks are not moved. Nothing is deleted from the first place. A network that describes pictures is moved with its application; profiles and networks of filters with `sosia profile export` and `import`.',
      ],
    },
  ).action((options: MoveOptions) => move(options));
}

async function move({ from, to, app, json = false, ...options }: MoveOptions): Promise<void> {
  const files = {
    ca: options.clusterCa,
    cert: options.clusterCert,
    key: options.clusterKey,
    password: options.clusterPassword,
  };
  const threads = Math.max(1, availableParallelism() - 1);
  const source = await (isCluster(from) ? openSourceCluster(from, files, threads) : openSourceFolder(from));
  try {
    const target = await (isCluster(to) ? openTargetCluster(to, files, threads) : openTargetFolder(to));
    try {
      const all = await source.applications();
      for (const record of app === undefined ? all : [choose(all, app)])
        await moveOne({ source, target }, record, json);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Also an address without its scheme, whose password would be shown as the name of a folder. */
const isCluster = (place: string): boolean => place.includes('://') || /^[^/]+:.*@/.test(place);

type Places = Pick<Copying, 'source' | 'target'>;

async function moveOne(places: Places, from: ApplicationRecord, json: boolean): Promise<void> {
  const { source, target } = places;
  await nameWebhooks(source, from);
  const known = await copyOf(places, from);
  const { name, type } = from;
  if (from.state === 'moved' && known && known.state === undefined)
    return printOutcome(json, { name, type, to: target.name }, `${name}: moved to ${target.name} before`);
  if (from.state === 'incoming') throw new Error(`${source.name}: ${name} is an incomplete copy; move it there first`);
  if (known && known.state === undefined)
    throw new Error(`${target.name}: ${name} takes changes there, too; delete one of both`);
  const to = known ?? (await patiently(() => created(places, from), logFailure));
  if (to.state === 'moved') await target.update(to, { state: 'incoming' });
  const { pictures, seconds } = await target.alone(to, (checkLease) => moveTo({ ...places, from, to, checkLease }));
  printOutcome(
    json,
    { name, type, pictures, to: target.name, seconds_without_changes: seconds },
    `${name}: ${counted(pictures, 'picture')} in ${target.name}, equal to those in ${source.name}, which takes no more changes of it (${seconds} s without changes)`,
  );
}

/** Copies an application while it changes, until little is left; then the target takes the changes. */
async function moveTo(copying: Copying): Promise<{ pictures: number; seconds: number }> {
  const { source, target, from, to, checkLease } = copying;
  const pictures = new PictureCopy(copying);
  const records = new RecordCopy(copying);
  const follow = async (): Promise<void> => {
    if (hasPictures(from)) await patiently(() => pictures.changes(), logFailure);
    await patiently(() => records.changes(), logFailure);
  };
  if (hasPictures(from)) await patiently(() => pictures.all(), logFailure);
  for (let before = Infinity; ;) {
    const took = await timed(follow);
    if (took < LAST_CHANGES_MS || took >= before) break; // the latter where changes come as fast as they are copied
    before = took;
  }
  const begun = performance.now();
  await patiently(() => source.update(from, { state: 'moved' }), logFailure);
  try {
    await follow();
  } catch (cause) {
    await source.update(from, { state: undefined });
    throw cause;
  }
  const row = rowOf((await source.applications()).find(({ number }) => number === from.number)!);
  checkLease();
  await patiently(() => target.update(to, { ...row, state: undefined }), logFailure);
  return { pictures: pictures.count, seconds: Math.round((performance.now() - begun) / 100) / 10 };
}

/** Milliseconds that work takes. */
async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

const hasPictures = ({ type }: ApplicationRecord): boolean => typeDefinitions[type].traits.references;

const logFailure = ({ message }: Error): void => logLine(`${message}; it is tried again`);

/** What the copy has in common with its original. */
function rowOf({ number: _, origin: __, ...row }: ApplicationRecord): Omit<ApplicationRecord, 'number' | 'origin'> {
  return row;
}

/** An earlier attempt without an answer may have made it. */
async function created(places: Places, from: ApplicationRecord): Promise<ApplicationRecord> {
  const { source, target } = places;
  const row = { ...rowOf(from), state: 'incoming' } as const;
  return (await copyOf(places, from)) ?? (await target.create(row, await source.network(from)));
}

/** Of an earlier move. */
async function copyOf({ source, target }: Places, from: ApplicationRecord): Promise<ApplicationRecord | undefined> {
  const copies = (await target.applications()).filter((other) => isCopy(other, from));
  const originals = (await source.applications()).filter((other) => isCopy(other, from));
  if (Math.max(copies.length, originals.length) > 1)
    throw new Error(
      `${from.name}: expected one application of this name and type, or of these keys, in ${(copies.length > 1 ? target : source).name}; tell them apart with sosia key create`,
    );
  const [copy] = copies;
  if (copy && copy.type !== from.type)
    throw new Error(`${target.name}: the key of ${from.name} is of another application`);
  return copy;
}

/** Each key belongs to one application; without keys, type and name decide. */
function isCopy(one: ApplicationRecord, other: ApplicationRecord): boolean {
  if (one.keys.length === 0 && other.keys.length === 0) return one.name === other.name && one.type === other.type;
  return one.keys.some(({ digest }) => other.keys.some((key) => key.digest === digest));
}

/** Says before the copy what is not copied. */
async function nameWebhooks({ records }: Storage, record: ApplicationRecord): Promise<void> {
  const { length } = await records.records(recordsNumber({ record }), 'webhook');
  if (length > 0) logLine(`${record.name}: ${counted(length, 'webhook')}; webhooks are not moved`);
}
