import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { errors } from '../errors.ts';
import type { Service } from '../service.test.kit.ts';
import { photograph, startService } from '../service.test.kit.ts';
import type { Reply } from './wire.test.kit.ts';
import { exchange, Wire, withBody } from './wire.test.kit.ts';

// The bytes that existing clients send, against the whole service.
const CRLF = '\r\n';
let service: Service;
let key: string;
let picture: Buffer;
let dna: string;
before(async () => {
  service = await startService();
  key = service.application('media-matching');
  picture = await photograph(1);
  await service.modify('AddImage', { application_key: key, image_id: 'known.jpg', image_content: picture });
  dna = (await service.modify('GetDnaById', { application_key: key, image_id: 'known.jpg' })).dna.dna;
});
after(() => service.close());

const modify = (...bytes: (string | Uint8Array)[]) => exchange(service.modifyPort, ...bytes);
const query = (...bytes: (string | Uint8Array)[]) => exchange(service.queryPort, ...bytes);
const urlencoded = 'Content-Type: application/x-www-form-urlencoded';

test('the Python client: everything by POST, an urlencoded body, the older family names', async () => {
  const form = (operation: string, body: string) =>
    withBody(`POST /api/v2/ltuquery/json/${operation} HTTP/1.1${CRLF}Host: a${CRLF}${urlencoded}`, body);

  const status = await query(form('GetApplicationStatus', `application_key=${key}`));
  assert.equal(status.json.nb_loaded_images >= 1, true);
  const byId = await query(
    form('SearchImageById', `image_id=known.jpg&application_key=${key}&starting_index=&ids_list=`),
  );
  assertFound(byId);
  const byDna = await query(form('SearchImageByDna', new URLSearchParams({ application_key: key, dna }).toString()));
  assertFound(byDna);
});

test('the Python client: text parts before the file, a filename but no type', async () => {
  const body = [
    ...textPart('py', 'application_key', key),
    ...textPart('py', 'image_id', 'python.jpg'),
    ...textPart('py', 'keywords', 'a'),
    ...textPart('py', 'keywords', 'b'),
    `--py${CRLF}Content-Disposition: form-data; name="image_content"; filename="x.jpg"${CRLF}${CRLF}`,
    picture,
    `${CRLF}--py--${CRLF}`,
  ];
  const head = `POST /api/v2.0/ltumodify/json/AddImage HTTP/1.1${CRLF}Host: a${CRLF}Content-Type: multipart/form-data; boundary=py`;
  await assertAdded(await modify(withBody(head, ...body)), 'python.jpg', ['a', 'b']);
});

test('the .NET client: query string, names unquoted, the boundary quoted, and Expect: 100-continue', async () => {
  const wire = await Wire.open(service.modifyPort);
  const body = Buffer.concat([
    Buffer.from(`--"net"${CRLF}Content-Disposition: form-data; name=image_content${CRLF}${CRLF}`.replaceAll('"', '')),
    picture,
    Buffer.from(`${CRLF}--net--${CRLF}`),
  ]);
  wire.send(
    `POST /api/v2.0/enginemodify/json/AddImage?application_key=${key}&image_id=net.jpg&keywords=a&keywords=b HTTP/1.1${CRLF}` +
      `Host: a${CRLF}Expect: 100-continue${CRLF}Content-Type: multipart/form-data; boundary="net"${CRLF}` +
      `Content-Length: ${body.length}${CRLF}${CRLF}`,
  );
  assert.equal((await wire.reply()).http, 100);
  wire.send(body);
  await assertAdded(await wire.reply(), 'net.jpg', ['a', 'b']);
  wire.cut();
});

test('the Java client: the file first, the key after it', async () => {
  const body = [
    `--jv${CRLF}Content-Disposition: form-data; name="image_content"; filename="a.jpg"${CRLF}`,
    `Content-Type: image/jpeg${CRLF}Content-Transfer-Encoding: binary${CRLF}${CRLF}`,
    picture,
    CRLF,
    ...textPart('jv', 'application_key', key, 'Content-Type: text/plain; charset=UTF-8'),
    ...textPart('jv', 'image_id', 'java.jpg', 'Content-Type: text/plain; charset=UTF-8'),
    `--jv--${CRLF}`,
  ];
  const head = `POST /v2/ltumodify/json/AddImage HTTP/1.1${CRLF}Host: a${CRLF}Content-Type: multipart/form-data; boundary=jv`;
  await assertAdded(await modify(withBody(head, ...body)), 'java.jpg', []);
});

