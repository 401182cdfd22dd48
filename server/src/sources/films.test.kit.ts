import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { samplesFolder } from '@sosia/fixtures';

/** The reason to skip a test if there is no ffmpeg. */
export const withoutFfmpeg =
  spawnSync('ffmpeg', ['-version']).status === 0 ? false : 'no ffmpeg: apt-get install ffmpeg';

/** A part of a film: a photograph, 1 to 24, over which the camera moves. */
export interface Shot {
  readonly photograph: number;
  readonly seconds: number;
  /** None if missing. */
  readonly camera?: 'pans' | 'zooms';
}

const size = '640x360';

function filterOf({ seconds, camera }: Shot): string {
  const wide = 'scale=800:-2';
  if (camera === 'pans') return `${wide},crop=640:360:(iw-ow)*t/${seconds}:(ih-oh)*t/${seconds}`;
  return `${wide},crop=800:450,zoompan=${camera ? 'z=1+0.002*on:' : ''}d=1:s=${size}:fps=25`;
}

/** Makes a film of the format that its name says, with cuts between the shots. */
export function makeFilm(path: string, shots: readonly Shot[]): void {
  const inputs = shots.flatMap(({ photograph, seconds }) => {
    const file = join(samplesFolder, `kodim${String(photograph).padStart(2, '0')}.jpg`);
    return ['-loop', '1', '-framerate', '25', '-t', String(seconds), '-i', file];
  });
  const parts = shots.map((shot, i) => `[${i}]${filterOf(shot)},setsar=1,format=yuv420p[v${i}];`);
  const joined = `${shots.map((_, i) => `[v${i}]`).join('')}concat=n=${shots.length}:v=1:a=0`;
  const encoded = ['-c:v', 'mpeg4', '-q:v', '3', '-y', path];
  execFileSync('ffmpeg', ['-v', 'error', ...inputs, '-filter_complex', parts.join('') + joined, ...encoded]);
}
