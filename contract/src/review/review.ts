import Type, { type Static } from '#typebox';
import { changedFiles, files } from '../files.ts';
import { reviewOperation, named } from '../operation.ts';
import { origin } from '../origin.ts';
import { dna, imageUrl, picture } from '../parameters/bytes.ts';
import { imageId } from '../parameters/image-id.ts';
import { flag, integer } from '../parameters/integer.ts';
import { optional, optionals } from '../parameters/parameter.ts';
import { choice, text } from '../parameters/text.ts';
import { relation } from '../result-info/relation.ts';
import { count, list, nullable, object, oneOf, optionalObject, pageOf, percent, string } from '../schema.ts';
import { known, page } from './schemas.ts';

const kinds = ['duplicates', 'similar', 'wrong'] as const;
const groupVerdicts = ['keep', 'different', 'ignore', 'later'] as const;
const verdicts = [...groupVerdicts, 'same'] as const;
const bulks = ['clones', 'matches'] as const;
export type ReviewKind = (typeof kinds)[number];
export type VerdictName = (typeof verdicts)[number];
export type Bulk = (typeof bulks)[number];

const progress = object('progress of the review', {
  state: oneOf(['idle', 'running', 'stopped'], 'of the comparison'),
  compared: count('pictures that are compared with all others'),
  pictures: count('reference pictures'),
  duplicates: count('open groups of duplicates'),
  similar: count('open pairs of similar pictures'),
  wrong: count('open matches that were marked as wrong'),
  later: count('groups that were put off'),
  judged: count('verdicts'),
});
export type ReviewProgress = Static<typeof progress>;

const groupImage = Type.Object({
  id: string('the image_id'),
  keywords: list(Type.String(), 'as given'),
  score: Type.Number({
    description: 'of its match with the picture to keep; where there is none, of its best match in the group',
  }),
  similarity: percent('of this match, in per cent'),
  decision: string('of this match; empty for types without decisions'),
  relation: Type.Optional(relation),
  width: known('pixels'),
  height: known('pixels'),
  bytes: known('size of the file'),
  grade: known('how well the picture can be matched, 0 to 4'),
  added: nullable(Type.String(), 'ISO 8601, UTC; null where it is not known'),
  origin: Type.Optional(origin),
});

const group = Type.Object({
  id: string('names the group as long as it has the same pictures'),
  kind: oneOf(kinds, 'duplicates, similar or wrong'),
  state: oneOf(['open', 'later'], 'open, or put off'),
  images: list(groupImage, 'by id'),
  query: optionalObject('of a false match: the query, where it is no reference picture', {
    id: string('`dna:` and the digest of its DNA, by which verdicts name it'),
    thumbnail: Type.Optional(string('a small JPEG in base64')),
  }),
  keep: string('image_id of the picture that is proposed to keep'),
  reason: string('why this one'),
});
export type ReviewGroup = Static<typeof group>;

const verdict = Type.Object({
  id: string('names the verdict'),
  verdict: oneOf(verdicts, 'keep, different, ignore, later, or same of an event'),
  kind: oneOf(kinds, 'of the group'),
  images: list(Type.String(), 'image_ids of the group'),
  kept: nullable(Type.String(), 'with the verdict keep'),
  at: string('ISO 8601, UTC'),
  who: string('name of the key'),
  files: Type.Optional(
    oneOf(['trash', 'delete'], 'with the verdict keep: what became of the files of the others in writable sources'),
  ),
  removed: Type.Optional(
    list(
      Type.Object({
        id: string('the image_id'),
        thumbnail: nullable(Type.String(), 'a small JPEG in base64'),
      }),
      'with `thumbnails` set to 1: the removed pictures',
    ),
  ),
});
export type ShownVerdict = Static<typeof verdict>;

const groups = text('ids of groups, separated by `;`', { example: '0123456789abcdef', maxLength: 20_000 });
const ids = text('ids of verdicts, separated by `;`', { example: '00000001', maxLength: 20_000 });