test('the Objective-C client: CRLF before the first boundary, no filename, application/octet-stream', async () => {
  const body = [
    `${CRLF}--oc${CRLF}Content-Disposition: form-data; name="image_content"${CRLF}`,
    `Content-Type: application/octet-stream${CRLF}${CRLF}`,
    picture,
    `${CRLF}--oc--${CRLF}`,
  ];
  const path = `/api/v2.0/ltuquery/json/SearchImageByUpload?application_key=${key}&nb_results=`;
  const head = `POST ${path} HTTP/1.1${CRLF}Host: a${CRLF}Content-Type: multipart/form-data; boundary=oc`;
  assertFound(await query(withBody(head, ...body)));
});

test('names and texts in raw UTF-8 in parts; in the address, which HTTP keeps to ASCII, percent-encoded', async () => {
  const body = [
    ...textPart('u', 'image_id', 'fête 🎉.jpg'),
    ...textPart('u', 'keywords', 'été'),
    `--u${CRLF}Content-Disposition: form-data; name="image_content"; filename="fête 🎉.jpg"${CRLF}${CRLF}`,
    picture,
    `${CRLF}--u--${CRLF}`,
  ];
  const head = `POST /api/v2.0/enginemodify/json/AddImage?application_key=${key} HTTP/1.1\r\nHost: a`;
  const added = await modify(withBody(`${head}${CRLF}Content-Type: multipart/form-data; boundary=u`, ...body));
  await assertAdded(added, 'fête 🎉.jpg', ['été']);

  const path = `/api/v2.0/enginequery/json/GetImageById?application_key=${key}&image_id=`;
  const raw = await query(`GET ${path}fête HTTP/1.1${CRLF}Host: a${CRLF}${CRLF}`);
  assert.deepEqual([raw.http, raw.json.status.code], [400, errors.MALFORMED_REQUEST.code]);
  assert.match(raw.json.status.message, /percent-encoded/);
  const got = await query(`GET ${path}${encodeURIComponent('fête 🎉.jpg')} HTTP/1.1${CRLF}Host: a${CRLF}${CRLF}`);
  assert.equal(got.json.image.id, 'fête 🎉.jpg');
  assert.doesNotMatch(got.body.toString('latin1'), /[^\x20-\x7e]/);
});

test('the name of a part alone marks a file, independently of its filename and type', async () => {
  const dressed = (name: string, content: string | Uint8Array, more = '') => [
    `--d${CRLF}Content-Disposition: form-data; name="${name}"${more}${CRLF}Content-Type: text/plain${CRLF}${CRLF}`,
    content,
    CRLF,
  ];
  const body = [
    ...dressed('application_key', key, '; filename="key.txt"'),
    ...dressed('image_id', 'dressed.jpg', '; filename="id"'),
    ...dressed('image_content', picture),
    `--d--${CRLF}`,
  ];
  const head = `POST /api/v2.0/enginemodify/json/AddImage HTTP/1.1${CRLF}Host: a${CRLF}Content-Type: multipart/form-data; boundary=d`;
  await assertAdded(await modify(withBody(head, ...body)), 'dressed.jpg', []);
});

test('GET with a multipart body is read like a POST', async () => {
  const body = [...filePart('g', 'image_content', picture), `--g--${CRLF}`];
  const head = (operation: string, ofKey: string) =>
    `GET /api/v2.0/enginequery/json/${operation}?application_key=${ofKey} HTTP/1.1${CRLF}Host: a${CRLF}` +
    `Content-Type: multipart/form-data; boundary=g`;
  assertFound(await query(withBody(head('SearchImageByUpload', key), ...body)));

  const colors = service.application('color-similarity');
  const without = await query(withBody(head('GetImageColorsByUpload', colors), `--g--${CRLF}`));
  assert.equal(without.json.status.code, errors.MISSING_PARAMETER.code);
  const withPicture = await query(withBody(head('GetImageColorsByUpload', colors), ...body));
  assert.notEqual(withPicture.json.status.code, errors.MISSING_PARAMETER.code);
});

