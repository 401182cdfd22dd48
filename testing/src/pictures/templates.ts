import sharp from 'sharp';
import { drawing, lettersIn, line } from './lettering.ts';
import { between, oneOf, randomFor, type Random } from './random.ts';
import { rasterOf, resized, sharpOf, type Raster } from './raster.ts';

/** A template with its contents: a drawing, a photograph in its hole, a second drawing over both. */
interface Layout {
  readonly width: number;
  readonly height: number;
  readonly under: string;
  readonly hole?: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
  readonly over?: string;
}

/** @param frame  what all pictures of one template share  @param entry  what differs between them */
type Template = (frame: Random, entry: Random) => Layout;

const dark = ['#111', '#16324f', '#5b1a18', '#1f3d2b', '#402a4d'];
const pale = ['#fff', '#f6efe0', '#e8eef4', '#ffe14d', '#f4dede'];
const vivid = ['#c0392b', '#2471a3', '#1e8449', '#d68910', '#7d3c98'];

/** Templates whose content is a photograph. */
const framed = {
  'caption bar': (frame) => {
    const [width, height, bar] = [640, Math.round(between(frame, 380, 640)), Math.round(between(frame, 70, 130))];
    const below = frame() < 0.5;
    const top = below ? height : 0;
    const size = bar * between(frame, 0.22, 0.32);
    let under = rect(0, top, width, bar, oneOf(frame, [...dark, ...pale.slice(0, 2)]));
    const ink = oneOf(frame, ['#888', '#e5a50a']);
    for (const row of [0, 1]) under += words(frame, 20, top + bar * 0.15 + row * bar * 0.42, width - 60, size, ink);
    return { width, height: height + bar, under, hole: { left: 0, top: below ? 0 : bar, width, height } };
  },
  'television banner': (frame) => {
    const [width, height] = [640, 360];
    const [y, bar] = [height * between(frame, 0.66, 0.74), height * between(frame, 0.14, 0.2)];
    const at = oneOf(frame, [30, width - 110]);
    const over =
      rect(30, y, width - 60, bar, oneOf(frame, vivid)) +
      words(frame, 46, y + bar * 0.25, width - 120, bar * 0.5, '#fff') +
      rect(0, height - 34, width, 34, oneOf(frame, dark)) +
      words(frame, 10, height - 25, width - 20, 15, '#fff') +
      rect(at, 20, 80, 40, oneOf(frame, vivid)) +
      words(frame, at + 8, 28, 64, 22, '#fff');
    return { width, height, under: '', hole: { left: 0, top: 0, width, height }, over };
  },
  polaroid: (frame) => {
    const [margin, side, foot] = [between(frame, 24, 44), between(frame, 380, 460), between(frame, 90, 150)].map(
      Math.round,
    ) as [number, number, number];
    const [width, height] = [side + 2 * margin, side + margin + foot];
    const under =
      rect(0, 0, width, height, oneOf(frame, ['#fff', '#f6efe0', '#222'])) +
      words(
        frame,
        margin * 1.5,
        margin + side + foot * 0.3,
        side * 0.8,
        foot * 0.35,
        oneOf(frame, ['#2c3e80', '#a55']),
      );
    return { width, height, under, hole: { left: margin, top: margin, width: side, height: side } };
  },
  'poster template': (frame) => {
    const [width, height] = [500, 740];
    const [top, bottom] = [Math.round(between(frame, 90, 190)), Math.round(between(frame, 120, 220))];
    const ink = oneOf(frame, ['#ddd', '#e5c07b']);
    let under = rect(0, 0, width, height, oneOf(frame, [...dark, ...vivid]));
    under += words(frame, 30, top * 0.3, width - 60, top * 0.4, ink);
    for (let y = height - bottom + 20; y < height - 40; y += 18) under += words(frame, 40, y, width - 80, 9, ink);
    for (let x = 40; x < width - 60; x += 90) under += circle(x, height - 20, between(frame, 6, 12), ink);
    return { width, height, under, hole: { left: 0, top, width, height: height - top - bottom } };
  },
  'phone app': (frame, entry) => {
    const [width, height] = [420, 840];
    const ground = oneOf(frame, ['#fff', '#fff', '#121212']);
    const ink = ground === '#fff' ? '#333' : '#ddd';
    let under =
      rect(0, 0, width, height, ground) + words(frame, 12, 8, 60, 12, ink) + words(frame, 340, 8, 60, 12, ink);
    under += circle(40, 70, 22, oneOf(frame, vivid)) + words(frame, 76, 60, 200, 16, ink);
    for (let i = 0; i < 4; i++) under += star(frame, 40 + 56 * i, 600, 16, ink);
    for (let y = 640; y < 720; y += 24) under += words(entry, 16, y, 380, 12, ink);
    under += rect(0, 770, width, 70, oneOf(frame, ['#eee', '#222', ...vivid]));
    for (let i = 0; i < 5; i++) under += star(frame, 42 + 84 * i, 805, 18, '#888');
    return { width, height, under, hole: { left: 0, top: 110, width, height: 460 } };
  },
  'ornate border': (frame) => {
    const [width, height, margin] = [640, oneOf(frame, [480, 640, 800]), Math.round(between(frame, 40, 80))];
    let under = rect(0, 0, width, height, oneOf(frame, [...dark, ...vivid, '#c9a227']));
    const [step, ink, inner] = [margin * between(frame, 0.5, 0.9), oneOf(frame, pale), oneOf(frame, pale)];
    const motif = (x: number, y: number) =>
      star(frame, x, y, step * 0.45, ink) + circle(x + step / 2, y, step * 0.15, inner);
    for (let x = step / 2; x < width; x += step) under += motif(x, margin / 2) + motif(x, height - margin / 2);
    for (let y = margin; y < height - margin; y += step) under += motif(margin / 2, y) + motif(width - margin / 2, y);
    return { width, height, under, hole: inset(width, height, margin) };
  },
  'tiled watermark': (frame) => {
    const [width, height] = [640, oneOf(frame, [426, 480, 640])];
    const [dx, dy] = [between(frame, 120, 220), between(frame, 70, 130)];
    const seed = frame();
    let over = `<g opacity="${between(frame, 0.35, 0.6)}" transform="rotate(${between(frame, -35, 35)} 320 240)">`;
    for (let y = -300; y < height + 300; y += dy)
      for (let x = -300; x < width + 300; x += dx) over += words(randomFor('mark', seed), x, y, dx * 0.7, 18, '#fff');
    return { width, height, under: '', hole: { left: 0, top: 0, width, height }, over: `${over}</g>` };
  },
} satisfies Readonly<Record<string, Template>>;

