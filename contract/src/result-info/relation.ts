import type { Static } from 'typebox';
import Type from 'typebox';

/** What two pictures have in common, see docs/decisions.md. */
export const relation = Type.Enum(
  ['copy', 'part', 'montage', 'same frame', 'same form', 'same design', 'other view', 'related'],
  { type: 'string', description: 'what both have in common, see decisions.md' },
);
export type Relation = Static<typeof relation>;
