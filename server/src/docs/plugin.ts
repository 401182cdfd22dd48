import { fileURLToPath } from 'node:url';
import { headers, type Answer } from '../http/envelope.ts';
import type { Plugin } from '../http/plugin.ts';
import { openapiDocument, type Ports } from './openapi.ts';
import { policy } from './shell.ts';
import { DocumentationSite } from './site.ts';

/** The pages, in a clone and in the package. */
const folder = fileURLToPath(new URL('../../../docs/', import.meta.url));

/** The pages of docs/ at /docs, without scripts and without external resources; and the OpenAPI document for programs. */
export function documentation(): Plugin {
  const site = new DocumentationSite(folder);
  const openapi = openapiOnce();
  return (app, { context }, done) => {
    const serve = (url: string, answer: () => Answer): unknown =>
      app.route({ method: ['GET', 'HEAD'], url, handler: async () => answer() });
    const html = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
    for (const address of site.addresses) serve(address, () => answerOf(site.page(address), html));
    for (const [address, picture] of site.pictures) {
      serve(address, () => answerOf(picture, { 'content-type': 'image/jpeg' }));
    }
    serve('/openapi.json', () => answerOf(openapi(context)));
    done();
  };
}

/** The document is as large as all others together and depends on the ports alone, which are known once they are open. */
function openapiOnce(): (ports: Ports) => Uint8Array {
  let made: { readonly ports: string; readonly body: Uint8Array } | undefined;
  return ({ modifyPort, queryPort }) => {
    const ports = `${modifyPort} ${queryPort}`;
    if (made?.ports !== ports) {
      made = { ports, body: Buffer.from(JSON.stringify(openapiDocument({ modifyPort, queryPort }))) };
    }
    return made.body;
  };
}

function answerOf(body: Uint8Array, own: Readonly<Record<string, string>> = {}): Answer {
  return { http: 200, headers: { ...headers, ...own }, body };
}
