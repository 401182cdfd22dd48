import { brandMonitoring } from './brand-monitoring.ts';
import { colorSimilarity } from './color-similarity.ts';
import { filter } from './filter.ts';
import { imageSimilarity } from './image-similarity.ts';
import { mediaMatching } from './media-matching.ts';
import { mobileMatching } from './mobile-matching.ts';
import type { TypeDefinition } from './type-definition.ts';

/**
 * A new application type is a file beside this one and a row here. A type with DNA of its own also adds its kinds in `dna/`.
 * The order is that of the documentation.
 */
const table = {
  'image-similarity': imageSimilarity,
  'color-similarity': colorSimilarity,
  'mobile-matching': mobileMatching,
  'media-matching': mediaMatching,
  'brand-monitoring': brandMonitoring,
  filter,
};

export type ApplicationType = keyof typeof table;

export const typeDefinitions: Readonly<Record<ApplicationType, TypeDefinition>> = table;

export const applicationTypes = Object.keys(table) as ApplicationType[];
