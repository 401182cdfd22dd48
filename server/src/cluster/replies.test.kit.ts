import assert from 'node:assert/strict';
import { fail } from '../errors.ts';
import type { Call, Reply } from './connection.ts';

/** As `unmarkedReply`, of a call that says whether it changes the cluster. */
export function replyTo(call: Call, answer: { readonly status?: number; readonly body?: object }): Reply {
  requireMarked(call);
  return unmarkedReply(call, answer);
}

/**
 * The reply of a stand-in for a cluster; its status is 200 unless the answer has another one.
 * @throws Failure CLUSTER_UNEXPECTED for the status of a failure that the call does not expect, as a connection does
 */
export function unmarkedReply(
  { method, path, expected }: Call,
  answer: { readonly status?: number; readonly body?: object },
): Reply {
  const reply = { status: 200, repeated: false, body: {}, ...answer };
  if (reply.status >= 300 && !expected?.includes(reply.status))
    throw fail('CLUSTER_UNEXPECTED', `${method} ${path}: HTTP ${reply.status}`);
  return reply as unknown as Reply;
}

/** A call that changes the cluster says so, since its outcome is unknown where no answer comes, and no other call does. */
export function requireMarked({ method, path, changes = false }: Call): void {
  if (/_doc\/search-/.test(path)) return; // signs of life, which may be given twice
  const posts = /_bulk|_split\/|_aliases|_forcemerge|\/reroute|\/_doc\?/;
  assert.equal(changes, method === 'POST' ? posts.test(path) : method !== 'GET', `${method} ${path}`);
}
