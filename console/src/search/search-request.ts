import type { Request } from '../api/call.ts';

/** A request that is answered with pictures, best first. */
export type SearchRequest = Request<
  'enginequery',
  'SearchImageByUpload' | 'SearchImageByDna' | 'SearchImageById' | 'SearchImageByKeywords' | 'SearchImageByColors'
>;
