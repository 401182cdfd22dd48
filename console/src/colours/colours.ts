/** A colour and how much of the picture it should fill. */
export interface MixedColor {
  /** `rrggbb` */
  readonly rgb: string;
  /** Per cent. */
  readonly share: number;
}

/** As the interface takes them. */
export function colorsOf(colors: readonly MixedColor[]): string[] {
  return colors.map(({ rgb, share }) => `${rgb}@${share}`);
}

/** From `rrggbb@share` or `rrggbb`; those without a share divide what is left. */
export function parsedColors(texts: readonly string[]): MixedColor[] {
  const all = texts.map((text) => text.split('@', 2) as [string, string?]);
  const given = all.reduce((sum, [, share]) => sum + Number(share ?? 0), 0);
  const open = all.filter(([, share]) => share === undefined).length;
  return all.map(([rgb, share]) => ({ rgb, share: Number(share ?? Math.max(5, Math.floor((100 - given) / open))) }));
}
