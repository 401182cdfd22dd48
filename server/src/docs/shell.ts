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
nav a { color: var(--soft); text-decoration: none; }
nav a:hover, nav a[aria-current] { color: var(--ink); text-decoration: underline; }
main { padding: 1.5rem 1.5rem 4rem 0; }
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
@media (max-width: 60rem) { body { display: block; } nav { position: static; max-height: none; padding: 1rem 1.2rem 0; } nav li.in { display: none; } nav ul { display: flex; flex-wrap: wrap; gap: 0 1rem; } main { padding: 1rem 1.2rem 3rem; } }
@media print { nav, .here { display: none; } body { display: block; } }
`;

/** Only the page itself: no script, nothing from other sites, no embedding in frames. */
export const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** A complete page around its content. @param pages  the other pages: address and name */
export function shell(
  title: string,
  html: string,
  headings: readonly Heading[],
  pages: readonly [string, string][],
): string {
  const [own] = pages.find(([, name]) => name === title) ?? [];
  const within = headings.filter(({ level }) => level === 2 || level === 3);
  const contents = within.map(({ level, text, anchor }) => {
    return `<li${level === 3 ? ' class="in"' : ''}><a href="#${anchor}">${text.replace(/, (MODIFY|QUERY).*/, '')}</a></li>`;
  });
  const others = pages.map(([address, name]) => {
    return `<li><a href="${address}"${address === own ? ' aria-current="page"' : ''}>${name}</a></li>`;
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
<nav aria-label="Pages"><strong>Sosia</strong><ul>${others.join('')}<li><a href="/openapi.json">OpenAPI 3.1</a></li></ul><ul>${contents.join('\n')}</ul></nav>
<main>
${html}
</main>
</body>
</html>
`;
}
