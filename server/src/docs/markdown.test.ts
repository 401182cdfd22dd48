import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anchorOf, htmlOf } from './markdown.ts';

const script = new URL('../../../scripts/reference-pages.mjs', import.meta.url).href;
const { table } = (await import(script)) as { table: (head: string[], rows: string[][]) => string };

const local = (target: string) => (target.startsWith('/') ? target : undefined);
const html = (markdown: string) => htmlOf(markdown, { link: local, picture: local }).html;

test('headings, paragraphs, lists, code, links and bold', () => {
  const markdown =
    '## A `b`, c\n\nOne **two** [three](/four) [five](six.md)\nlines.\n\n- a\n  b\n- `c`\n\nd\n\n    x <y>\n\n```sh\na\n\n# b\n```\nend';
  const { headings } = htmlOf(markdown, { link: () => undefined, picture: () => undefined });
  assert.deepEqual(headings, [{ level: 2, text: 'A b, c', anchor: 'a-b-c' }]);
  const lines = html(markdown);
  assert.match(lines, /<h2 id="a-b-c">A <code>b<\/code>, c /);
  assert.match(lines, /<p>One <strong>two<\/strong> <a href="\/four">three<\/a> five\nlines\.<\/p>/);
  assert.match(lines, /<ul>\n<li>a\nb<\/li>\n<li><code>c<\/code><\/li>\n<\/ul>/);
  assert.match(lines, /<pre><code>x &lt;y&gt;<\/code><\/pre>/);
  assert.match(lines, /<pre><code>a\n\n# b<\/code><\/pre>\n<p>end<\/p>/);
});

test('a picture is shown where it is served, else its description', () => {
  assert.match(html('![a "b"](/c.jpg)'), /<img src="\/c\.jpg" alt="a &quot;b&quot;">/);
  assert.match(html('![a](c.jpg)'), /<p>a<\/p>/);
});

test('a table keeps its cells, whatever is in them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.constantFrom('a', '|', '<b>', 'c d', '1 | 2'), { minLength: 2, maxLength: 2 }), {
        minLength: 1,
      }),
      (rows) => {
        const out = html(table(['x', 'y'], rows));
        const cells = [...out.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) =>
          cell!.replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
        );
        assert.deepEqual(cells, rows.flat());
      },
    ),
  );
});

test('no text becomes markup', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('<script>', '"', '`', '[x](', ')', '/y"onclick="', '**', '\n', '&lt;', 'a ')),
      (parts) => {
        const out = html(`p ${parts.join('')}`);
        assert.doesNotMatch(out, /<script/);
        for (const [tag] of out.matchAll(/<[^>]*>/g))
          assert.match(
            tag,
            /^<\/?(p|code|strong|hr|h\d|pre|ul|li|a)( (href|id|class)="[^"]*")*( aria-label="[^"]*")?>$/,
          );
      },
    ),
  );
});

test('anchors are those of code hosts', () => {
  assert.equal(anchorOf('GetImageById, MODIFY and QUERY'), 'getimagebyid-modify-and-query');
  assert.equal(anchorOf('Where the `thresholds` come from?'), 'where-the-thresholds-come-from');
});
