import { brandMonitoring } from './brand-monitoring.ts';
import { colorSimilarity } from './color-similarity.ts';
import { filter } from './filter.ts';
import { imageSimilarity } from './image-similarity.ts';
import { mediaMatching } from './media-matching.ts';
import { mobileMatching } from './mobile-matching.ts';
import type { Recipe } from './recipe.ts';
import type { ApplicationType } from './traits.ts';

/** The application types that stand. A type of `traits` that is missing here is not available yet. */
export const recipes: Readonly<Partial<Record<ApplicationType, Recipe>>> = {
  'image-similarity': imageSimilarity,
  'color-similarity': colorSimilarity,
  'mobile-matching': mobileMatching,
  'media-matching': mediaMatching,
  'brand-monitoring': brandMonitoring,
  filter,
};
