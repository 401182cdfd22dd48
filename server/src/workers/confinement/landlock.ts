/** Versions of Landlock's interface, and what each can take away (include/uapi/linux/landlock.h). */
const fileRights = [13, 14, 15, 15, 16]; // bits by version, from 1; later versions have as many as the last
const TCP_SINCE = 4;
const SCOPES_SINCE = 6;
const TCP = 0b11n; // bind, connect
const SCOPES = 0b11n; // abstract Unix sockets, signals

/**
 * `struct landlock_ruleset_attr` that handles all rights of a version, so that a ruleset without a rule allows nothing. It holds
 * for the thread that calls and for those that start later; the filter of system calls holds for all threads.
 */
export function strictestRuleset(version: number): Buffer {
  const bits = fileRights[Math.min(version, fileRights.length) - 1]!;
  const fields = [2n ** BigInt(bits) - 1n];
  if (version >= TCP_SINCE) fields.push(TCP);
  if (version >= SCOPES_SINCE) fields.push(SCOPES);
  const bytes = Buffer.alloc(8 * fields.length);
  fields.forEach((field, i) => bytes.writeBigUInt64LE(field, 8 * i));
  return bytes;
}
