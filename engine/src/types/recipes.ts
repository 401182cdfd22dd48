import { brandMonitoring } from './brand-monitoring.ts';
import { colorSimilarity } from './color-similarity.ts';
import { filter } from './filter.ts';
import { imageSimilarity } from './image-similarity.ts';
import { mediaMatching } from './media-matching.ts';
import { mobileMatching } from './mobile-matching.ts';
import type { Recipe } from './recipe.ts';
import type { ApplicationType } from './traits.ts';

/** One recipe for each application type. */
export const recipes: Readonly<Record<ApplicationType, Recipe>> = {
  'image-similarity': imageSimilarity,
  'color-similarity': colorSimilarity,
  'mobile-matching': mobileMatching,
  'media-matching': mediaMatching,
  'brand-monitoring': brandMonitoring,
  filter,
};
