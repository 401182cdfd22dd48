import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { administration, operations, reviewOperations } from '@sosia/contract';
import type { Operation } from '@sosia/contract';
import { shippedProfiles } from '@sosia/engine';
import { errors } from '../errors.ts';
import type { Service, Values } from '../service.test.kit.ts';
import { formOf, photograph, startService } from '../service.test.kit.ts';
import { appendAudit } from '../store/audit-log.ts';

// Two customers, `marka` and `markb`, and an administrator, `marko`. Everything that one of them chooses has the mark in
// it. Every operation and every route of the console answers the key of marka; no answer has the mark of another.

const site = mkdtempSync(join(tmpdir(), 'sosia-site-'));
writeFileSync(join(site, 'index.html'), '<!doctype html>');
const HASH = '0f'.repeat(32);
const SHEET = Buffer.from('marko-training-pictures');

let service: Service;
let picture: Buffer;
let origin: string;
/** Keys of marka, by the type of the application. */
const keys = new Map<string, string>();
let otherNumber = 0;
before(async () => {
  service = await startService({ consoleFolder: site });
  origin = `http://127.0.0.1:${service.modifyPort}`;
  picture = await photograph(1);
  const named = await service.administer('CreateKey', { name: 'marko-anna' });
  const administer = (operation: string, values: Values): Promise<any> =>
    service.ask('administration', operation, { application_key: named.secret, ...values });

  const report = { positives: 10, negatives: 10, balancedAccuracy: 0.9, area: 0.9, mistakes: [], byThreshold: [] };
  for (const name of ['marka-profile', 'markb-profile', 'marko-profile'])
    service.store.profiles.add({ profile: { ...shippedProfiles()[0]!, name }, report, mistakes: SHEET });
  await administer('AddExample', { profile: 'marko-collected', fits: 1, image_content: picture });

  for (const mark of ['marka', 'markb']) {
    for (const type of ['media-matching', 'filter']) {
      const name = `${mark}-${type}`;
      const { secret, application } = await administer('CreateApplication', { name, type });
      if (mark === 'marka') keys.set(type, secret);
      else otherNumber = application.number;
      await administer('CreateKey', { application: name, name: `${mark}-key`, scopes: 'administer' });
      if (type === 'filter') {
        await administer('SetApplication', { application: name, profiles: [`${mark}-profile`] });
        continue;
      }
      const hashes = Buffer.from(`${HASH},90,${mark}-label\n`);
      await service.ask('review', 'ImportHashes', { application_key: secret, list_id: `${mark}-list`, hashes });
      const keywords = [`${mark}-word`];
      for (const image_id of [`${mark}-id`, `${mark}-copy`])
        await service.modify('AddImage', { application_key: secret, image_id, keywords, image_content: picture });
      await ignoredInConsole(named.secret, application.number, `${mark}-ignored`);
      const entry = {
        kind: 'command line',
        administrator: true,
        key: '',
        who: 'marko',
        what: 'SetKey',
        code: 0,
      } as const;
      const at = new Date().toISOString();
      appendAudit(service.data, { at, ...entry, application: name, number: application.number, detail: 'key=x' });
    }
  }
});
after(async () => {
  await service.close();
  rmSync(site, { recursive: true });
});

/** An administrator ignores a picture of a customer in the console, as support would. */
async function ignoredInConsole(key: string, application: number, image_id: string): Promise<void> {
  const headers = { ...(await signIn(key)), 'x-application': String(application) };
  const body = formOf({ image_id, image_content: await photograph(2) });
  const added = await fetch(`${origin}/console/api/${reviewOperations.addIgnored.families[0]}/AddIgnored`, {
    method: 'POST',
    headers,
    body,
  });
  assert.equal(((await added.json()) as any).status.code, 0);
}

