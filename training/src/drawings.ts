import sharp from 'sharp';

const DRAWING_KINDS = ['text', 'text', 'text', 'text', 'table', 'table', 'receipt', 'figure'] as const;

/**
 * A page as strokes that need no font: lines of words in columns, with headings; or a table, a receipt, a page with a
 * photograph in it; as a scan, a little rotated, or photographed on top of something else.
 */
export async function page(number: number, backgrounds: readonly string[]): Promise<Buffer> {
  const random = stream(number);
  const between = (low: number, high: number): number => low + (high - low) * random();
  const kind = DRAWING_KINDS[number % DRAWING_KINDS.length];
  const wide = kind !== 'receipt' && random() < 0.25;
  const [width, height] = kind === 'receipt' ? [300, Math.round(between(500, 900))] : wide ? [877, 620] : [620, 877];
  const dark = random() < 0.12;
  const paper = Math.round(dark ? between(0, 60) : between(225, 255));
  const ink = Math.round(dark ? between(190, 255) : between(0, 70));
  const margin = kind === 'receipt' ? between(10, 30) : between(30, 90);
  const line = between(13, 26);
  const yellow = dark ? 0 : between(0, 14);
  const sheet = { random, between, width, height, margin, line };
  const draw = { text: columns, table, receipt, figure: columns }[kind];
  const body = draw(sheet, kind === 'figure' ? height * 0.36 : margin);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" stroke="rgb(${ink},${ink},${ink})" fill="none">` +
    `<rect width="100%" height="100%" stroke="none" fill="rgb(${paper},${paper},${Math.round(paper - yellow)})"/>${body}</svg>`;
  let drawn = await sharp(Buffer.from(svg)).png().toBuffer();
  if (kind === 'figure') {
    const size = { width: Math.round(width - 2 * margin), height: Math.round(height * 0.28) };
    const input = await sharp(backgrounds[number % backgrounds.length])
      .resize({ ...size, fit: 'cover' })
      .toBuffer();
    drawn = await sharp(drawn)
      .composite([{ input, left: Math.round(margin), top: 40 }])
      .png()
      .toBuffer();
  }
  const seen = number % 3 === 2 ? await photographed(drawn, backgrounds, random) : await scanned(drawn);
  return sharp(seen)
    .resize(Math.round(between(400, 900)))
    .jpeg({ quality: Math.round(between(40, 95)) })
    .toBuffer();

  function scanned(png: Buffer): Promise<Buffer> {
    const rotated = sharp(png).rotate(between(-3, 3), { background: '#999' });
    return rotated.blur(between(0.4, 1.4)).png().toBuffer();
  }
}

/** A sheet that is drawn on, in pixels. */
interface Sheet {
  readonly random: () => number;
  readonly between: (low: number, high: number) => number;
  readonly width: number;
  readonly height: number;
  readonly margin: number;
  /** Distance of two lines. */
  readonly line: number;
}

function columns({ random, between, width, height, margin, line }: Sheet, top: number): string {
  let drawing = '';
  const count = random() < 0.25 ? 2 : 1;
  const columnWidth = (width - margin * (count + 1)) / count;
  for (let column = 0; column < count; column++) {
    const left = margin + column * (columnWidth + margin);
    let y = top;
    if (random() < 0.6) {
      drawing += words(random, left, y, columnWidth * between(0.3, 0.9), line * 1.3, 2);
      y += line * 2.4;
    }
    while (y < height - margin) {
      const last = random() < 0.15;
      const length = columnWidth * (last ? between(0.2, 0.8) : between(0.93, 1));
      drawing += words(random, left, y, length, line * 0.55, line / 14);
      y += line * (last ? 1.9 : 1);
      if (random() < 0.02) y += between(40, 140); // room for a formula
    }
  }
  return drawing;
}

function table({ random, between, width, height, margin, line }: Sheet, top: number): string {
  const [rows, count] = [Math.round((height - 2 * margin) / (line * between(1.3, 2.2))), Math.round(between(3, 9))];
  const [rowHeight, columnWidth] = [(height - margin - top) / rows, (width - 2 * margin) / count];
  const ruled = random() < 0.7;
  let drawing = '';
  for (let row = 0; row <= rows; row++) {
    const y = top + row * rowHeight;
    if (ruled || row < 2) drawing += `<path d="M${margin} ${y}H${width - margin}" stroke-width="1"/>`;
    for (let column = 0; column < count && row < rows; column++) {
      const length = columnWidth * (column === 0 ? between(0.4, 0.8) : between(0.2, 0.6));
      drawing += words(random, margin + column * columnWidth + 5, y + rowHeight * 0.3, length, line * 0.5, line / 14);
    }
  }
  for (let column = 0; ruled && column <= count; column++)
    drawing += `<path d="M${margin + column * columnWidth} ${top}V${height - margin}" stroke-width="1"/>`;
  return drawing;
}

function receipt({ random, between, width, height, margin, line }: Sheet, top: number): string {
  let drawing = '';
  for (let y = top; y < height - margin; y += line) {
    if (random() < 0.12) continue;
    drawing += words(random, margin, y, (width - 2 * margin) * between(0.2, 0.6), line * 0.5, line / 14);
    drawing += words(random, width - margin - 55, y, 45, line * 0.5, line / 14);
  }
  return drawing;
}

