export type { Luma, Picture } from './pixels/picture.ts';
export { grouped, prevalent } from './features/prevalent.ts';
export type { Fill, Grouping, Prevalent } from './features/prevalent.ts';
export type { Color } from './features/palette.ts';
export { applicationTypes, traits } from './recipes/traits.ts';
export type { ApplicationType, Traits } from './recipes/traits.ts';
export { DnaError, PlainPictureError, QUESTIONS } from './recipes/recipe.ts';
export type {
  Candidate,
  Correspondence,
  Explanation,
  ColorCode,
  Cut,
  DescribeOptions,
  Grade,
  ImageNumber,
  Partition,
  QueryOptions,
  Ranking,
  Recipe,
  Side,
  Verdict,
  Verified,
} from './recipes/recipe.ts';
export { AtOnce } from './recipes/at-once.ts';
export { finished } from './steps.ts';
export type { Steps } from './steps.ts';
export { recipes } from './recipes/recipes.ts';
export type { BoxMatch, Quad, QuadMatch, ResultInfo, Similarity } from './recipes/result-info.ts';
export { compare } from './compare/compare.ts';
export type { Box, Comparison, Difference } from './compare/compare.ts';
export { LOOKS, looksOf } from './profiles/looks.ts';
export {
  isProfileName,
  openProfile,
  ProfileError,
  scoreOf as profileScoreOf,
  writeProfile,
} from './profiles/profile.ts';
export type { Profile } from './profiles/profile.ts';
export { isNetwork, LARGEST_NETWORK, mannerOf, NETWORK_SIDES, openNetwork, writeNetwork } from './profiles/network.ts';
export type { Manner, Network } from './profiles/network.ts';
export { FEWEST, train } from './profiles/training.ts';
export type { Report } from './profiles/training.ts';
export { shippedProfiles } from './profiles/shipped.ts';