test('a DNA comes as a part with or without a filename, as base64 text, urlencoded or in the query string', async () => {
  const path = '/api/v2.0/enginequery/json/SearchImageByDna';
  const bytes = Buffer.from(dna, 'base64');
  const parts = (content: string | Uint8Array, filename = '') =>
    withBody(
      `POST ${path}?application_key=${key} HTTP/1.1${CRLF}Host: a${CRLF}Content-Type: multipart/form-data; boundary=q`,
      `--q${CRLF}Content-Disposition: form-data; name="dna"${filename}${CRLF}${CRLF}`,
      content,
      `${CRLF}--q--${CRLF}`,
    );
  assertFound(await query(parts(bytes)));
  assertFound(await query(parts(bytes, '; filename="a.dna"')));
  assertFound(await query(parts(dna)));
  for (const text of [encodeURIComponent(dna), dna.replaceAll('=', '%3D')]) {
    assertFound(
      await query(
        withBody(`POST ${path} HTTP/1.1${CRLF}Host: a${CRLF}${urlencoded}`, `application_key=${key}&dna=${text}`),
      ),
    );
    assertFound(await query(`GET ${path}?application_key=${key}&dna=${text} HTTP/1.1${CRLF}Host: a${CRLF}${CRLF}`));
  }
});

test('10,000 ids of 24 characters, by GET and by POST, with the semicolons encoded or not', async () => {
  const ids = Array.from({ length: 9_999 }, (_, i) => i.toString(16).padStart(24, '0'));
  const path = '/api/v2.0/enginequery/json/SearchImageById';
  for (const separator of [';', '%3B']) {
    const given = `application_key=${key}&image_id=known.jpg&ids_list=`;
    const missing = given + [...ids, 'f'.repeat(24)].join(separator);
    const among = given + [...ids, 'known.jpg'].join(separator);
    for (const [list, total] of [
      [missing, 0],
      [among, 1],
    ] as const) {
      const byGet = await query(`GET ${path}?${list} HTTP/1.1${CRLF}Host: a${CRLF}${CRLF}`);
      assert.deepEqual([byGet.json.status.code, byGet.json.nb_results_found], [0, total]);
      const byPost = await query(withBody(`POST ${path} HTTP/1.1${CRLF}Host: a${CRLF}${urlencoded}`, list));
      assert.deepEqual(byPost.json, byGet.json);
    }
    const tooMany = await query(
      withBody(`POST ${path} HTTP/1.1${CRLF}Host: a${CRLF}${urlencoded}`, `${among};one;more`),
    );
    assert.equal(tooMany.json.status.code, errors.TOO_MANY_IDS.code);
  }
  const parts = [
    ...textPart('i', 'application_key', key),
    ...textPart('i', 'image_id', 'known.jpg'),
    ...textPart('i', 'ids_list', [...ids, 'known.jpg'].join(';')),
    `--i--${CRLF}`,
  ];
  const head = `POST ${path} HTTP/1.1${CRLF}Host: a${CRLF}Content-Type: multipart/form-data; boundary=i`;
  assert.equal((await query(withBody(head, ...parts))).json.nb_results_found, 1);
});

test('a body in pieces of any size is the same body', async () => {
  const body = Buffer.concat(
    [...filePart('p', 'image_content', picture), ...textPart('p', 'nb_results', '1'), `--p--${CRLF}`].map((each) =>
      Buffer.from(each as string),
    ),
  );
  for (const size of [977, 8_192, 100_000]) {
    const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, i) =>
      body.subarray(i * size, (i + 1) * size),
    );
    const chunks = pieces.flatMap((each) => [`${each.length.toString(16)}${CRLF}`, each, CRLF]);
    const head =
      `POST /api/v2.0/enginequery/json/SearchImageByUpload?application_key=${key} HTTP/1.1${CRLF}Host: a${CRLF}` +
      `Content-Type: multipart/form-data; boundary=p${CRLF}Transfer-Encoding: chunked${CRLF}${CRLF}`;
    assertFound(await query(head, ...chunks, `0${CRLF}${CRLF}`));
  }
});

test('an operation may be requested on any of its paths', async () => {
  for (const path of [
    '/api/v2.0/enginequery/GetApplicationStatus',
    '/api/v2.0/enginequery/json/GetApplicationStatus/',
    '/v2/ltuquery/GetApplicationStatus',
    '//api//v2//ltuquery//json//GetApplicationStatus//',
  ]) {
    assert.equal(
      (await query(`GET ${path}?application_key=${key} HTTP/1.1${CRLF}Host: a${CRLF}${CRLF}`)).json.status.code,
      0,
      path,
    );
  }
});

