import { administration } from '@sosia/server/administration/operations';
import { operations } from '@sosia/server/operations/operations';
import { review } from '@sosia/server/review/operations';
import { between, oneOf, type Random } from '../pictures/random.ts';
import { openTargets } from './open-targets.ts';

/** Bytes for one connection. */
export interface DrawnRequest {
  /** What it is, for messages. */
  readonly name: string;
  readonly bytes: Buffer;
  readonly reads: 'all' | 'slowly' | 'nothing';
}

const MB = 1_000_000;
const all = [...operations, ...administration, ...review];
const edge = '--edge';
/** What texts are made of: plain, escaped, cut, and what means something in one of the forms of a body. */
const atoms = [
  ...['a', 'é', '\u{1f642}', '\0', ' ', '\t', '0', '1', '-1e9', '0.1', 'true', 'null'],
  ...['&', '=', '+', '%', '%41', '%C3%A9', ';', ',', ':', '#', '@', '?', '/', '.', '<'],
  ...['"', '\\', '\\"', '\\/', '\\u0041', '\\ud83d', '[', ']', '{', '}', '[]', '{}', '1,', '"a",', '"a":1,', '[],'],
  ...[
    '\r',
    '\n',
    '\r\n',
    '\r\n\r\n',
    edge,
    `${edge}\r\n`,
    `\r\n${edge}\r\n\r\n`,
    `${edge}--`,
    '\r\n--edg',
    'name=',
    ';name="',
    'a=b; ',
  ],
];

/** A request by chance: its operation, its form, how deep, wide and large it is, whether it has the key, and how its answers are read. */
export function drawnRequest(random: Random, key: string): DrawnRequest {
  const form = oneOf(random, [json, json, urlencoded, multipart, query, headers, pipeline, chunked]);
  const known = random() < 0.6;
  const reads = oneOf(random, ['all', 'all', 'slowly', 'nothing'] as const);
  const { name, bytes } = form(random, known ? key : undefined);
  return { name: `${name}${known ? ', with the key' : ''}, reading ${reads}`, bytes, reads };
}

type Form = (random: Random, key: string | undefined) => Pick<DrawnRequest, 'name' | 'bytes'>;

/** Half of all near the most, the others small as often as large. */
function size(random: Random, most: number): number {
  return Math.ceil(random() < 0.5 ? between(random, most / 2, most) : most ** random());
}

/** One to four atoms, repeated. */
function filled(random: Random, most: number): string {
  const unit = Array.from({ length: Math.ceil(between(random, 0, 4)) }, () => oneOf(random, atoms)).join('');
  return unit.repeat(Math.ceil(size(random, most) / Buffer.byteLength(unit)));
}

function target(random: Random): { path: string; names: string[] } {
  const { name, families, parameters } = oneOf(random, all);
  return {
    path: `/api/v2.0/${oneOf(random, families)}/json/${name}`,
    names: ['image_content', 'x', ...Object.keys(parameters.properties)],
  };
}

