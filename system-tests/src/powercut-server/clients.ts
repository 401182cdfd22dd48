// Clients of a real service, which announce each change: `clients.js FOLDER`.
import { execFileSync } from 'node:child_process';
import type { Sosia } from '@sosia/client';
import { standardDefaults } from '@sosia/server';
import { announced } from '@sosia/testing/ledger/announced';
import { addSamples } from '@sosia/testing/service/samples';
import { createApplication, sosia, startService } from '@sosia/testing/service/service';
import { digestOf } from '../powercut/history.ts';

const CLIENTS = 8;
const ADDS_EACH = 12;

const data = process.argv[2]!;
const key = await announced('application 1', `${standardDefaults.nbResults} results`, () =>
  createApplication(data, 'media-matching'),
);

async function work(client: Sosia, prefix: string, offset: number, dnas: readonly Uint8Array[]): Promise<void> {
  for (let i = 0; i < ADDS_EACH; i++) {
    const dna = dnas[(i + offset) % dnas.length]!;
    const id = `${prefix}-${i}`;
    const keywords = [digestOf(dna), id];
    await announced(id, keywords.join(), () => client.addDna(id, dna, keywords));
    if ((i + offset) % 3 === 0) await announced(id, null, () => client.delete(id));
  }
}

let dnas: Uint8Array[] = [];
for (const life of [0, 1]) {
  const service = await startService({ data, flags: ['--log-level', 'error'] });
  const client = service.client(key);
  if (life === 0) {
    // files are stored with thumbnails
    const samples = await addSamples(client, 3, (id, file) => announced(id, '', () => client.add(id, file)));
    dnas = samples.map(({ dna }) => dna);
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, i) => work(client, `${life}-${i}`, i, dnas)));
  if (life === 0) {
    const words = ['app', 'set', '1', '--nb-results', '77', '--data', data];
    await announced('application 1', '77 results', () => execFileSync(process.execPath, [sosia, ...words]));
  } else await announced('0-1-0', null, () => client.delete('0-1-0'));
  await service.stop();
}
