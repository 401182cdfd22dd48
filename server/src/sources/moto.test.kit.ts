import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { AwsClient } from 'aws4fetch';

// moto is a server that speaks S3: `pip install 'moto[server]'`, for the Python in $SOSIA_PYTHON.

const python = process.env['SOSIA_PYTHON'] ?? 'python3';
const isThere = spawnSync(python, ['-c', 'import moto.server']).status === 0;

/** The reason to skip a test if there is no moto. */
export const withoutMoto: string | false = isThere ? false : `no moto: pip install 'moto[server]', for $SOSIA_PYTHON`;

const start = `
from moto.server import ThreadedMotoServer
import time
server = ThreadedMotoServer(ip_address='127.0.0.1', port=0)
server.start()
print('port', server.get_host_and_port()[1], flush=True)
time.sleep(10**6)
`;

/** The credentials of the bucket, as CreateSource has them. */
export const credentials = { access_key: 'id', secret_key: 'secret' };

/** A server that speaks S3, with one empty bucket. */
export interface Moto {
  readonly endpoint: string;
  /** Writes an object of the bucket, or removes it. */
  put(key: string, body: string | Uint8Array<ArrayBuffer> | null): Promise<void>;
  has(key: string): Promise<boolean>;
  close(): Promise<void>;
}

export async function startMoto(bucket: string): Promise<Moto> {
  const server = spawn(python, ['-c', start], { stdio: ['ignore', 'pipe', 'ignore'] });
  let endpoint = '';
  for await (const line of createInterface({ input: server.stdout })) {
    endpoint = `http://127.0.0.1:${line.slice('port '.length)}`;
    if (line.startsWith('port ')) break;
  }
  const { access_key: accessKeyId, secret_key: secretAccessKey } = credentials;
  const client = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region: 'us-east-1' });
  await client.fetch(`${endpoint}/${bucket}`, { method: 'PUT' });
  const addressOf = (key: string) => `${endpoint}/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
  return {
    endpoint,
    has: async (key) => (await client.fetch(addressOf(key), { method: 'HEAD' })).ok,
    async put(key, body) {
      const answer = await client.fetch(addressOf(key), body === null ? { method: 'DELETE' } : { method: 'PUT', body });
      if (!answer.ok) throw new Error(`${key}: ${answer.status}`);
    },
    async close() {
      server.kill();
      await once(server, 'exit');
    },
  };
}
