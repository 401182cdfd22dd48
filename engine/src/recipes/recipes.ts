import { brandMonitoring } from './brandMonitoring.ts';
import { colorSimilarity } from './colorSimilarity.ts';
import { filter } from './filter.ts';
import { imageSimilarity } from './imageSimilarity.ts';
import { mediaMatching } from './mediaMatching.ts';
import { mobileMatching } from './mobileMatching.ts';
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
