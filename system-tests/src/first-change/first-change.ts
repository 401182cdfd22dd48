import { join } from 'node:path';
import { systemTest } from '@sosia/testing/harness/system-test';
import { Clone } from './clone.ts';
import { newOperation } from './new-operation.ts';
import { newType } from './new-type.ts';
import { stepsUnder, type Step } from './steps.ts';

/** What a newcomer does, and what the text says happens then. Throws where it does not. */
export type Trial = (step: Step, clone: Clone) => void;

const changes: Readonly<Record<string, Readonly<Record<string, Trial>>>> = {
  'Your first change': newOperation,
  'Your second change': newType,
};

/** Both changes in one clone, one after the other, since the second needs what the first compiled. */
export default systemTest({
  name: 'first-change',
  promise: 'The first two changes that CONTRIBUTING describes work step by step, with its commands.',
  async run({ folder, expect, faults }) {
    const clone = new Clone(join(folder, 'clone'));
    const page = clone.read('CONTRIBUTING.md');
    let steps = 0;
    for (const [heading, trials] of Object.entries(changes)) {
      const described = stepsUnder(heading, page);
      const titles = described.map(({ title }) => title).join(', ');
      expect(titles === Object.keys(trials).join(', '), `${heading}: the steps are ${titles}`);
      for (const step of described) {
        if (faults.length > 0) return { steps };
        trials[step.title]!(step, clone);
        expect(step.unused.length === 0, `${heading}, ${step.title}: nothing was done with ${step.unused.join(', ')}`);
        steps++;
      }
    }
    return { steps };
  },
});
