import { shippedProfiles, type Profile } from '@sosia/engine';
import type { Source } from '../onnx/onnx-runner.ts';
import type { ApplicationStore } from '../store/store.ts';

/** The profiles of a data folder and those that come with the engine; a folder's own wins where names are the same. */
export class Profiles {
  readonly #store: ApplicationStore;
  readonly #folder: string;
  #revision = NaN;
  #byName = new Map<string, Profile | Source>();

  /** @param folder  where the store is */
  constructor(store: ApplicationStore, folder: string) {
    this.#store = store;
    this.#folder = folder;
  }

  /** Those of these names that there are, in this order. Changes made by any process count from the next call on. */
  named(names: readonly string[]): (Profile | Source)[] {
    const now = this.#store.revision();
    if (now !== this.#revision) {
      this.#byName = new Map([...shippedProfiles(), ...this.#own()].map((profile) => [profile.name, profile]));
      this.#revision = now;
    }
    return names.flatMap((name) => this.#byName.get(name) ?? []);
  }

  #own(): (Profile | Source)[] {
    const { profiles } = this.#store;
    return profiles.names().flatMap(({ name, mark, bytes }) => {
      if (mark !== undefined) return { name, mark, bytes: bytes!, folder: this.#folder };
      const profile = profiles.find(name)?.profile;
      return profile && 'weights' in profile ? profile : [];
    });
  }
}
