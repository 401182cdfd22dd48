import type { Contract, Work } from './operation.ts';
import { withoutReferences } from './operation.ts';

export const getDnaById: Work<Contract['getDnaById']> = {
  refuses: withoutReferences,
  async run(application, { image_id }) {
    const dna = await application.references.dna(image_id);
    return { dna: { dna: Buffer.from(dna).toString('base64'), id: image_id } };
  },
};
