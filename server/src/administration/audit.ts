import type { AdministrationContract, AdministrationWork } from './operation.ts';

export const listAudit: AdministrationWork<AdministrationContract['listAudit']> = {
  async run(task, { application: selector, starting_index, nb_results }) {
    const application = task.applicationOrNone(selector);
    const page = { start: starting_index, count: nb_results };
    return { entries: await task.audit.read(page, application?.record.number) };
  },
};