function post(path: string, type: string, body: string | Buffer): Buffer {
  const content = Buffer.from(body as string);
  return Buffer.concat([
    Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${content.length}\r\n\r\n`,
    ),
    content,
  ]);
}

const json: Form = (random, key) => {
  const { path, names } = target(random);
  const body = `{${key ? `"application_key":"${key}",` : ''}${jsonMembers(random, names)}}`;
  return { name: `JSON to ${path}, ${start(body)}`, bytes: post(path, 'application/json', body) };
};

function jsonMembers(random: Random, names: readonly string[]): string {
  const name = oneOf(random, names);
  const most = random() < 0.9 ? 8 * MB : 9 * MB;
  const scalar = (): string =>
    oneOf(random, ['1', '-1.5e300', 'true', 'null', '""', '"a"', '"\\u0041"', '[]', '{}', `"${'é'.repeat(200)}"`]);
  const forms: (() => string)[] = [
    () => `"${name}":"${filled(random, most)}"`,
    () => `"${name}":${filled(random, most)}`,
    () => `"${name}":[${repeated(`${scalar()},`, most, random)}1]`,
    () => numbered((i) => `"n${i}":${scalar()},`, most, random) + '"z":1',
    () => `"${name}":${repeated(oneOf(random, ['[', '{"a":']), most, random)}`,
    () => `${repeated(oneOf(random, [' ', '\n', '\t']), most, random)}"${name}":1`,
    () => `"${filled(random, most)}":1`,
  ];
  return oneOf(random, forms)();
}

function repeated(unit: string, most: number, random: Random): string {
  return unit.repeat(Math.ceil(size(random, most) / Buffer.byteLength(unit)));
}

function numbered(unit: (i: number) => string, most: number, random: Random): string {
  return Array.from({ length: Math.ceil(size(random, most) / 12) }, (_, i) => unit(i)).join('');
}

function pairs(random: Random, names: readonly string[], key: string | undefined, most: number): string {
  const name = oneOf(random, names);
  const own = oneOf(random, [
    () => `${name}=${filled(random, most)}`,
    () => filled(random, most),
    () => numbered((i) => `n${i}=1&`, most, random),
    () => numbered((i) => `${name}=${i}&`, most, random),
  ])();
  return key ? `application_key=${key}&${own}` : own;
}

const urlencoded: Form = (random, key) => {
  const { path, names } = target(random);
  const body = pairs(random, names, key, 21 * MB);
  return { name: `a form to ${path}, ${start(body)}`, bytes: post(path, 'application/x-www-form-urlencoded', body) };
};

const multipart: Form = (random, key) => {
  const { path, names } = target(random);
  const part = (name: string, content: string) =>
    `${edge}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;
  const count = size(random, 200);
  const parts = Array.from({ length: count }, () =>
    random() < 0.8
      ? part(oneOf(random, names), filled(random, (20 * MB) / count))
      : `${edge}\r\n${filled(random, 20_000)}\r\n\r\n\r\n`,
  );
  const body = `${key ? part('application_key', key) : ''}${parts.join('')}${edge}--\r\n`;
  return { name: `${count} parts to ${path}`, bytes: post(path, 'multipart/form-data; boundary=edge', body) };
};

/** In an address. */
const query: Form = (random, key) => {
  const { path, names } = target(random);
  const text = encodeURI(pairs(random, names, key, 100_000).replaceAll(/[^\x21-\x7e]/gu, 'x')).slice(0, 330_000);
  return {
    name: `an address ${path}?${start(text)}`,
    bytes: Buffer.from(`GET ${path}?${text} HTTP/1.1\r\nHost: a\r\n\r\n`),
  };
};

const headers: Form = (random) => {
  const name = oneOf(random, [
    'Cookie',
    'Authorization',
    'Accept',
    'Prefer',
    'X-A',
    'If-None-Match',
    'Accept-Encoding',
    'Content-Type',
    'Origin',
  ]);
  const value = filled(random, 320_000).replaceAll(/[^\x20-\x7e]/gu, 'x');
  const line = oneOf(random, [
    () => `${name}: ${value}\r\n`,
    () => `${name}: ${value.slice(0, 20)}\r\n`.repeat(Math.ceil(size(random, 300_000) / 40)),
    () => numbered((i) => `X-${i}: y\r\n`, 300_000, random),
  ])();
  const request = oneOf(random, openTargets);
  return {
    name: `headers ${name} of ${line.length} bytes to ${request}`,
    bytes: Buffer.from(`${request} HTTP/1.1\r\nHost: a\r\n${line}\r\n`),
  };
};

const pipeline: Form = (random, key) => {
  const { path } = target(random);
  const keyed = `GET ${path}?application_key=${key ?? ''}`;
  const request = oneOf(random, [oneOf(random, openTargets), oneOf(random, openTargets).replace('GET', 'HEAD'), keyed]);
  const extra = oneOf(random, [
    '',
    '',
    'Expect: 100-continue\r\n',
    'Connection: keep-alive\r\n',
    'Content-Length: 3\r\n',
  ]);
  const one = `${request} HTTP/1.1\r\nHost: a\r\n${extra}\r\n${extra.startsWith('Content') ? 'a=b' : ''}`;
  const times = size(random, 5_000);
  return { name: `${times} times ${one.slice(0, 90)}`, bytes: Buffer.from(one.repeat(times)) };
};

const chunked: Form = (random, key) => {
  const { path, names } = target(random);
  const body = Buffer.from(pairs(random, names, key, 2 * MB));
  const length = size(random, 100_000);
  const chunks: (string | Buffer)[] = [];
  for (let at = 0; at < body.length; at += length) {
    const chunk = body.subarray(at, at + length);
    chunks.push(`${chunk.length.toString(16)}\r\n`, chunk, '\r\n');
  }
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const bytes = Buffer.concat([head, ...chunks, '0\r\n\r\n'].map((each) => Buffer.from(each as string)));
  return { name: `chunks of ${length} bytes to ${path}`, bytes };
};

function start(text: string): string {
  return `${text.length} characters such as ${JSON.stringify(text.slice(0, 60))}`;
}
