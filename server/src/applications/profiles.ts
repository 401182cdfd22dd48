import { shippedProfiles, type Profile } from '@sosia/engine';
import { fail } from '../errors.ts';
import type { Source } from '../networks/networks.ts';
import type { ApplicationStore } from '../store/store.ts';

/** A network that has not been read yet. */
export interface StoredNetwork extends Source {
  readonly name: string;
}

/** The profiles of a data folder and those that come with the engine; a folder's own wins where names are the same. */
export class Profiles {
  readonly #store: ApplicationStore;
  #revision = NaN;
  #byName = new Map<string, Profile | StoredNetwork>();

  constructor(store: ApplicationStore) {
    this.#store = store;
  }

  /** Those of these names that there are, in this order. Changes made by any process count from the next call on. */
  named(names: readonly string[]): (Profile | StoredNetwork)[] {
    const now = this.#store.revision();
    if (now !== this.#revision) {
      this.#byName = new Map([...shippedProfiles(), ...this.#own()].map((profile) => [profile.name, profile]));
      this.#revision = now;
    }
    return names.flatMap((name) => this.#byName.get(name) ?? []);
  }

  #own(): (Profile | StoredNetwork)[] {
    const { profiles } = this.#store;
    return profiles.names().flatMap(({ name, mark, network }) => {
      if (network) return { name, mark, block: () => this.#blockOf(name) };
      const profile = profiles.find(name)?.profile;
      return profile && 'weights' in profile ? profile : [];
    });
  }

  #blockOf(name: string): Uint8Array {
    const block = this.#store.profiles.block(name);
    if (!block) throw fail('UNKNOWN_PROFILE', name);
    return block;
  }
}
