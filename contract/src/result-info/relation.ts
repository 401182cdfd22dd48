import type { Static } from '#typebox';
import { oneOf } from '../schema.ts';

export const relations = [
  'copy',
  'part',
  'montage',
  'same frame',
  'same form',
  'same design',
  'other view',
  'related',
] as const;

/** What two pictures have in common, see docs/decisions.md. */
export const relation = oneOf(relations, 'what both have in common, see decisions.md');
export type Relation = Static<typeof relation>;
