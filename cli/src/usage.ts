/** A command line that is in order word by word and cannot be used as a whole. */
export class UsageError extends Error {}