/** What holds letters or boxes and is no page: windows of programs, diagrams, and signs that fill little of a photograph. */
export async function noPage(number: number, backgrounds: readonly string[]): Promise<Buffer> {
  const random = stream(10_000 + number);
  const between = (low: number, high: number): number => low + (high - low) * random();
  const colour = (): string =>
    `hsl(${Math.round(between(0, 360))},${Math.round(between(30, 80))}%,${Math.round(between(35, 75))}%)`;
  const box = (x: number, y: number, width: number, height: number, fill: string): string =>
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" stroke="none"/>`;
  const [width, height] = [Math.round(between(800, 1280)), Math.round(between(560, 800))];
  const picture = (paper: string, drawing: string): Promise<Buffer> => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" stroke="#222" fill="none">${box(0, 0, width, height, paper)}${drawing}</svg>`;
    return sharp(Buffer.from(svg))
      .jpeg({ quality: Math.round(between(50, 95)) })
      .toBuffer();
  };
  const draw = [
    function windows() {
      let drawing = box(0, 0, width, 40, colour()) + box(0, 40, 200, height, '#eee');
      for (let y = 70; y < height - 40; y += 40)
        drawing += box(20, y, 18, 18, colour()) + words(random, 50, y + 4, between(40, 120), 9, 1);
      for (let x = 230; x < width - 200; x += 300)
        for (let y = 70; y < height - 200; y += 280) {
          drawing += box(x, y, 260, between(60, 160), colour()) + box(x, y + 230, 90, 24, colour());
          for (let k = 0; k < 3; k++) drawing += words(random, x, y + 172 + 18 * k, between(120, 250), 8, 1);
        }
      return picture('#fff', drawing);
    },
    function diagram() {
      const bars = Math.round(between(4, 14));
      const step = (width - 160) / bars;
      let drawing = `<path d="M80 60V${height - 80}H${width - 60}" stroke-width="2"/>${words(random, 80, 25, 240, 13, 1.5)}`;
      for (let k = 0; k < bars; k++) {
        const tall = between(30, height - 180);
        drawing += box(90 + k * step, height - 80 - tall, step * 0.7, tall, colour());
        drawing += words(random, 90 + k * step, height - 66, step * 0.6, 8, 1);
      }
      return picture('#fff', drawing);
    },
    async function sign() {
      const [across, down] = [300, 180];
      let drawing = '';
      for (let y = 15; y < down - 20; y += 30) drawing += words(random, 15, y, between(150, across - 30), 14, 2.5);
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${across}" height="${down}" stroke="#111" fill="none">${box(0, 0, across, down, random() < 0.5 ? '#fff' : colour())}${drawing}</svg>`;
      return photographed(await sharp(Buffer.from(svg)).png().toBuffer(), backgrounds, random, between(0.1, 0.3));
    },
  ];
  return draw[number % draw.length]();
}

/** Laid on a photograph a little askew, in the light of one side. @param share  of the area, about */
async function photographed(
  png: Buffer,
  backgrounds: readonly string[],
  random: () => number,
  share = 0.45 + 0.5 * random(),
): Promise<Buffer> {
  const between = (low: number, high: number): number => low + (high - low) * random();
  const [width, height] = [720, 960];
  const background = backgrounds[Math.floor(backgrounds.length * random())];
  const light = between(0.75, 1);
  const skewed = await sharp(png)
    .ensureAlpha()
    .affine(
      [
        [1, between(-0.12, 0.12)],
        [between(-0.12, 0.12), 1],
      ],
      { background: '#0000' },
    )
    .linear([light, light * between(0.94, 1), light * between(0.8, 1), 1], [0, 0, 0, 0])
    .png()
    .toBuffer();
  const side = Math.sqrt(share);
  const page = await sharp(skewed)
    .resize({ width: Math.round(width * side), height: Math.round(height * side), fit: 'inside' })
    .png()
    .toBuffer({ resolveWithObject: true });
  const place = (space: number): number => Math.round(space * between(0.2, 0.8));
  const [left, top] = [place(width - page.info.width), place(height - page.info.height)];
  const laid = sharp(background)
    .resize({ width, height, fit: 'cover' })
    .composite([{ input: page.data, left, top }]);
  return sharp(await laid.png().toBuffer())
    .blur(between(0.4, 1.3))
    .jpeg({ quality: 80 })
    .toBuffer();
}

/** A line of words. */
function words(random: () => number, x: number, y: number, length: number, size: number, stroke: number): string {
  const between = (low: number, high: number): number => low + (high - low) * random();
  let path = '';
  for (let at = x; at < x + length;) {
    const letters = 1 + Math.floor(random() * 9);
    for (let k = 0; k < letters && at < x + length; k++) {
      const tall = random() < 0.25 ? size * 0.5 : 0;
      path += `M${at.toFixed(1)} ${(y - tall).toFixed(1)}V${(y + size).toFixed(1)}`;
      if (random() < 0.6)
        path += `q${(size * 0.4).toFixed(1)} ${(-size * between(0.2, 1.2)).toFixed(1)} ${(size * 0.5).toFixed(1)} 0`;
      at += size * 0.62;
    }
    at += size * 0.7;
  }
  return `<path d="${path}" stroke-width="${stroke.toFixed(1)}"/>`;
}

/** Mulberry32 (T. Ettinger, 2017). */
function stream(seed: number): () => number {
  let state = seed * 0x9e3779b1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
