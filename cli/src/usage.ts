/** A command line whose words are valid, but not together. */
export class UsageError extends Error {}
