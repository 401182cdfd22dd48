import Type, { type Static } from '#typebox';
import { object, oneOf, onlyTrue, pair, string } from './schema.ts';

export const sourceKinds = ['folder', 'bucket', 'web', 'archive', 'films'] as const;
export type SourceKindName = (typeof sourceKinds)[number];

/** Where a picture of a source lies. */
export const origin = object('where the picture lies, if a source brought it, see sources.md', {
  source: string('name of the source'),
  kind: oneOf(sourceKinds, 'kind of the source'),
  path: Type.Optional(string('of a folder, and of its films: the path below it')),
  time: Type.Optional(Type.Number({ minimum: 0, description: 'of a film: seconds from its beginning' })),
  interval: Type.Optional(
    pair('of a film, with `fold` set to 1: the times of the first and the last still of the scene that match'),
  ),
  bucket: Type.Optional(string('of a bucket: its name')),
  key: Type.Optional(string('of a bucket: the key of the object')),
  address: Type.Optional(string('on the web and in an archive: the address of the picture')),
  writable: onlyTrue('whether removing the picture may also move or delete its file, see `files` of DeleteImage'),
});
export type Origin = Static<typeof origin>;
