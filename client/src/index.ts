export { sideBySide } from './bulk.ts';
export type { Color, PaletteColor } from './colors.ts';
export type { Compared, Comparison, Region } from './comparison.ts';
export { errorCodes, type ErrorName } from './error-codes.generated.ts';
export { Events } from './events.ts';
export type {
  Event,
  EventOptions,
  EventVerdict,
  ReviewedEvent,
  SavedQuery,
  SavedSearch,
  SaveOptions,
} from './events.ts';
export type { FileContent, Picture } from './form.ts';
export { Hashes, type HashEntry, type HashList, type HashMatch, type HashQuery } from './hashes.ts';
export type { Metadata } from './metadata.ts';
export type { Found, Image, Narrowing, Page, SearchOptions } from './images.ts';
export type { Answers, Correspondence, Explanation, Operations, WireImage } from './operations.generated.ts';
export { relations } from './result-info.generated.ts';
export type { Box, BoxMatch, Quad, QuadMatch, Relation, ResultInfo, Similarity } from './result-info.generated.ts';
export type { Patience } from './retry.ts';
export { Review } from './review.ts';
export type {
  Content,
  GroupOptions,
  IgnoredPicture,
  MatchCount,
  ReviewGroup,
  ReviewProgress,
  Verdict,
  VerdictName,
} from './review.ts';
export { Sosia } from './sosia.ts';
export type { Added, AddOptions, BulkOptions, Deleted, FileChanges, Grade, NewImage, RemoveOptions } from './sosia.ts';
export { Webhooks, type Webhook } from './webhooks.ts';
export { ConnectionError, SosiaError, type Connection, type Family, type NameIn } from './wire.ts';
