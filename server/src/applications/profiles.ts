import { shippedProfiles, type Profile } from '@sosia/engine';
import type { Source } from '../onnx/onnx-runner.ts';
import { storedNetwork } from '../onnx/stored-network.ts';
import type { ApplicationStore } from '../store/application-store.ts';

/** Profiles by name. */
export interface ProfileSource {
  /** The existing ones of these names, in this order. Changes by any process count soon. */
  named(names: readonly string[]): Promise<(Profile | Source)[]>;
}

/** The profiles of a data folder and those of the engine; the folder's own take precedence. */
export class Profiles implements ProfileSource {
  readonly #store: ApplicationStore;
  readonly #folder: string;
  #revision = NaN;
  #byName = new Map<string, Profile | Source>();

  /** @param folder  the folder of the store */
  constructor(store: ApplicationStore, folder: string) {
    this.#store = store;
    this.#folder = folder;
  }

  /** Changes by any process count from the next call on. */
  async named(names: readonly string[]): Promise<(Profile | Source)[]> {
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
      if (mark !== undefined) return { name, mark, bytes: bytes!, read: () => storedNetwork(this.#folder, name) };
      const profile = profiles.find(name)?.profile;
      return profile && 'weights' in profile ? profile : [];
    });
  }
}
