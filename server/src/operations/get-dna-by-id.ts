import { operations } from '@sosia/contract';
import { operation, withoutReferences } from './operation.ts';

export const getDnaById = operation(operations.getDnaById, {
  refuses: withoutReferences,
  async run(application, { image_id }) {
    const dna = await application.references.dna(image_id);
    return { dna: { dna: Buffer.from(dna).toString('base64'), id: image_id } };
  },
});
