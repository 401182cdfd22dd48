import { fail } from '../errors.ts';
import { errorOf } from './body.ts';
import type { Connection } from './connection.ts';
import {
  CLAUSES,
  directoryIndex,
  directoryLayout,
  FORMAT,
  recordsAlias,
  recordsIndex,
  recordsLayout,
} from './layout.ts';
import { missingRights, withoutRights } from './rights.ts';

/** The major version of OpenSearch that the tests run on. */
const TESTED_MAJOR = 2;

const CLAUSES_SETTING = 'indices.query.bool.max_clause_count';

/**
 * Checks that a cluster can be used, and sets up an empty one. Any number of services may do so at once.
 * @returns warnings: changes are refused, or the version was not tested
 * @throws Failure CLUSTER_UNREACHABLE, CLUSTER_DENIED, CLUSTER_UNSUITABLE, CLUSTER_FOREIGN, CLUSTER_FORMAT and, where the
 *   cluster is to be set up, CLUSTER_READ_ONLY or CLUSTER_FULL
 */
export async function setUpCluster(connection: Connection): Promise<string[]> {
  const { body: about } = await connection.send({ method: 'GET', path: '/', expected: [403] });
  await checkRights(connection);
  const untested = checkVersion(about['version']);
  await allowClauses(connection);
  const { prefix } = connection.address;
  const index = directoryIndex(prefix);
  await formatOf(connection, recordsIndex(prefix));
  if (!(await formatOf(connection, index))) {
    await setUp(connection);
    await checkRights(connection); // those on shards need an index
  }
  return [...untested, ...(await readOnly(connection, index))];
}

/**
 * @returns a warning for a version behind the tested ones
 * @throws Failure CLUSTER_UNSUITABLE for earlier ones, and for what is no OpenSearch
 */
export function checkVersion(version: { distribution?: unknown; number?: unknown } | undefined): string[] {
  const number = String(version?.number);
  const major = Number.parseInt(number);
  const isOpenSearch = version?.distribution === 'opensearch';
  if (!isOpenSearch || !(major >= TESTED_MAJOR)) {
    const found = isOpenSearch ? `OpenSearch ${number}` : `another program of version ${number}`;
    throw fail('CLUSTER_UNSUITABLE', `expected OpenSearch ${TESTED_MAJOR}, found ${found}`);
  }
  return major > TESTED_MAJOR ? [`Sosia is tested with OpenSearch ${TESTED_MAJOR}, and the cluster has ${number}`] : [];
}

/** @throws Failure CLUSTER_DENIED with every right that is missing */
async function checkRights(connection: Connection): Promise<void> {
  const missing = await missingRights(connection);
  if (missing.length > 0) throw withoutRights(missing);
}

/** The directory comes last: with it all is there. */
async function setUp(connection: Connection): Promise<void> {
  const { prefix } = connection.address;
  const index = directoryIndex(prefix);
  const replicas = await replicasFor(connection);
  await createIndex(connection, recordsIndex(prefix), recordsLayout(recordsAlias(prefix), replicas), replicas);
  await createIndex(connection, index, directoryLayout(replicas), replicas);
  await formatOf(connection, index);
}

/**
 * The format of an index; undefined if there is none of this name.
 * @throws Failure CLUSTER_FOREIGN or CLUSTER_FORMAT
 */
async function formatOf(connection: Connection, index: string): Promise<number | undefined> {
  const { status, body } = await connection.send({ method: 'GET', path: `/${index}/_mapping`, expected: [404] });
  if (status === 404) return undefined;
  const [mapped] = Object.values(
    body as unknown as Record<string, { mappings?: { _meta?: { sosia?: { format?: unknown } } } }>,
  );
  const format = mapped?.mappings?._meta?.sosia?.format;
  if (typeof format !== 'number') {
    throw fail(
      'CLUSTER_FOREIGN',
      `${index} was made by something else; another prefix can be given: https://HOST/PREFIX`,
    );
  }
  if (format !== FORMAT) throw fail('CLUSTER_FORMAT', `expected the format ${FORMAT} of ${index}, found ${format}`);
  return format;
}

/**
 * Creates an index, and waits until a change of it has two copies. Does nothing where it exists: another service, or an
 * attempt without an answer, has made it.
 * @throws Failure CLUSTER_UNSUITABLE
 */
export async function createIndex(
  connection: Connection,
  index: string,
  layout: object,
  replicas: number,
): Promise<void> {
  const path = `/${index}?wait_for_active_shards=${Math.min(2, 1 + replicas)}`;
  const { status, body } = await connection.send({ method: 'PUT', path, body: layout, changes: true, expected: [400] });
  const { type, reason = '' } = errorOf(body);
  if (status === 400 && type !== 'resource_already_exists_exception') throw fail('CLUSTER_UNSUITABLE', reason);
}

/** As many further copies as there are nodes for them, two at most: one may be lost while another is restarted. */
export async function replicasFor(connection: Connection): Promise<number> {
  const { body } = await connection.send({ method: 'GET', path: '/_cluster/health' });
  return Math.max(0, Math.min(2, body.number_of_data_nodes - 1));
}

/**
 * Sees to it that searches may have as many terms as they need.
 * @throws Failure CLUSTER_UNSUITABLE where the cluster does not allow the change
 */
export async function allowClauses(connection: Connection): Promise<void> {
  if ((await clausesAllowed(connection)) >= CLAUSES) return;
  const body = { persistent: { [CLAUSES_SETTING]: CLAUSES } };
  const { status } = await connection.send({
    method: 'PUT',
    path: '/_cluster/settings',
    body,
    changes: true,
    expected: [400, 403],
  });
  const now = await clausesAllowed(connection);
  if (now >= CLAUSES) return;
  throw fail('CLUSTER_UNSUITABLE', `expected ${CLAUSES_SETTING} of at least ${CLAUSES}, found ${now} (HTTP ${status})`);
}

/** Clauses that a search may have. */
export async function clausesAllowed(connection: Connection): Promise<number> {
  type Settings = Readonly<Record<string, string>>;
  const query = 'include_defaults=true&flat_settings=true';
  const { body } = await connection.send({ method: 'GET', path: `/_cluster/settings?${query}` });
  const { transient, persistent, defaults } = body as unknown as Record<string, Settings | undefined>;
  return Number({ ...defaults, ...persistent, ...transient }[CLAUSES_SETTING]);
}

async function readOnly(connection: Connection, index: string): Promise<string[]> {
  const { body } = await connection.send({ method: 'GET', path: `/${index}/_settings?flat_settings=true` });
  const [found] = Object.values(body as unknown as Record<string, { settings: Record<string, string> }>);
  const blocks = Object.entries(found!.settings).filter(
    ([name, value]) => /^index\.blocks\./.test(name) && value === 'true',
  );
  return blocks.length > 0 ? [fail('CLUSTER_READ_ONLY', blocks.map(([name]) => name).join(', ')).message] : [];
}
