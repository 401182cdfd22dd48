import type { Answers } from '@sosia/contract';

export type { AdministratorInfo, ApplicationActivity, ApplicationStatus, Session, SessionInfo } from '@sosia/contract';

export interface Envelope {
  readonly status: { readonly code: number; readonly message: string };
}

type Query = Answers['enginequery'];

/** A search with a picture; other searches have the same answer without explanations. */
export type Found = Query['SearchImageByUpload'];
export type Image = Found['images'][number];
export type Explanation = NonNullable<Image['explanation']>;
export type Correspondence = Explanation['correspondences'][number];
/** Fractions of width and height. */
export type Point = Correspondence['query'];
export type Compared = Query['FineComparison'];
export type Region = Compared['regions'][number];

type Administration = Answers['administration'];
export type Application = Administration['GetApplication']['application'];
export type Key = Administration['SetKey']['key'];
