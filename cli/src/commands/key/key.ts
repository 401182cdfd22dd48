import { userInfo } from 'node:os';
import { Keys, scopes } from '@sosia/server/applications/key-changes';
import { withClusterAudit } from '@sosia/server/cluster/audit';
import { clusterFiles } from '@sosia/server/cluster/address';
import { appendAudit } from '@sosia/server/store/audit-log';
import type { ApplicationRecord, StoredKey } from '@sosia/server';
import { Command } from 'commander';
import { existing } from '../../data-folder/folder.ts';
import { choose } from '../../data-folder/records.ts';
import { addSettings, configOf } from '../../data-folder/settings.ts';
import { placeSettings, withStore } from '../../data-folder/with-store.ts';
import { groupOf, withHelp } from '../../help.ts';
import { whole } from '../../connection/connection.ts';
import { logLine, print, printLine } from '../../terminal/output.ts';
import { writeTable } from '../../terminal/table.ts';

interface Options {
  readonly json?: boolean;
  readonly name?: string;
  readonly scopes?: string;
  readonly expires?: string;
  readonly grace?: number;
}

export function keyCommand(): Command {
  const description =
    'Manage the keys of an application. Works beside a running server, which applies every change at once.';
  const list = about('list', ['application'], 'posters', (keys, { json }) => printKeys(keys.list(), json));
  list.description('List the keys of an application.');
  const revoke = about('revoke', ['application', 'key'], 'posters kiosk', revoked).description('End a key at once.');
  return groupOf('key', description, [list, createCommand(), setCommand(), rotateCommand(), revoke], {
    examples: [
      'sosia key create posters --name kiosk --scopes search',
      'sosia key rotate posters kiosk --grace 3600',
      'sosia key revoke posters kiosk',
    ],
    notes: [`The scopes are ${scopes.join(', ')}. Only digests of keys are stored.`],
  });
}

export function adminCommand(): Command {
  const now = new Date().toISOString().slice(0, 19);
  const key = about('key', [], '--name anna', async (keys, { name = now, json }) => {
    const { secret } = await keys.create({ name });
    printSecret(secret, name, json);
    return { what: 'CreateKey', detail: `name=${name}` };
  });
  key.description("Make an administrator's key and print it.");
  key.option('--name <NAME>', 'Name of the key. (default: the time)');
  const list = about('keys', [], '', (keys, { json }) => printKeys(keys.list(), json));
  list.description('List the keys of administrators.');
  const revoke = about('revoke', ['key'], 'anna', revoked).description("End an administrator's key at once.");
  const description = 'Manage the keys of administrators, who manage applications in the console and over HTTP.';
  return groupOf('admin', description, [key, list, revoke], {
    examples: ['sosia admin key --name anna', 'sosia admin keys'],
    notes: [
      'The first start of a service makes the key `first` and shows it once. If it was missed, make another one and revoke `first`; this works beside a running service.',
    ],
  });
}

function createCommand(): Command {
  const example = 'posters --name kiosk --scopes search --expires 2030-01-31';
  const command = about('create', ['application'], example, async (keys, options) => {
    const { name, scopes, expires, json } = options as Options & { name: string; scopes: string };
    const { secret } = await keys.create({ name, scopes: scopesOf(scopes), ...(expires !== undefined && { expires }) });
    printSecret(secret, name, json);
    return { what: 'CreateKey', detail: `name=${name} scopes=${scopes}` };
  });
  return command
    .description('Make a key and print it. It cannot be printed again.')
    .requiredOption('--name <NAME>', 'Name for people.')
    .requiredOption('--scopes <LIST>', `What it may do: some of ${scopes.join(', ')}, separated by commas.`)
    .option('--expires <TIME>', 'Its end, a date or a time in ISO 8601.');
}

function setCommand(): Command {
  const example = 'posters kiosk --scopes search,add';
  const command = about('set', ['application', 'key'], example, async (keys, options, selector) => {
    const { name, scopes, expires, json } = options;
    const key = await keys.set(selector!, {
      ...(name !== undefined && { name }),
      ...(scopes !== undefined && { scopes: scopesOf(scopes) }),
      ...(expires !== undefined && { expires }),
    });
    printKeys([key], json);
    return { what: 'SetKey', detail: `key=${selector} name=${key.name} scopes=${key.scopes.join(',')}` };
  });
  return command
    .description('Change the name, the scopes or the expiry of a key.')
    .option('--name <NAME>', 'Name for people.')
    .option('--scopes <LIST>', 'What it may do.')
    .option('--expires <TIME>', 'Its end, or never.');
}

