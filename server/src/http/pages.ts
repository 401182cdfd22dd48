import { fail } from '../errors.ts';
import type { Answer } from './envelope.ts';
import { failure, headers, success } from './envelope.ts';
import type { HttpContext } from './context.ts';

/** An address that is no operation: it takes no key, and is read by GET. */
type Page = (context: HttpContext) => Answer | Promise<Answer>;

/** Whether requests are taken; for whatever stands in front of the service. */
const ready: Page = ({ stage }) => (stage === 'running' ? success('No error', {}) : failure(fail('SHUTTING_DOWN')));

/** Whether the process answers at all; for whatever starts it anew where it does not. */
const alive: Page = () => success('No error', {});

const metrics: Page = async ({ metrics: figures }) => {
  const type = { 'content-type': figures.contentType };
  return { http: 200, code: 0, headers: { ...headers, ...type }, body: Buffer.from(await figures.text()) };
};

export type Pages = ReadonlyMap<string, Page>;

/** What every listener serves beside the operations, by path. */
export const pages: Pages = new Map([
  ['/ready', ready],
  ['/readyz', ready],
  ['/healthz', alive],
]);

/** What tells of the service as a whole, and is served where the settings say. */
export const inside: Pages = new Map([['/metrics', metrics]]);
