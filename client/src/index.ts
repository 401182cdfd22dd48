export { Sosia, SosiaError } from './sosia.ts';
export type { Connection, Found, Image, SearchOptions } from './sosia.ts';
