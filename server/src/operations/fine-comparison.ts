import type { Contract, Work } from './operation.ts';

export const fineComparison: Work<Contract['fineComparison']> = {
  refuses: (traits) => !traits.fineComparison && 'DOES_NOT_APPLY',
  async run(application, { reference_image, query_image }) {
    const compared = await application.compare(reference_image, query_image);
    const { score, regions, strips, homography, reference, query } = compared;
    return {
      score,
      ref_image: base64(reference),
      query_image: base64(query),
      regions,
      ...(strips.length > 0 ? { rim_strips: strips } : {}),
      homography,
    };
  },
};

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}
