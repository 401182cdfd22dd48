import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { scopes } from '@sosia/contract';
import type { Caller } from '../applications/applications.ts';
import type { Failure } from '../errors.ts';
import type { HttpContext } from '../http/context.ts';
import { Sessions } from './sessions.ts';
import { applicationOf, Visits } from './visits.ts';

const own = { name: 'own' };
const chosen = { name: 'chosen' };
const keys: Record<string, object> = {
  administrator: { key: { name: 'boss', scopes: ['administer'] } },
  customer: { key: { name: 'first', scopes: ['search'] }, application: own },
};
const context = {
  modifyPort: 80,
  applications: {
    caller: (digest: string) => keys[digest] as Caller | undefined,
    withNumber: (number: number) => (number === 7 ? chosen : undefined),
  },
} as unknown as HttpContext;

const sessions = new Sessions();
const visits = new Visits(sessions, context);

/** A request of a signed-in page. @param more  headers that replace those of the page */
function request(key: string, more: Record<string, string> = {}, url = '/'): FastifyRequest {
  const { token, session } = sessions.open(key);
  const headers = { origin: 'http://a', host: 'a', cookie: `sosia-80=${token}`, 'x-csrf-token': session.csrf, ...more };
  return { headers, originalUrl: url, raw: { headers } } as unknown as FastifyRequest;
}

const applicationFor = (...args: Parameters<typeof request>): string => {
  try {
    return applicationOf(visits.fromPage(request(...args))).name;
  } catch (cause) {
    return (cause as Failure).error;
  }
};

test('an administrator chooses the application of a request, by header or address, and has all rights on it', () => {
  assert.equal(applicationFor('administrator', { 'x-application': '7' }), 'chosen');
  assert.equal(applicationFor('administrator', {}, '/thumbnail?image_id=a&application=7'), 'chosen');
  for (const none of ['8', '', '7a', 'chosen', '0000000007'])
    assert.equal(applicationFor('administrator', { 'x-application': none }), 'UNKNOWN_APPLICATION', none);
  assert.equal(applicationFor('administrator'), 'UNKNOWN_APPLICATION');
  const { acting, caller } = visits.fromPage(request('administrator', { 'x-application': '7' }));
  assert.deepEqual([acting.key.scopes, acting.administrator, acting.inConsole], [scopes, true, true]);
  assert.deepEqual(caller.key.scopes, ['administer']);
});

test('the key of an application chooses no other one', () => {
  assert.equal(applicationFor('customer', { 'x-application': '7' }, '/?application=7'), 'own');
});

test('a session whose key is not accepted ends, and stays ended', () => {
  const sent = request('customer');
  const { customer } = keys;
  delete keys['customer'];
  assert.throws(() => visits.fromPage(sent), { error: 'NOT_SIGNED_IN' });
  keys['customer'] = customer!;
  assert.throws(() => visits.fromPage(sent), { error: 'NOT_SIGNED_IN' });
});

test('to read, one session without a token is enough, and a wrong token is never', () => {
  const reads = (...args: Parameters<typeof request>): string => {
    const sent = request(...args);
    if (sent.headers['x-csrf-token'] === '') delete sent.headers['x-csrf-token'];
    try {
      return visits.forReading(sent).caller.key.name;
    } catch (cause) {
      return (cause as Failure).error;
    }
  };
  assert.equal(reads('customer'), 'first');
  assert.equal(reads('customer', { 'x-csrf-token': '' }), 'first');
  assert.equal(reads('customer', { 'x-csrf-token': 'wrong' }), 'NOT_SIGNED_IN');
  assert.equal(reads('removed', { 'x-csrf-token': '' }), 'NOT_SIGNED_IN');
});
