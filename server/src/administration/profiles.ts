import type { ShownProfile } from '@sosia/contract';
import { shippedProfiles } from '@sosia/engine';
import { fail } from '../errors.ts';
import { embeddingName } from '../store/embedding-network.ts';
import type { ProfileRecord } from '../store/store.ts';
import type { AdministrationWork, Task } from './operation.ts';
import { base64 } from '../parameters/base64.ts';

const none = { state: 'ready', balanced_accuracy: null, positives: 0, negatives: 0, fault: '' } as const;

export const listProfiles: AdministrationWork<'listProfiles'> = async (task) => {
  const { store, training } = task;
  const shipped = shippedProfiles().map(({ name }) => ({ ...none, name, origin: 'shipped' as const }));
  const stored = (await store.profiles.list()).map(storedProfile);
  const collected = training.names().map((name) => collectedProfile(training, name)!);
  return { profiles: [...shipped, ...stored, ...collected].filter((profile) => isShown(task, profile)) };
};

export const getProfile: AdministrationWork<'getProfile'> = async (task, { profile: name }) => {
  const record = await task.store.profiles.find(name);
  const { report = null, mistakes = new Uint8Array() } = record ?? {};
  const isAdministrator = !task.caller.application;
  return {
    profile: await shown(task, name),
    report: report && {
      positives: report.positives,
      negatives: report.negatives,
      balanced_accuracy: report.balancedAccuracy,
      area: report.area,
      nb_mistakes: report.mistakes.length,
      by_threshold: report.byThreshold,
    },
    mistakes: isAdministrator ? base64(mistakes) : '',
  };
};

export const addExample: AdministrationWork<'addExample'> = async (task, { profile: name, fits, image_content }) => {
  await task.training.add(name, fits === 1, image_content);
  return { profile: await shown(task, name) };
};

export const trainProfile: AdministrationWork<'trainProfile'> = async (task, { profile: name }) => {
  await task.training.start(name);
  return { profile: await shown(task, name) };
};

export const deleteProfile: AdministrationWork<'deleteProfile'> = async (task, { profile: name }) => {
  const profile = await shown(task, name);
  if (profile.origin === 'shipped') throw fail('BAD_PARAMETER', `profile: ${name} is part of the service`);
  const isUsed = task.store.list().some(({ network }) => network && embeddingName(network) === name);
  if (isUsed) throw fail('BAD_PARAMETER', `profile: ${name} is deleted with the last application that has it`);
  if (!task.training.forget(name)) await task.store.profiles.delete(name);
  return { profile };
};

/** Whether the key of an application may use a profile: the names of all others are those of other customers. */
export function isGiven({ caller: { application } }: Task, name: string): boolean {
  const given = [...shippedProfiles().map((profile) => profile.name), ...(application?.record.profiles ?? [])];
  return !application || given.includes(name);
}

function isShown(task: Task, { name, origin }: ShownProfile): boolean {
  return isGiven(task, name) && (!task.caller.application || origin !== 'collected');
}

/** Fails with UNKNOWN_PROFILE, which does not reveal whether a profile exists that the caller may not use. */
async function shown(task: Task, name: string): Promise<ShownProfile> {
  const profile = await known(task, name);
  if (!isShown(task, profile)) throw fail('UNKNOWN_PROFILE', name);
  return profile;
}

/** Fails with UNKNOWN_PROFILE. */
async function known({ store, training }: Task, name: string): Promise<ShownProfile> {
  const record = await store.profiles.find(name);
  if (record) return storedProfile(record);
  const collected = collectedProfile(training, name);
  if (collected) return collected;
  if (!shippedProfiles().some((profile) => profile.name === name)) throw fail('UNKNOWN_PROFILE', name);
  return { ...none, name, origin: 'shipped' };
}

function storedProfile({ profile, report }: ProfileRecord): ShownProfile {
  return {
    ...none,
    name: profile.name,
    origin: originOf({ profile, report }),
    balanced_accuracy: report?.balancedAccuracy ?? null,
  };
}

function originOf({ profile, report }: Pick<ProfileRecord, 'profile' | 'report'>): ShownProfile['origin'] {
  if ('model' in profile) return profile.spec.output === 'embedding' ? 'embedding' : 'network';
  return report ? 'trained' : 'imported';
}

function collectedProfile(training: Task['training'], name: string): ShownProfile | undefined {
  const collection = training.find(name);
  return collection && { ...none, name, origin: 'collected', ...collection };
}
