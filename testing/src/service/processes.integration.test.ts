import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { exactProcessorMsOf } from './processes.ts';

const work = 'for (const end = process.cpuUsage().user + 400_000; process.cpuUsage().user < end; );';
/** Starts a child that works for 400 ms of processor time; replaces it by an idle one where a line comes. */
const parent = `
const { spawn } = require('node:child_process');
const start = (code) => spawn(process.execPath, ['-e', code + 'console.log(1); process.stdin.resume()']);
const first = start(${JSON.stringify(work)});
first.stdout.once('data', () => console.log('worked'));
process.stdin.once('data', () => {
  first.once('exit', () => start('').stdout.once('data', () => console.log('replaced')));
  first.kill('SIGKILL');
});`;

test(
  'the time of a child that is replaced between two readings is counted in both',
  { skip: process.platform !== 'linux' && 'reads /proc' },
  async () => {
    const child = spawn(process.execPath, ['-e', parent], { stdio: ['pipe', 'pipe', 'inherit'] });
    try {
      await once(child.stdout, 'data');
      const before = exactProcessorMsOf(child.pid!);
      child.stdin.write('replace\n');
      await once(child.stdout, 'data');
      const after = exactProcessorMsOf(child.pid!);
      assert.ok(before >= 400, `${before} ms`);
      assert.ok(after >= before, `${after} ms after ${before} ms`);
    } finally {
      child.kill();
    }
  },
);