/** Templates whose content is drawn, at least for the most part. */
const drawn = {
  slide: (frame, entry) => {
    const [width, height] = [800, 450];
    const under =
      rect(0, 0, width, height, '#fff') +
      rect(0, 0, width, 70, oneOf(frame, [...dark, ...vivid])) +
      words(frame, 24, 20, 500, 30, '#fff') +
      star(frame, 750, 36, 24, '#fff') +
      rect(0, 425, width, 25, oneOf(frame, vivid)) +
      words(frame, 24, 431, 300, 11, '#fff') +
      [110, 160, 210, 260, 310, 360].map((y) => words(entry, 40, y, between(entry, 150, 400), 17, '#222')).join('');
    return { width, height, under, hole: { left: 500, top: 110, width: 270, height: 270 } };
  },
  letterhead: (frame, entry) => {
    const [width, height] = [620, 877];
    let under = rect(0, 0, width, height, '#fff') + star(frame, 90, 70, 34, oneOf(frame, vivid));
    under += words(frame, 150, 50, 380, 26, oneOf(frame, dark)) + words(frame, 150, 90, 300, 10, '#666');
    for (let y = 150; y < 780; y += 22)
      if (entry() < 0.9) under += words(entry, 60, y, between(entry, 300, 500), 10, '#222');
    return { width, height, under: under + words(frame, 60, 830, 480, 9, '#666') };
  },
  form: (frame, entry) => {
    const [width, height] = [620, 877];
    let under =
      rect(0, 0, width, height, oneOf(frame, ['#fff', '#fbfaf4', '#eef4ee'])) + words(frame, 40, 36, 460, 24, '#111');
    const [columns, pitch, label] = [oneOf(frame, [1, 2, 3]), between(frame, 44, 64), between(frame, 7, 10)];
    const across = (width - 80) / columns;
    for (let y = 90; y < height - pitch; y += pitch)
      for (let column = 0; column < columns; column++) {
        const x = 40 + column * across;
        under += words(frame, x, y, across * between(frame, 0.3, 0.7), label, '#444');
        under += `<rect x="${x}" y="${y + 14}" width="${across - 12}" height="${pitch - 22}" fill="none" stroke="#444"/>`;
        if (entry() < 0.85)
          under += words(entry, x + 6, y + 20, (across - 30) * between(entry, 0.2, 1), pitch * 0.28, '#1a2f7a');
      }
    return { width, height, under };
  },
  'bar chart': (frame, entry) => {
    const [width, height] = [640, 480];
    let under = rect(0, 0, width, height, '#fff') + words(frame, 120, 16, 400, 20, '#222');
    for (let y = 80; y <= 400; y += 40) under += rect(70, y, 540, 1, '#ccc') + words(frame, 20, y - 5, 40, 10, '#444');
    const [bars, colour] = [Math.round(between(frame, 5, 14)), oneOf(frame, vivid)];
    const pitch = 540 / bars;
    for (let i = 0; i < bars; i++) {
      const tall = between(entry, 20, 310);
      under += rect(70 + pitch * (i + 0.2), 400 - tall, pitch * 0.6, tall, colour);
      under += words(frame, 74 + pitch * i, 412, pitch * 0.8, 9, '#444');
    }
    return { width, height, under: under + words(frame, 240, 450, 180, 14, '#444') };
  },
} satisfies Readonly<Record<string, Template>>;

