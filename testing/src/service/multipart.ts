export const BOUNDARY = 'sosia-bench-3f1c';

/** A form of one file. */
export function multipart(field: string, content: Buffer): Buffer {
  const head =
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="${field}"\r\n` +
    'Content-Type: application/octet-stream\r\n\r\n';
  return Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}
