import { fail } from '../errors.ts';
import type { Call, Reply } from './connection.ts';

/**
 * The reply of a stand-in for a cluster; its status is 200 unless the answer has another one.
 * @throws Failure CLUSTER_UNEXPECTED for the status of a failure that the call does not expect, as a connection does
 */
export function replyTo(
  { method, path, expected }: Call,
  answer: { readonly status?: number; readonly body?: object },
): Reply {
  const reply = { status: 200, repeated: false, body: {}, ...answer };
  if (reply.status >= 300 && !expected?.includes(reply.status))
    throw fail('CLUSTER_UNEXPECTED', `${method} ${path}: HTTP ${reply.status}`);
  return reply as unknown as Reply;
}
