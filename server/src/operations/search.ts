import type { Application, Match, Matches, Page, Restriction } from '../applications/application.ts';
import type { Values } from '../params/param.ts';
import { idsList, integer as integerParam, keywords, optionalInteger } from '../params/params.ts';
import { integer, list, number, object, objectOf, sometimes, text } from '../params/schema.ts';

/** The part of a long list of results that is answered, and the pictures that are looked at. */
export const pageParams = {
  starting_index: integerParam({ min: 0, max: 999_999_999, fallback: 0 }),
  nb_results: optionalInteger({ min: 0, max: 1000 }, 'default of the application, 10 unless set'),
  ids_list: idsList(),
};

export const searchParams = {
  explain: integerParam({ min: 0, max: 1, fallback: 0 }),
  keywords: keywords(),
  color_weight: optionalInteger(
    { min: 0, max: 100 },
    'default of the application, 50 unless set; without effect but on Image Similarity applications',
  ),
  ...pageParams,
};

/** What `wireImage` gives. */
export const imageFields = {
  keywords: list({ type: 'string' }, 'as they were given'),
  score: number('0 for the same picture, rising towards 1; 0 where nothing was compared', {
    minimum: 0,
    exclusiveMaximum: 1,
  }),
  id: text('the image_id'),
  result_info: text('JSON as text: decision, boxes, homography; empty where there is nothing to tell'),
};

const total = integer('how many match, on this page or not', { minimum: 0 });

/** What `wirePage` gives. */
export const foundImages = {
  nb_results_found: total,
  images: list(objectOf(imageFields), 'one page of them, best first'),
};

const reasonFields = {
  reason: text('empty for a match, else what it fell short of'),
  alike: integer('features that look alike, wherever they lie', { minimum: 0 }),
  correspondences: list(
    { type: 'object' },
    'those that agree: `query` and `reference` (fractions), `distance` (bits of 64)',
  ),
};

/** What `search` gives. */
export const explainedImages = {
  nb_results_found: total,
  images: list(
    objectOf({
      ...imageFields,
      explanation: sometimes(object(reasonFields, 'with `explain` set to 1, see scores.md')),
    }),
    'one page of them, best first',
  ),
  why_not: sometimes(
    object(
      { id: text('the image_id'), ...reasonFields },
      'with `explain` set to 1, where `ids_list` names one picture and it is not found',
    ),
  ),
};

export const noImages = { nb_results_found: 0, images: [] };

/** The one search behind every search with a picture. */
export async function search(application: Application, dna: Uint8Array, query: Values<typeof searchParams>) {
  const asked = query.color_weight;
  const weighs = application.traits.colorWeight && asked !== undefined;
  const options = weighs ? { colorWeight: asked / 100 } : {};
  const found = await application.search(dna, restriction(query), pageOf(application, query), options);
  const answer = wirePage(found);
  return query.explain === 1 ? explained(application, dna, query.ids_list, answer) : answer;
}

/** The same answer with what stands behind each picture of the page, and why the only one asked for did not match. */
async function explained(
  application: Application,
  dna: Uint8Array,
  ids: readonly string[] | null,
  answer: ReturnType<typeof wirePage>,
) {
  const images = [];
  for (const image of answer.images) images.push({ ...image, explanation: await application.explain(dna, image.id) });
  const missed = ids?.length === 1 && answer.nb_results_found === 0 ? ids[0]! : undefined;
  const why = missed !== undefined && (await application.explain(dna, missed));
  return { ...answer, images, ...(why && { why_not: { id: missed, ...why } }) };
}

export function restriction(query: { keywords: readonly string[]; ids_list: readonly string[] | null }): Restriction {
  return { keywords: query.keywords, ids: query.ids_list };
}

export function pageOf({ defaults }: Application, query: Values<typeof pageParams>): Page {
  return { start: query.starting_index, count: query.nb_results ?? defaults.nbResults };
}

export function wirePage({ found, images }: Matches) {
  return { nb_results_found: found, images: images.map(wireImage) };
}

/** A picture under the names of the interface. */
export function wireImage({ id, score, keywords, resultInfo }: Match) {
  return { keywords, score, id, result_info: resultInfo };
}
