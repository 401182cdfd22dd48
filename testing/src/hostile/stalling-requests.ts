import { connect } from 'node:net';
import type { Service } from '../service/service.ts';

export interface StallingRequest {
  readonly name: string;
  /** Resolves when all answers have come, or the connection has ended. */
  readonly send: () => Promise<void>;
}

const MB20 = 20_000_000;
const edge = 'multipart/form-data; boundary=edge';
const urlencoded = 'application/x-www-form-urlencoded';

/** Requests that cost a careless reader of parameters much time in one piece. */
export function stallingRequests(service: Service, key: string): StallingRequest[] {
  const [modify, query] = [service.modify, service.query].map((url) => Number(new URL(url).port)) as [number, number];
  const byId = '/api/v2.0/enginequery/json/SearchImageById';
  const byUpload = '/api/v2.0/enginequery/json/SearchImageByUpload';
  const byDna = '/api/v2.0/enginequery/json/SearchImageByDna';
  const byColors = '/api/v2.0/enginequery/json/SearchImageByColors';
  const form = (path: string, body: string) => () => exchange(query, requestOf(path, urlencoded, body));
  const known = `application_key=${key}&image_id=a&`;
  const part = (name: string, content: string | Buffer) => [
    `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`,
    content,
    '\r\n',
  ];
  const parts = (path: string, ...pieces: (string | Buffer)[]) => {
    const body = Buffer.concat([...pieces, '--edge--\r\n'].map((piece) => Buffer.from(piece as string)));
    return () => exchange(path.includes('modify') ? modify : query, requestOf(path, edge, body));
  };
  const ids = Array.from({ length: 10_000 }, (_, i) => String(i).padStart(5, '0') + 'é'.repeat(125)).join(';');
  const keywords = Array.from({ length: 990 }, (_, i) => `keywords=${i}${'k'.repeat(200)}`).join('&');
  const colors = Array.from({ length: 990 }, (_, i) => `colors=${i.toString(16).padStart(6, '0')}@5`).join('&');
  const probe = `GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n`;
  return [
    { name: 'ids_list of semicolons', send: form(byId, `${known}ids_list=${';'.repeat(MB20)}`) },
    {
      name: 'ids_list of semicolons as a part',
      send: parts(
        byId,
        ...part('application_key', key),
        ...part('image_id', 'a'),
        ...part('ids_list', ';'.repeat(MB20)),
      ),
    },
    { name: 'ids_list of semicolons, 3 MB', send: form(byId, `${known}ids_list=${';'.repeat(3_000_000)}`) },
    { name: 'ids_list of 10,000 long ids', send: form(byId, `${known}ids_list=${encodeURIComponent(ids)}`) },
    { name: '20 MB urlencoded without a key', send: form(byId, `a=${'%41'.repeat(MB20 / 3)}`) },
    { name: '20 MB of ampersands', send: form(byId, '&'.repeat(MB20)) },
    { name: '20 MB of base64 as DNA', send: form(byDna, `${known}dna=${'A'.repeat(MB20)}`) },
    { name: '3 MB of base64 as DNA', send: form(byDna, `${known}dna=${'A'.repeat(2_900_000)}`) },
    { name: 'line ends as DNA', send: form(byDna, `${known}dna=${'%0A'.repeat(30_000)}A`) },
    {
      name: '20 MB of base64 as a part',
      send: parts(byDna, ...part('application_key', key), ...part('dna', 'A'.repeat(MB20))),
    },
    { name: '990 long keywords', send: form(byId, `${known}${keywords}`) },
    { name: '990 colours', send: form(byColors, `${known}${colors}`) },
    {
      name: '20 MB of boundaries',
      send: parts('/api/v2.0/enginemodify/json/AddImage', '--edge\r\n\r\n'.repeat(MB20 / 10)),
    },
    {
      name: '20 MB of almost a boundary',
      send: parts('/api/v2.0/enginemodify/json/AddImage', ...part('image_content', '\r\n--edg'.repeat(MB20 / 8))),
    },
    { name: '2 MB in chunks of one byte', send: () => exchange(modify, chunked(2_000_000)) },
    ...Object.entries(jsonBodies(key)).map(([name, body]) => ({
      name: `JSON: ${name}`,
      send: () => exchange(query, requestOf(byUpload, 'application/json', body)),
    })),
    { name: '1,000 requests at once on one connection', send: () => exchange(query, probe.repeat(1_000)) },
  ];
}

const MB8 = 8_000_000;

function jsonBodies(key: string): Record<string, string> {
  const known = `"application_key":"${key}"`;
  const names = Array.from({ length: MB8 / 14 }, (_, i) => `"${i.toString(36).padStart(8, 'n')}":1,`).join('');
  return {
    'distinct names without a key': `{${names}"z":1}`,
    'empty lists without a key': `{"a":[${'[],'.repeat(MB8 / 3)}[]]}`,
    'numbers as keywords': `{${known},"keywords":[${'1,'.repeat(MB8 / 2)}1]}`,
    '10,000 long keywords': `{${known},"keywords":[${`"${'é'.repeat(140)}",`.repeat(10_000)}"k"]}`,
    'a text of escapes': `{${known},"image_id":"${'\\u0041'.repeat(MB8 / 6)}"}`,
    'a text of two bytes a character': `{${known},"image_id":"${'é'.repeat(MB8 / 2)}"}`,
    'a picture of escaped slashes': `{${known},"image_content":"${'\\/'.repeat(MB8 / 2)}"}`,
    'a picture of escapes': `{${known},"image_content":"${'\\u0041'.repeat(MB8 / 6)}"}`,
    'a picture of quotation marks': `{${known},"image_content":"${'\\"'.repeat(MB8 / 2)}"}`,
    spaces: `{${' '.repeat(MB8)}}`,
    'opening brackets': '['.repeat(MB8),
  };
}

function requestOf(path: string, type: string, body: string | Buffer): Buffer {
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n`;
  return Buffer.concat([Buffer.from(`${head}Connection: close\r\n\r\n`), Buffer.from(body as string)]);
}

function chunked(bytes: number): Buffer {
  const head = `POST /api/v2.0/enginemodify/json/AddImage HTTP/1.1\r\nHost: a\r\nContent-Type: ${edge}\r\n`;
  const chunks = '1\r\nx\r\n'.repeat(bytes);
  return Buffer.from(`${head}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
}

/** Sends everything and waits for answers until none has come for a while; the first may take long. */
function exchange(port: number, bytes: Buffer | string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(bytes));
    socket.setTimeout(30_000, () => socket.destroy());
    socket.on('data', () => socket.setTimeout(100));
    socket.on('error', () => {}); // 'close' follows, and is handled
    socket.on('close', () => resolve());
  });
}
