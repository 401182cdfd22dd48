import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Settings of each node. The paths are below its folder `config`. */
export const securitySettings = {
  ...Object.fromEntries(
    ['transport', 'http'].flatMap((layer) =>
      [
        ['pemcert_filepath', 'node.pem'],
        ['pemkey_filepath', 'node.key'],
        ['pemtrustedcas_filepath', 'ca.pem'],
      ].map(([name, file]) => [`plugins.security.ssl.${layer}.${name}`, file]),
    ),
  ),
  'plugins.security.ssl.transport.enforce_hostname_verification': false,
  'plugins.security.ssl.http.enabled': true,
  'plugins.security.ssl.http.clientauth_mode': 'OPTIONAL',
  'plugins.security.authcz.admin_dn': ['CN=admin'],
  'plugins.security.nodes_dn': ['CN=node'],
  'plugins.security.allow_default_init_securityindex': true,
};

const meta = (type: string) => ({ _meta: { type, config_version: 2 } });

const how = (order: number, type: string, config: object, backend: string) => ({
  http_enabled: true,
  order,
  http_authenticator: { type, challenge: false, config },
  authentication_backend: { type: backend },
});

/** What the plugin reads at the first start. A user is known by a password, or by the name in a certificate. */
const files: Readonly<Record<string, object>> = {
  config: {
    ...meta('config'),
    config: {
      dynamic: {
        authc: {
          certificate: how(0, 'clientcert', { username_attribute: 'cn' }, 'noop'),
          password: how(1, 'basic', {}, 'intern'),
        },
      },
    },
  },
  nodes_dn: meta('nodesdn'),
  internal_users: meta('internalusers'),
  action_groups: meta('actiongroups'),
  tenants: meta('tenants'),
  audit: { ...meta('audit'), config: { enabled: false } },
};

/** A certificate and its key, as paths. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

const certificates = (folder: string): string => join(folder, 'certificates');

/** Whether the nodes of this folder demand TLS and a user. */
export const isSecured = (folder: string): boolean => existsSync(certificates(folder));

export const authority = (folder: string): string => join(certificates(folder), 'ca.pem');

/**
 * Makes an authority, and from it the certificates of the nodes and of the administrator. The nodes that start in this folder
 * afterwards have the security plugin.
 * @param roles  content of a `roles.yml`
 * @param mapped  users of each role
 */
export function secureCluster(
  folder: string,
  roles: string,
  mapped: Readonly<Record<string, readonly string[]>>,
): void {
  mkdirSync(certificates(folder), { recursive: true });
  openssl(folder, ['-subj', '/CN=authority', '-keyout', 'ca.key', '-out', 'ca.pem']);
  certify(folder, 'node');
  certify(folder, 'admin');
  writeFileSync(join(certificates(folder), 'roles.yml'), roles);
  const mapping = Object.entries(mapped).map(([role, users]): [string, object] => [role, { users }]);
  const content = { ...meta('rolesmapping'), ...Object.fromEntries<object>(mapping) };
  writeFileSync(join(certificates(folder), 'roles_mapping.yml'), JSON.stringify(content));
}

/** A certificate of the authority, for the loopback and for a user of this name. */
export function certify(folder: string, name: string): Certificate {
  const of = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  openssl(folder, [...of, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.pem`]);
  const at = (end: string): string => join(certificates(folder), `${name}.${end}`);
  return { certificate: at('pem'), key: at('key') };
}

function openssl(folder: string, words: readonly string[]): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const options = { cwd: certificates(folder), encoding: 'utf8' } as const;
  const { status, stderr, error } = spawnSync('openssl', ['req', '-x509', ...key, ...words], options);
  if (status !== 0) throw new Error(`openssl: ${error?.message ?? stderr}`);
}

/** Writes certificates and rules of a node. */
export function writeSecurity(folder: string, config: string): void {
  const rules = join(config, 'opensearch-security');
  mkdirSync(rules, { recursive: true });
  for (const name of readdirSync(certificates(folder))) {
    const text = readFileSync(join(certificates(folder), name));
    writeFileSync(join(name.endsWith('.yml') ? rules : config, name), text);
  }
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(rules, `${name}.yml`), JSON.stringify(content));
}

/** Whether a node has read the rules that it was started with. A change of rules before waits for ten seconds. */
export const hasRules = async (folder: string, url: string): Promise<boolean> =>
  (await asAdministrator(folder, `${url}/_plugins/_security/health`)).ok;

/** Sends a request with the certificate of the administrator. */
export async function asAdministrator(
  folder: string,
  url: string,
  method = 'GET',
  body?: object,
): Promise<{ ok: boolean; status: number; body: string }> {
  const read = (name: string): Buffer => readFileSync(join(certificates(folder), name));
  const sent = request(url, {
    method,
    ca: read('ca.pem'),
    cert: read('admin.pem'),
    key: read('admin.key'),
    agent: false,
    signal: AbortSignal.timeout(10_000),
    headers: { 'content-type': 'application/json' },
  });
  sent.end(body && JSON.stringify(body));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const status = answer.statusCode!;
  return { ok: status >= 200 && status < 300, status, body: await text(answer) };
}
