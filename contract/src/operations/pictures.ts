import Type from '#typebox';
import { changedFiles, files } from '../files.ts';
import { found, image, nothingFound } from '../image.ts';
import { shownMetadata } from '../metadata.ts';
import { modifyOperation, pictureOperation, queryOperation } from '../operation.ts';
import { dna, imageUrl, picture } from '../parameters/bytes.ts';
import { imageId } from '../parameters/image-id.ts';
import { flag } from '../parameters/integer.ts';
import { keywords, withKeywords } from '../parameters/keywords.ts';
import { metadata } from '../parameters/metadata.ts';
import { optional, optionals } from '../parameters/parameter.ts';
import { page } from '../parameters/search.ts';
import { choice } from '../parameters/text.ts';
import { count, list, object, string } from '../schema.ts';

/** Changes are made before the answer, so that no task is left to poll. */
const taskId = Type.Literal(0, { type: 'integer', description: 'always 0' });

export const addImage = modifyOperation({
  method: 'POST',
  about:
    'Adds a reference picture, as a file or as a DNA, never both. Every search that begins after the answer finds the picture. With `compare` 1 the reasons name a reference picture that is nearly the same. On Brand monitoring a picture with transparent parts (PNG, WebP) is a drawing without a background; other types compose it on white.',
  parameters: Type.Object({
    image_id: imageId,
    image_content: optional(picture),
    image_url: imageUrl,
    dna: optional(dna),
    keywords,
    metadata: optional(metadata),
    compare: flag('`reasons` names a nearly identical reference picture, which takes a search'),
  }),
  answer: Type.Object({
    task_id: taskId,
    grade: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 4,
        description: 'how well the picture can be matched, for the application types that grade',
      }),
    ),
    reasons: Type.Optional(list(Type.String(), 'what is missing for a better grade')),
  }),
  scope: 'add',
  success: 'Image added to the reference database',
  onFailure: { task_id: 0 },
});

export const deleteImage = modifyOperation({
  about: 'Deletes a reference picture. No search that begins after the answer finds the picture.',
  parameters: Type.Object({ image_id: imageId, files }),
  answer: Type.Object({ task_id: taskId, files: changedFiles }),
  changes: true,
  scope: 'delete',
  success: 'Image deleted from the reference database',
  onFailure: { task_id: 0 },
});

/** An addition to the interface. */
export const setKeywords = modifyOperation({
  scope: 'add',
  method: 'POST',
  about:
    'Replaces the keywords of a reference picture; without `keywords` it has none from then on. Every search that begins after the answer uses the new ones.',
  parameters: Type.Object({ image_id: imageId, keywords }),
  answer: Type.Object({ task_id: taskId, keywords: list(Type.String(), 'as given') }),
  success: 'Keywords replaced',
  onFailure: { task_id: 0 },
});

/** An addition to the interface. */
export const setMetadata = modifyOperation({
  scope: 'add',
  method: 'POST',
  about:
    'Replaces the metadata of a reference picture; without `metadata` it has none from then on. Every search that begins after the answer uses the new ones.',
  parameters: Type.Object({ image_id: imageId, metadata: optional(metadata) }),
  answer: Type.Object({ task_id: taskId, metadata: Type.Optional(shownMetadata) }),
  success: 'Metadata replaced',
  onFailure: { task_id: 0 },
});

export const getImageById = pictureOperation({
  about: 'Returns the stored data of a reference picture except its DNA.',
  parameters: Type.Object({ image_id: imageId }),
  answer: Type.Object({ image: object('the picture; `null` on failure', image.properties) }),
  onFailure: { image: null },
});

/** An addition to the interface, for clients that read all pictures: browsing, export. */
export const listImages = pictureOperation({
  about:
    'Lists the reference pictures, by default in the order of the bytes of image_id. With `keywords`, only those that have all of them. For a complete listing beside concurrent changes, pass the last id of each page as `after` of the next.',
  parameters: Type.Object({
    keywords: withKeywords,
    ...optionals({
      after: imageId,
      order: choice(
        ['id', 'latest'],
        '`id`: by image_id (default); `latest`: the last one that was added or changed comes first, without `after`',
      ),
    }),
    ...page,
  }),
  answer: Type.Object({
    ...found.properties,
    nb_results_found: count('number of pictures that come after `after`'),
  }),
  onFailure: nothingFound,
});

export const getDnaById = modifyOperation({
  about: 'Returns the DNA of a reference picture as base64 text, which AddImage and SearchImageByDna accept.',
  parameters: Type.Object({ image_id: imageId }),
  answer: Type.Object({
    dna: object('the DNA as base64 text; `null` on failure', {
      dna: Type.String({ contentEncoding: 'base64', description: 'the DNA' }),
      id: string('the image_id'),
    }),
  }),
  onFailure: { dna: null },
});

/** An addition to the interface, for clients without the engine that keep DNA instead of pictures. */
export const getDnaByUpload = queryOperation({
  method: 'POST',
  about: 'Returns the DNA of an uploaded picture as base64 text. Nothing is stored.',
  parameters: Type.Object({
    image_content: picture,
    image_url: imageUrl,
    ...optionals({
      side: choice(
        ['reference', 'query'],
        '`reference`: for AddImage (default); `query`: for SearchImageByDna, richer on most types',
      ),
    }),
  }),
  answer: Type.Object({ dna: Type.String({ contentEncoding: 'base64', description: 'the DNA; empty on failure' }) }),
  onFailure: { dna: '' },
});

/** An addition to the interface. */
export const getPdq = queryOperation({
  method: 'POST',
  about:
    'Returns the hash PDQ of an uploaded picture, which other services exchange and compare. Nothing is stored. Hashes that differ in at most 31 bits are mostly of the same picture.',
  parameters: Type.Object({ image_content: picture, image_url: imageUrl }),
  answer: Type.Object({
    pdq: Type.String({ description: 'the 256 bits as 64 hexadecimal digits; empty on failure' }),
    quality: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'how much the picture shows; a hash below 50 is too uncertain to match',
    }),
  }),
  onFailure: { pdq: '', quality: 0 },
});
