import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { errors } from '../errors.ts';
import { formOf, photograph, startService } from '../service.test.kit.ts';
import type { Service } from '../service.test.kit.ts';

// Stopped children stand for a machine whose cores are all busy. They are stopped for less than the time limit of a picture.
const skip = process.platform !== 'linux' && 'needs pgrep';
const OVERLOADED = errors.OVERLOADED.code;

let picture: Uint8Array;
before(async () => (picture = await photograph(1)));

test('clients of a busy machine wait instead of being refused', { skip }, async () => {
  const service = await startService({}, { add_wait: '60', search_wait: '60' });
  after(() => service.close());
  const application_key = service.application('media-matching');
  const resume = stopDecoding();
  const adding = [1, 2, 3, 4].map((id) =>
    service.modify('AddImage', { application_key, image_id: `p${id}`, image_content: picture }),
  );
  const searching = [1, 2, 3, 4].map(() =>
    service.query('SearchImageByUpload', { application_key, image_content: picture }),
  );
  await pause(1500);
  resume();
  const codes = (await Promise.all([...adding, ...searching])).map(({ status }) => status.code);
  assert.deepEqual(codes, Array(8).fill(0));
});

test('the wait ends after the seconds that are set, and a full queue refuses at once', { skip }, async () => {
  const service = await startService({}, { add_wait: '2', search_wait: '1' });
  after(() => service.close());
  const application_key = service.application('media-matching');
  const search = () => send(service, 'SearchImageByUpload', { application_key, image_content: picture });
  const add = (id: string) => send(service, 'AddImage', { application_key, image_id: id, image_content: picture });

  let resume = stopDecoding();
  const waiting = Array.from({ length: 18 }, (_, i) => add(`w${i}`));
  assert.match(await Promise.race(waiting), /at most 16 pictures waiting/);
  resume();
  await Promise.all(waiting);

  resume = stopDecoding();
  const inChild = search();
  await pause(100);
  const [searched, added] = await Promise.all([search(), add('late')]);
  resume();
  assert.match(searched, /within 1000 ms/);
  assert.match(added, /within 2000 ms/);
  await inChild;
  assert.match(await add('free again'), /^Image added/);
});

/** @returns the message of the answer */
async function send(service: Service, operation: string, values: Parameters<typeof formOf>[0]): Promise<string> {
  const [family, port] = operation === 'AddImage' ? ['modify', service.modifyPort] : ['query', service.queryPort];
  const url = `http://127.0.0.1:${port}/api/v2.0/engine${family}/json/${operation}`;
  const answer = await fetch(url, { method: 'POST', body: formOf(values) });
  const { status } = (await answer.json()) as { status: { code: number; message: string } };
  assert.ok(status.code === 0 || status.code === OVERLOADED, JSON.stringify(status));
  return status.message;
}

/** Stops the decoding children of this process; the result resumes them. */
function stopDecoding(): () => void {
  const found = execFileSync('pgrep', ['-P', String(process.pid), '-f', 'decode.child.js'], { encoding: 'utf8' });
  const pids = found.trim().split('\n').map(Number);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return () => pids.forEach((pid) => process.kill(pid, 'SIGCONT'));
}