/** In the order of the documents. */
export const groupOperations = named({
  startReview: reviewOperation({
    method: 'POST',
    about:
      'Compares the pictures that are new since the last comparison with all others, in the background. The comparison continues after a restart of the service.',
    parameters: Type.Object({ again: flag('all pictures are compared again, not only new ones') }),
    answer: Type.Object({ review: progress }),
  }),

  stopReview: reviewOperation({
    method: 'POST',
    about: 'Stops the comparison; StartReview continues it.',
    parameters: Type.Object({}),
    answer: Type.Object({ review: progress }),
  }),

  getReview: reviewOperation({
    about: 'Reports the progress of the review.',
    parameters: Type.Object({}),
    answer: Type.Object({ review: progress }),
  }),

  listGroups: reviewOperation({
    about:
      'Lists groups of pictures to be judged: duplicates (Clone or Match), similar pairs, or matches that were marked as wrong. The order is that of the ids of their first pictures.',
    parameters: Type.Object({
      ...optionals({
        kind: choice(kinds, 'which groups; default `duplicates`'),
        state: choice(['open', 'later'], 'default `open`'),
        bulk: choice(
          bulks,
          'only groups that may be judged together. `clones`: every picture is a Clone of the one to keep; `matches`: or a Match with a similarity of 80 or more',
        ),
      }),
      min_similarity: integer({ minimum: 0, maximum: 100 }, 0, 'only groups with a match of at least this similarity'),
      contains: optional(text('only groups with this text in an id or a keyword', { example: 'summer' })),
      ...page,
    }),
    ...pageOf('groups', group, 'number of groups, on this page or not'),
  }),

  judge: reviewOperation({
    scope: 'add',
    method: 'POST',
    about:
      'Judges groups. `keep` removes all pictures of a group but one, and needs the scope `delete` too; `different` and `ignore` mean that no two of its pictures match; `later` puts the group off. A match of an uploaded picture cannot be judged `keep`. A file stays where the picture to keep has no source. UndoVerdict takes a verdict back.',
    parameters: Type.Object({
      groups,
      verdict: choice(groupVerdicts, 'the verdict', 'different'),
      keep: optional(imageId),
      files,
    }),
    answer: Type.Object({
      verdicts: list(Type.String(), 'ids of the verdicts, in the order of the groups'),
      removed: count('removed pictures'),
      files: changedFiles,
    }),
  }),

  undoVerdict: reviewOperation({
    scope: 'add',
    method: 'POST',
    about: 'Takes verdicts back, adds the pictures again that they removed, and moves their files back from the trash.',
    parameters: Type.Object({ verdicts: ids }),
    answer: Type.Object({ restored: count('pictures that were added again'), files: changedFiles }),
  }),

  listVerdicts: reviewOperation({
    about: 'Lists the verdicts, the latest first.',
    parameters: Type.Object({
      verdict: optional(choice(verdicts, 'only these')),
      contains: optional(text('only verdicts with this text in an id', { example: 'summer' })),
      thumbnails: flag('each verdict has `removed`'),
      ...page,
    }),
    ...pageOf('verdicts', verdict, 'number of verdicts'),
  }),

  importVerdicts: reviewOperation({
    scope: 'add',
    method: 'POST',
    about:
      'Adds verdicts of another application or installation, as ListVerdicts returns them. A verdict on the same pictures exists once. Nothing is removed by the verdict `keep`, which is left out.',
    parameters: Type.Object({
      verdicts: text('JSON: a list of objects with `verdict` and `images`', {
        example: '[{"verdict":"different","images":["harbour.jpg","bridge.jpg"]}]',
        maxLength: 2_000_000,
      }),
    }),
    answer: Type.Object({ imported: count('verdicts that were added') }),
  }),

  markWrong: reviewOperation({
    scope: 'add',
    method: 'POST',
    about:
      'Marks the match of a reference picture with a query as wrong, so that ListGroups lists it for review. The query is another reference picture, a file or a DNA.',
    parameters: Type.Object({
      image_id: imageId,
      query_id: optional(imageId),
      image_content: optional(picture),
      image_url: imageUrl,
      dna: optional(dna),
    }),
    answer: Type.Object({ group: string('id of the group') }),
  }),
});
