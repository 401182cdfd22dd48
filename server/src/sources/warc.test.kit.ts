/** A record of a web archive. */
export function record(type: string, fields: Record<string, string>, block: Buffer): Buffer {
  const all = { 'WARC-Type': type, ...fields, 'Content-Length': String(block.length) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`WARC/1.1\r\n${lines.join('')}\r\n`), block, Buffer.from('\r\n\r\n')]);
}

/** The record of a picture that https://site.example has sent. */
export function response(
  path: string,
  body: Buffer,
  { status = 200, fields = 'Content-Type: image/jpeg\r\n', digest = '' } = {},
) {
  const head = Buffer.from(`HTTP/1.1 ${status} OK\r\n${fields}\r\n`);
  const named = {
    'WARC-Target-URI': `https://site.example${path}`,
    'Content-Type': 'application/http;msgtype=response',
  };
  const more: Record<string, string> = digest ? { 'WARC-Payload-Digest': digest } : {};
  return record('response', { ...named, ...more }, Buffer.concat([head, body]));
}
