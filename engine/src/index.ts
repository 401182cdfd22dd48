export type { Picture } from './pixels/picture.ts';
export { grouped, prevalent, type Fill, type Grouping, type Prevalent } from './color/prevalent.ts';
export type { Color } from './dna/palette.ts';
export { pdq, PDQ_BYTES, type Pdq } from './dna/pdq.ts';
export { HashIndex, type NearHash } from './dna/hash-index.ts';
export { signedBytes, VECTOR_LENGTHS, writeNetworkDna, type NetworkIdentity } from './dna/network-similarity.ts';
export { applicationTypes, definitionOf, typeDefinitions, type ApplicationType } from './types/types.ts';
export { DnaError, PlainPictureError } from './errors.ts';
export * from './partition/partition.ts';
export type { ReferenceRecords } from './partition/records.ts';
export { MAX_PIECE_BYTES, SnapshotError, WRITTEN_SECTION, type Section } from './memory/section.ts';
export { SNAPSHOT_VERSION, type Restorable } from './partition/snapshot.ts';
export { imagesOf, isAmong, selectionOf, selectionWith, type Selection } from './partition/selection.ts';
export type * from './partition/terms.ts';
export type { ColorCode, DescribeOptions, Side, Traits, TypeDefinition } from './types/type-definition.ts';
export { matchedRegions, withoutRegions, type QueryRegion } from './local/match/ignored-regions.ts';
export { rejectWeaker } from './local/match/competing-matches.ts';
export { withMontages } from './local/match/montages.ts';
export { markSameDesigns } from './local/match/same-designs.ts';
export type { ReferenceQuality } from './local/reference-quality.ts';
export { SynchronousPartition } from './partition/synchronous.ts';
export { finished, type Steps } from './steps.ts';
export type { BoxMatch, Quad, QuadMatch, Relation, ResultInfo, Similarity } from './partition/result-info.ts';
export { compare, type Comparison, type Difference } from './compare/compare.ts';
export type { Box } from './geometry/frame.ts';
export { EMBEDDING_LENGTH, embeddingOf } from './classify/embedding.ts';
export {
  isProfileName,
  openProfile,
  ProfileError,
  scoreOf as profileScoreOf,
  writeProfile,
} from './classify/profile.ts';
export type { Profile } from './classify/profile.ts';
export * from './classify/network.ts';
export { MIN_PICTURES_PER_CLASS, train, type Report } from './classify/training.ts';
export { shippedProfiles } from './classify/shipped.ts';
export { fileTraces, type FileTraces, type StoredPart } from './traces/file-traces.ts';
export { savedFrom } from './traces/jpeg-multiples.ts';
export { pairEdits, type SideEdits } from './traces/pair-edits.ts';
export { missingDetail, SPECTRUM_BANDS } from './traces/spectrum.ts';
export type { Homography } from './geometry/homography.ts';
