import { fail } from '../errors.ts';
import { shareOf, textOf, type Loading } from '../applications/references.ts';
import type { HttpContext } from './context.ts';
import { failure, headers, success } from './envelope.ts';
import type { Plugin } from './plugin.ts';

/**
 * For load balancers, whether the service accepts requests; for supervisors, whether the process answers. Both report
 * the progress of a start.
 */
export const health: Plugin = (app, { context }, done) => {
  for (const url of ['/ready', '/readyz']) {
    app.get(url, async () => {
      if (context.stage !== 'running') throw fail('SHUTTING_DOWN');
      const outage = context.outage();
      if (outage) return { ...failure(outage), http: 503 };
      const loading = progressOf(context);
      if (!loading) return success('No error', {});
      return failure(fail('LOADING', textOf(loading)), { loading });
    });
  }
  app.get('/healthz', async () => {
    const loading = progressOf(context);
    return success('No error', { loading });
  });
  done();
};

function progressOf({ loading }: HttpContext): (Loading & { share: number }) | undefined {
  const progress = loading();
  return progress && { ...progress, share: shareOf(progress) };
}

/** Milliseconds between two readings of the metrics. */
const INTERVAL = 1_000;

/** The metrics in Prometheus' text format, at most a second old. */
export const exposition: Plugin = (app, { context: { metrics } }, done) => {
  let last: { readonly at: number; readonly body: Promise<Buffer> } | undefined;
  app.get('/metrics', async () => {
    const now = performance.now();
    if (!last || now - last.at >= INTERVAL) last = { at: now, body: metrics.text().then((text) => Buffer.from(text)) };
    const type = { 'content-type': metrics.contentType };
    return { http: 200, headers: { ...headers, ...type }, body: await last.body };
  });
  done();
};
