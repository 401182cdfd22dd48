import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { errors } from '../errors.ts';
import { callersOf } from './callers.test.kit.ts';
import { startHttp } from './http.ts';
import { Wire, exchange, withBody } from './wire.test.kit.ts';

const KEY = 'kEy0123456789abcdefghijklmnopqrs';
const crlf = '\r\n';
const path = '/api/v2.0/enginemodify/json/AddImage';

test('no line of the log contains a key, for any place of the key and any failure; every line identifies its request', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  // the worst case: an application is found, and then a failure contains the key
  const find = (key: string): undefined => {
    if (key === KEY) throw new Error('the database is closed');
  };
  const applications = callersOf(find);
  const limits = { stopGrace: 0, stopLinger: 0 };
  const http = await startHttp(applications, { host: '127.0.0.1', modifyPort: 0, queryPort: 0, log, limits });
  const part = `--x${crlf}Content-Disposition: form-data; name="application_key"${crlf}${crlf}${KEY}${crlf}`;
  const requests: [request: string | Buffer, code: number][] = [
    [`GET ${path}?application_key=${KEY} HTTP/1.1${crlf}Host: host${crlf}${crlf}`, errors.INTERNAL.code],
    [
      `GET ${path}?application_key=${KEY}&application_key=b HTTP/1.1${crlf}Host: host${crlf}${crlf}`,
      errors.REPEATED_PARAMETER.code,
    ],
    [`GET ${path}?application_key=${KEY}&image_id=%FF HTTP/1.1${crlf}Host: host${crlf}${crlf}`, errors.BAD_TEXT.code],
    [`GET ${path}/${KEY}?application_key=${KEY} HTTP/1.1${crlf}Host: host${crlf}${crlf}`, errors.UNKNOWN_PATH.code],
    [`GET /${KEY} HTTP/1.1${crlf}Host: host${crlf}${crlf}`, errors.UNKNOWN_PATH.code],
    [
      `GET http://${KEY}@host${path}?application_key=${KEY} HTTP/1.1${crlf}Host: host${crlf}${crlf}`,
      errors.INTERNAL.code,
    ],
    [`PUT ${path}?application_key=${KEY} HTTP/1.1${crlf}Host: host${crlf}${crlf}`, errors.METHOD_NOT_ALLOWED.code],
    [
      `GET ${path}?application_key=${KEY} HTTP/1.1${crlf}Host: host${crlf}no colon ${KEY}${crlf}${crlf}`,
      errors.MALFORMED_REQUEST.code,
    ],
    [
      `GET ${path} HTTP/1.1${crlf}Host: host${crlf}Cookie: ${KEY}${crlf}Authorization: ${KEY}${crlf}Referer: ${KEY}${crlf}${crlf}`,
      errors.UNKNOWN_APPLICATION.code,
    ],
    [
      withBody(
        `POST ${path} HTTP/1.1${crlf}Host: host${crlf}Content-Type: multipart/form-data; boundary=x`,
        part,
        `--x--${crlf}`,
      ),
      errors.INTERNAL.code,
    ],
    [
      withBody(`POST ${path} HTTP/1.1${crlf}Host: host${crlf}Content-Type: multipart/form-data; boundary=x`, part),
      errors.MALFORMED_REQUEST.code,
    ],
    [
      withBody(
        `POST ${path} HTTP/1.1${crlf}Host: host${crlf}Content-Type: application/x-www-form-urlencoded`,
        `application_key=${KEY}&application_key=a`,
      ),
      errors.REPEATED_PARAMETER.code,
    ],
    [
      withBody(`POST ${path} HTTP/1.1${crlf}Host: host${crlf}Content-Type: text/plain`, KEY),
      errors.MALFORMED_REQUEST.code,
    ],
  ];
  const ids: (string | undefined)[] = [];
  for (const [request, code] of requests) {
    const reply = await exchange(http.modifyPort, request);
    assert.equal(reply.json.status.code, code, String(request));
    ids.push(reply.headers.get('x-request-id'));
  }
  const leaving = await Wire.open(http.modifyPort);
  leaving.send(
    withBody(
      `POST ${path}?b=${KEY} HTTP/1.1${crlf}Host: host${crlf}Expect: 100-continue${crlf}Content-Type: multipart/form-data; boundary=x`,
      part,
    ).subarray(0, -9),
  );
  assert.equal((await leaving.reply()).http, 100); // the id of the request is valid
  leaving.cut();
  await http.close();

  const text = lines.join('');
  assert.doesNotMatch(text, new RegExp(KEY.slice(0, 12), 'i'));
  assert.match(text, /the database is closed/);
  const entries = lines.map((line) => JSON.parse(line));
  const answered = entries.filter(({ msg }) => msg === 'answered' || msg === 'gone');
  const expected = ids.filter((id) => id !== undefined); // malformed HTTP gets no number
  assert.deepEqual(
    answered.slice(0, -1).map(({ reqId }) => reqId),
    expected,
  );
  assert.equal(new Set(answered.map(({ reqId }) => reqId)).size, expected.length + 1);
  assert.equal(answered.at(-1).msg, 'gone');
  for (const entry of entries.filter(({ err }) => err))
    assert.ok(expected.includes(entry.reqId), JSON.stringify(entry));
});
