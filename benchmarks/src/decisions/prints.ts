import { join } from 'node:path';
import type { Point } from '@sosia/engine/geometry/frame';
import { project } from '@sosia/engine/geometry/homography';
import { glaring, heldInGlare } from '@sosia/testing/pictures/conditions';
import { between, randomFor } from '@sosia/testing/pictures/random';
import { rasterOf, sharpOf, type Raster } from '@sosia/testing/pictures/raster';
import { photographed } from '@sosia/testing/pictures/scenes';
import { framedTemplates, fromTemplate, templates } from '@sosia/testing/pictures/templates';
import sharp from 'sharp';
import { type Half, halfOf } from '../harness/halves.ts';
import { type Pictures, type Query } from './kinds.ts';

/** Long side of a view in pixels. */
const SIDE = 900;
/** Least and most share of a view that the print takes. */
const [LEAST, MOST] = [0.35, 0.6];

/**
 * Prints from templates, and views of them by a poor camera, with a hand or a reflection in front of every second one. Of each
 * template one print is a reference; another one has other contents.
 * @param folder  where to write them
 * @param size    templates of a kind
 */
export async function printsOf(half: Half, size: number, folder: string): Promise<Pictures> {
  const contents = [...halfOf(half, 'photos'), ...halfOf(half, 'cats_dogs')].values();
  const hosts = halfOf(half, 'styles/train/photo');
  const references: string[] = [];
  const queries: Query[] = [];
  const written = async (name: string, picture: Raster): Promise<string> => {
    const path = join(folder, `${half} ${name}.jpg`);
    await sharpOf(picture).jpeg({ quality: 85 }).toFile(path);
    return path;
  };
  for (const kind of Object.keys(templates))
    for (let number = 0; number < size; number++) {
      const group = framedTemplates.includes(kind) ? 'frame' : 'drawing';
      for (const content of ['a', 'b']) {
        const name = `print, ${kind} ${number} ${content}`;
        const picture = await rasterOf(sharp(contents.next().value));
        const print = await fromTemplate(kind, `print ${half} ${number}`, content, picture);
        const flat = await written(name, print);
        if (content === 'a') references.push(flat);
        else queries.push({ kind: `${group}, flat`, shows: 'other', path: flat });
        const random = randomFor('print', half, name);
        const host = await rasterOf(sharp(hosts[Math.floor(random() * hosts.length)]));
        const { view, outline } = await viewOf(print, host, random);
        const query = content === 'a' ? ({ shows: 'part', own: flat } as const) : ({ shows: 'other' } as const);
        queries.push({ kind: `${group}, view`, ...query, path: await written(`${name}, view`, view) });
        const hidden = await (number % 2 ? heldInGlare : glaring(0.33))(view, outline, random);
        const how = number % 2 ? 'hand' : 'glare';
        queries.push({ kind: `${group}, ${how}`, ...query, path: await written(`${name}, ${how}`, hidden) });
      }
    }
  return { references, queries };
}

/** The print hung askew over a host, and its corners in pixels of the view. */
async function viewOf(print: Raster, host: Raster, random: () => number) {
  const share = between(random, LEAST, MOST);
  const { picture: view, truth } = await photographed(share, SIDE)(print, { random, host });
  const corners: Point[] = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ];
  const outline = corners.map(([x, y]): Point => {
    const [u, v] = project(truth, x, y);
    return [u * view.width, v * view.height];
  });
  return { view, outline };
}
