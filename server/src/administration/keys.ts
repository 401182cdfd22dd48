import type { ShownKey } from '@sosia/contract';
import { Keys } from '../applications/key-changes.ts';
import type { StoredKey } from '../store/store.ts';
import type { AdministrationWork, Task } from './operation.ts';
import { applicationOrNone } from './operation.ts';

export const listKeys: AdministrationWork<'listKeys'> = (task, { application }) => ({
  keys: keysFor(task, application)
    .list()
    .map((key) => shown(task, key)),
});

export const createKey: AdministrationWork<'createKey'> = async (task, { application, ...values }) => {
  const { key, secret } = await keysFor(task, application).create(values);
  return { key: shown(task, key), secret };
};

export const setKey: AdministrationWork<'setKey'> = async (task, { application, key, ...values }) => ({
  key: shown(task, await keysFor(task, application).set(key, values)),
});

export const rotateKey: AdministrationWork<'rotateKey'> = async (task, { application, key: selector, grace }) => {
  const { key, secret, former } = await keysFor(task, application).rotate(selector, grace);
  return { key: shown(task, key), secret, until: former.expires! };
};

export const revokeKey: AdministrationWork<'revokeKey'> = async (task, { application, key }) => ({
  key: shown(task, await keysFor(task, application).revoke(key)),
});

/** The keys of the application that a request names, or of the administrators. */
function keysFor(task: Task, selector: string | undefined): Keys {
  return new Keys(task.store, applicationOrNone(task, selector)?.record.number ?? null);
}

function shown({ applications }: Task, key: StoredKey): ShownKey {
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    scopes: key.scopes,
    created: key.created,
    expires: key.expires ?? null,
    last_use: applications.uses.all().get(key.digest) ?? null,
    replaces: key.replaces ?? null,
  };
}
