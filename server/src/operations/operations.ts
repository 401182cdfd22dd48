import { operations as contract } from '@sosia/contract';
import type { FileChoice } from '@sosia/contract';
import type { Page } from '../applications/references.ts';
import { fail } from '../errors.ts';
import { addImage } from './add-image.ts';
import { hexOf, shared, wireColors } from './colors.ts';
import { fineComparison } from './fine-comparison.ts';
import { getModifyStatus, getQueryStatus } from './get-application-status.ts';
import { ofColors, ofReferences, operation, withoutReferences } from './operation.ts';
import type { Contract, Operation, Work } from './operation.ts';
import { annotationsOf, pageOf, restriction, resultsOf, search, searchOf, wireImage, wirePage } from './search.ts';
import { base64 } from '../parameters/base64.ts';

/** The work of every operation of the contract; the compiler misses one that is not here. A longer one has a file. */
const work: { readonly [Name in keyof Contract]: Work<Contract[Name]> } = {
  addImage: ofReferences(addImage),
  deleteImage: ofReferences(async (application, { image_id, files }) => {
    const changes = await application.delete(image_id, files as FileChoice);
    return { task_id: 0, ...(changes && { files: changes }) };
  }),
  setKeywords: ofReferences(async ({ references }, { image_id, keywords }) => {
    await references.change(image_id, { keywords });
    return { task_id: 0, keywords };
  }),
  setMetadata: ofReferences(async ({ references }, { image_id, metadata }) => {
    await references.change(image_id, { metadata });
    return { task_id: 0, ...(metadata && { metadata }) };
  }),
  getModifyStatus,
  getImageById: ofReferences(async (application, { image_id }) => {
    const image = await application.references.image(image_id);
    return { image: wireImage(image, await annotationsOf(application, [image])) };
  }),
  listImages: ofReferences(async (application, { after, order, ...query }) => {
    const { references } = application;
    const [selection, page] = [restriction(query), pageOf(application, query)];
    if (order !== 'latest') return wirePage(application, await references.list(selection, page, after));
    if (after !== undefined) throw fail('BAD_PARAMETER', 'after is for the order of ids');
    return wirePage(application, await references.latest(selection, page));
  }),
  getDnaById: ofReferences(async ({ references }, { image_id }) => {
    const dna = await references.dna(image_id);
    return { dna: { dna: base64(dna), id: image_id } };
  }),
  getDnaByUpload: ofReferences(async (application, { image_content, side = 'reference' }) => {
    const dna = await application.describe(image_content, side === 'query' ? 'query' : 'reference');
    return { dna: base64(dna) };
  }),
  getPdq: {
    async run(application, { image_content }) {
      const { hash, quality } = await application.pdq(image_content);
      return { pdq: Buffer.from(hash).toString('hex'), quality };
    },
  },
  searchImageByUpload: ofReferences(async (application, { image_content, ...query }) => {
    return search(application, await application.describe(image_content, 'query'), query);
  }),
  searchImageByDna: ofReferences((application, { dna, ...query }) => {
    return search(application, application.checkedDna(dna, 'query'), query);
  }),
  searchImageById: {
    refuses: (traits) => withoutReferences(traits) || (!traits.symmetric && 'ASYMMETRIC_DNA'),
    async run(application, { image_id, ...query }) {
      return search(application, await application.references.dna(image_id), query, image_id);
    },
  },
  searchImageByKeywords: ofReferences(async (application, query) => {
    return wirePage(application, await application.references.list(restriction(query), pageOf(application, query)));
  }),
  searchImageByColors: ofColors(async (application, { colors, similarity, fold, ...query }) => {
    const wanted = searchOf(application, application.colors.asQuery(shared(colors)), query);
    const list = (page: Page) => application.references.search({ ...wanted, page });
    const found = await resultsOf(application, wanted, fold, list);
    return wirePage(application, found, similarity === 1);
  }),
  getImageColorsById: ofColors(async ({ colors, references }, { image_id }) => {
    return { colors: wireColors(colors.of(await references.dna(image_id))) };
  }),
  getImageColorsByUpload: ofColors(async (application, { image_content }) => {
    return { colors: wireColors(application.colors.of(await application.describe(image_content, 'reference'))) };
  }),
  getPalette: ofColors(async ({ references }, { colors, nb_colors, ...query }) => {
    const wanted = colors.map(({ rgb }) => rgb);
    const found = (await references.palette(restriction(query), wanted)).slice(0, nb_colors);
    return { colors: found.map(({ rgb }) => hexOf(rgb)), image_count: found.map(({ images }) => images) };
  }),
  fineComparison: {
    refuses: (traits) => !traits.fineComparison && 'DOES_NOT_APPLY',
    run: fineComparison,
  },
  filter: {
    refuses: (traits) => !traits.profiles && 'DOES_NOT_APPLY',
    run: async (application, { query_image }) => ({ scores: await application.classify(query_image) }),
  },
  getQueryStatus,
};

const names = Object.keys(contract) as (keyof Contract)[];

/** The operations of the contract, in its order. */
export const operations: readonly Operation[] = names.map(bound);

function bound<Name extends keyof Contract>(name: Name): Operation {
  return operation<Contract[Name]>(contract[name], work[name]);
}
