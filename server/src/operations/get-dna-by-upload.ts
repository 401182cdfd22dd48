import type { Contract, Work } from './operation.ts';
import { withoutReferences } from './operation.ts';

export const getDnaByUpload: Work<Contract['getDnaByUpload']> = {
  refuses: withoutReferences,
  async run(application, { image_content, side = 'reference' }) {
    const dna = await application.describe(image_content, side === 'query' ? 'query' : 'reference');
    return { dna: Buffer.from(dna).toString('base64') };
  },
};
