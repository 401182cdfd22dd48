import { randomUUID } from 'node:crypto';
import { fail, type Failure } from '../errors.ts';
import type { Call, Connection } from './connection.ts';
import { directoryIndex } from './layout.ts';

type Request = readonly [method: Call['method'], path: string, body?: object | string];

/** Of what is not there, under a condition that is not met. */
const DELETION = `${JSON.stringify({ delete: { _id: 'none', if_seq_no: 0, if_primary_term: 1 } })}\n`;

/**
 * Every right that the service uses, and a request that needs it and changes nothing.
 * @param none  an index that is not there. The cluster checks rights first
 * @param some  an index of the service; rights on single shards are checked where it exists
 */
const requests = (none: string, some: string): Readonly<Record<string, Request>> => ({
  'cluster:monitor/main': ['GET', '/'],
  'cluster:monitor/health': ['GET', '/_cluster/health'],
  'cluster:monitor/state': ['GET', '/_cluster/state/version'],
  'cluster:admin/settings/update': ['PUT', '/_cluster/settings', { persistent: { [none]: null } }],
  'cluster:admin/reroute': ['POST', '/_cluster/reroute?dry_run=true&metric=none'],
  'indices:monitor/settings/get': ['GET', `/${none}/_settings`],
  'indices:monitor/stats': ['GET', `/${none}/_stats/docs`],
  'indices:admin/mappings/get': ['GET', `/${none}/_mapping`],
  'indices:admin/aliases/get': ['GET', `/${none}/_alias`],
  'indices:admin/create': ['PUT', `/${none}`, { settings: { number_of_shards: 0 } }],
  'indices:admin/delete': ['DELETE', `/${none}`],
  'indices:admin/settings/update': ['PUT', `/${none}/_settings`, { 'index.number_of_replicas': 0 }],
  'indices:admin/aliases': ['POST', '/_aliases', { actions: [{ add: { index: none, alias: `${none}-alias` } }] }],
  'indices:admin/block/add': ['PUT', `/${none}/_block/write`],
  'indices:admin/resize': ['POST', `/${none}/_split/${none}-2`, { settings: { 'index.number_of_shards': 2 } }],
  'indices:admin/refresh': ['POST', `/${none}/_refresh`],
  'indices:admin/refresh[s]': ['POST', `/${some}/_refresh`],
  'indices:admin/forcemerge': ['POST', `/${none}/_forcemerge?max_num_segments=1`],
  'indices:data/read/search': ['POST', `/${none}/_search`],
  'indices:data/read/get': ['GET', `/${none}/_doc/none`],
  'indices:data/read/mget': ['POST', `/${none}/_mget`, { ids: ['none'] }],
  'indices:data/read/mget[shard]': ['POST', `/${some}/_mget`, { ids: ['none'] }],
  'indices:data/write/index': ['PUT', `/${none}/_doc/none?require_alias=true`, {}],
  'indices:data/write/delete': ['DELETE', `/${none}/_doc/none`],
  'indices:data/write/bulk': ['POST', `/${none}/_bulk`, DELETION],
  'indices:data/write/bulk[s]': ['POST', `/${some}/_bulk?timeout=1s`, DELETION],
});

/** Answers other than success, all of which show that the right is there. Only a refusal names its reason. */
const OTHERS = [400, 403, 404, 405, 408, 409, 429, 500, 503];

/**
 * The rights that the user lacks, by their names in OpenSearch. A cluster without users has none to check.
 * @throws Failure CLUSTER_UNREACHABLE, CLUSTER_DENIED for a wrong password
 */
export async function missingRights(connection: Connection): Promise<string[]> {
  const { prefix, authorization, cert } = connection.address;
  if ((authorization ?? cert) === undefined) return [];
  const all = Object.entries(requests(`${prefix}-rights-${randomUUID()}`, directoryIndex(prefix)));
  const missing = all.map(async ([right, [method, path, body]]) => {
    const reply = await connection.send({ method, path, body, expected: OTHERS });
    const text = JSON.stringify(reply.body);
    if (!text.includes('security_exception')) return [];
    return /no permissions for \[(.*?)\] and/.exec(text)?.[1]?.split(', ') ?? [right];
  });
  return [...new Set((await Promise.all(missing)).flat())];
}

/** What to tell of them. */
export const withoutRights = (missing: readonly string[]): Failure =>
  fail('CLUSTER_DENIED', `the user may not ${missing.join(', ')}; deploy/cluster/roles.yml has all rights`);
