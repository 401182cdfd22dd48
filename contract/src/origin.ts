import type { Static } from 'typebox';
import Type from 'typebox';

export const sourceKinds = ['folder', 'bucket', 'web', 'archive'] as const;
export type SourceKindName = (typeof sourceKinds)[number];

/** Where a picture of a source lies. */
export const origin = Type.Object(
  {
    source: Type.String({ description: 'name of the source' }),
    kind: Type.Enum([...sourceKinds], { type: 'string', description: 'kind of the source' }),
    path: Type.Optional(Type.String({ description: 'of a folder: the path below it' })),
    bucket: Type.Optional(Type.String({ description: 'of a bucket: its name' })),
    key: Type.Optional(Type.String({ description: 'of a bucket: the key of the object' })),
    address: Type.Optional(Type.String({ description: 'on the web and in an archive: the address of the picture' })),
  },
  { description: 'where the picture lies, if a source brought it, see sources.md' },
);
export type Origin = Static<typeof origin>;
