import type { AuditEntry } from '@sosia/contract';
import type { AdministrationWork } from './operation.ts';
import { applicationOrNone } from './operation.ts';

export const listAudit: AdministrationWork<'listAudit'> = async (
  task,
  { application: selector, starting_index, nb_results },
) => {
  const application = applicationOrNone(task, selector);
  const page = { start: starting_index, count: nb_results };
  const entries = await task.audit.read(page, application?.record.number);
  return { entries: task.caller.application ? entries.map(forApplication) : entries };
};

/** As the key of an application sees an entry: names of administrators and of users of the machine are left out. */
function forApplication(entry: AuditEntry): AuditEntry {
  return entry.administrator ? { ...entry, key: '', who: '' } : entry;
}
