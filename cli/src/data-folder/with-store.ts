import { flagOf, readConfig, settingNames, settings, variableOf } from '@sosia/server/config';
import type { Config, SettingName } from '@sosia/server/config';
import { Option, type Command } from 'commander';
import { clusterFiles } from '@sosia/server/cluster/address';
import { openClusterStore } from '@sosia/server/cluster/application-store';
import { openApplicationStore } from '@sosia/server/store/application-store';
import { removeLogs } from '@sosia/server/store/remove-logs';
import type { SharedStore, ApplicationRecord } from '@sosia/server';
import { logLine } from '../terminal/output.ts';
import { digestOf } from '@sosia/server/applications/keys';

/** The flags of some settings, from the table of settings. */
export function addSettings(command: Command, names: readonly SettingName[] = settingNames): Command {
  for (const name of names) {
    const { argument, about, fallback } = settings[name];
    const from = `(default: ${fallback || 'none'}; variable ${variableOf(name)})`;
    command.addOption(new Option(`${flagOf(name)} <${argument}>`, `${about} ${from}`));
  }
  return command.option('--config <FILE>', 'JSON file of settings. (variable SOSIA_CONFIG)');
}

/** The settings from the flags of a command, the environment and the settings file. */
export function configOf(command: Command): Config {
  const options = command.optsWithGlobals<Record<string, string>>();
  const flags: { [name in SettingName]?: string } = {};
  for (const name of settingNames) {
    const value = options[name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())];
    if (value !== undefined) flags[name] = value;
  }
  return readConfig({ flags, env: process.env, file: options['config'] });
}

/** The settings that say where applications are. */
export const placeSettings = [
  'data',
  'cluster',
  'cluster_ca',
  'cluster_cert',
  'cluster_key',
  'cluster_password',
] as const;

/**
 * Opens the applications and profiles that a command line means, and closes them in any case. Damage of a data folder is
 * reported on stderr; sound data is used.
 * @param folder  may refuse the data folder before it is opened or created
 */
export async function withStore(
  command: Command,
  folder: (data: string) => string,
  work: (store: SharedStore) => unknown,
): Promise<void> {
  const config = configOf(command);
  const { data, cluster } = config;
  const store: SharedStore =
    cluster === undefined
      ? openApplicationStore(folder(data), ({ file, what }) => logLine(`damaged: ${file}: ${what}`))
      : await openClusterStore(cluster, clusterFiles(config), logLine);
  try {
    await work(store);
  } finally {
    store.close();
    if (cluster === undefined) await removeLogs(data).catch(() => {}); // they have everything
  }
}

/** An application as `--json` prints it. */
export function wireRecord({
  number,
  name,
  type,
  enabled,
  keys,
  defaults,
  thumbnails = true,
  ignoreBackground = false,
  network,
  state,
}: ApplicationRecord) {
  const lasting = keys.find(({ expires }) => expires === undefined) ?? keys[0];
  return {
    number,
    name,
    type,
    enabled,
    key: `${lasting?.hint ?? ''}...`,
    nb_results: defaults.nbResults,
    color_weight: defaults.colorWeight,
    retrieval_threshold: defaults.retrievalThreshold,
    thumbnails: thumbnails ? 'on' : 'off',
    background: ignoreBackground ? 'ignored' : 'counted',
    ...(state && { state }),
    ...(network && { network: network.digest }),
  };
}

/**
 * Finds an application.
 * @param selector  its key, its name or its number, tried in this order
 */
export function choose(records: readonly ApplicationRecord[], selector: string): ApplicationRecord {
  const digest = digestOf(selector);
  const byKey = records.find((record) => record.keys.some((key) => key.digest === digest));
  const byName = records.filter(({ name }) => name === selector);
  const byNumber = records.find(({ number }) => String(number) === selector);

  if (!byKey && byName.length > 1) {
    const numbers = byName.map(({ number }) => number).join(', ');
    throw new Error(
      `${byName.length} applications are called ${selector}; give the key or one of the numbers ${numbers}`,
    );
  }
  const chosen = byKey ?? byName[0] ?? byNumber;
  if (!chosen) throw new Error(`no application has the key, the name or the number ${selector}`);
  return chosen;
}
