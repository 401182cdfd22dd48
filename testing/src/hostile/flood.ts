import { connect } from 'node:net';

/**
 * Connections that send requests without a key, as fast as the server takes them, and a new one wherever one has ended.
 * `node flood.js PORT CONNECTIONS KIND TARGET…`; ends when its standard input does. Lines of JSON report the bytes of content sent
 * so far, the answers by HTTP status, and how many connections the server has ended. The targets, such as `GET /docs`, are those
 * of pipelined requests, one for each connection in rotation. The answers to these are never read.
 */
const [port, connections] = process.argv.slice(2, 4).map(Number) as [number, number];
const kind = process.argv[4] as 'one-byte chunks' | 'held' | 'pipelined';
const targets = process.argv.slice(5);

const CONTENT = 21_000_000;
const path = '/api/v2.0/enginemodify/json/AddImage';
const multipart = 'Content-Type: multipart/form-data; boundary=edge';
const urlencoded = 'Content-Type: application/x-www-form-urlencoded';
const firstPart = '--edge\r\nContent-Disposition: form-data; name=image_content\r\n\r\n';
const chunks = Buffer.from('1\r\nx\r\n'.repeat(20_000));
const block = Buffer.alloc(1_000_000, 'x');
const CHUNK = 6;

const answers: Record<string, number> = {};
let content = 0;
let ended = 0;
let running = true;

function flood(number: number): void {
  if (!running) return;
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {}); // 'close' follows, and is handled
  if (kind === 'pipelined') return pipeline(socket, number);
  socket.once('data', (answer: Buffer) => {
    const status = answer.toString('latin1', 9, 12);
    answers[status] = (answers[status] ?? 0) + 1;
    socket.destroy();
  });
  socket.on('close', () => setTimeout(flood, 5, number));
  const type = number % 2 ? multipart : urlencoded;
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\n${type}\r\n`;
  if (kind === 'held') hold(socket, head, type);
  else sendChunks(socket, head, type);
}

/** Requests without end, and no look at the answers. */
function pipeline(socket: ReturnType<typeof connect>, number: number): void {
  const request = `${targets[number % targets.length]} HTTP/1.1\r\nHost: a\r\n\r\n`;
  const requests = Buffer.from(request.repeat(Math.ceil(65_536 / request.length)));
  socket.pause();
  const more = (): void => {
    if (!socket.writable) return;
    socket.write(requests, more);
    content += requests.length;
  };
  // unread, the end of a connection shows only where a write fails
  socket.on('close', () => {
    ended++;
    setTimeout(flood, 5, number);
  });
  more();
}

/** A body in chunks of one byte. */
function sendChunks(socket: ReturnType<typeof connect>, head: string, type: string): void {
  const start = type === multipart ? firstPart : 'dna=';
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${start.length.toString(16)}\r\n${start}\r\n`);
  let sent = 0;
  const more = (): void => {
    while (sent < CONTENT && socket.writable) {
      sent += chunks.length / CHUNK;
      content += chunks.length / CHUNK;
      if (!socket.write(chunks)) return;
    }
    if (sent >= CONTENT) socket.write('0\r\n\r\n');
  };
  socket.on('drain', more);
  more();
}

/** Most of a body at once, and the rest so slowly that it is not refused for it. */
function hold(socket: ReturnType<typeof connect>, head: string, type: string): void {
  socket.write(`${head}Content-Length: ${CONTENT}\r\n\r\n${type === multipart ? firstPart : 'dna='}`);
  for (let i = 0; i < 20; i++) socket.write(block);
  content += 20 * block.length;
  const slowly = setInterval(() => socket.write(block.subarray(0, 2_000)), 1_000);
  socket.on('close', () => clearInterval(slowly));
}

for (let i = 0; i < connections; i++) flood(i);
const report = (): void => console.log(JSON.stringify({ contentMB: Math.round(content / 1e6), answers, ended }));
setInterval(report, 200);
process.stdin.on('end', () => {
  running = false;
  report();
  process.exit(0);
});
process.stdin.resume();
