import type { Fields } from '@sosia/contract';
import { typeDefinitions, type ApplicationType } from '@sosia/engine';
import type { Application } from '../applications/application.ts';
import { newApplication, standardDefaults } from '../applications/create.ts';
import { fail } from '../errors.ts';
import type { ApplicationDefaults } from '../store/store.ts';
import type { AdministrationContract, AdministrationWork, Task } from './operation.ts';
import { isGiven } from './profiles.ts';
import { applicationOf } from './operation.ts';

type Shown = Fields<AdministrationContract['getApplication']>['application'];

export const listApplications: AdministrationWork<'listApplications'> = async ({ caller, applications }) => {
  const all = caller.application ? [caller.application] : applications.all();
  return { applications: await Promise.all(all.map(shown)) };
};

export const getApplication: AdministrationWork<'getApplication'> = async (task, { application }) => {
  return { application: await shown(applicationOf(task, application)) };
};

export const createApplication: AdministrationWork<'createApplication'> = async (
  task,
  { name, type, thumbnails, ignore_background, ...values },
) => {
  requireFree(task, name);
  const { traits } = typeDefinitions[type as ApplicationType];
  if (ignore_background === 1 && !traits.colors && !traits.colorWeight) {
    throw fail('BAD_PARAMETER', `ignore_background is not for ${traits.title} applications`);
  }
  const { key, row } = newApplication({
    type: type as ApplicationType,
    name,
    defaults: changed(standardDefaults, values),
    thumbnails: thumbnails !== 0,
    ignoreBackground: ignore_background === 1,
  });
  const record = await task.store.create(row);
  task.subject = { name, number: record.number };
  return { application: await shown(task.applications.withNumber(record.number)!), secret: key };
};

export const setApplication: AdministrationWork<'setApplication'> = async (
  task,
  { application: selector, name, enabled, thumbnails, profiles, ...values },
) => {
  const application = applicationOf(task, selector);
  const { number, defaults } = application.record;
  if (name !== undefined && name !== application.name) {
    // an answer to the key of an application would reveal whether another one has the name
    if (task.caller.application) throw fail('NOT_ADMINISTRATOR', 'a new name of the application');
    requireFree(task, name);
  }
  if (profiles) await requireProfiles(task, application, profiles);
  await task.store.update(number, {
    defaults: changed(defaults, values),
    ...(name !== undefined && { name }),
    ...(enabled !== undefined && { enabled: enabled === 1 }),
    ...(thumbnails !== undefined && { thumbnails: thumbnails === 1 }),
    ...(profiles && { profiles }),
  });
  return { application: await shown(task.applications.withNumber(number)!) };
};

export const emptyApplication: AdministrationWork<'emptyApplication'> = async (
  task,
  { application: selector, confirm },
) => {
  const application = applicationOf(task, selector);
  requireConfirmed(application, confirm);
  const removed = await application.references.count();
  await task.events.latest(application); // those that wait with their pictures would end with them
  const { number } = await task.store.empty(application.record.number);
  return { removed, application: await shown(task.applications.withNumber(number)!) };
};

export const deleteApplication: AdministrationWork<'deleteApplication'> = async (
  task,
  { application: selector, confirm },
) => {
  const application = applicationOf(task, selector);
  requireConfirmed(application, confirm);
  const removed = await application.references.count();
  await task.store.delete(application.record.number);
  return { removed };
};

/** An application in the words of the interface. */
async function shown(application: Application): Promise<Shown> {
  const { record, name, type, traits, defaults } = application;
  const { count, damaged, indexBytes } = await application.overview();
  return {
    number: record.number,
    name,
    type,
    title: traits.title,
    enabled: record.enabled,
    ...(record.state && { state: record.state }),
    ...(count !== undefined && { nb_images: count }),
    nb_damaged_images: damaged,
    index_bytes: indexBytes,
    nb_results: defaults.nbResults,
    color_weight: defaults.colorWeight,
    retrieval_threshold: defaults.retrievalThreshold,
    thumbnails: record.thumbnails !== false,
    ignore_background: record.ignoreBackground ?? false,
    profiles: record.profiles ?? [],
    nb_keys: record.keys.length,
  };
}

interface DefaultValues {
  readonly nb_results?: number;
  readonly color_weight?: number;
  readonly retrieval_threshold?: number;
}

function changed(defaults: ApplicationDefaults, values: DefaultValues): ApplicationDefaults {
  const { nb_results, color_weight, retrieval_threshold } = values;
  return {
    nbResults: nb_results ?? defaults.nbResults,
    colorWeight: color_weight ?? defaults.colorWeight,
    retrievalThreshold: retrieval_threshold ?? defaults.retrievalThreshold,
  };
}

function requireFree({ applications }: Task, name: string): void {
  if (applications.all().some((other) => other.name === name)) throw fail('APPLICATION_NAME_TAKEN', name);
}

async function requireProfiles(task: Task, application: Application, names: readonly string[]): Promise<void> {
  if (!application.traits.profiles)
    throw fail('DOES_NOT_APPLY', `profiles on ${application.traits.title} applications`);
  for (const name of names) {
    if (!isGiven(task, name) || !(await application.knowsProfile(name))) throw fail('UNKNOWN_PROFILE', name);
  }
}

function requireConfirmed({ name }: Application, confirm: string): void {
  if (confirm !== name) throw fail('NOT_CONFIRMED', `expected ${name}, got ${confirm}`);
}
