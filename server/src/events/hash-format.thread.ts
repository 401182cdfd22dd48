import { Failure } from '../errors.ts';
import { serveThread } from '../workers/thread.ts';
import { parseHashes, type ParsedHashes } from './hash-format.ts';

/** An error would lose its name on the way. */
const jobs = {
  parse(file: Uint8Array): ParsedHashes | Pick<Failure, 'error' | 'detail'> {
    try {
      return parseHashes(file);
    } catch (cause) {
      if (cause instanceof Failure) return { error: cause.error, detail: cause.detail };
      throw cause;
    }
  },
};
export type FormatJobs = typeof jobs;

serveThread(jobs);
