export { ConnectionError, Sosia, SosiaError } from './sosia.ts';
export type { Added, Connection, Found, Image, NewImage, SearchOptions } from './sosia.ts';
export type { Patience } from './retry.ts';
