import { createHash } from 'node:crypto';
import type { Heading } from './markdown.ts';

const style = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #dfe4ea; --paper: #fff; --tint: #f4f6f9; --accent: #1f5fbf; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e8ee; --soft: #9aa7b6; --line: #2c3541; --paper: #12161c; --tint: #1a2029; --accent: #7fb2ff; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); display: grid; grid-template-columns: 15rem minmax(0, 56rem); gap: 0 3rem; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; padding: 1.5rem 0 2rem 1.5rem; font-size: 14px; }
nav strong { font-size: 17px; }
nav ul { list-style: none; margin: 0.8rem 0; padding: 0; }
nav li { margin: 0.15rem 0; }
nav li.in { padding-left: 0.9rem; }
nav h2 { font-size: 12px; text-transform: uppercase; letter-spacing: 0.05em; color: var(--soft); margin: 1.1rem 0 0.2rem; padding: 0; border: 0; }
img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px; }
nav a { color: var(--soft); text-decoration: none; }
nav a:hover, nav a[aria-current] { color: var(--ink); text-decoration: underline; }
main { padding: 1.5rem 1.5rem 4rem 0; }
main > * { max-width: 100%; }
.up { display: none; margin: 0 0 1rem; font-size: 14px; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.35rem; margin: 2.6rem 0 0.8rem; padding-bottom: 0.3rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.08rem; margin: 2.2rem 0 0.5rem; }
.here { color: var(--line); text-decoration: none; font-weight: normal; }
.here:hover, .here:focus { color: var(--accent); }
a { color: var(--accent); }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
code { font: 0.88em/1.5 ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace; background: var(--tint); border-radius: 3px; padding: 0.08em 0.3em; overflow-wrap: break-word; }
pre { background: var(--tint); border: 1px solid var(--line); border-radius: 6px; padding: 0.8rem 1rem; overflow-x: auto; white-space: pre-wrap; }
pre code { background: none; padding: 0; }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; width: 100%; font-size: 0.93em; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.9rem 0.4rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; }
@media (max-width: 60rem) { body { display: flex; flex-direction: column; } main { padding: 1rem 1.2rem 2rem; width: 100%; } nav { order: 2; position: static; max-height: none; padding: 1rem 1.2rem 2rem; border-top: 1px solid var(--line); } nav li.in { display: none; } nav ul { display: flex; flex-wrap: wrap; gap: 0 1rem; margin: 0.2rem 0; } nav li { margin: 0.3rem 0; } .up { display: block; } pre { font-size: 14px; } }
@media print { nav, .here { display: none; } body { display: block; } }
`;

/** Only the page itself: no script, nothing from other sites, no embedding in frames. */
export const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Pages under a title: address and name of each. */
export interface Group {
  readonly title: string;
  readonly pages: readonly (readonly [string, string])[];
}

/**
 * A complete page around its content.
 * @param groups  all pages, for the side
 * @param own  the address of this one, below which its headings are listed
 */
export function shell(
  title: string,
  html: string,
  headings: readonly Heading[],
  groups: readonly Group[],
  own: string,
): string {
  const family = /, (MODIFY|QUERY).*/; // of an operation in its heading
  const within = headings.filter(({ level, text }) => level === 2 || (level === 3 && family.test(text)));
  const contents = within
    .map(({ text, anchor }) => `<li class="in"><a href="#${anchor}">${text.replace(family, '')}</a></li>`)
    .join('');
  const listed = groups.map(({ title, pages }) => {
    const items = pages.map(([address, name]) => {
      const current = address === own;
      return `<li><a href="${address}"${current ? ' aria-current="page"' : ''}>${name}</a></li>${current ? contents : ''}`;
    });
    return `${title === '' ? '' : `<h2>${title}</h2>`}<ul>${items.join('')}</ul>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Sosia</title>
<style>${style}</style>
</head>
<body>
<nav id="pages" aria-label="Pages"><strong>Sosia</strong>${listed.join('\n')}<ul><li><a href="/openapi.json">OpenAPI 3.1</a></li></ul></nav>
<main>
<p class="up"><a href="/docs">Sosia</a> · <a href="#pages">all pages</a></p>
${html}
</main>
</body>
</html>
`;
}
