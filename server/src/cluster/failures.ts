import { fail, Failure } from '../errors.ts';
import { type ErrorBody, errorOf } from './body.ts';
import type { Reply } from './connection.ts';

/** What an answer that is no success means. */
export interface Answered {
  readonly failure: Failure;
  /** Whether the same request may succeed in a moment. */
  readonly again: boolean;
  /** Whether a change may have been made. */
  readonly mayBeDone: boolean;
}

/** Errors by which the cluster says that it cannot yet, and that nothing was done. */
const NOT_YET =
  /^(unavailable_shards|cluster_manager_not_discovered|master_not_discovered|no_shard_available_action|no_master_block|not_cluster_manager|node_not_connected|process_cluster_event_timeout)_exception$/;

/** Errors by which the cluster says that it has too much work. */
const OVERLOAD_ERRORS = /rejected_execution|circuit_breaking/;

/** Whether an index takes no changes at the moment, see `giveOwnIndex` and `splitIndex`. */
export function isBlocked({ body }: Pick<Reply, 'body'>): boolean {
  const { type, reason = '' } = errorOf(body);
  return type === 'cluster_block_exception' && /index write \(api\)/.test(reason);
}

/** The failure that an answer of the cluster is. */
export function failureOf({ status, body }: Pick<Reply, 'status' | 'body'>, changes: boolean): Answered {
  const error = errorOf(body);
  const { type = '', reason = '' } = error;
  const causes = causesOf(error);
  const detail = `${reason || type || 'no reason given'} (HTTP ${status})`;
  const now = (failure: Failure): Answered => ({ failure, again: false, mayBeDone: false });
  const later = (failure: Failure, mayBeDone = false): Answered => ({ failure, again: true, mayBeDone });

  if (status === 401 || (status === 403 && type === 'security_exception')) return now(fail('CLUSTER_DENIED', detail));
  if (type === 'cluster_block_exception') {
    if (/flood|disk usage/i.test(reason)) return now(fail('CLUSTER_FULL', detail));
    if (isBlocked({ body })) return now(fail('OVERLOADED', 'the index moves to another one'));
    if (/read-only/i.test(reason)) return now(fail('CLUSTER_READ_ONLY', detail));
    return later(fail('CLUSTER_INCOMPLETE', detail));
  }
  if (/no space left/i.test(causes)) return later(fail('CLUSTER_FULL', detail), changes); // of one copy at least
  if (OVERLOAD_ERRORS.test(type) || OVERLOAD_ERRORS.test(causes)) return now(fail('OVERLOADED', 'the cluster is busy'));
  if (/too_many(_nested)?_clauses/.test(causes))
    return now(
      fail('CLUSTER_UNSUITABLE', 'indices.query.bool.max_clause_count was lowered; it is raised within seconds'),
    );
  if (NOT_YET.test(type)) return later(fail('CLUSTER_INCOMPLETE', detail));
  if (type === 'search_phase_execution_exception')
    return later(fail('CLUSTER_INCOMPLETE', `${detail} ${causes}`.trim()));
  if (status >= 500 || status === 429) return later(fail('CLUSTER_INCOMPLETE', detail), changes);
  return now(fail('CLUSTER_UNEXPECTED', detail));
}

/** What lies behind an error, in words. */
function causesOf({ root_cause: roots = [], failed_shards: failed = [], caused_by: cause = {} }: ErrorBody): string {
  const parts = [...roots, ...failed.map(({ reason }) => reason ?? {}), cause];
  const causes = parts.map(({ type = '', reason = '' }) => `${type} ${reason}`.trim()).filter((text) => text !== '');
  return [...new Set(causes)].join('; ').slice(0, 500);
}

/** The failure of a request behind an earlier one that may have made the change. */
export function withUnknownOutcome(cause: unknown): unknown {
  return cause instanceof Failure ? fail('CLUSTER_OUTCOME_UNKNOWN', cause.detail) : cause;
}
