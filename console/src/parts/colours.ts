/** A colour and its desired share of the picture. */
export interface MixedColor {
  /** `rrggbb` */
  readonly rgb: string;
  /** Per cent. */
  readonly share: number;
}

/** The colours as a parameter of the interface. */
export function colorsOf(colors: readonly MixedColor[]): string[] {
  return colors.map(({ rgb, share }) => `${rgb}@${share}`);
}

/** From `rrggbb@share` or `rrggbb`; colours without a share get equal parts of the rest. */
export function parsedColors(texts: readonly string[]): MixedColor[] {
  const all = texts.map((text) => text.split('@', 2) as [string, string?]);
  const assigned = all.reduce((sum, [, share]) => sum + Number(share ?? 0), 0);
  const open = all.filter(([, share]) => share === undefined).length;
  return all.map(([rgb, share]) => ({ rgb, share: Number(share ?? Math.max(5, Math.floor((100 - assigned) / open))) }));
}
