export * from './console.ts';
export { correspondence, explainedImage, explanation, image, whyNot, type Explanation, type Image } from './image.ts';
export { administration } from './administration/administration.ts';
export { auditEntry, type AuditEntry } from './administration/audit.ts';
export type { ShownKey } from './administration/keys.ts';
export type { ShownProfile } from './administration/profiles.ts';
export type { ShownSource, SourcePreview } from './administration/sources.ts';
export type { FileChanges, FileChoice } from './files.ts';
export { shownMetadata, type Condition, type Metadata, type Scalar } from './metadata.ts';
export { origin, sourceKinds, type Origin, type SourceKindName } from './origin.ts';
export { families, portOf, scopes } from './operation.ts';
export type { Family, Fields, Operation, Scope, Values } from './operation.ts';
export { operations, type Answers } from './operations.ts';
export {
  dna,
  picture,
  pictureOr,
  pictureOrElse,
  imageId,
  imageIdRule,
  imageIds,
  maxIdsInList,
  maxImageIdBytes,
  keywords,
  maxKeywordBytes,
  maxKeywords,
  someKeywords,
  metadataLimits,
} from './parameters/picture.ts';
export { colorForm, colors, maxColors, someColors } from './parameters/colors.ts';
export { integer, integerOr, span, addressOf, alternativeOf, isRequired, optional } from './parameters/parameter.ts';
export type { QueryColor, Form, Forms, Parameter, Parameters } from './parameters/parameter.ts';
export { box, boxMatch, type Box, type BoxMatch } from './result-info/box-match.ts';
export { quad, quadMatch, type Quad, type QuadMatch } from './result-info/quad-match.ts';
export type { HashFormat, HashMatch, ShownHashList } from './review/hash-lists.ts';
export type { IgnoredPicture } from './review/ignore-list.ts';
export type { MatchCount, MatchOrder } from './review/match-counts.ts';
export type { EventState, EventVerdict, ReviewedEvent, ShownEvent } from './review/events.ts';
export type { ShownSearch } from './review/saved-searches.ts';
export type { ShownWebhook } from './review/webhooks.ts';
export { reviewOperations } from './review/operations.ts';
export type { Bulk, ReviewGroup, ReviewKind, ReviewProgress, ShownVerdict, VerdictName } from './review/review.ts';
export { relation, type Relation } from './result-info/relation.ts';
export { resultInfo, resultInfos, type ResultInfo } from './result-info/result-info.ts';
export { similarity, type Similarity } from './result-info/similarity.ts';
export { similarityOf } from './similarity.ts';
export { failed, succeeded, type ErrorCode } from './status.ts';
