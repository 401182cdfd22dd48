import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sessions } from './sessions.ts';

const limits = { lifetime: 100, idle: 30, mostOfOne: 3, most: 3 };

test('a session is found by its token alone, until it is closed', () => {
  const sessions = new Sessions(limits);
  const { token, session } = sessions.open('digest', 0);
  assert.equal(sessions.find(token, 1), session);
  assert.equal(session.keyDigest, 'digest');
  for (const wrong of ['', token.slice(1), `${token}a`, session.csrf]) assert.equal(sessions.find(wrong, 1), undefined);
  sessions.close(token);
  assert.equal(sessions.find(token, 1), undefined);
});

test('a session ends after its time of inactivity, and in any case after its lifetime', () => {
  const sessions = new Sessions(limits);
  const { token } = sessions.open('silent', 0);
  assert.equal(sessions.find(token, 30), undefined);
  assert.equal(sessions.find(token, 1), undefined, 'what is over does not come back');

  const busy = sessions.open('busy', 0).token;
  for (let now = 20; now < 100; now += 20) assert.ok(sessions.find(busy, now), String(now));
  assert.equal(sessions.find(busy, 100), undefined);
});

test('the number of sessions is limited; the one with the longest inactivity ends first', () => {
  const sessions = new Sessions(limits);
  const [a, b, c] = ['a', 'b', 'c'].map((key) => sessions.open(key, 0).token) as [string, string, string];
  sessions.find(a, 1);
  const d = sessions.open('d', 2).token;
  assert.deepEqual(
    [a, b, c, d].map((token) => sessions.find(token, 3)?.keyDigest),
    ['a', undefined, 'c', 'd'],
  );
});

test('sign-ins with one key end sessions of that key alone', () => {
  const sessions = new Sessions();
  const others = Array.from({ length: 12 }, (_, i) => sessions.open(`key ${i % 3}`, 0).token);
  const flood = Array.from({ length: 1_050 }, (_, i) => sessions.open('flood', 1 + i).token);
  for (const token of others) assert.ok(sessions.find(token, 2_000));
  const live = flood.filter((token) => sessions.find(token, 2_000));
  assert.deepEqual(live, flood.slice(-100));
});

test('by default one key has 100 sessions, and all keys 1,000', () => {
  const sessions = new Sessions();
  const all = Array.from({ length: 1_001 }, (_, i) => sessions.open(`key ${i}`, i).token);
  assert.deepEqual(
    all.filter((token) => sessions.find(token, 2_000)),
    all.slice(1),
  );
});

test('if all sessions together are too many, one of the application with most ends', () => {
  const sessions = new Sessions({ mostOfOne: 4, most: 6 });
  const lone = sessions.open('lone', 0).token;
  const [first] = ['big', 'big', 'big', 'small', 'small'].map((key) => sessions.open(key, 1).token);
  const next = sessions.open('next', 2).token;
  assert.equal(sessions.find(first!, 3), undefined);
  assert.ok(sessions.find(lone, 3) && sessions.find(next, 3));
});

test('where a key may have one session, the first of another key still ends one where all are too many', () => {
  const sessions = new Sessions({ mostOfOne: 1, most: 2 });
  const all = ['a', 'b', 'c'].map((key) => sessions.open(key, 0).token);
  assert.deepEqual(
    all.filter((token) => sessions.find(token, 1)),
    all.slice(1),
  );
});

test('tokens are unique', () => {
  const sessions = new Sessions({ most: 1000, mostOfOne: 1000 });
  const all = Array.from({ length: 1000 }, () => sessions.open('a', 0));
  assert.equal(new Set(all.flatMap(({ token, session }) => [token, session.csrf])).size, 2000);
});

test('by default a session ends after two hours without a request, and after twelve hours in any case', () => {
  const minute = 60_000;
  const sessions = new Sessions();
  const idle = sessions.open('idle', 0).token;
  assert.ok(sessions.find(idle, 119 * minute));
  assert.equal(sessions.find(idle, (119 + 120) * minute), undefined);
  const busy = sessions.open('busy', 0).token;
  for (let now = 0; now < 720; now += 119) assert.ok(sessions.find(busy, now * minute));
  assert.ok(sessions.find(busy, 719 * minute));
  assert.equal(sessions.find(busy, 720 * minute), undefined);
});
