import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sessions } from './sessions.ts';

const limits = { lifetime: 100, idle: 30, most: 3 };

test('a session is found by its token alone, until it is closed', () => {
  const sessions = new Sessions(limits);
  const { token, session } = sessions.open('digest', 0);
  assert.equal(sessions.find(token, 1), session);
  assert.equal(session.keyDigest, 'digest');
  for (const wrong of ['', token.slice(1), `${token}a`, session.csrf]) assert.equal(sessions.find(wrong, 1), undefined);
  sessions.close(token);
  assert.equal(sessions.find(token, 1), undefined);
});

test('it ends when it has been silent too long, and in any case after its lifetime', () => {
  const sessions = new Sessions(limits);
  const { token } = sessions.open('silent', 0);
  assert.equal(sessions.find(token, 30), undefined);
  assert.equal(sessions.find(token, 1), undefined, 'what is over does not come back');

  const busy = sessions.open('busy', 0).token;
  for (let now = 20; now < 100; now += 20) assert.ok(sessions.find(busy, now), String(now));
  assert.equal(sessions.find(busy, 100), undefined);
});

test('there are so many at most; the one that was silent longest makes room', () => {
  const sessions = new Sessions(limits);
  const [a, b, c] = ['a', 'b', 'c'].map((key) => sessions.open(key, 0).token) as [string, string, string];
  sessions.find(a, 1);
  const d = sessions.open('d', 2).token;
  assert.deepEqual(
    [a, b, c, d].map((token) => sessions.find(token, 3)?.keyDigest),
    ['a', undefined, 'c', 'd'],
  );
});

test('tokens are never alike', () => {
  const sessions = new Sessions({ most: 1000 });
  const all = Array.from({ length: 1000 }, () => sessions.open('a', 0));
  assert.equal(new Set(all.flatMap(({ token, session }) => [token, session.csrf])).size, 2000);
});
