import { drawing, line } from './lettering.ts';
import { between, oneOf, randomFor, shuffled, type Random } from './random.ts';
import { rasterOf, type Raster } from './raster.ts';
import sharp from 'sharp';

type Document = (design: Random, entry: Random) => { width: number; height: number; content: string };

const vivid = ['#c0392b', '#2471a3', '#1e8449', '#d68910', '#7d3c98', '#16324f'];

/** Documents whose design takes most of the page. */
const documents: Readonly<Record<string, Document>> = {
  form: (design, entry) => {
    let content = text(design, 50, 40, 20, 40);
    for (let row = 0; row < 16; row++) {
      const y = 130 + 70 * row;
      content += text(design, 50, y - 4, between(design, 6, 16), 13);
      content += `<rect x="330" y="${y - 22}" width="620" height="52" fill="none" stroke="#333" stroke-width="2"/>`;
      content += `<g transform="translate(345 ${y - 8}) skewX(-14)">${text(entry, 0, 0, between(entry, 5, 8), 23, '#1a2f7a')}${text(entry, 220, 0, between(entry, 5, 8), 23, '#1a2f7a')}</g>`;
    }
    return { width: 1000, height: 1300, content };
  },
  slide: (design, entry) => {
    const colour = oneOf(design, vivid);
    let content = rect(0, 0, 960, 90, colour) + rect(0, 510, 960, 30, colour) + disc(900, 45, 30, '#fff');
    content += text(design, 30, 518, 30, 12, '#fff') + rect(30, 130, 8, 340, oneOf(design, vivid));
    content += text(entry, 30, 30, between(entry, 12, 24), 30, '#fff');
    for (let row = 0; row < 5; row++)
      content += disc(70, 165 + 65 * row, 6, colour) + text(entry, 95, 155 + 65 * row, between(entry, 12, 40), 20);
    return { width: 960, height: 540, content };
  },
  table: (design, entry) => {
    const columns = Math.round(between(design, 4, 7));
    const across = 900 / columns;
    let content = rect(30, 60, 900, 40, oneOf(design, vivid)) + text(design, 30, 20, 20, 22);
    for (let column = 0; column < columns; column++) content += text(design, 40 + column * across, 72, 6, 15, '#fff');
    for (let row = 0; row < 14; row++) {
      content += rect(30, 140 + 40 * row, 900, 1, '#888') + text(design, 40, 112 + 40 * row, 7, 15);
      for (let column = 1; column < columns; column++)
        content += text(entry, 40 + column * across, 112 + 40 * row, between(entry, 2, 5), 15);
    }
    return { width: 960, height: 700, content };
  },
  'bar chart': (design, entry) => {
    const [bars, colour] = [Math.round(between(design, 6, 12)), oneOf(design, vivid)];
    let content = text(design, 200, 20, 24, 22);
    for (let y = 80; y <= 480; y += 50) content += rect(80, y, 780, 1, '#bbb') + text(design, 20, y - 6, 3, 12);
    for (let i = 0; i < bars; i++) {
      const [x, tall] = [80 + (780 * (i + 0.2)) / bars, between(entry, 60, 390)];
      content += rect(x, 480 - tall, (780 * 0.6) / bars, tall, colour) + text(design, x, 495, 3, 12);
    }
    return { width: 900, height: 560, content: content + text(design, 350, 530, 14, 14) };
  },
  post: (design, entry) => {
    let content =
      disc(60, 60, 36, oneOf(entry, vivid)) + text(design, 115, 38, 14, 20) + text(design, 115, 72, 10, 13, '#888');
    for (let row = 0; row < 4; row++) content += text(entry, 30, 125 + 40 * row, between(entry, 15, 32), 21);
    content += rect(30, 300, 640, 1, '#ccc');
    for (let i = 0; i < 4; i++)
      content += disc(60 + 165 * i, 330, 13, '#888') + text(design, 85 + 165 * i, 323, 4, 14, '#888');
    return { width: 700, height: 370, content };
  },
  puzzle: (design, entry) => {
    let content = text(design, 60, 20, 18, 24);
    for (let i = 0; i <= 9; i++) {
      const wide = i % 3 ? 1.5 : 5;
      content += `<path d="M40 ${80 + 60 * i}H580M${40 + 60 * i} 80V620" stroke="#111" stroke-width="${wide}"/>`;
    }
    for (const cell of shuffled(entry, [...Array(81).keys()]).slice(0, 28))
      content += text(entry, 60 + 60 * (cell % 9), 94 + 60 * Math.floor(cell / 9), 1, 32);
    return { width: 620, height: 660, content };
  },
};

export const documentKinds: readonly string[] = Object.keys(documents);

/** Documents of one design share all but their entries. */
export function documentOf(kind: string, design: string, entries: string): Promise<Raster> {
  const { width, height, content } = documents[kind]!(
    randomFor('document', kind, design),
    randomFor('entries', kind, design, entries),
  );
  return rasterOf(sharp(drawing(width, height, rect(0, 0, width, height, '#fff') + content)));
}

function text(random: Random, x: number, y: number, letters: number, size: number, colour = '#222'): string {
  return line(random, Math.round(letters), x, y, size, colour);
}

function rect(x: number, y: number, width: number, height: number, fill: string): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`;
}

function disc(x: number, y: number, radius: number, fill: string): string {
  return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`;
}
