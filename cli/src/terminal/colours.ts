/** A patch of a colour, two columns wide; empty without a terminal, with few colours, or with `NO_COLOR`. */
export function swatch(rgb: string): string {
  if (!process.stdout.isTTY || !process.stdout.hasColors(256)) return '';
  const [red, green, blue] = [0, 2, 4].map((at) => parseInt(rgb.slice(at, at + 2), 16)) as [number, number, number];
  const colour = process.stdout.hasColors(2 ** 24) ? `2;${red};${green};${blue}` : `5;${ofCube(red, green, blue)}`;
  return `\x1b[48;${colour}m  \x1b[0m`;
}

/** The nearest of the 216 colours that terminals with 256 have in a cube of 6 steps per axis. */
function ofCube(...channels: [number, number, number]): number {
  const [r, g, b] = channels.map((value) => Math.round((value / 255) * 5)) as [number, number, number];
  return 16 + 36 * r + 6 * g + b;
}

/** A bar of up to `most` columns for a share in [0, 1]; at least one column for a share above 0. */
export function bar(share: number, most: number): string {
  return '█'.repeat(Math.max(share > 0 ? 1 : 0, Math.round(share * most)));
}
