import { clusterAddress, Failure } from '@sosia/server';
import { Connection } from '@sosia/server/cluster/connection';
import { CLAUSES, directoryIndex } from '@sosia/server/cluster/layout';
import { clausesAllowed } from '@sosia/server/cluster/set-up';
import { messageOf } from '../../terminal/message.ts';
import { ok, warning, wrong, type Check } from './checks.ts';

/** Each host of a cluster, and what the service needs of it. Nothing is changed. @param ca  path of a PEM file */
export async function checkCluster(address: string, ca?: string): Promise<Check[]> {
  const at = clusterAddress(address, ca);
  const hosts = await Promise.all(at.hosts.map((host) => checkHost({ ...at, hosts: [host] }, host.host)));
  if (hosts.every(({ state }) => state === 'wrong')) return hosts;
  const connection = new Connection(at);
  try {
    return [...hosts, await checkCopies(connection), await checkClauses(connection)];
  } catch (cause) {
    const remedy = 'docs/cluster.md#settings lists the rights of the user; docs/errors.md explains the code';
    return [...hosts, wrong('cluster', messageOf(cause), remedy)];
  } finally {
    connection.close();
  }
}

async function checkHost(address: ConstructorParameters<typeof Connection>[0], name: string): Promise<Check> {
  const what = `host ${name}`;
  const connection = new Connection(address);
  try {
    const { body } = await connection.send({ method: 'GET', path: '/' });
    if (typeof body.version?.number !== 'string')
      return wrong(what, 'does not answer as OpenSearch does', 'give the port of its HTTP interface, usually 9200');
    const health = (await connection.send({ method: 'GET', path: '/_cluster/health?local=true' })).body;
    if (health.discovered_cluster_manager === false)
      return wrong(what, 'has lost the other nodes of the cluster', 'restore its network; its log says what it misses');
    return ok(what, `OpenSearch ${body.version.number}`);
  } catch (cause) {
    const isDenied = cause instanceof Failure && cause.error === 'CLUSTER_DENIED';
    const remedy = isDenied
      ? 'check user and password in --cluster'
      : 'start the node, or check its address and --cluster-ca';
    return wrong(what, messageOf(cause), remedy);
  } finally {
    connection.close();
  }
}

async function checkCopies(connection: Connection): Promise<Check> {
  const what = 'copies';
  const index = directoryIndex(connection.address.prefix);
  const call = { method: 'GET', path: `/_cluster/health/${index},${index}-*` } as const;
  const { status, unassigned_shards: missing } = (await connection.send(call)).body;
  const remedy = 'GET /_cluster/allocation/explain says why; the service has them tried again each half minute';
  if (status === 'red') return wrong(what, `a part of the pictures is missing, ${missing} copies in all`, remedy);
  if (missing > 0) return warning(what, `${missing} are missing; nothing is lost as long as others are there`, remedy);
  return ok(what, 'all are there');
}

async function checkClauses(connection: Connection): Promise<Check> {
  const what = 'clauses of a search';
  const allowed = await clausesAllowed(connection);
  if (allowed >= CLAUSES) return ok(what, `${allowed}`);
  const remedy = 'the next start of the service raises indices.query.bool.max_clause_count, and so does a running one';
  return warning(what, `${allowed}, expected ${CLAUSES}`, remedy);
}
