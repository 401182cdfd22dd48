import { clusterAddress, type ClusterFiles, Failure } from '@sosia/server';
import { Connection } from '@sosia/server/cluster/connection';
import { missingRights } from '@sosia/server/cluster/rights';
import { CLAUSES, directoryIndex } from '@sosia/server/cluster/layout';
import { checkVersion, clausesAllowed } from '@sosia/server/cluster/set-up';
import { settingsInUse } from '@sosia/server/cluster/search-setting';
import { messageOf } from '../../terminal/message.ts';
import { ok, warning, wrong, type Check } from './checks.ts';

/** Each host of a cluster, and what the service needs of it. Nothing is changed. */
export async function checkCluster(address: string, files: ClusterFiles = {}): Promise<Check[]> {
  const at = clusterAddress(address, files);
  const hosts = await Promise.all(at.hosts.map((host) => checkHost({ ...at, hosts: [host] }, host.host)));
  if (hosts.every(({ state }) => state === 'wrong')) return hosts;
  const connection = new Connection(at);
  try {
    const missing = await missingRights(connection);
    if (missing.length > 0) {
      const remedy = 'give the user the role of deploy/cluster/roles.yml; docs/cluster.md#rights says how';
      return [...hosts, wrong('rights', `the user may not ${missing.join(', ')}`, remedy)];
    }
    const checks = [checkCopies(connection), checkClauses(connection), checkSetting(connection)];
    return [...hosts, ok('rights', 'all are there'), ...(await Promise.all(checks))];
  } catch (cause) {
    const remedy = 'docs/errors.md explains the code';
    return [...hosts, wrong('cluster', messageOf(cause), remedy)];
  } finally {
    connection.close();
  }
}

async function checkHost(address: ConstructorParameters<typeof Connection>[0], name: string): Promise<Check> {
  const what = `host ${name}`;
  const connection = new Connection(address);
  try {
    const { status, body } = await connection.send({ method: 'GET', path: '/', expected: [403] });
    if (status === 403) return ok(what, 'answers');
    const [untested] = checkVersion(body['version']);
    const call = { method: 'GET', path: '/_cluster/health?local=true', expected: [403] } as const;
    const health = (await connection.send(call)).body;
    if (health.discovered_cluster_manager === false)
      return wrong(what, 'has lost the other nodes of the cluster', 'restore its network; its log says what it misses');
    const version = `OpenSearch ${String(body['version']?.number)}`;
    return untested === undefined ? ok(what, version) : warning(what, version, untested);
  } catch (cause) {
    const remedies: Record<string, string> = {
      CLUSTER_DENIED: 'check user and password in --cluster',
      CLUSTER_UNSUITABLE: 'give the port of the HTTP interface of such a node, usually 9200',
    };
    const remedy = cause instanceof Failure ? remedies[cause.error] : undefined;
    return wrong(what, messageOf(cause), remedy ?? 'start the node, or check its address and --cluster-ca');
  } finally {
    connection.close();
  }
}

async function checkCopies(connection: Connection): Promise<Check> {
  const what = 'copies';
  const index = directoryIndex(connection.address.prefix);
  const path = `/_cluster/health/${index},${index}-*?timeout=1s`; // waits for an index that is not there
  const { status: answer, body } = await connection.send({ method: 'GET', path, expected: [408] });
  if (answer === 408) return warning(what, 'the cluster is empty', 'the first start of the service sets it up');
  const { status, unassigned_shards: missing } = body;
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

async function checkSetting(connection: Connection): Promise<Check> {
  const what = 'cluster_search';
  const settings = await settingsInUse(connection);
  if (settings.length < 2) return ok(what, settings[0] ?? 'no node has run yet');
  return wrong(
    what,
    `some nodes have ${settings.join(', others ')}, and answer differently`,
    'give all the same setting',
  );
}
