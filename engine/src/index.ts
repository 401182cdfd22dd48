export type { Picture } from './pixels/picture.ts';
export { grouped, prevalent } from './color/prevalent.ts';
export type { Fill, Grouping, Prevalent } from './color/prevalent.ts';
export type { Color } from './dna/palette.ts';
export { pdq, PDQ_BYTES } from './dna/pdq.ts';
export type { Pdq } from './dna/pdq.ts';
export { HashIndex } from './dna/hash-index.ts';
export type { NearHash } from './dna/hash-index.ts';
export { signedBytes, VECTOR_LENGTHS, writeNetworkDna } from './dna/network-similarity.ts';
export type { NetworkIdentity } from './dna/network-similarity.ts';
export { applicationTypes, definitionOf, typeDefinitions } from './types/types.ts';
export type { ApplicationType } from './types/types.ts';
export { DnaError, PlainPictureError } from './errors.ts';
export { PREPARED_QUERIES } from './partition/partition.ts';
export type {
  Candidates,
  Correspondence,
  Cut,
  Explanation,
  ImageNumber,
  Partition,
  QueryOptions,
  Ranking,
  Verdict,
  Verified,
  VerifyOptions,
} from './partition/partition.ts';
export type { ReferenceRecords } from './partition/records.ts';
export { MAX_PIECE_BYTES, SnapshotError, WRITTEN_SECTION } from './memory/section.ts';
export type { Section } from './memory/section.ts';
export { SNAPSHOT_VERSION } from './partition/snapshot.ts';
export type { Restorable } from './partition/snapshot.ts';
export { imagesOf, isAmong, selectionOf, selectionWith } from './partition/selection.ts';
export type { Selection } from './partition/selection.ts';
export type {
  RecordComparison,
  ReferenceTerms,
  StoredReference,
  TermRule,
  VotedReferences,
} from './partition/terms.ts';
export type { ColorCode, DescribeOptions, Side, Traits, TypeDefinition } from './types/type-definition.ts';
export { matchedRegions, withoutRegions } from './local/match/ignored-regions.ts';
export type { QueryRegion } from './local/match/ignored-regions.ts';
export { rejectWeaker } from './local/match/competing-matches.ts';
export { withMontages } from './local/match/montages.ts';
export { markSameDesigns } from './local/match/same-designs.ts';
export type { ReferenceQuality } from './local/reference-quality.ts';
export { SynchronousPartition } from './partition/synchronous.ts';
export { finished } from './steps.ts';
export type { Steps } from './steps.ts';
export type { BoxMatch, Quad, QuadMatch, Relation, ResultInfo, Similarity } from './partition/result-info.ts';
export { compare } from './compare/compare.ts';
export type { Comparison, Difference } from './compare/compare.ts';
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
export {
  isNetwork,
  MAX_NETWORK_BYTES,
  networkSpecOf,
  NETWORK_SIDES,
  openNetwork,
  writeNetwork,
} from './classify/network.ts';
export type { NetworkSpec, Network } from './classify/network.ts';
export { MIN_PICTURES_PER_CLASS, train } from './classify/training.ts';
export type { Report } from './classify/training.ts';
export { shippedProfiles } from './classify/shipped.ts';
export { fileTraces } from './traces/file-traces.ts';
export type { FileTraces, StoredPart } from './traces/file-traces.ts';
export { savedFrom } from './traces/jpeg-multiples.ts';
export { pairEdits } from './traces/pair-edits.ts';
export type { SideEdits } from './traces/pair-edits.ts';
export { missingDetail, SPECTRUM_BANDS } from './traces/spectrum.ts';
export type { Homography } from './geometry/homography.ts';
