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
export {
  box,
  boxMatch,
  quad,
  quadMatch,
  relation,
  resultInfo,
  resultInfos,
  similarity,
  type Box,
  type BoxMatch,
  type Quad,
  type QuadMatch,
  type Relation,
  type ResultInfo,
  type Similarity,
} from './result-info/result-info.ts';
export type { HashFormat, HashMatch, ShownHashList } from './review/hash-lists.ts';
export type {
  IgnoredPicture,
  MatchCount,
  MatchOrder,
  Bulk,
  ReviewGroup,
  ReviewKind,
  ReviewProgress,
  ShownVerdict,
  VerdictName,
} from './review/review.ts';
export type {
  EventState,
  EventVerdict,
  ReviewedEvent,
  ShownEvent,
  ShownSearch,
  ShownWebhook,
} from './review/events.ts';
export { reviewOperations } from './review/operations.ts';
export { similarityOf } from './similarity.ts';
export { failed, succeeded, type ErrorCode } from './status.ts';