function rotateCommand(): Command {
  const example = 'posters kiosk --grace 3600';
  const command = about('rotate', ['application', 'key'], example, async (keys, { grace = 86_400, json }, selector) => {
    const { key, secret, former } = await keys.rotate(selector!, grace);
    printSecret(secret, key.name, json);
    logLine(`the old key stays valid until ${former.expires}`);
    return { what: 'RotateKey', detail: `key=${selector}` };
  });
  command.description('Make a key that replaces another one, which stays valid for a grace period.');
  const grace = 'Seconds for which the old key stays valid. (default: 86400)';
  return command.option('--grace <SECONDS>', grace, whole(0, 31_536_000));
}

async function revoked(keys: Keys, _options: Options, selector?: string): Promise<Change> {
  const { name } = await keys.revoke(selector!);
  logLine(`revoked ${name}`);
  return { what: 'RevokeKey', detail: `key=${name}` };
}

/** A change for the audit log; nothing for a command that only reads. */
interface Change {
  readonly what: string;
  readonly detail: string;
}
/** @param key  the argument of this name */
type Work = (keys: Keys, options: Options, key?: string) => Change | undefined | Promise<Change | undefined>;

const abouts = { application: 'its key, its name or its number', key: 'its id or its name' };

/**
 * A command on the keys of an application, or of the administrators if it has no argument `application`.
 * @param example  what follows the verb
 */
function about(verb: string, words: readonly (keyof typeof abouts)[], example: string, work: Work): Command {
  const group = words[0] === 'application' ? 'key' : 'admin';
  const command = withHelp(new Command(verb), { examples: [`sosia ${group} ${verb} ${example}`.trimEnd()] });
  for (const word of words) command.argument(`<${word}>`, abouts[word]);
  command.action(() =>
    withStore(command, existing, async (store) => {
      const record = group === 'key' ? choose(store.list(), command.args[0]!) : undefined;
      const keys = new Keys(store, record?.number ?? null);
      const change = await work(keys, command.opts<Options>(), command.args[words.indexOf('key')]);
      if (change) await audit(command, change, record);
    }),
  );
  return addSettings(command, placeSettings).option('--json', 'Print JSON.');
}

/** Writes a change by this command line to the audit log of its data folder or cluster. */
export async function audit(
  command: Command,
  { what, detail }: { what: string; detail: string },
  record?: Pick<ApplicationRecord, 'name' | 'number'>,
): Promise<void> {
  const entry = {
    at: new Date().toISOString(),
    kind: 'command line' as const,
    administrator: true,
    key: '',
    who: userInfo().username,
    what,
    code: 0,
    application: record?.name ?? '',
    number: record?.number ?? 0,
    detail,
  };
  const config = configOf(command);
  const { data, cluster } = config;
  if (cluster === undefined) appendAudit(data, entry);
  else await withClusterAudit(cluster, clusterFiles(config), (log) => log.append([entry]));
}

function scopesOf(list: string): string[] {
  const given = list.split(',').map((each) => each.trim());
  const unknown = given.find((each) => !scopes.some((scope) => scope === each));
  if (unknown !== undefined) throw new Error(`expected scopes of ${scopes.join(', ')}, got ${unknown}`);
  return given;
}

function printSecret(secret: string, name: string, json = false): void {
  if (json) return print({ key: secret, name });
  printLine(secret);
  logLine('keep it well: it cannot be printed again');
}

function printKeys(keys: readonly StoredKey[], json = false): undefined {
  const rows = keys.map(({ id, name, hint, scopes, created, expires = null }) => {
    return { id, name, key: `${hint}...`, scopes: scopes.join(','), created, expires };
  });
  if (json) print(rows);
  else writeTable(rows.map((row) => ({ ...row, expires: row.expires ?? '-' })));
  return undefined;
}
