import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Sosia } from '@sosia/client';
import { samplesFolder } from '@sosia/fixtures';
import { createApplication, createLog, openApplicationStore, readConfig, startServer } from '@sosia/server';
import { goWith, npmWith, pythonWith } from './foreign-packages.ts';

const inPython = `
import json, sys
from standardwebhooks import Webhook, WebhookVerificationError
secret, body, headers = json.load(sys.stdin)
shown = Webhook(secret).verify(body, headers)
print(shown["data"]["image_id"])
try:
    Webhook(secret).verify(body.replace("a.jpg", "b.jpg"), headers)
    print("a changed body is accepted")
except WebhookVerificationError:
    print("a changed body is refused")
`;
const inNode = `
const { Webhook } = require('standardwebhooks');
const [secret, body, headers] = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
console.log(new Webhook(secret).verify(body, headers).data.image_id);
try {
  new Webhook(secret).verify(body.replace('a.jpg', 'b.jpg'), headers);
  console.log('a changed body is accepted');
} catch {
  console.log('a changed body is refused');
}
`;
const inGo = readFileSync(new URL('../../src/packages/webhook-verifier.go', import.meta.url), 'utf8');
const python = pythonWith('standardwebhooks==1.1.0');
const node = npmWith('standardwebhooks@1.1.1');
const go = goWith('github.com/standard-webhooks/standard-webhooks/libraries@v0.0.1', inGo);
interface Verifier {
  readonly program: string;
  readonly words: readonly string[];
  readonly cwd?: string;
}
const verifiers: Readonly<Record<string, Verifier | undefined>> = {
  'Python, from PyPI': python === undefined ? undefined : { program: join(python, 'python'), words: ['-c', inPython] },
  'Node, from npm':
    node === undefined ? undefined : { program: process.execPath, words: ['-e', inNode], cwd: join(node, '..') },
  'Go, from its modules': go === undefined ? undefined : { program: join(go, 'program'), words: [] },
};
const skip = !python && !node && !go && 'neither PyPI, npm nor Go has the package standardwebhooks here';

test(
  'the published verifiers of Standard Webhooks accept what is sent, and refuse a changed body',
  { skip },
  async (t) => {
    const data = mkdtempSync(join(tmpdir(), 'sosia-verifiers-'));
    let receive: (request: { body: string; headers: object }) => void;
    const received = new Promise<{ body: string; headers: object }>((resolve) => (receive = resolve));
    const receiver = createServer(async (request, response) => {
      receive({ body: Buffer.concat(await request.toArray()).toString(), headers: request.headers });
      response.end();
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;

    const flags = { data, modify_port: '0', query_port: '0', fetch_hosts: `*:${port}` };
    const fetching = { exempt: new Set([`127.0.0.1:${port}`]), resolve: async () => ['127.0.0.1'] };
    const server = await startServer(readConfig({ flags }), createLog('silent'), { fetching });
    const store = openApplicationStore(data);
    try {
      const sosia = new Sosia({
        key: createApplication(store, { type: 'media-matching', name: 'watched' }).key,
        modify: `http://127.0.0.1:${server.modifyPort}`,
        query: `http://127.0.0.1:${server.queryPort}`,
      });
      const picture = readFileSync(join(samplesFolder, 'kodim05.jpg'));
      const secret = await sosia.webhooks.add('newsroom', `http://web.example:${port}/events`);
      await sosia.events.save('motors', { picture });
      await sosia.add('a.jpg', picture);
      const { body, headers } = await received;
      const input = JSON.stringify([secret, body, headers]);
      for (const [name, verifier] of Object.entries(verifiers)) {
        await t.test(name, { skip: !verifier && 'the package is out of reach here' }, () => {
          const { program, words, ...options } = verifier!;
          const { stdout, stderr } = spawnSync(program, words, { ...options, input, encoding: 'utf8' });
          assert.equal(stdout, 'a.jpg\na changed body is refused\n', stderr);
        });
      }
    } finally {
      await server.close();
      store.close();
      receiver.close();
      rmSync(data, { recursive: true });
    }
  },
);
