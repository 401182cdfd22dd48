import { brandMonitoring } from './brandMonitoring.ts';
import { filter } from './filter.ts';
import { mediaMatching } from './mediaMatching.ts';
import { mobileMatching } from './mobileMatching.ts';
import type { Recipe } from './recipe.ts';
import type { ApplicationType } from './traits.ts';

/** The application types that stand. A type of `traits` that is missing here is not available yet. */
export const recipes: Readonly<Partial<Record<ApplicationType, Recipe>>> = {
  'media-matching': mediaMatching,
  'mobile-matching': mobileMatching,
  'brand-monitoring': brandMonitoring,
  filter,
};