export const templates: Readonly<Record<string, Template>> = { ...framed, ...drawn };
/** The names of the templates with a photograph as their content. */
export const framedTemplates: readonly string[] = Object.keys(framed);

/**
 * A picture of template `number` of a family. Two contents in one template share all that belongs to the frame.
 * @param photograph  fills the hole, if the template has one
 */
export async function fromTemplate(
  family: string,
  number: string,
  content: string,
  photograph: Raster,
): Promise<Raster> {
  const layout = templates[family]!(randomFor('frame', family, number), randomFor('entry', family, number, content));
  const { width, height, under, hole, over = '' } = layout;
  const layers = [];
  if (hole) {
    const photo = await rasterOf(sharpOf(photograph).resize(hole.width, hole.height, { fit: 'cover' }));
    layers.push({
      input: await sharpOf(photo).png({ compressionLevel: 0 }).toBuffer(),
      left: hole.left,
      top: hole.top,
    });
  }
  const ground = sharp(drawing(width, height, under)).flatten({ background: '#fff' });
  return rasterOf(
    sharp(
      await ground
        .composite([...layers, { input: drawing(width, height, over) }])
        .png()
        .toBuffer(),
    ),
  );
}

/** One half of a picture replaced by the same half of another one. */
export async function halfReplaced(random: Random, original: Raster, other: Raster): Promise<Raster> {
  const { width, height } = original;
  const [across, second] = [random() < 0.5, random() < 0.5];
  const size = across ? { width: width >> 1, height } : { width, height: height >> 1 };
  const from = { left: across && second ? width - size.width : 0, top: !across && second ? height - size.height : 0 };
  const half = sharpOf(await resized(other, width, height)).extract({ ...from, ...size });
  const input = await half.png({ compressionLevel: 0 }).toBuffer();
  return rasterOf(sharpOf(original).composite([{ input, ...from }]));
}

function inset(width: number, height: number, margin: number) {
  return { left: margin, top: margin, width: width - 2 * margin, height: height - 2 * margin };
}

function rect(x: number, y: number, width: number, height: number, fill: string): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`;
}

function circle(x: number, y: number, radius: number, fill: string): string {
  return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`;
}

/** A star or rosette of its own form. */
function star(random: Random, x: number, y: number, radius: number, fill: string): string {
  const points = Array.from({ length: 2 * Math.round(between(random, 3, 7)) }, (_, i) => {
    const [angle, reach] = [i * 1.1, radius * (i % 2 ? between(random, 0.3, 0.6) : 1)];
    return `${(x + reach * Math.cos(angle)).toFixed(1)},${(y + reach * Math.sin(angle)).toFixed(1)}`;
  });
  return `<polygon points="${points.join(' ')}" fill="${fill}"/>`;
}

/** A line of letters that fills a width. */
function words(random: Random, x: number, y: number, width: number, size: number, colour: string): string {
  return line(random, lettersIn(width, size), x, y, size, colour);
}