async function signIn(application_key: string): Promise<Record<string, string>> {
  const body = formOf({ application_key });
  const signedIn = await fetch(`${origin}/console/api/sign-in`, { method: 'POST', headers: { origin }, body });
  const { session, administrator } = (await signedIn.json()) as any;
  const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!;
  return { origin, cookie, 'x-csrf-token': (session ?? administrator).csrf };
}

const all: readonly Operation[] = [
  ...Object.values({ ...operations, ...reviewOperations, ...administration }).filter(({ name }) => !isLast(name)),
  ...Object.values(administration).filter(({ name }) => isLast(name)),
];
function isLast(name: string): boolean {
  return name === 'EmptyApplication';
}

/** A value for each parameter of an operation; texts have the mark. */
function valuesFor({ parameters, name: operation }: Operation, mark: string, type: string): Values {
  const texts: Values = {
    ...{
      image_id: `${mark}-id`,
      query_id: `${mark}-copy`,
      ids_list: `${mark}-id;${mark}-copy`,
      keywords: [`${mark}-word`],
    },
    ...{ application: `${mark}-${type}`, confirm: `${mark}-${type}`, key: `${mark}-key`, name: `${mark}-new` },
    ...{
      profile: `${mark}-profile`,
      profiles: [`${mark}-profile`],
      scopes: ['search'],
      type: 'filter',
      expires: 'never',
    },
    ...{
      colors: ['ff0000'],
      groups: `${mark}-group`,
      verdicts: `${mark}-verdict`,
      verdict: 'different',
      keep: `${mark}-id`,
    },
    ...{ list_id: `${mark}-list`, hashes: Buffer.from(`${HASH},90,${mark}-label\n`), pdq: HASH },
    ...{
      image_content: picture,
      query_image: picture,
      ref_image: picture,
      retrieval_threshold: '1',
      kind: 'duplicates',
    },
  };
  if (operation === 'SetApplication') texts['name'] = `${mark}-${type}`;
  const names = new Set(Object.keys(parameters.properties));
  return Object.fromEntries(Object.entries(texts).filter(([name]) => names.has(name)));
}

type Send = (operation: Operation, values: Values) => Promise<string>;

async function sending(type: string): Promise<{ byKey: Send; byPage: Send; session: Record<string, string> }> {
  const application_key = keys.get(type)!;
  const session = await signIn(application_key);
  return {
    session,
    byKey: async ({ families, name }, values) =>
      JSON.stringify(await service.ask(families[0]!, name, { application_key, ...values })),
    byPage: async ({ families, name }, values) => {
      const url = `${origin}/console/api/${families[0]}/${name}`;
      return (await fetch(url, { method: 'POST', headers: session, body: formOf(values) })).text();
    },
  };
}

function assertOwn(answer: string, what: string): void {
  const foreign = [/markb/i, /marko/i, SHEET.toString('base64'), basename(service.data), service.administratorKey];
  for (const each of foreign) assert.ok(!new RegExp(each).test(answer), `${what}: ${answer}`);
}

test('no answer to a customer has anything of another one or of the administrator', async () => {
  for (const type of keys.keys()) {
    const { byKey, byPage, session } = await sending(type);
    let answered = 0;
    for (const operation of all) {
      for (const send of [byKey, byPage]) {
        for (const values of [valuesFor(operation, 'marka', type), {}]) {
          const answer = await send(operation, values);
          assertOwn(answer, operation.name);
          answered += Number(JSON.parse(answer).status.code === 0);
        }
      }
    }
    assert.ok(answered >= 40, `only ${answered} requests succeeded`);
    for (const path of [
      'session',
      'status',
      'activity',
      'thumbnail?image_id=marka-copy',
      'thumbnail?image_id=markb-id',
    ]) {
      for (const more of ['', `${path.includes('?') ? '&' : '?'}application=${otherNumber}`]) {
        const answer = await fetch(`${origin}/console/api/${path}${more}`, { headers: session });
        if (!path.includes('markb')) assertOwn(Buffer.from(await answer.arrayBuffer()).toString('latin1'), path);
        else assert.notEqual(answer.headers.get('content-type'), 'image/jpeg');
      }
    }
  }
});

