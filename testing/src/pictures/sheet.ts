import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import sharp from 'sharp';
import { attackedFile } from './attacked.ts';
import { attacks } from './attacks.ts';

const CELL = 320;
const COLUMNS = 6;

/** One picture under every attack, side by side in the order of the table: to see that the attacks are what they say. */
export async function contactSheet(path: string, hosts: readonly string[], seed: number, file: string): Promise<void> {
  const cells = await Promise.all(
    attacks.map(async (attack, i) => {
      const attacked = await attackedFile(path, attack, hosts, seed);
      const input = await sharp(attacked.path)
        .resize(CELL, CELL, { fit: 'contain', background: '#246' })
        .png()
        .toBuffer();
      return { input, left: (i % COLUMNS) * CELL, top: Math.floor(i / COLUMNS) * CELL };
    }),
  );
  const height = Math.ceil(attacks.length / COLUMNS) * CELL;
  const page = sharp({ create: { width: COLUMNS * CELL, height, channels: 3, background: '#246' } });
  mkdirSync(dirname(file), { recursive: true });
  await page.composite(cells).png().toFile(file);
}
