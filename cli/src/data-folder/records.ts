import { digestOf } from '@sosia/server/applications/keys';
import type { ApplicationRecord } from '@sosia/server';

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
