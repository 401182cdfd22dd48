import type { Request } from '../../api/call.ts';

/** A request whose answer is a list of pictures, best first. */
export type SearchRequest = Request<
  'enginequery',
  'SearchImageByUpload' | 'SearchImageByDna' | 'SearchImageById' | 'SearchImageByKeywords' | 'SearchImageByColors'
>;
