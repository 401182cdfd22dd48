import type { Static } from '#typebox';
import Type from '#typebox';
import { object, oneOf, string } from './schema.ts';

export const sourceKinds = ['folder', 'bucket', 'web', 'archive'] as const;
export type SourceKindName = (typeof sourceKinds)[number];

/** Where a picture of a source lies. */
export const origin = object('where the picture lies, if a source brought it, see sources.md', {
  source: string('name of the source'),
  kind: oneOf(sourceKinds, 'kind of the source'),
  path: Type.Optional(string('of a folder: the path below it')),
  bucket: Type.Optional(string('of a bucket: its name')),
  key: Type.Optional(string('of a bucket: the key of the object')),
  address: Type.Optional(string('on the web and in an archive: the address of the picture')),
});
export type Origin = Static<typeof origin>;
