import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pause, standardPatience, waits } from './retry.ts';

test('each wait is drawn from the upper half of a span that doubles up to 8 s', () => {
  const spans = [250, 500, 1000, 2000, 4000, 8000, 8000, 8000];
  const drawn = Array.from({ length: 200 }, () => [...waits({ retries: spans.length, firstWait: 250 })]);
  for (const [i, span] of spans.entries()) {
    const all = drawn.map((each) => each[i]!);
    assert.ok(Math.min(...all) >= span / 2 && Math.max(...all) <= span, `wait ${i}`);
    // 200 draws of one half leave out its ends only once in a billion runs
    assert.ok(Math.min(...all) < span * 0.6 && Math.max(...all) > span * 0.9, `wait ${i} is drawn from all of it`);
  }
});

test('by default six waits cover about 15 s', () => {
  const all = [...waits(standardPatience)];
  const total = all.reduce((sum, wait) => sum + wait, 0);
  assert.equal(all.length, 6);
  assert.ok(total >= 15_750 / 2 && total <= 15_750, `${total} ms`);
});

test('a pause ends with the signal, before or during it, and needs none', async () => {
  await assert.rejects(pause(60_000, AbortSignal.abort(new Error('before'))), /before/);
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const end = new AbortController();
  const paused = pause(60_000, end.signal);
  end.abort(new Error('during'));
  await assert.rejects(paused, /during/);
  assert.equal(timers(), before, 'nothing keeps the process');
  await pause(1);
  await pause(1, new AbortController().signal);
});
