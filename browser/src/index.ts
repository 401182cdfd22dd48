export { Engine, EngineError } from './engine.ts';
export type { EngineOptions } from './engine.ts';
export type { Content, Fault, MatchingType, PairMatch, Side } from './protocol.ts';
