export type { Color, PaletteColor } from './colors.ts';
export type { Box, Comparison, Region } from './comparison.ts';
export type { Explanation, Found, Image, Narrowing, Page, SearchOptions } from './images.ts';
export type { Operations } from './operations.ts';
export type { Patience } from './retry.ts';
export { Sosia } from './sosia.ts';
export type { Added, Deleted, Grade, NewImage, Side } from './sosia.ts';
export { ConnectionError, SosiaError } from './wire.ts';
export type { Connection, Family } from './wire.ts';
