import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Arrivals, ArrivalsResult } from './arrivals.ts';
import { BOUNDARY, multipart } from './multipart.ts';

const agent = new Agent({ keepAlive: true });
const [arrivals] = (await once(process, 'message')) as [Arrivals];
process.send!(await run(arrivals), () => process.disconnect());
agent.destroy();

async function run({ query, key, rate, seconds, files }: Arrivals): Promise<ArrivalsResult> {
  const bodies = files.map((file) => multipart('image_content', readFileSync(file)));
  const url = `${query}/api/v2.0/enginequery/json/SearchImageByUpload?application_key=${key}`;
  const latencies: number[] = [];
  const refusals: number[] = [];
  const failures: Record<string, number> = {};
  const under: Promise<void>[] = [];
  const sent = Math.round(rate * seconds);
  const begin = performance.now();
  for (let i = 0; i < sent; i++) {
    const due = begin + (i * 1000) / rate;
    const early = due - performance.now();
    if (early > 0) await pause(early);
    under.push(one(bodies[i % bodies.length]!, due));
  }
  await Promise.all(under);
  return { sent, latencies, refusals, failures };

  async function one(body: Buffer, due: number): Promise<void> {
    const outcome = await ask(url, body);
    const ms = performance.now() - due;
    if (outcome === 'done') latencies.push(ms);
    else if (outcome === 'refused') refusals.push(ms);
    else failures[outcome] = (failures[outcome] ?? 0) + 1;
  }
}

function ask(url: string, body: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const headers = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`, 'Content-Length': body.length };
    const sending = request(url, { method: 'POST', agent, headers }, async (answer) => {
      try {
        const { status, nb_results_found } = JSON.parse((await buffer(answer)).toString());
        if (answer.statusCode === 503) resolve('refused');
        else if (status.code !== 0) resolve(`code ${status.code}`);
        else resolve(nb_results_found > 0 ? 'done' : 'not found');
      } catch (error) {
        resolve(String(error));
      }
    });
    sending.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sending.end(body);
  });
}
