import Type, { type Static, type TProperties } from '#typebox';
import { shownMetadata } from './metadata.ts';
import { origin } from './origin.ts';
import { resultInfo } from './result-info/result-info.ts';
import { count, list, object, onlyTrue, pair, percent, string } from './schema.ts';

const score = {
  minimum: 0,
  exclusiveMaximum: 1,
  description: '0 for the same picture, rising towards 1; 0 where nothing was compared',
};

const imageFields = {
  keywords: list(Type.String(), 'as given'),
  score: Type.Number(score),
  similarity: Type.Optional(
    percent('with `similarity` set to 1: what it shares with the query, in per cent, see decisions.md'),
  ),
  id: string('the image_id'),
  ignored: onlyTrue('with `ignored` set to 1, where the picture matches only by a picture of the ignore list'),
  origin: Type.Optional(origin),
  metadata: Type.Optional(shownMetadata),
  result_info: Type.String({
    contentMediaType: 'application/json',
    contentSchema: resultInfo,
    description:
      'JSON as text: an object as the type of the application has it; empty where there is nothing to report',
  }),
};

/** The same with further pictures. */
const folded = <T extends TProperties>(fields: T) =>
  Type.Object({
    ...fields,
    copies: Type.Optional(
      list(
        Type.Object(fields),
        'with `fold` set to 1: the further matches that are copies of it or show its scene, if there are any',
      ),
    ),
  });

/** A reference picture, as searches and lists show it. */
export const image = Type.Object(imageFields);
export type Image = Static<typeof image>;

/** A feature of either picture that agrees with the other about where the reference lies. */
export const correspondence = Type.Object({
  query: pair('x and y as fractions of width and height'),
  reference: pair('x and y as fractions of width and height'),
  distance: Type.Integer({
    minimum: 0,
    maximum: 64,
    description: 'how much the features differ, in bits of 64',
  }),
});

const explanationFields = {
  reason: string('empty for a match, else what was missing'),
  alike: count('number of similar features, wherever they lie'),
  correspondences: list(correspondence, 'the similar features that agree on a place'),
};

export const explanation = object('with `explain` set to 1, see decisions.md', explanationFields);
export type Explanation = Static<typeof explanation>;

export const explainedImage = folded({ ...imageFields, explanation: Type.Optional(explanation) });

/** Why the only picture of `ids_list` was not found. */
export const whyNot = object(
  'with `explain` set to 1, where `ids_list` names one picture and the search does not find it',
  { id: string('the image_id'), ...explanationFields },
);

const total = count('number of matches, on this page or not; those in `copies` count');
const onePage = 'one page of them, best first';

/** The answer of a search without a picture. */
export const found = Type.Object({ nb_results_found: total, images: list(image, onePage) });

/** The answer of a search by colours. */
export const foldedFound = Type.Object({ nb_results_found: total, images: list(folded(imageFields), onePage) });

/** The answer of a search with a picture. */
export const explained = Type.Object({
  nb_results_found: total,
  truncated: onlyTrue(
    'only where the search needed too much work and ended early; `nb_results_found` then counts the matches up to there. ' +
      'No query made from a picture needs as much',
  ),
  images: list(explainedImage, onePage),
  ignored: Type.Optional(
    list(Type.String(), 'ids of the pictures of the ignore list that the query shows; absent for none'),
  ),
  why_not: Type.Optional(whyNot),
});

export const nothingFound = { nb_results_found: 0, images: [] };
