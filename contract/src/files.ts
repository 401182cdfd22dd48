import Type, { type Static } from '#typebox';
import { optional } from './parameters/parameter.ts';
import { choice } from './parameters/text.ts';
import { count, list, object, string } from './schema.ts';

const choices = ['keep', 'trash', 'delete'] as const;
/** What becomes of the file of a picture that is removed. */
export type FileChoice = (typeof choices)[number];

/** Of operations that remove pictures. */
export const files = optional(
  choice(
    choices,
    'what becomes of the files of removed pictures that lie in writable sources: they stay (default), are moved to the folder `.trash` of their source, or are deleted; see sources.md',
    'trash',
  ),
);

const changes = object('what became of the files; missing where they stay', {
  changed: count('files that were moved or deleted'),
  kept: list(
    Type.Object({ image_id: string('which picture'), message: string('why') }),
    'files that are where they were, and why',
  ),
});
export type FileChanges = Static<typeof changes>;

/** Of the answers to such operations. */
export const changedFiles = Type.Optional(changes);