/** Without what differs between any two answers, and counts of what the first of them changed. */
function comparable(answer: string): unknown {
  const skipped = new Set([
    'id',
    'added',
    'nb_ignored',
    'nb_hash_lists',
    'nb_keys',
    'nb_images',
    'index_bytes',
    'removed',
    'hint',
    'secret',
    'created',
    'until',
    'last_use',
    'number',
    'at',
    'review',
    'replaces',
  ]);
  return JSON.parse(answer.replaceAll(/mark[boz]/g, 'mark'), (name, value: unknown) =>
    skipped.has(name) ? undefined : value,
  );
}

test('an answer to a customer does not reveal whether a name of another one exists', async () => {
  for (const type of keys.keys()) {
    const { byKey, byPage } = await sending(type);
    for (const operation of all) {
      if (operation.name === 'ListAudit' || operation.name === 'ListMatchCounts') continue; // have all that was sent before
      const { application: _, ...own } = valuesFor(operation, 'markb', type);
      const variants = [own, { ...own, application: `markb-${type}` }, { ...own, application: otherNumber }];
      if (operation.name === 'SetApplication')
        variants.push({ name: `markb-${type}` }, { profiles: ['markb-profile'] }, { profiles: ['marko-collected'] });
      for (const values of variants) {
        const absent = Object.entries(values).map(([name, value]) => [name, absentOf(value)]);
        for (const send of [byKey, byPage]) {
          const [foreign, none] = [await send(operation, values), await send(operation, Object.fromEntries(absent))];
          assert.deepEqual(comparable(foreign), comparable(none), `${operation.name} ${foreign} ${none}`);
          assert.ok(!foreign.includes(SHEET.toString('base64')), operation.name);
        }
      }
    }
  }
});

/** The same value with names that nobody has. */
function absentOf(value: Values[string]): Values[string] {
  if (value === otherNumber) return 4711;
  if (Array.isArray(value)) return value.map((each: string) => absentOf(each) as string);
  return typeof value === 'string' ? value.replaceAll(/markb/g, 'markz').replaceAll(/marko/g, 'markz') : value;
}

test('a customer sees the shipped profiles and the given ones, with figures and without pictures', async () => {
  const application_key = keys.get('filter')!;
  const ask = (operation: string, values: Values = {}): Promise<any> =>
    service.ask('administration', operation, { application_key, ...values });
  await service.administer('SetApplication', { application: 'marka-filter', profiles: ['marka-profile'] });
  const shipped = shippedProfiles().map(({ name }) => name);
  const names = (await ask('ListProfiles')).profiles.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, [...shipped, 'marka-profile']);
  const { report, mistakes } = await ask('GetProfile', { profile: 'marka-profile' });
  assert.deepEqual([report.balanced_accuracy, mistakes], [0.9, '']);
  const known = await service.administer('GetProfile', { profile: 'marka-profile' });
  assert.equal(known.mistakes, SHEET.toString('base64'));
  assert.equal((await ask('SetApplication', { profiles: [shipped[0]!, 'marka-profile'] })).status.code, 0);
  assert.equal((await ask('SetApplication', { profiles: ['marko-profile'] })).status.code, errors.UNKNOWN_PROFILE.code);
  assert.equal((await ask('SetApplication', { name: 'other' })).status.code, errors.NOT_ADMINISTRATOR.code);

  // the examples of a profile that replaces a given one are the administrator's
  const later = 'marka-profile';
  await service.administer('DeleteProfile', { profile: later });
  await service.administer('AddExample', { profile: later, fits: 1, image_content: picture });
  assert.equal((await ask('GetProfile', { profile: later })).status.code, errors.UNKNOWN_PROFILE.code);
  assert.equal((await ask('ListProfiles')).profiles.length, shipped.length);
});