test('a connection is used for many requests, and a failed one does not spoil the next', async () => {
  const wire = await Wire.open(service.queryPort);
  const path = '/api/v2.0/enginequery/json/GetImageById';
  for (const [id, code] of [
    ['known.jpg', 0],
    ['%FF', errors.BAD_TEXT.code],
    ['nobody', errors.UNKNOWN_IMAGE.code],
    ['known.jpg', 0],
  ] as const) {
    wire.send(`GET ${path}?application_key=${key}&image_id=${id} HTTP/1.1${CRLF}Host: a${CRLF}${CRLF}`);
    const reply = await wire.reply();
    assert.deepEqual([reply.http, reply.json.status.code], [200, code]);
  }
  // two at once
  const request = withBody(
    `POST ${path} HTTP/1.1${CRLF}Host: a${CRLF}${urlencoded}`,
    `application_key=${key}&image_id=known.jpg`,
  );
  wire.send(Buffer.concat([request, request]));
  assert.equal((await wire.reply()).json.image.id, 'known.jpg');
  assert.equal((await wire.reply()).json.image.id, 'known.jpg');
  wire.cut();
});

test('two pictures, and texts that contradict each other, are refused', async () => {
  const path = `/api/v2.0/enginequery/json/SearchImageByUpload?application_key=${key}`;
  const head = `POST ${path} HTTP/1.1${CRLF}Host: a${CRLF}Content-Type: multipart/form-data; boundary=t`;
  const one = filePart('t', 'image_content', picture);
  const twice = [
    [...one, ...one, `--t--${CRLF}`],
    [...one, ...textPart('t', 'application_key', 'another'), `--t--${CRLF}`],
    [...one, ...textPart('t', 'nb_results', '1'), ...textPart('t', 'nb_results', '1'), `--t--${CRLF}`],
  ];
  for (const body of twice)
    assert.equal((await query(withBody(head, ...body))).json.status.code, errors.REPEATED_PARAMETER.code);
});

test('text that is not UTF-8 is refused in every place', async () => {
  const path = '/api/v2.0/enginequery/json/GetImageById';
  const replies = [
    await query(`GET ${path}?application_key=${key}&image_id=%FF HTTP/1.1${CRLF}Host: a${CRLF}${CRLF}`),
    await query(
      withBody(`POST ${path} HTTP/1.1${CRLF}Host: a${CRLF}${urlencoded}`, `application_key=${key}&image_id=%C3`),
    ),
    await query(
      withBody(
        `POST ${path}?application_key=${key} HTTP/1.1${CRLF}Host: a${CRLF}Content-Type: multipart/form-data; boundary=x`,
        `--x${CRLF}Content-Disposition: form-data; name=image_id${CRLF}${CRLF}`,
        Uint8Array.of(0xff),
        `${CRLF}--x--${CRLF}`,
      ),
    ),
  ];
  assert.deepEqual(
    replies.map(({ http, json }) => [http, json.status.code]),
    replies.map(() => [200, errors.BAD_TEXT.code]),
  );
});

function textPart(boundary: string, name: string, text: string, header?: string): string[] {
  const headers = [`Content-Disposition: form-data; name="${name}"`, ...(header ? [header] : [])];
  return [`--${boundary}${CRLF}${headers.join(CRLF)}${CRLF}${CRLF}${text}${CRLF}`];
}

function filePart(boundary: string, name: string, content: Uint8Array): (string | Uint8Array)[] {
  return [
    `--${boundary}${CRLF}Content-Disposition: form-data; name="${name}"; filename="f"${CRLF}${CRLF}`,
    content,
    CRLF,
  ];
}

/** The picture of these tests was found, as the exact copy it is. */
function assertFound({ http, json }: Reply): void {
  assert.deepEqual([http, json.status.code, json.images[0]?.score], [200, 0, 0], JSON.stringify(json.status));
}

async function assertAdded(reply: Reply, image_id: string, keywords: string[]): Promise<void> {
  assert.deepEqual(
    [reply.http, reply.json],
    [200, { status: { code: 0, message: 'Image added to the reference database' }, task_id: 0, grade: 4, reasons: [] }],
  );
  const { image } = await service.query('GetImageById', { application_key: key, image_id });
  assert.deepEqual(image, { keywords, score: 0, id: image_id, result_info: '' });
  const added = await service.modify('GetDnaById', { application_key: key, image_id });
  assert.equal(added.dna.dna, dna, 'the picture came through byte by byte');
}
