import { shippedProfiles, type Profile } from '@sosia/engine';
import type { ApplicationStore } from '../store/store.ts';

/** The profiles of a data folder and those that come with the engine; a folder's own wins where names are the same. */
export class Profiles {
  readonly #store: ApplicationStore;
  #revision = NaN;
  #byName = new Map<string, Profile>();

  constructor(store: ApplicationStore) {
    this.#store = store;
  }

  /** Those of these names that there are, in this order. Changes made by any process count from the next call on. */
  named(names: readonly string[]): Profile[] {
    const now = this.#store.revision();
    if (now !== this.#revision) {
      const own = this.#store.profiles.list().map(({ profile }) => profile);
      this.#byName = new Map([...shippedProfiles(), ...own].map((profile) => [profile.name, profile]));
      this.#revision = now;
    }
    return names.flatMap((name) => this.#byName.get(name) ?? []);
  }
}
